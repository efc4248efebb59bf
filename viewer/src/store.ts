// What is shown: one small state that controls change and views watch.

/** A state whose watchers are called, at once and in their order, when a key that they watch has changed. */
export class Store<S extends object> {
  private watchers = new Set<{ keys: readonly (keyof S)[]; call: (now: Readonly<S>) => void }>();

  constructor(private state: S) {}

  get now(): Readonly<S> {
    return this.state;
  }

  set(change: Partial<S>): void {
    const changed = (Object.keys(change) as (keyof S)[]).filter((key) => !Object.is(this.state[key], change[key]));
    if (changed.length === 0) return;
    Object.assign(this.state, change);
    for (const { keys, call } of [...this.watchers]) if (keys.some((key) => changed.includes(key))) call(this.state);
  }

  /** Calls now, and after every change of these keys. Returns how to stop it. */
  watch(keys: readonly (keyof S)[], call: (now: Readonly<S>) => void): () => void {
    const watcher = { keys, call };
    this.watchers.add(watcher);
    call(this.state);
    return () => this.watchers.delete(watcher);
  }
}

export type Measure = "none" | "friction" | "edge" | "opening" | "sliding" | "force";

export interface Chosen {
  kind: "block" | "joint";
  index: number;
}

export interface Shown {
  /** Time, s; of a pushover the displacement, m; of a mechanism its phase. */
  t: number;
  /** Where `t` begins and ends; a run that goes on moves the end, and what is drawn at a time may then have changed. */
  span: readonly [number, number];
  playing: boolean;
  /** The newest frame of a run that goes on is shown as it comes. */
  follow: boolean;
  chosen: Chosen | null;
  /** Displacements are drawn so many times as large. */
  exaggeration: number;
  /** Of blocks, from nought to one. */
  opacity: number;
  /** Blocks move with the ground. */
  ground: boolean;
  /** What joints are coloured by. */
  measure: Measure;
  forces: boolean;
  hinges: boolean;
  loads: boolean;
  /** The axis across which blocks are cut, and where, from nought to one. */
  cut: "none" | "x" | "y" | "z";
  depth: number;
  /** Indices of groups and of thrust lines. */
  hiddenGroups: ReadonlySet<number>;
  hiddenLines: ReadonlySet<number>;
  dark: boolean;
}

export type View = Store<Shown>;

/** A set with one member more or less. */
export function toggled<T>(set: ReadonlySet<T>, member: T, on: boolean): ReadonlySet<T> {
  const next = new Set(set);
  if (on) next.add(member);
  else next.delete(member);
  return next;
}
