// Colours and sizes of the page.
export const light = {"paper": "#fbfaf7", "card": "#fff", "ink": "#23211d", "soft": "#6d675c", "line": "#e4dfd3", "accent": "#1b6ca8", "good": "#3d8b52", "good_bg": "#e9f3ea", "bad": "#b5382a", "bad_bg": "#f9e9e5", "warn": "#b88a14", "warn_bg": "#fbf4df", "sky": "#fff", "haze": "#f3f0e8", "dusk": "#e6e1d4"} as const;
export const dark = {"paper": "#16181b", "card": "#1e2125", "ink": "#e8e5de", "soft": "#9b968b", "line": "#33363b", "accent": "#6cb2e6", "good": "#6cc184", "good_bg": "#1d2b21", "bad": "#ec8270", "bad_bg": "#33201d", "warn": "#e0b94d", "warn_bg": "#302a19", "sky": "#333941", "haze": "#22262b", "dusk": "#181b1f"} as const;
export const print = {"paper": "#fff", "card": "#fff", "ink": "#000", "soft": "#444", "line": "#ccc"} as const;
export const text = {"body": "15px", "title": "1.5rem", "lead": "1.1rem", "heading": "1rem", "label": ".88rem", "caption": ".85rem", "small": ".8rem", "tiny": ".78rem"} as const;
export const figure = {"text": "#444", "mark": "#333", "grid": "#e4e4e4", "faint": "#f0f0f0", "size": 13, "plot_size": 12, "note_size": 11} as const;
export const series = ["#2f86d1", "#d8593c", "#3aa06a", "#9068c9", "#cf9b1d", "#35a3a3", "#a9673c", "#8b9097", "#c0508f", "#6a8f2a"] as const;
export const ramp = ["#2f9e6e", "#a8c545", "#f2c230", "#ee7b2c", "#c8281f"] as const;
export const sign = {"force": "#2f86d1", "load": "#b0457f", "tie": "#7a5fb0", "hinge": "#d6322b", "idle": "#8b9097", "chosen": "#f4f1ff"} as const;
export const thrust = {"equilibrium": "#2f86d1", "limit": "#2f86d1", "minimum": "#3aa06a", "maximum": "#d8593c"} as const;
export const stoneLight = {"free": "#dccaa6", "support": "#b4b8bd", "chosen": "#f08a24", "edge": "#4a4236", "grid": "#d5cfc1"} as const;
export const stoneDark = {"free": "#cdb992", "support": "#565c64", "chosen": "#ff9a3c", "edge": "#15130f", "grid": "#3a3f46"} as const;
export const lamp = {"sun": "#fff4e0", "sky": "#eaf2ff", "ground": "#8a7f6c"} as const;
export const material = ["#e8d6b2", "#cea084", "#bec4b2", "#d8c6c6", "#b2becc", "#d6ce96"] as const;
export const drawing = {"support": "#c4c7cb", "edge": "#5b5145", "ground": "#b9b2a3"} as const;
