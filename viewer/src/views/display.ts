// How the structure is drawn: exaggeration, opacity, what is shown with it, cuts, viewpoints.

import type { Content } from "../data/content";
import { groundMoves } from "../data/ground";
import { viewpoints } from "../scene/viewpoints";
import type { Shown, View } from "../store";
import { card, check, choice, element, row, slider } from "./controls";
import { tell } from "./format";

const percent = (x: number) => `${Math.round(100 * x)} %`;

export function display(content: Content, view: View, look: (k: number) => void): HTMLElement {
  const made = card("Display");
  if (content.moves) {
    const exaggerate = slider("exaggerate", "Exaggerate", [0, 3, 0.01], (x) => `× ${tell(10 ** x, 2)}`, (x) => view.set({ exaggeration: 10 ** x }));
    exaggerate.set(Math.log10(view.now.exaggeration));
    made.append(exaggerate.element);
  }
  const opacity = slider("opacity", "Opacity", [0.05, 1, 0.05], percent, (x) => view.set({ opacity: x }));
  view.watch(["opacity"], (now) => opacity.set(now.opacity));
  made.append(opacity.element);
  if (groundMoves(content.table)) made.append(check("ground", "Ground motion shown", view.now.ground, (ground) => view.set({ ground })));
  if (content.scene.forces !== undefined) made.append(check("forces", "Forces in joints", view.now.forces, (forces) => view.set({ forces })));
  if (content.scene.loads.length > 0) made.append(check("loads", "Loads", view.now.loads, (loads) => view.set({ loads })));
  made.append(...cuts(view), viewButtons(content, look));
  return made;
}

function cuts(view: View): HTMLElement[] {
  const options: [Shown["cut"], string][] = [
    ["none", "none"],
    ["x", "across x"],
    ["y", "across y"],
    ["z", "across z"],
  ];
  const cut = choice("cut", options, (value) => view.set({ cut: value }));
  const depth = slider("depth", "Cut at", [0, 1, 0.005], percent, (x) => view.set({ depth: x }));
  depth.set(view.now.depth);
  view.watch(["cut"], (now) => (depth.element.style.display = now.cut === "none" ? "none" : ""));
  return [row("Cut", cut), depth.element];
}

function viewButtons(content: Content, look: (k: number) => void): HTMLElement {
  const buttons = viewpoints(content.scene.free).map(([name], k) => {
    const button = element("button", { textContent: name, title: `Key ${k + 1}` });
    button.addEventListener("click", () => look(k));
    return button;
  });
  return element("div", { className: "views" }, ...buttons);
}
