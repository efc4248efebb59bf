// Where blocks are drawn.

import { Quaternion, Vector3 } from "three";
import type { Blocks } from "./blocks";
import type { Motion } from "./motion";

/** Present poses of all blocks, displacements exaggerated. */
export class Poses {
  /** Position, then quaternion, padded to eight numbers per block: two texels. */
  values: Float32Array;
  private way = new Vector3();
  private turn = new Quaternion();
  private axis = new Vector3();

  constructor(private blocks: Blocks) {
    this.values = new Float32Array(8 * blocks.count);
  }

  update(motion: Motion, t: number, exaggeration: number): void {
    const { way, turn, axis, values } = this;
    for (let b = 0; b < this.blocks.count; b++) {
      motion.at(b, t, way, turn);
      if (exaggeration !== 1) {
        way.multiplyScalar(exaggeration);
        const s = Math.hypot(turn.x, turn.y, turn.z);
        if (s > 1e-12) {
          const angle = 2 * Math.atan2(s, turn.w);
          axis.set(turn.x / s, turn.y / s, turn.z / s);
          turn.setFromAxisAngle(axis, exaggeration * angle);
        }
      }
      const k = 8 * b;
      for (let i = 0; i < 3; i++) values[k + i] = this.blocks.position[3 * b + i] + way.getComponent(i);
      values[k + 4] = turn.x;
      values[k + 5] = turn.y;
      values[k + 6] = turn.z;
      values[k + 7] = turn.w;
    }
  }

  get(block: number, position: Vector3, rotation: Quaternion): void {
    const k = 8 * block;
    position.fromArray(this.values, k);
    rotation.fromArray(this.values, k + 4);
  }
}
