// Which curves there are to draw.

import { Quaternion, Vector3 } from "three";
import type { Motion } from "../data/motion";
import type { Table } from "../data/table";
import type { Seams } from "../scene/seams";

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

/** How a block moved: displacement and rotation vector at every frame. */
export function blockHistory(motion: Motion, block: number, name: string): Curves[] {
  if (motion.times.length < 2) return [];
  const columns = Array.from({ length: 6 }, () => new Float64Array(motion.times.length));
  const way = new Vector3();
  const turn = new Quaternion();
  motion.times.forEach((t, i) => {
    motion.at(block, t, way, turn);
    const s = Math.hypot(turn.x, turn.y, turn.z);
    const factor = s > 1e-12 ? (2 * Math.atan2(s, turn.w)) / s : 2;
    [way.x, way.y, way.z, factor * turn.x, factor * turn.y, factor * turn.z].forEach((v, k) => (columns[k][i] = v));
  });
  const some = (from: number, names: string[], title: string, unit: string): Curves[] => {
    const kept = names.map((_, k) => k).filter((k) => columns[from + k].some((v) => v !== 0));
    if (kept.length === 0) return [];
    return [{ title: `${title} of ${name}`, unit, time: motion.times, names: kept.map((k) => names[k]), columns: kept.map((k) => columns[from + k]) }];
  };
  return [...some(3, ["rx", "ry", "rz"], "Rotation", "rad"), ...some(0, ["ux", "uy", "uz"], "Displacement", "m")];
}

/** How a joint opened and slid, and what it carried. */
export function jointHistory(seams: Seams, motion: Motion, joint: number, name: string): Curves[] {
  const time = motion.times;
  const columns = [0, 1].map(() => new Float64Array(time.length));
  time.forEach((t, i) => {
    const { opening, sliding } = seams.read(joint, t);
    columns[0][i] = opening;
    columns[1][i] = sliding;
  });
  const curves: Curves[] = [{ title: `Joint ${name}`, unit: "m", time, names: ["opening", "sliding"], columns }];
  if (seams.forces !== null && seams.forces.times.length > 1) {
    const when = seams.forces.times;
    const carried = Array.from(when, (t) => seams.carried(joint, t) ?? [0, 0]);
    curves.push({ title: `Force in joint ${name}`, unit: "N", time: when, names: ["normal", "shear"], columns: [0, 1].map((k) => Float64Array.from(carried, (pair) => pair[k])) });
  }
  return curves;
}
