// What joints are coloured by, and what is shown with them.

import type { Content } from "../data/content";
import type { Joints } from "../scene/joints";
import { lineColour } from "../scene/polyline";
import type { Seams } from "../scene/seams";
import { type Measure, toggled, type View } from "../store";
import { card, check, choice, element, row } from "./controls";
import { tell } from "./format";
import { legend } from "./legend";

/** Blocks are so opaque while joints of a question of statics, or of a run, are coloured. */
const OPACITY = { statics: 0.25, run: 0.2 };

/** Joints of a question of statics. */
export function staticJoints(joints: Joints, content: Content, view: View): HTMLElement {
  const options: [Measure, string][] = [
    ["none", "not shown"],
    ["friction", "friction used"],
    ["edge", "near an edge"],
  ];
  const measure = choice("measure", options, (value) => view.set({ measure: value, opacity: value === "none" ? 1 : OPACITY.statics }));
  const scale = legend();
  view.watch(["measure"], (now) => scale.show(now.measure === "none" ? null : "1"));
  const parts: Node[] = [row("Joints", measure), scale.element, check("forces", "Resultants", view.now.forces, (forces) => view.set({ forces }))];
  if (joints.hingeCount > 0) parts.push(check("hinges", `Hinges (${joints.hingeCount})`, view.now.hinges, (hinges) => view.set({ hinges })));
  (content.scene.lines ?? []).forEach((line, k) => {
    const label = check(`line-${line.state}`, `Thrust line, ${line.state}: ${tell(line.thrust / 1000, 4)} kN`, true, (on) =>
      view.set({ hiddenLines: toggled(view.now.hiddenLines, k, !on) }),
    );
    const key = element("span", { className: "key" });
    key.style.background = lineColour(line.state);
    label.append(key);
    parts.push(label);
  });
  return card("Joints", ...parts);
}

/** Joints of a run. */
export function runJoints(seams: Seams, view: View): HTMLElement {
  const options: [Measure, string][] = [
    ["none", "not shown"],
    ["opening", "opening"],
    ["sliding", "sliding"],
  ];
  if (seams.forces !== null) options.push(["force", "force"], ["friction", "friction used"]);
  const measure = choice("measure", options, (value) => view.set({ measure: value, opacity: value === "none" ? 1 : OPACITY.run }));
  const scale = legend();
  view.watch(["measure"], (now) => scale.show(topOf(seams, now.measure)));
  return card("Joints", row("Coloured by", measure), scale.element, check("hinges", "Hinges marked", view.now.hinges, (hinges) => view.set({ hinges })));
}

/** The value that is drawn red, as text. */
function topOf(seams: Seams, measure: Measure): string | null {
  if (measure === "none" || measure === "edge") return null;
  const top = seams.top(measure);
  if (measure === "friction") return "1";
  return measure === "force" ? `${tell(top / 1000, 3)} kN` : `${tell(1000 * top, 3)} mm`;
}
