// What the page holds, as the program wrote it, read.

import type { Scene } from "../generated/scene";
import { type Blocks, readBlocks } from "./blocks";
import { LiveFrames } from "./live";
import { Frames, Mechanism, type Motion, Rest } from "./motion";
import { readTable, type Table } from "./table";

export interface Content {
  scene: Scene;
  blocks: Blocks;
  motion: Motion;
  /** The frames of a run that goes on; they are the motion then. */
  live: LiveFrames | null;
  table: Table | null;
  diagnostics: Table | null;
  /** There is something to play. */
  moves: boolean;
  /** A mechanism goes to and fro; everything else from start to end. */
  swings: boolean;
  /** Unit of what the slider goes along: the displacement of a pushover has metres. */
  unit: "s" | "m";
}

export async function readContent(): Promise<Content> {
  const scene = JSON.parse(document.getElementById("data")?.textContent ?? "{}") as Scene;
  const blocks = readBlocks(scene.blocks);
  const live = scene.live === undefined ? null : new LiveFrames(scene.live.columns, blocks);
  const motion = live ?? (await stored(scene, blocks));
  return {
    scene,
    blocks,
    motion,
    live,
    table: live?.table ?? readTable(scene.history),
    diagnostics: readTable(scene.diagnostics),
    moves: live === null ? motion.end > motion.start : live.table.names.length > 0,
    swings: scene.motion === undefined && live === null,
    unit: scene.kind === "pushover" ? "m" : "s",
  };
}

async function stored(scene: Scene, blocks: Blocks): Promise<Motion> {
  if (scene.motion !== undefined) return Frames.read(scene.motion, blocks);
  if (scene.mechanism !== undefined) return new Mechanism(scene.mechanism);
  return new Rest();
}
