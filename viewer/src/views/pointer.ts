// Choosing with the pointer: a press that does not drag.

import type { Drawing } from "../scene/drawing";
import type { View } from "../store";

/** Pixels that a press may wander. */
const WANDER = 4;

export function chooseByPointer(place: HTMLElement, drawing: Drawing, view: View): void {
  let pressed: [number, number] | null = null;
  place.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]), true);
  place.addEventListener("pointerup", (event) => {
    if (pressed === null || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > WANDER) return;
    const area = place.getBoundingClientRect();
    view.set({ chosen: drawing.at(event.clientX - area.left, event.clientY - area.top) });
  });
}
