// Colours and sizes of text. Made from crates/page/src/report/look.json; do not edit: DRYSTONE_WRITE=1 cargo test -p drystone-page generated

/** Colours of a page in the dark. */
export const dark = {
  accent: "#6cb2e6",
  bad: "#ec8270",
  bad_bg: "#33201d",
  card: "#1e2125",
  dusk: "#181b1f",
  good: "#6cc184",
  good_bg: "#1d2b21",
  haze: "#22262b",
  ink: "#e8e5de",
  line: "#33363b",
  paper: "#16181b",
  sky: "#333941",
  soft: "#9b968b",
  warn: "#e0b94d",
  warn_bg: "#302a19",
} as const;

/** What else is in still pictures. */
export const drawing = {
  edge: "#5b5145",
  ground: "#b9b2a3",
  support: "#c4c7cb",
} as const;

/** Colours of charts. */
export const figure = {
  faint: "#f0f0f0",
  grid: "#e4e4e4",
  mark: "#333",
  text: "#444",
} as const;

/** Light in the 3D view. */
export const lamp = {
  ground: "#8a7f6c",
  sky: "#eaf2ff",
  sun: "#fff4e0",
} as const;

/** Colours of a page in light. */
export const light = {
  accent: "#1b6ca8",
  bad: "#b5382a",
  bad_bg: "#f9e9e5",
  card: "#fff",
  dusk: "#e6e1d4",
  good: "#3d8b52",
  good_bg: "#e9f3ea",
  haze: "#f3f0e8",
  ink: "#23211d",
  line: "#e4dfd3",
  paper: "#fbfaf7",
  sky: "#fff",
  soft: "#6d675c",
  warn: "#b88a14",
  warn_bg: "#fbf4df",
} as const;

/** Stone by material in still pictures, before it is shaded. */
export const material = ["#e8d6b2", "#cea084", "#bec4b2", "#d8c6c6", "#b2becc", "#d6ce96"] as const;

/** Colours of a page on paper. */
export const print = {
  card: "#fff",
  ink: "#000",
  line: "#ccc",
  paper: "#fff",
  soft: "#444",
} as const;

/** From what is harmless to what is not, at equal distances. */
export const ramp = ["#2f9e6e", "#a8c545", "#f2c230", "#ee7b2c", "#c8281f"] as const;

/** Colours of curves, in order. */
export const series = ["#2f86d1", "#d8593c", "#3aa06a", "#9068c9", "#cf9b1d", "#35a3a3", "#a9673c", "#8b9097", "#c0508f", "#6a8f2a"] as const;

/** What is drawn over blocks. */
export const sign = {
  chosen: "#f4f1ff",
  force: "#2f86d1",
  hinge: "#d6322b",
  idle: "#8b9097",
  load: "#b0457f",
  tie: "#7a5fb0",
} as const;

/** Sizes of text in charts, px. */
export const size = {
  chart: 13,
  note: 11,
  plot: 12,
} as const;

/** What stands in the 3D view in the dark; lamps shine on it. */
export const stoneDark = {
  chosen: "#ff9a3c",
  edge: "#15130f",
  free: "#cdb992",
  grid: "#3a3f46",
  support: "#565c64",
} as const;

/** What stands in the 3D view in light; lamps shine on it. */
export const stoneLight = {
  chosen: "#f08a24",
  edge: "#4a4236",
  free: "#dccaa6",
  grid: "#d5cfc1",
  support: "#b4b8bd",
} as const;

/** Sizes of text in a page. */
export const text = {
  body: "15px",
  caption: ".85rem",
  heading: "1rem",
  label: ".88rem",
  lead: "1.1rem",
  note: ".82rem",
  small: ".8rem",
  subheading: ".9rem",
  tiny: ".78rem",
  title: "1.5rem",
} as const;

/** Thrust lines by the state of equilibrium that they belong to. */
export const thrust = {
  equilibrium: "#2f86d1",
  limit: "#2f86d1",
  maximum: "#d8593c",
  minimum: "#3aa06a",
} as const;
