// The page in which a run is looked at: reads what the page holds and puts the views of it together.

import uplotStyle from "uplot/dist/uPlot.min.css";
import { Board } from "./charts/board";
import { type Content, readContent } from "./data/content";
import { inspector } from "./inspect";
import { Player } from "./player";
import { Drawing } from "./scene/drawing";
import { type Shown, Store } from "./store";
import { chosenCard } from "./views/chosen";
import { element } from "./views/controls";
import { display } from "./views/display";
import { groups } from "./views/groups";
import { runJoints, staticJoints } from "./views/joints";
import { keyHelp, listenToKeys } from "./views/keys";
import { followRun } from "./views/live";
import { chooseByPointer } from "./views/pointer";
import { systemIsDark, theme } from "./views/theme";
import { transport } from "./views/transport";
import viewerStyle from "./viewer.css";

/** What is shown when the page opens. */
function atFirst({ motion, live, scene }: Content): Shown {
  return {
    t: motion.start,
    span: [motion.start, motion.end],
    playing: false,
    follow: live !== null,
    chosen: null,
    exaggeration: 1,
    opacity: 1,
    ground: false,
    measure: "none",
    forces: false,
    hinges: scene.joints !== undefined,
    loads: true,
    cut: "none",
    depth: 0.5,
    hiddenGroups: new Set(),
    hiddenLines: new Set(),
    dark: systemIsDark(),
  };
}

async function start(place: HTMLElement): Promise<void> {
  const content = await readContent();
  document.head.append(element("style", { textContent: uplotStyle + viewerStyle }));
  document.documentElement.classList.add("viewing");
  place.hidden = false;

  const view = new Store(atFirst(content));
  const player = new Player(content, view);
  const { button: themeButton, flip } = theme(view);
  const help = keyHelp();
  const canvas = element("div", { id: "canvas" });
  const stageCard = element("div", { id: "stage", className: "card" }, canvas, themeButton);
  const side = element("aside", { id: "side" });
  const board = new Board(view, (t) => player.seek(t), content.unit);
  const bar = transport(content, view, player);
  if (content.moves) stageCard.append(bar);
  stageCard.append(help.button, help.dialog);
  place.append(stageCard, side, board.element);

  const drawing = new Drawing(canvas, content, view);
  const look = (k: number) => drawing.look(k);
  side.append(display(content, view, look));
  if (drawing.joints !== null) side.append(staticJoints(drawing.joints, content, view));
  if (drawing.seams !== null && content.moves) side.append(runJoints(drawing.seams, view));
  if (content.live === null) board.tabulate(content.table, content.diagnostics);
  side.append(chosenCard(content, drawing, board, view), groups(content, view));
  side.append(element("p", { className: "note", textContent: "Drag turns, right drag or two fingers move, wheel zooms. Press ? for keys." }));
  chooseByPointer(canvas, drawing, view);
  listenToKeys({ player, view, look, flip, help: help.dialog, live: content.live !== null });

  look(0);
  if (content.scene.mechanism !== undefined) player.run(true);
  if (content.live !== null) {
    const buttons = followRun(content.live, view, board);
    if (content.moves) bar.append(...buttons);
  }

  let before = 0;
  let frames = 0;
  const frame = (now: number) => {
    const passed = Math.min((now - before) / 1000, 0.1);
    before = now;
    drawing.stage.pace(view.now.playing || drawing.stage.turning ? passed : null);
    frames++;
    player.advance(passed);
    drawing.stage.draw();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);

  Object.assign(window, { drystone: inspector(content, view, player, drawing, board, () => frames) });
  document.documentElement.dataset["viewer"] = "ready";
  performance.mark("ready");
}

const place = document.getElementById("viewer");
if (place !== null) {
  start(place).catch((error: unknown) => {
    // Without WebGL the still pictures remain.
    document.documentElement.classList.remove("viewing");
    document.documentElement.dataset["viewer"] = "failed";
    place.hidden = false;
    place.replaceChildren(element("p", { className: "hint", textContent: `The 3D view cannot be shown here: ${String(error)}` }));
    console.error(error);
  });
}
