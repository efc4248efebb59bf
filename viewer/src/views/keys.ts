// What keys do.

import type { Player } from "../player";
import type { View } from "../store";
import { element } from "./controls";

/** What keys and pointer do, and the button that says so. */
export function keyHelp(): { button: HTMLElement; dialog: HTMLDialogElement } {
  const list = element("dl");
  for (const [key, meaning] of [
    ["Space", "play or pause"],
    ["← →", "one frame back or on"],
    ["Home, End", "start, end; of a run that goes on, its latest frame"],
    ["1 2 3 4", "view in 3D, from the front, from the side, from above"],
    ["T", "dark or light"],
    ["Esc", "let go of a block or joint"],
    ["?", "this list"],
    ["Drag", "turn; with the right button or two fingers move; wheel zooms"],
    ["Click", "choose a block, or a joint while joints are coloured; in a plot go to that time"],
  ]) list.append(element("dt", {}, element("kbd", { textContent: key })), element("dd", { textContent: meaning }));
  const close = element("button", { textContent: "Close", autofocus: true });
  const dialog = element("dialog", { id: "help", ariaLabel: "Keys" }, element("h2", { textContent: "Keys" }), list, close);
  close.addEventListener("click", () => dialog.close());
  const button = element("button", { id: "keys", textContent: "?", title: "Keys (?)" });
  button.addEventListener("click", () => dialog.showModal());
  return { button, dialog };
}

interface Actions {
  player: Player;
  view: View;
  look: (k: number) => void;
  flip: () => void;
  help: HTMLDialogElement;
  /** The run goes on: its end is its latest frame. */
  live: boolean;
}

export function listenToKeys({ player, view, look, flip, help, live }: Actions): void {
  const actions: Record<string, () => void> = {
    " ": () => player.run(!view.now.playing),
    ArrowLeft: () => player.step(-1),
    ArrowRight: () => player.step(1),
    Home: () => player.seek(view.now.span[0]),
    End: () => {
      player.seek(view.now.span[1]);
      view.set({ follow: live });
    },
    Escape: () => view.set({ chosen: null }),
    t: flip,
    "?": () => help.showModal(),
    "1": () => look(0),
    "2": () => look(1),
    "3": () => look(2),
    "4": () => look(3),
  };
  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (help.open || event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
    const action = actions[event.key];
    if (action === undefined || (event.key === " " && target.tagName === "BUTTON")) return;
    event.preventDefault();
    action();
  });
}
