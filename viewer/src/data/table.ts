// Tables of numbers against time, and where a time lies in them.

import type { PackedTable } from "../generated/scene";
import { f32, f64 } from "./packed";

export interface Table {
  names: string[];
  time: Float64Array;
  columns: Float64Array[];
}

export function readTable(h: PackedTable | undefined): Table | null {
  if (h === undefined) return null;
  const time = f64(h.time);
  const values = f32(h.values);
  const columns = h.names.map((_, k) => {
    const start = h.start[k] ?? NaN;
    return Float64Array.from(values.subarray(k * time.length, (k + 1) * time.length), (v) => v + start);
  });
  return { names: h.names, time, columns };
}

/** Index of the last entry not after `t`, and how far `t` is on the way to the next. */
export function locate(times: Float64Array, t: number): [number, number] {
  let low = 0;
  let high = times.length - 1;
  if (high <= 0 || !(t > times[0])) return [0, 0];
  if (t >= times[high]) return [high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return [low, (t - times[low]) / (times[high] - times[low])];
}
