// Forces and loads as arrows.

import * as three from "three";
import type { Poses } from "../data/poses";
import * as look from "../generated/look";
import type { Scene } from "../generated/scene";

/** The largest force is drawn this long, as a fraction of the structure. */
const LONGEST = 0.16;

export interface Arrow {
  /** In the frame of the block. */
  block: number;
  local: three.Vector3;
  force: three.Vector3;
}

/** Of a force and its reaction the one that points up: then arrows of neighbouring joints agree. */
export function upward(forces: Float32Array, k: number): three.Vector3 {
  const force = new three.Vector3().fromArray(forces, 3 * k);
  return force.z < 0 ? force.negate() : force;
}

/** Arrows of one colour that are as long as their forces are large. */
export class Arrows {
  readonly group = new three.Group();
  private shafts: three.InstancedMesh;
  private heads: three.InstancedMesh;
  private arrows: Arrow[] = [];

  constructor(
    private most: number,
    private size: number,
    private largest: number,
    colour: string,
    private towards: boolean,
  ) {
    const material = new three.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.9 });
    const shaft = new three.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const head = new three.ConeGeometry(1, 1, 12).translate(0, -0.5, 0);
    this.shafts = new three.InstancedMesh(shaft, material, Math.max(most, 1));
    this.heads = new three.InstancedMesh(head, material, Math.max(most, 1));
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 3;
      mesh.count = 0;
      this.group.add(mesh);
    }
  }

  show(arrows: Arrow[]): void {
    this.arrows = arrows.slice(0, this.most);
  }

  move(poses: Poses): void {
    const [position, turn, at, along, scale] = [new three.Vector3(), new three.Quaternion(), new three.Vector3(), new three.Vector3(), new three.Vector3()];
    const up = new three.Vector3(0, 1, 0);
    const matrix = new three.Matrix4();
    let count = 0;
    for (const arrow of this.arrows) {
      const share = Math.min(arrow.force.length() / this.largest, 1.6);
      if (share < 0.004) continue;
      const length = LONGEST * this.size * share;
      const width = this.size * (0.0011 + 0.0016 * Math.sqrt(share));
      const tip = Math.min(0.45 * length, 6 * width);
      poses.get(arrow.block, position, turn);
      at.copy(arrow.local).applyQuaternion(turn).add(position);
      along.copy(arrow.force).normalize();
      // Forces between blocks are centred on their point; loads end there.
      at.addScaledVector(along, this.towards ? -length : -0.5 * length);
      turn.setFromUnitVectors(up, along);
      this.shafts.setMatrixAt(count, matrix.compose(at, turn, scale.set(width, length - tip, width)));
      at.addScaledVector(along, length);
      this.heads.setMatrixAt(count, matrix.compose(at, turn, scale.set(2.6 * width, tip, 2.6 * width)));
      count++;
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

/** The largest force of a usual time: outliers of an impact must not make all others invisible. */
export function reference(forces: Float32Array, starts: ArrayLike<number>): number {
  const largest: number[] = [];
  for (let k = 0; k + 1 < starts.length; k++) {
    let most = 0;
    for (let i = 3 * starts[k]; i < 3 * starts[k + 1]; i += 3) most = Math.max(most, Math.hypot(forces[i], forces[i + 1], forces[i + 2]));
    if (most > 0) largest.push(most);
  }
  largest.sort((a, b) => a - b);
  return largest[Math.floor(0.5 * largest.length)] ?? 1;
}

/** Loads as arrows that end where they act. */
export function loads(data: Scene): Arrows {
  const largest = data.loads.reduce((m, load) => Math.max(m, Math.hypot(...load.force)), 1e-300);
  const arrows = new Arrows(data.loads.length, data.size, largest, look.sign.load, true);
  arrows.show(data.loads.map((load) => ({ block: load.block, local: new three.Vector3(...load.arm), force: new three.Vector3(...load.force) })));
  return arrows;
}
