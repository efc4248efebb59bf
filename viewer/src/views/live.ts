// A run that goes on: frames are shown as they come, until somebody looks at another time.

import type { Board } from "../charts/board";
import { listen, type LiveFrames, stop } from "../data/live";
import type { View } from "../store";
import { element } from "./controls";

/** How often what has come is shown, ms. */
const EVERY = 100;
/** Plots wait at least so long, and longer the more there is in them, ms. */
const PLOTS_EVERY = 400;

/** Buttons for the bar. */
export function followRun(frames: LiveFrames, view: View, board: Board): HTMLElement[] {
  const verdict = document.querySelector(".verdict");
  const latest = element("button", { id: "latest", textContent: "Latest", title: "Follow the run (End)" });
  latest.addEventListener("click", () => view.set({ follow: true }));
  view.watch(["follow"], ({ follow }) => latest.classList.toggle("on", follow));
  let stale = false;
  let tabulated = 0;
  listen(frames, {
    frame: () => (stale = true),
    progress: (part, message) => {
      if (verdict !== null) verdict.textContent = `running, ${(100 * part).toFixed(0)} %: ${message}`;
    },
  });
  setInterval(() => {
    if (!stale) return;
    stale = false;
    const begin = performance.now();
    if (begin - tabulated > PLOTS_EVERY) {
      frames.tabulate();
      board.tabulate(frames.table, null);
      tabulated = performance.now() + 5 * (performance.now() - begin);
    } else stale = true;
    const { follow, t } = view.now;
    view.set({ span: [frames.start, frames.end], t: follow ? frames.end : Math.min(Math.max(t, frames.start), frames.end) });
  }, EVERY);
  return [latest, stopButton()];
}

function stopButton(): HTMLElement {
  const halt = element("button", { id: "stop", textContent: "Stop the run", title: "As Ctrl-C: what was computed is kept, --resume goes on" });
  halt.addEventListener("click", () => {
    halt.disabled = true;
    halt.textContent = "Stopping";
    stop()
      .catch(() => false)
      .then((done) => {
        if (!done) Object.assign(halt, { disabled: false, textContent: "Stop the run" });
      });
  });
  return halt;
}
