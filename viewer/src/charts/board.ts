// The plots of a page: those of its tables, and before them those of what is chosen.

import type { Table } from "../data/table";
import type { View } from "../store";
import { type Curves, curvesOf, diagnosticsOf } from "./curves";
import { Plot } from "./plot";

export class Board {
  readonly element = document.createElement("div");
  private tables: Plot[] = [];
  private chosen: Plot[] = [];

  constructor(
    private view: View,
    private seek: (t: number) => void,
    private unit: "s" | "m",
  ) {
    this.element.id = "plots";
    view.watch(["t", "span"], ({ t }) => {
      for (const plot of this.plots) plot.show(t);
    });
    // Plots take their colours from the page.
    view.watch(["dark"], () => {
      for (const plot of this.plots) plot.draw();
    });
  }

  /** All of them; the order is not that of the page. */
  get plots(): Plot[] {
    return [...this.tables, ...this.chosen];
  }

  private made(curves: Curves[]): Plot[] {
    return curves.map((each) => new Plot(each, this.seek, this.unit));
  }

  /** Plots the tables of a run; if they have only grown, what is there grows. */
  tabulate(table: Table | null, diagnostics: Table | null): void {
    const all = [...(table === null ? [] : curvesOf(table)), ...(diagnostics === null ? [] : diagnosticsOf(diagnostics))];
    const shape = (list: Curves[]) => list.map((curves) => [curves.title, ...curves.names].join()).join();
    if (this.tables.length > 0 && shape(all) === shape(this.tables.map((plot) => plot.curves))) {
      all.forEach((curves, k) => this.tables[k].extend(curves));
      return;
    }
    for (const plot of this.tables) plot.destroy();
    this.tables = this.made(all);
    for (const plot of this.tables) {
      this.element.append(plot.element);
      plot.draw();
    }
  }

  /** Plots what is chosen in the place of what was. */
  choose(curves: Curves[]): void {
    for (const plot of this.chosen) plot.destroy();
    this.chosen = this.made(curves);
    for (const plot of this.chosen) {
      this.element.prepend(plot.element);
      plot.draw();
      plot.show(this.view.now.t);
    }
  }
}
