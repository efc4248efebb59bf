// What the page answers to whoever asks `window.drystone`: tests, and people who want to look closer.

import { Quaternion, Vector3 } from "three";
import type { Board } from "./charts/board";
import type { Content } from "./data/content";
import type { Player } from "./player";
import type { Drawing } from "./scene/drawing";
import type { View } from "./store";

export function inspector(content: Content, view: View, player: Player, drawing: Drawing, board: Board, frames: () => number) {
  const { blocks, motion, scene } = content;
  const { poses, stage, seams } = drawing;
  const [way, turn] = [new Vector3(), new Quaternion()];
  const chosen = (kind: "block" | "joint") => (view.now.chosen?.kind === kind ? view.now.chosen.index : -1);
  return {
    names: blocks.names,
    support: blocks.support,
    get times() {
      return Array.from(motion.times);
    },
    step: scene.motion?.step ?? 0,
    setTime: (t: number) => player.seek(t),
    time: () => view.now.t,
    playing: () => view.now.playing,
    /** Frames the browser has shown so far. */
    frames,
    choose: (block: number) => view.set({ chosen: block < 0 ? null : { kind: "block", index: block } }),
    chosen: () => chosen("block"),
    pick: (x: number, y: number) => drawing.blockAt(x, y),
    jointAt: (x: number, y: number) => drawing.jointAt(x, y),
    /** Opening, least opening and sliding of a joint, m. */
    joint: (joint: number, t: number) => ({ ...seams?.read(joint, t) }),
    jointBlocks: () => Array.from(drawing.outlines?.blocks ?? []),
    chosenJoint: () => chosen("joint"),
    hinges: () => seams?.hingeCount ?? 0,
    /** Pixel of a block's centroid in the canvas. */
    pixel: (block: number) => {
      poses.get(block, way, turn);
      return stage.pixel(way);
    },
    /** Pose as stored, not exaggerated: position, then quaternion. */
    pose: (block: number, t: number) => {
      motion.at(block, t, way, turn);
      const p = blocks.position;
      return [p[3 * block] + way.x, p[3 * block + 1] + way.y, p[3 * block + 2] + way.z, turn.x, turn.y, turn.z, turn.w];
    },
    /** Pose as drawn. */
    drawn: (block: number) => Array.from(poses.values.subarray(8 * block, 8 * block + 8)),
    cursors: () => board.plots.map((plot) => plot.cursor()),
    plots: () => board.plots.map((plot) => plot.curves.title),
    /** Mean time to draw a frame while things move, ms. */
    measure: (count: number) => {
      stage.pace(0);
      const gl = stage.renderer.getContext();
      const begin = performance.now();
      for (let k = 0; k < count; k++) {
        player.show(motion.start + ((motion.end - motion.start) * k) / count);
        stage.draw();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      }
      return (performance.now() - begin) / count;
    },
  };
}
