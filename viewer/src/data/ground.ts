// How the ground moved.

import { Vector3 } from "three";
import { locate, type Table } from "./table";

/** Whether the history has a ground that moves. */
export function groundMoves(table: Table | null): boolean {
  return table?.names.some((name, k) => name.startsWith("ground.") && table.columns[k].some((v) => v !== 0)) === true;
}

/** The ground's displacement at a time, m. */
export function groundOf(table: Table | null): (t: number, out: Vector3) => Vector3 {
  const columns = ["x", "y", "z"].map((axis) => table?.columns[table.names.indexOf(`ground.u${axis}`)]);
  return (t, out) => {
    if (table === null) return out.set(0, 0, 0);
    const [k, part] = locate(table.time, t);
    columns.forEach((column, axis) => {
      if (column === undefined) return;
      const next = column[Math.min(k + 1, column.length - 1)];
      out.setComponent(axis, column[k] + part * (next - column[k]));
    });
    return out;
  };
}
