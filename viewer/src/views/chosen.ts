// What is chosen: a block or a joint, what it is, and how it moved.

import type { Board } from "../charts/board";
import { blockHistory, jointHistory } from "../charts/curves";
import type { Content } from "../data/content";
import type { Drawing } from "../scene/drawing";
import type { Joints } from "../scene/joints";
import type { Seams } from "../scene/seams";
import type { View } from "../store";
import { element, facts } from "./controls";
import { tell } from "./format";

const HINT = "Click a block to see what it is and how it moved, or, while joints are coloured, a joint.";

export function chosenCard(content: Content, drawing: Drawing, board: Board, view: View): HTMLElement {
  const title = element("h2");
  const body = element("div");
  const { seams, joints, outlines } = drawing;
  const { blocks, motion } = content;
  /** What a joint of a run does at the time that is shown. */
  let present: { place: HTMLElement; joint: number } | null = null;
  view.watch(["chosen"], ({ chosen }) => {
    present = null;
    title.textContent = chosen?.kind === "joint" ? "Joint" : "Block";
    if (chosen === null) {
      body.replaceChildren(element("p", { className: "note", textContent: HINT }));
      board.choose([]);
    } else if (chosen.kind === "block") {
      body.replaceChildren(blockFacts(content, chosen.index));
      board.choose(blockHistory(motion, chosen.index, blocks.names[chosen.index]));
    } else {
      const joint = chosen.index;
      const names = [0, 1].map((side) => blocks.names[outlines?.blocks[2 * joint + side] ?? 0]);
      body.replaceChildren(facts([["Between", names[0]], ["and", names[1]]]));
      if (seams !== null) {
        present = { place: element("div"), joint };
        body.append(facts([["Area", `${tell(seams.area[joint])} m²`], ["Friction", tell(seams.friction[joint])]]), present.place);
      } else if (joints !== null) body.append(jointFacts(joints, joint));
      board.choose(seams === null ? [] : jointHistory(seams, motion, joint, names.join(" and ")));
    }
  });
  view.watch(["chosen", "t", "span"], ({ t }) => {
    if (seams !== null && present !== null) present.place.replaceChildren(seamFacts(seams, present.joint, t));
  });
  return element("section", { className: "card" }, title, body);
}

function blockFacts({ scene, blocks }: Content, block: number): HTMLElement {
  const material = scene.materials[blocks.material[block]];
  const at = [0, 1, 2].map((k) => tell(blocks.position[3 * block + k]));
  return facts([
    ["Name", blocks.names[block]],
    ["Kind", blocks.support[block] ? "support" : "free"],
    ["Group", scene.groups[blocks.group[block]]],
    ["Material", `${material.name}, ${tell(material.density)} kg/m³`],
    ["Mass", `${tell(blocks.mass[block])} kg`],
    ["Centroid", `${at.join(", ")} m`],
  ]);
}

function jointFacts(joints: Joints, joint: number): HTMLElement {
  const { area, normal, shear, friction, edge, movement } = joints.read(joint);
  const pairs: [string, string][] = [
    ["Area", `${tell(area)} m²`],
    ["Normal", `${tell(normal)} N`],
    ["Shear", `${tell(shear)} N`],
    ["Friction used", `${Math.round(100 * friction)} %`],
    ["From an edge", `${Math.round(100 * edge)} % of the middle's`],
  ];
  if (movement !== null) pairs.push(["Movement", movement.replace("_", " ")]);
  return facts(pairs);
}

function seamFacts(seams: Seams, joint: number, t: number): HTMLElement {
  const { opening, sliding } = seams.read(joint, t);
  const pairs: [string, string][] = [
    ["Opening", `${tell(1000 * opening, 3)} mm`],
    ["Sliding", `${tell(1000 * sliding, 3)} mm`],
  ];
  const carried = seams.carried(joint, t);
  if (carried !== null) {
    pairs.push(["Normal", `${tell(carried[0])} N`], ["Shear", `${tell(carried[1])} N`]);
    if (carried[0] > 0) pairs.push(["Friction used", `${Math.round((100 * carried[1]) / (seams.friction[joint] * carried[0]))} %`]);
  }
  return facts(pairs);
}
