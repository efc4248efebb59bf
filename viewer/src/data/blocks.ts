// The blocks of a structure as they stand at the start.

import type { SceneBlocks } from "../generated/scene";
import { f32, f64 } from "./packed";

export interface Blocks {
  count: number;
  names: string[];
  material: number[];
  group: number[];
  support: boolean[];
  mass: Float32Array;
  /** Initial centroids, m. */
  position: Float64Array;
}

export function readBlocks(packed: SceneBlocks): Blocks {
  return {
    count: packed.names.length,
    names: packed.names,
    material: packed.material,
    group: packed.group,
    support: packed.support.map((s) => s === 1),
    mass: f32(packed.mass),
    position: f64(packed.position),
  };
}
