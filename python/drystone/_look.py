"""Colours and sizes of text. Made from crates/page/src/report/look.json; do not edit: DRYSTONE_WRITE=1 cargo test -p drystone-page generated"""

from typing import Final

#: Colours of a page in the dark.
DARK: Final = {
    "accent": "#6cb2e6",
    "bad": "#ec8270",
    "bad_bg": "#33201d",
    "card": "#1e2125",
    "dusk": "#181b1f",
    "good": "#6cc184",
    "good_bg": "#1d2b21",
    "haze": "#22262b",
    "ink": "#e8e5de",
    "line": "#33363b",
    "paper": "#16181b",
    "sky": "#333941",
    "soft": "#9b968b",
    "warn": "#e0b94d",
    "warn_bg": "#302a19",
}

#: What else is in still pictures.
DRAWING: Final = {
    "edge": "#5b5145",
    "ground": "#b9b2a3",
    "support": "#c4c7cb",
}

#: Colours of charts.
FIGURE: Final = {
    "faint": "#f0f0f0",
    "grid": "#e4e4e4",
    "mark": "#333",
    "text": "#444",
}

#: Light in the 3D view.
LAMP: Final = {
    "ground": "#8a7f6c",
    "sky": "#eaf2ff",
    "sun": "#fff4e0",
}

#: Colours of a page in light.
LIGHT: Final = {
    "accent": "#1b6ca8",
    "bad": "#b5382a",
    "bad_bg": "#f9e9e5",
    "card": "#fff",
    "dusk": "#e6e1d4",
    "good": "#3d8b52",
    "good_bg": "#e9f3ea",
    "haze": "#f3f0e8",
    "ink": "#23211d",
    "line": "#e4dfd3",
    "paper": "#fbfaf7",
    "sky": "#fff",
    "soft": "#6d675c",
    "warn": "#b88a14",
    "warn_bg": "#fbf4df",
}

#: Stone by material in still pictures, before it is shaded.
MATERIAL: Final = ("#e8d6b2", "#cea084", "#bec4b2", "#d8c6c6", "#b2becc", "#d6ce96")

#: Colours of a page on paper.
PRINT: Final = {
    "card": "#fff",
    "ink": "#000",
    "line": "#ccc",
    "paper": "#fff",
    "soft": "#444",
}

#: From what is harmless to what is not, at equal distances.
RAMP: Final = ("#2f9e6e", "#a8c545", "#f2c230", "#ee7b2c", "#c8281f")

#: Colours of curves, in order.
SERIES: Final = ("#2f86d1", "#d8593c", "#3aa06a", "#9068c9", "#cf9b1d", "#35a3a3", "#a9673c", "#8b9097", "#c0508f", "#6a8f2a")

#: What is drawn over blocks.
SIGN: Final = {
    "chosen": "#f4f1ff",
    "force": "#2f86d1",
    "hinge": "#d6322b",
    "idle": "#8b9097",
    "load": "#b0457f",
    "tie": "#7a5fb0",
}

#: Sizes of text in charts, px.
SIZE: Final = {
    "chart": 13,
    "note": 11,
    "plot": 12,
}

#: What stands in the 3D view in the dark; lamps shine on it.
STONE_DARK: Final = {
    "chosen": "#ff9a3c",
    "edge": "#15130f",
    "free": "#cdb992",
    "grid": "#3a3f46",
    "support": "#565c64",
}

#: What stands in the 3D view in light; lamps shine on it.
STONE_LIGHT: Final = {
    "chosen": "#f08a24",
    "edge": "#4a4236",
    "free": "#dccaa6",
    "grid": "#d5cfc1",
    "support": "#b4b8bd",
}

#: Sizes of text in a page.
TEXT: Final = {
    "body": "15px",
    "caption": ".85rem",
    "heading": "1rem",
    "label": ".88rem",
    "lead": "1.1rem",
    "note": ".82rem",
    "small": ".8rem",
    "subheading": ".9rem",
    "tiny": ".78rem",
    "title": "1.5rem",
}

#: Thrust lines by the state of equilibrium that they belong to.
THRUST: Final = {
    "equilibrium": "#2f86d1",
    "limit": "#2f86d1",
    "maximum": "#d8593c",
    "minimum": "#3aa06a",
}
