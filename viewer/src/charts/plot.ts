// Curves against time, with a line at the time that is shown.

import uPlot from "uplot";
import { locate } from "../data/table";
import * as look from "../generated/look";
import type { Curves } from "./curves";

function short(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5 ? String(Number(value.toPrecision(4))) : Number(value.toPrecision(3)).toExponential().replace("e+", "e");
}

function csv(curves: Curves): string {
  const quote = (name: string) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const lines = [["time", ...curves.names].map(quote).join(",")];
  curves.time.forEach((t, i) => lines.push([t, ...curves.columns.map((column) => Number(column[i].toPrecision(9)))].join(",")));
  return lines.join("\n") + "\n";
}

export class Plot {
  readonly element = document.createElement("figure");
  private body = document.createElement("div");
  private line = document.createElement("div");
  private plot: uPlot | null = null;
  private now = 0;

  constructor(
    public curves: Curves,
    private seek: (t: number) => void,
    /** What the slider goes along. */
    private along: "s" | "m",
  ) {
    this.element.className = "plot card";
    const head = document.createElement("figcaption");
    const title = document.createElement("strong");
    title.textContent = `${curves.title}, ${curves.unit}`;
    const save = document.createElement("button");
    save.textContent = "csv";
    save.title = "Save these curves as a table";
    save.addEventListener("click", () => this.save());
    head.append(title, save);
    this.element.append(head, this.body);
    this.line.className = "now";
    new ResizeObserver(() => this.fit()).observe(this.body);
  }

  draw(): void {
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--soft");
    const faint = style.getPropertyValue("--line");
    const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint, width: 1 }, font: `${look.size.plot}px system-ui` };
    const idle = () => null;
    this.plot = new uPlot(
      {
        width: Math.max(this.body.clientWidth, 200),
        height: 210,
        scales: { x: { time: false }, ...(this.curves.logarithmic === true ? { y: { distr: 3 as const } } : {}) },
        axes: [
          { ...axis, values: (_u, ticks) => ticks.map((t) => `${short(t)} ${this.along}`) },
          // Of powers of ten only some have room for their number.
          { ...axis, size: 64, values: (_u, ticks) => ticks.map((v) => (v == null ? "" : short(v))) },
        ],
        series: [
          {
            label: this.along === "s" ? "time" : "displacement",
            value: (_u, v) => (v == null ? "" : `${short(v)} ${this.along}`),
          },
          ...this.curves.names.map((label, k) => ({
            label,
            stroke: look.series[k % look.series.length],
            width: 1.5,
            points: { show: false },
            value: (_u: uPlot, v: number | null) => (v == null ? "" : short(v)),
          })),
        ],
        cursor: {
          x: false,
          y: false,
          points: { show: false },
          drag: { x: false, y: false },
          bind: { mousedown: idle, mouseup: idle, click: idle, dblclick: idle, mousemove: idle, mouseleave: idle, mouseenter: idle },
        },
      },
      [this.curves.time, ...this.curves.columns] as unknown as uPlot.AlignedData,
      this.body,
    );
    const over = this.plot.over;
    over.append(this.line);
    const go = (event: PointerEvent) => {
      if (this.plot === null) return;
      const box = over.getBoundingClientRect();
      this.seek(this.plot.posToVal(Math.min(Math.max(event.clientX - box.left, 0), box.width), "x"));
    };
    over.addEventListener("pointerdown", (event) => {
      over.setPointerCapture(event.pointerId);
      go(event);
    });
    over.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) go(event);
    });
    this.show(this.now);
  }

  /** The same curves, longer. */
  extend(curves: Curves): void {
    this.curves = curves;
    this.plot?.setData([curves.time, ...curves.columns] as unknown as uPlot.AlignedData);
    // The scale follows after the present task.
    queueMicrotask(() => this.show(this.now));
  }

  private fit(): void {
    if (this.plot === null) return;
    const width = Math.max(this.body.clientWidth, 200);
    if (width !== this.plot.width) this.plot.setSize({ width, height: 210 });
    this.show(this.now);
  }

  show(t: number): void {
    this.now = t;
    if (this.plot === null) return;
    const [k, part] = locate(this.curves.time, t);
    this.plot.setLegend({ idx: part > 0.5 ? k + 1 : k }, false);
    this.line.style.transform = `translateX(${this.plot.valToPos(t, "x")}px)`;
  }

  /** The time at which the cursor stands, read from where it is drawn. */
  cursor(): number {
    if (this.plot === null) return NaN;
    return this.plot.posToVal(this.line.getBoundingClientRect().left + 0.5 - this.plot.over.getBoundingClientRect().left, "x");
  }

  destroy(): void {
    this.plot?.destroy();
    this.plot = null;
    this.element.remove();
  }

  private save(): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv(this.curves)], { type: "text/csv" }));
    link.download = `${this.curves.title.toLowerCase().replaceAll(" ", "-")}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
