// Contact forces of a run.

import * as three from "three";
import type { Blocks } from "../data/blocks";
import type { Motion } from "../data/motion";
import { f32, f64, u32 } from "../data/packed";
import { locate } from "../data/table";
import * as look from "../generated/look";
import type { PackedForces } from "../generated/scene";
import { type Arrow, Arrows, reference, upward } from "./arrows";

/** Contact forces of a run at the stored time nearest before the present one. */
export class Forces {
  readonly arrows: Arrows;
  readonly times: Float64Array;
  private starts: Uint32Array;
  private blocks: Uint32Array;
  private points: Float32Array;
  private forces: Float32Array;
  private shown = -1;

  constructor(
    packed: PackedForces,
    private motion: Motion,
    private initial: Blocks,
    size: number,
  ) {
    this.times = f64(packed.times);
    this.starts = u32(packed.starts);
    this.blocks = u32(packed.blocks);
    this.points = f32(packed.points);
    this.forces = f32(packed.forces);
    let most = 0;
    for (let k = 0; k < this.times.length; k++) most = Math.max(most, this.starts[k + 1] - this.starts[k]);
    this.arrows = new Arrows(most, size, reference(this.forces, this.starts), look.sign.force, false);
  }

  /** The force on the second of two blocks at the stored time nearest before `t`, if they touch then. */
  between(a: number, b: number, t: number): three.Vector3 | null {
    const [k] = locate(this.times, t + 1e-9);
    if (this.times.length === 0) return null;
    // Sorted by pair within each time.
    let [low, high] = [this.starts[k], this.starts[k + 1]];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [x, y] = [this.blocks[2 * middle], this.blocks[2 * middle + 1]];
      if (x < a || (x === a && y < b)) low = middle + 1;
      else high = middle;
    }
    if (low >= this.starts[k + 1] || this.blocks[2 * low] !== a || this.blocks[2 * low + 1] !== b) return null;
    return new three.Vector3().fromArray(this.forces, 3 * low);
  }

  update(t: number): void {
    const [k] = locate(this.times, t + 1e-9);
    if (k === this.shown || this.times.length === 0) return;
    this.shown = k;
    const arrows: Arrow[] = [];
    const [way, turn] = [new three.Vector3(), new three.Quaternion()];
    for (let i = this.starts[k]; i < this.starts[k + 1]; i++) {
      const block = this.blocks[2 * i + 1];
      this.motion.at(block, this.times[k], way, turn);
      const centre = new three.Vector3().fromArray(this.initial.position, 3 * block).add(way);
      const local = new three.Vector3().fromArray(this.points, 3 * i).sub(centre).applyQuaternion(turn.invert());
      arrows.push({ block, local, force: upward(this.forces, i) });
    }
    this.arrows.show(arrows);
  }
}
