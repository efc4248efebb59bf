// Moves the time: by hand, frame by frame, or as it goes by.

import type { Content } from "./data/content";
import { locate } from "./data/table";
import type { View } from "./store";

/** A mechanism goes to and fro in this time, s. */
const PERIOD = 4;

export class Player {
  /** Times the speed of nature. */
  rate = 1;
  private phase = 0;

  constructor(
    private content: Content,
    private view: View,
  ) {}

  /** Shows a time as near as there is one. */
  show(t: number): void {
    const [start, end] = this.view.now.span;
    this.view.set({ t: Math.min(Math.max(t, start), end) });
  }

  run(on: boolean): void {
    const { t, span } = this.view.now;
    const playing = on && this.content.moves;
    this.view.set({ playing, follow: false });
    if (playing && !this.content.swings && t >= span[1]) this.show(span[0]);
  }

  /** Stops at a time. */
  seek(t: number): void {
    this.run(false);
    this.show(t);
  }

  /** One frame on, or back for -1. */
  step(direction: number): void {
    const { t } = this.view.now;
    const { times } = this.content.motion;
    if (this.content.swings) return this.seek(t + 0.05 * direction);
    if (times.length === 0) return;
    const [k, part] = locate(times, t + 1e-9);
    const next = direction > 0 ? k + 1 : part > 1e-6 ? k : k - 1;
    this.seek(times[Math.min(Math.max(next, 0), times.length - 1)]);
  }

  /** So much time went by, s. */
  advance(passed: number): void {
    const { playing, t, span } = this.view.now;
    if (!playing) return;
    if (this.content.swings) {
      this.phase += (passed * this.rate) / PERIOD;
      this.show(0.5 - 0.5 * Math.cos(2 * Math.PI * this.phase));
    } else {
      this.show(t + passed * this.rate);
      if (t + passed * this.rate >= span[1]) this.run(false);
    }
  }
}
