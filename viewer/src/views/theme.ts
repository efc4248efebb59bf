// Dark or light: as the system is, until somebody wants it otherwise.

import type { View } from "../store";
import { element } from "./controls";

const system = window.matchMedia("(prefers-color-scheme: dark)");

export const systemIsDark = (): boolean => system.matches;

export function theme(view: View): { button: HTMLElement; flip: () => void } {
  let wanted: boolean | null = null;
  // The page first: plots read their colours from it.
  const page = document.documentElement;
  const set = (dark: boolean) => {
    if (wanted !== null) page.dataset["theme"] = dark ? "dark" : "light";
    view.set({ dark });
  };
  const flip = () => {
    wanted = !view.now.dark;
    set(wanted);
  };
  set(view.now.dark);
  system.addEventListener("change", () => set(wanted ?? system.matches));
  const button = element("button", { id: "theme", textContent: "◐", title: "Dark or light (T)" });
  button.addEventListener("click", flip);
  return { button, flip };
}
