// Play, the slider of time, the clock, the speed.

import type { Content } from "../data/content";
import type { Player } from "../player";
import type { View } from "../store";
import { element } from "./controls";

const RATES = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export function transport(content: Content, view: View, player: Player): HTMLElement {
  const play = element("button", { id: "play", title: "Space" });
  const time = element("input", { type: "range", id: "time", step: "any", ariaLabel: "time" });
  const clock = element("output", { id: "clock" });
  const speed = element("select", { id: "speed", title: "Speed" });
  for (const rate of RATES) speed.append(element("option", { value: String(rate), textContent: `${rate} ×`, selected: rate === player.rate }));
  play.addEventListener("click", () => player.run(!view.now.playing));
  time.addEventListener("input", () => player.seek(Number(time.value)));
  speed.addEventListener("change", () => (player.rate = Number(speed.value)));
  view.watch(["playing"], ({ playing }) => (play.textContent = playing ? "Pause" : "Play"));
  view.watch(["span"], ({ span }) => {
    time.min = String(span[0]);
    time.max = String(span[1]);
  });
  view.watch(["t", "span"], ({ t }) => {
    time.value = String(t);
    clock.textContent = content.swings ? `${(100 * t).toFixed(0)} %` : `${t.toFixed(3)} ${content.unit}`;
  });
  return element("div", { id: "bar" }, play, time, clock, speed);
}
