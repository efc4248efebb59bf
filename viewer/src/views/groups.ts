// Groups of blocks, which can be hidden.

import type { Content } from "../data/content";
import { toggled, type View } from "../store";
import { card, check, element } from "./controls";

export function groups({ scene, blocks }: Content, view: View): HTMLElement {
  const boxes = scene.groups.map((name, group) => {
    const count = blocks.group.filter((other) => other === group).length;
    return check(`group-${group}`, `${name} (${count})`, true, (on) => view.set({ hiddenGroups: toggled(view.now.hiddenGroups, group, !on) }));
  });
  return card("Groups", element("div", { id: "groups" }, ...boxes));
}
