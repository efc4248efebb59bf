// Curves against time, with one cursor for all of them.

import uPlot from "uplot";
import { locate, type Table } from "./data";

const COLOURS = ["#2f86d1", "#d8593c", "#3aa06a", "#9068c9", "#cf9b1d", "#35a3a3", "#a9673c", "#8b9097", "#c0508f", "#6a8f2a"];

export interface Curves {
  title: string;
  unit: string;
  time: Float64Array;
  names: string[];
  columns: Float64Array[];
  /** Powers of ten at equal distances. */
  logarithmic?: boolean;
}

/** How well the steps of a run were solved. */
export function diagnosticsOf(table: Table): Curves[] {
  const pick = (name: string, title: string, unit: string, more: Partial<Curves> = {}): Curves[] => {
    const column = table.columns[table.names.indexOf(name)];
    if (column === undefined || !column.some((v) => v !== 0)) return [];
    return [{ title, unit, time: table.time, names: [name], columns: [column], ...more }];
  };
  return [
    ...pick("imbalance", "Energy that contacts do not explain", "J"),
    ...pick("residual", "Residual of each step", "relative", { logarithmic: true }).map((curves) => ({ ...curves, columns: curves.columns.map((column) => column.map((v) => Math.max(v, 1e-18))) })),
    ...pick("penetration", "Deepest penetration", "m"),
    ...pick("iterations", "Iterations of the solver", "number"),
  ];
}

/** The curves of a history, sorted by what they measure; what stays at nought is left out. */
export function curvesOf(table: Table): Curves[] {
  const pick = (title: string, unit: string, wanted: (name: string) => boolean, relative: string[] = []): Curves | null => {
    const names: string[] = [];
    const columns: Float64Array[] = [];
    table.names.forEach((name, k) => {
      if (!wanted(name)) return;
      let column = table.columns[k];
      if (relative.includes(name)) {
        column = column.map((v) => v - table.columns[k][0]);
        name = `${name}, change`;
      }
      if (!column.some((v) => Math.abs(v) > 1e-9)) return;
      names.push(name);
      columns.push(column);
    });
    return names.length === 0 ? null : { title, unit, time: table.time, names, columns };
  };
  const energies = ["kinetic", "potential", "harvested", "dissipated", "elastic"];
  const ends = (name: string, axis: string) => !name.startsWith("ground.") && new RegExp(`\\.${axis}[xyz]$`).test(name);
  return [
    pick("Displacements of monitors", "m", (name) => ends(name, "u")),
    pick("Rotations of monitors", "rad", (name) => ends(name, "r")),
    pick("Energies", "J", (name) => energies.includes(name), ["potential"]),
    pick("Angle", "rad", (name) => name === "angle"),
    pick("Angular velocity", "rad/s", (name) => name === "velocity"),
    pick("Energies per unit weight", "m", (name) => name.endsWith("_per_weight")),
    pick("Ground", "m", (name) => name.startsWith("ground.")),
  ].filter((curves) => curves !== null);
}

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
    /** What the slider goes along: the displacement of a pushover has metres. */
    private along: "s" | "m" = "s",
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
    const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint, width: 1 }, font: "12px system-ui" };
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
            stroke: COLOURS[k % COLOURS.length],
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
