// Thrust lines and ties.

import * as three from "three";
import type { Blocks } from "../data/blocks";
import type { Poses } from "../data/poses";
import * as look from "../generated/look";

/** A polyline with thickness whose points go with blocks; points of no block stay. */
export class Polyline {
  readonly group = new three.Group();
  private rods: three.InstancedMesh;
  private balls: three.InstancedMesh;

  constructor(
    private points: three.Vector3[],
    private owners: (number | null)[],
    private initial: Blocks,
    private width: number,
    colour: string,
  ) {
    const material = new three.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true });
    this.rods = new three.InstancedMesh(new three.CylinderGeometry(1, 1, 1, 10), material, Math.max(points.length - 1, 1));
    this.balls = new three.InstancedMesh(new three.SphereGeometry(1, 12, 8), material, Math.max(points.length, 1));
    for (const mesh of [this.rods, this.balls]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 2;
      this.group.add(mesh);
    }
    this.rods.count = Math.max(points.length - 1, 0);
    this.balls.count = points.length;
  }

  move(poses: Poses): void {
    const [position, turn, scale] = [new three.Vector3(), new three.Quaternion(), new three.Vector3()];
    const up = new three.Vector3(0, 1, 0);
    const matrix = new three.Matrix4();
    const places = this.points.map((point, k) => {
      const block = this.owners[k];
      if (block === null) return point;
      poses.get(block, position, turn);
      return point.clone().sub(new three.Vector3().fromArray(this.initial.position, 3 * block)).applyQuaternion(turn).add(position);
    });
    places.forEach((place, k) => {
      this.balls.setMatrixAt(k, matrix.compose(place, turn.identity(), scale.setScalar(1.3 * this.width)));
      if (k === 0) return;
      const way = place.clone().sub(places[k - 1]);
      position.copy(places[k - 1]).addScaledVector(way, 0.5);
      const length = way.length();
      if (length > 0) turn.setFromUnitVectors(up, way.divideScalar(length));
      this.rods.setMatrixAt(k - 1, matrix.compose(position, turn, scale.set(this.width, length, this.width)));
    });
    this.rods.instanceMatrix.needsUpdate = true;
    this.balls.instanceMatrix.needsUpdate = true;
  }
}

/** The colour of a thrust line. */
export function lineColour(state: string): string {
  return (look.thrust as Record<string, string>)[state] ?? look.thrust.equilibrium;
}
