// Joints as polygons between two blocks, and which of them a ray meets.

import * as three from "three";
import type { Blocks } from "../data/blocks";
import { f32, u32 } from "../data/packed";
import type { Poses } from "../data/poses";

export class Outlines {
  readonly count: number;
  /** Two per joint. */
  readonly blocks: Uint32Array;
  /** First corner of each joint, and the end of the last. */
  readonly starts: Uint32Array;
  /** Corners at the start, m. */
  readonly corners: Float32Array;
  private centres: Float32Array;
  /** Distance of the farthest corner from the middle, m. */
  readonly radii: Float32Array;

  constructor(
    packed: { blocks: string; starts: string; outlines: string },
    private initial: Blocks,
  ) {
    this.blocks = u32(packed.blocks);
    this.starts = u32(packed.starts);
    this.corners = f32(packed.outlines);
    this.count = this.starts.length - 1;
    this.centres = new Float32Array(3 * this.count);
    this.radii = new Float32Array(this.count);
    const corner = new three.Vector3();
    const centre = new three.Vector3();
    for (let k = 0; k < this.count; k++) {
      centre.set(0, 0, 0);
      const [from, to] = [this.starts[k], this.starts[k + 1]];
      for (let i = from; i < to; i++) centre.add(corner.fromArray(this.corners, 3 * i));
      centre.divideScalar(Math.max(to - from, 1));
      centre.toArray(this.centres, 3 * k);
      for (let i = from; i < to; i++) this.radii[k] = Math.max(this.radii[k], corner.fromArray(this.corners, 3 * i).distanceTo(centre));
    }
  }

  /** A corner, or the middle for -1, in the frame of one of the joint's blocks. */
  local(joint: number, corner: number, side: 0 | 1, out: three.Vector3): three.Vector3 {
    const p = 3 * this.blocks[2 * joint + side];
    const [from, at] = corner < 0 ? [this.centres, 3 * joint] : [this.corners, 3 * corner];
    const start = this.initial.position;
    return out.set(from[at] - start[p], from[at + 1] - start[p + 1], from[at + 2] - start[p + 2]);
  }

  /** Triangles of all joints in the frames of their first blocks, and to which joint each belongs. */
  triangles(): { position: Float32Array; block: Float32Array; owner: Uint32Array } {
    let count = 0;
    for (let k = 0; k < this.count; k++) count += Math.max(this.starts[k + 1] - this.starts[k] - 2, 0);
    const position = new Float32Array(9 * count);
    const block = new Float32Array(3 * count);
    const owner = new Uint32Array(count);
    const corner = new three.Vector3();
    let at = 0;
    for (let k = 0; k < this.count; k++) {
      for (let i = this.starts[k] + 1; i + 1 < this.starts[k + 1]; i++) {
        [this.starts[k], i, i + 1].forEach((v, j) => this.local(k, v, 0, corner).toArray(position, 9 * at + 3 * j));
        block.fill(this.blocks[2 * k], 3 * at, 3 * at + 3);
        owner[at++] = k;
      }
    }
    return { position, block, owner };
  }

  /** The first joint that a ray meets, or -1. */
  pick(ray: three.Ray, poses: Poses): number {
    let [best, nearest] = [-1, Infinity];
    const [position, turn, centre] = [new three.Vector3(), new three.Quaternion(), new three.Vector3()];
    const sphere = new three.Sphere();
    const local = new three.Ray();
    const [a, b, c, at] = [new three.Vector3(), new three.Vector3(), new three.Vector3(), new three.Vector3()];
    for (let k = 0; k < this.count; k++) {
      poses.get(this.blocks[2 * k], position, turn);
      sphere.set(this.local(k, -1, 0, centre).applyQuaternion(turn).add(position), 1.001 * this.radii[k]);
      if (!ray.intersectsSphere(sphere)) continue;
      turn.invert();
      local.origin.copy(ray.origin).sub(position).applyQuaternion(turn);
      local.direction.copy(ray.direction).applyQuaternion(turn);
      this.local(k, this.starts[k], 0, a);
      for (let i = this.starts[k] + 1; i + 1 < this.starts[k + 1]; i++) {
        this.local(k, i, 0, b);
        this.local(k, i + 1, 0, c);
        if (local.intersectTriangle(a, b, c, false, at) === null) continue;
        const distance = at.distanceTo(local.origin);
        if (distance < nearest) [best, nearest] = [k, distance];
      }
    }
    return best;
  }
}
