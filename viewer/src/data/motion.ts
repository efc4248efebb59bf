// Where blocks are: from stored frames, or along a mechanism.

import { Quaternion, Vector3 } from "three";
import type { PackedMotion } from "../generated/scene";
import type { Blocks } from "./blocks";
import { f32, f64, u32, unsqueezed } from "./packed";
import { locate } from "./table";

/** Something that moves blocks as a parameter runs from start to end. */
export interface Motion {
  /** s; of a mechanism a phase. */
  start: number;
  end: number;
  /** Frames as stored; empty for a mechanism. */
  times: Float64Array;
  /** Displacement and rotation of a block since the start. */
  at(block: number, t: number, way: Vector3, turn: Quaternion): void;
}

/** Nothing moves. */
export class Rest implements Motion {
  start = 0;
  end = 0;
  times = new Float64Array();
  at(_block: number, _t: number, way: Vector3, turn: Quaternion): void {
    way.set(0, 0, 0);
    turn.identity();
  }
}

/** Frames, with straight paths between them. */
export class Frames implements Motion {
  times: Float64Array;
  start: number;
  end: number;
  private slots: Int32Array;
  private moving: number;
  private step: number;
  private next = new Vector3();
  private nextTurn = new Quaternion();

  static async read(packed: PackedMotion, blocks: Blocks): Promise<Frames> {
    const moving = u32(packed.blocks).length;
    const [positions, rotations] = await Promise.all([unsqueezed(packed.positions, 3 * moving, packed.bits), unsqueezed(packed.rotations, 4 * moving, 16)]);
    return new Frames(packed, blocks, positions, rotations);
  }

  private constructor(
    packed: PackedMotion,
    blocks: Blocks,
    private positions: Int16Array | Int32Array,
    private rotations: Int16Array | Int32Array,
  ) {
    this.times = f64(packed.times);
    this.start = this.times[0] ?? 0;
    this.end = this.times[this.times.length - 1] ?? 0;
    const moving = u32(packed.blocks);
    this.moving = moving.length;
    this.slots = new Int32Array(blocks.count).fill(-1);
    moving.forEach((block, slot) => (this.slots[block] = slot));
    this.step = packed.step;
  }

  private frame(slot: number, frame: number, way: Vector3, turn: Quaternion): void {
    const p = 3 * (frame * this.moving + slot);
    const r = 4 * (frame * this.moving + slot);
    way.set(this.positions[p], this.positions[p + 1], this.positions[p + 2]).multiplyScalar(this.step);
    turn.set(this.rotations[r], this.rotations[r + 1], this.rotations[r + 2], this.rotations[r + 3]).normalize();
  }

  at(block: number, t: number, way: Vector3, turn: Quaternion): void {
    const slot = this.slots[block];
    if (slot < 0) {
      way.set(0, 0, 0);
      turn.identity();
      return;
    }
    const [frame, part] = locate(this.times, t);
    this.frame(slot, frame, way, turn);
    if (part > 0) {
      this.frame(slot, frame + 1, this.next, this.nextTurn);
      way.lerp(this.next, part);
      turn.slerp(this.nextTurn, part);
    }
  }
}

/** Velocities times a phase between nought and one. */
export class Mechanism implements Motion {
  start = 0;
  end = 1;
  times = new Float64Array();
  private velocity: Float32Array;
  private axis = new Vector3();

  constructor(packed: string) {
    this.velocity = f32(packed);
  }

  at(block: number, t: number, way: Vector3, turn: Quaternion): void {
    const v = this.velocity;
    const k = 6 * block;
    way.set(v[k], v[k + 1], v[k + 2]).multiplyScalar(t);
    this.axis.set(v[k + 3], v[k + 4], v[k + 5]);
    const angle = this.axis.length();
    if (angle > 0) turn.setFromAxisAngle(this.axis.divideScalar(angle), angle * t);
    else turn.identity();
  }
}
