// The shapes of blocks as polygons: which block a ray meets, and what box holds them.

import * as three from "three";
import type { Blocks } from "../data/blocks";
import { f32, u32 } from "../data/packed";
import type { Poses } from "../data/poses";
import type { SceneMesh } from "../generated/scene";

export interface Hit {
  block: number;
  distance: number;
}

export class Shapes {
  /** Three coordinates per vertex, in the frame of its block, m. */
  readonly vertices: Float32Array;
  /** Block, number of corners, corners; and so on. */
  readonly faces: Uint32Array;
  /** Edges as pairs of vertices. */
  readonly lines: number[] = [];
  /** The block of each vertex. */
  readonly owners: Float32Array;
  /** Triangles as vertex indices, with the first of each block. */
  private triangles: Uint32Array;
  private firsts: Uint32Array;
  private radii: Float32Array;

  constructor(
    packed: SceneMesh,
    private blocks: Blocks,
  ) {
    this.vertices = f32(packed.vertices);
    this.faces = u32(packed.faces);
    const faces = this.faces;
    this.owners = new Float32Array(this.vertices.length / 3);
    this.firsts = new Uint32Array(blocks.count + 1);
    for (let i = 0; i < faces.length; i += 2 + faces[i + 1]) this.firsts[faces[i] + 1] += 3 * Math.max(faces[i + 1] - 2, 0);
    for (let b = 0; b < blocks.count; b++) this.firsts[b + 1] += this.firsts[b];
    const next = this.firsts.slice(0, blocks.count);
    this.triangles = new Uint32Array(this.firsts[blocks.count]);
    this.radii = new Float32Array(blocks.count);
    for (let i = 0; i < faces.length; i += 2 + faces[i + 1]) {
      const [block, count] = [faces[i], faces[i + 1]];
      for (let k = 0; k < count; k++) {
        const a = faces[i + 2 + k];
        const b = faces[i + 2 + ((k + 1) % count)];
        // Every edge belongs to two faces that pass it in opposite ways.
        if (a < b) this.lines.push(a, b);
        this.owners[a] = block;
        const v = 3 * a;
        this.radii[block] = Math.max(this.radii[block], Math.hypot(this.vertices[v], this.vertices[v + 1], this.vertices[v + 2]));
        if (k > 1) {
          const at = next[block];
          this.triangles[at] = faces[i + 2];
          this.triangles[at + 1] = faces[i + 1 + k];
          this.triangles[at + 2] = a;
          next[block] = at + 3;
        }
      }
    }
  }

  private vertex(v: number): [number, number, number] {
    return [this.vertices[3 * v], this.vertices[3 * v + 1], this.vertices[3 * v + 2]];
  }

  /** The first block that a ray meets, in the frame of the blocks; not where a plane cuts them away. */
  pick(ray: three.Ray, poses: Poses, hidden: ReadonlySet<number>, cut: three.Plane | null): Hit | null {
    let best: Hit | null = null;
    const position = new three.Vector3();
    const rotation = new three.Quaternion();
    const sphere = new three.Sphere();
    const local = new three.Ray();
    const [a, b, c, at, place] = [new three.Vector3(), new three.Vector3(), new three.Vector3(), new three.Vector3(), new three.Vector3()];
    for (let block = 0; block < this.blocks.count; block++) {
      if (hidden.has(block)) continue;
      poses.get(block, position, rotation);
      sphere.set(position, this.radii[block] * 1.0001);
      if (!ray.intersectsSphere(sphere)) continue;
      rotation.invert();
      local.origin.copy(ray.origin).sub(position).applyQuaternion(rotation);
      local.direction.copy(ray.direction).applyQuaternion(rotation);
      for (let i = this.firsts[block]; i < this.firsts[block + 1]; i += 3) {
        [a, b, c].forEach((p, k) => p.set(...this.vertex(this.triangles[i + k])));
        if (local.intersectTriangle(a, b, c, cut === null, at) === null) continue;
        const distance = at.distanceTo(local.origin);
        if (cut !== null && cut.distanceToPoint(ray.at(distance, place)) < 0) continue;
        if (best === null || distance < best.distance) best = { block, distance };
      }
    }
    return best;
  }

  /** Box around blocks that are no supports, or around all if all are or if asked. */
  box(poses: Poses, everything = false): three.Box3 {
    const box = new three.Box3();
    const all = everything || this.blocks.support.every((s) => s);
    const position = new three.Vector3();
    const rotation = new three.Quaternion();
    const corner = new three.Vector3();
    for (let block = 0; block < this.blocks.count; block++) {
      if (this.blocks.support[block] && !all) continue;
      poses.get(block, position, rotation);
      for (let i = this.firsts[block]; i < this.firsts[block + 1]; i++) {
        const v = 3 * this.triangles[i];
        box.expandByPoint(corner.set(this.vertices[v], this.vertices[v + 1], this.vertices[v + 2]).applyQuaternion(rotation).add(position));
      }
    }
    return box;
  }
}
