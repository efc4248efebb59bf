// A run that is still going on: frames come from the program that serves the page.

import { Quaternion, Vector3 } from "three";
import type { LiveFrame } from "../generated/scene";
import type { Blocks } from "./blocks";
import type { Motion } from "./motion";
import { f32, i16 } from "./packed";
import { locate, type Table } from "./table";

/** Frames may take this much memory, bytes; beyond it every second one is forgotten. */
const ROOM = 200e6;

interface Frame {
  ways: Float32Array;
  turns: Int16Array;
}

/** Frames as they come, with straight paths between them. */
export class LiveFrames implements Motion {
  start = 0;
  end = 0;
  times = new Float64Array();
  readonly table: Table;
  private store = new Float64Array(64);
  private rows: LiveFrame["row"][] = [];
  private frames: Frame[] = [];
  private stride = 1;
  private count = 0;
  private next = new Vector3();
  private nextTurn = new Quaternion();

  constructor(
    names: string[],
    private blocks: Blocks,
  ) {
    this.table = { names, time: this.times, columns: names.map(() => new Float64Array()) };
  }

  push(packed: LiveFrame): void {
    const first = this.count++ === 0;
    if (!first && (this.count - 1) % this.stride !== 0) return;
    const frame = { ways: f32(packed.ways), turns: i16(packed.turns) };
    this.frames.push(frame);
    this.rows.push(packed.row);
    if (this.frames.length * 20 * this.blocks.count > ROOM) {
      this.stride *= 2;
      this.frames = this.frames.filter((_, k) => k % 2 === 0);
      this.rows = this.rows.filter((_, k) => k % 2 === 0);
      this.rows.forEach((row, k) => (this.store[k] = row[0] ?? NaN));
    }
    const length = this.rows.length;
    if (length > this.store.length) {
      const wider = new Float64Array(2 * length);
      wider.set(this.store);
      this.store = wider;
    }
    this.store[length - 1] = this.rows[length - 1][0] ?? NaN;
    this.times = this.store.subarray(0, length);
    this.start = this.times[0];
    this.end = this.times[length - 1];
  }

  /** Brings the table up to date; it costs more than a frame and is done now and then. */
  tabulate(): void {
    this.table.time = this.times.slice();
    this.table.columns = this.table.names.map((_, k) => Float64Array.from(this.rows, (row) => row[k + 1] ?? NaN));
  }

  private frame(block: number, frame: number, way: Vector3, turn: Quaternion): void {
    const { ways, turns } = this.frames[frame];
    way.fromArray(ways, 3 * block);
    turn.set(turns[4 * block], turns[4 * block + 1], turns[4 * block + 2], turns[4 * block + 3]).normalize();
  }

  at(block: number, t: number, way: Vector3, turn: Quaternion): void {
    if (this.frames.length === 0) {
      way.set(0, 0, 0);
      turn.identity();
      return;
    }
    const [frame, part] = locate(this.times, t);
    this.frame(block, frame, way, turn);
    if (part > 0) {
      this.frame(block, frame + 1, this.next, this.nextTurn);
      way.lerp(this.next, part);
      turn.slerp(this.nextTurn, part);
    }
  }
}

interface News {
  frame(): void;
  progress(part: number, message: string): void;
}

/** Listens to the program until the analysis ends; then its report, or the page of the next analysis, takes the place of this one. */
export function listen(frames: LiveFrames, news: News): void {
  const source = new EventSource("events");
  source.addEventListener("frame", (event) => {
    frames.push(JSON.parse(event.data as string) as LiveFrame);
    news.frame();
  });
  source.addEventListener("progress", (event) => {
    const { done, total, message } = JSON.parse(event.data as string) as { done: number; total: number; message: string };
    news.progress(total > 0 ? done / total : 0, message);
  });
  source.addEventListener("ended", (event) => {
    source.close();
    const { next } = JSON.parse(event.data as string) as { next: number | null };
    if (next === null) location.reload();
    else location.replace(`../${next}/`);
  });
}

/** Asks the program to stop as Ctrl-C does. */
export async function stop(): Promise<boolean> {
  const answer = await fetch("../stop", { method: "POST" });
  return answer.ok;
}
