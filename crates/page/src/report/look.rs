//! Colours and sizes of text. Made from crates/page/src/report/look.json; do not edit: DRYSTONE_WRITE=1 cargo test -p drystone-page generated

#![allow(missing_docs, reason = "names say what values are for")]

/// Colours of a page in the dark.
pub mod dark {
    pub const ACCENT: &str = "#6cb2e6";
    pub const BAD: &str = "#ec8270";
    pub const BAD_BG: &str = "#33201d";
    pub const CARD: &str = "#1e2125";
    pub const DUSK: &str = "#181b1f";
    pub const GOOD: &str = "#6cc184";
    pub const GOOD_BG: &str = "#1d2b21";
    pub const HAZE: &str = "#22262b";
    pub const INK: &str = "#e8e5de";
    pub const LINE: &str = "#33363b";
    pub const PAPER: &str = "#16181b";
    pub const SKY: &str = "#333941";
    pub const SOFT: &str = "#9b968b";
    pub const WARN: &str = "#e0b94d";
    pub const WARN_BG: &str = "#302a19";
}

/// What else is in still pictures.
pub mod drawing {
    pub const EDGE: &str = "#5b5145";
    pub const GROUND: &str = "#b9b2a3";
    pub const SUPPORT: &str = "#c4c7cb";
}

/// Colours of charts.
pub mod figure {
    pub const FAINT: &str = "#f0f0f0";
    pub const GRID: &str = "#e4e4e4";
    pub const MARK: &str = "#333";
    pub const TEXT: &str = "#444";
}

/// Light in the 3D view.
pub mod lamp {
    pub const GROUND: &str = "#8a7f6c";
    pub const SKY: &str = "#eaf2ff";
    pub const SUN: &str = "#fff4e0";
}

/// Colours of a page in light.
pub mod light {
    pub const ACCENT: &str = "#1b6ca8";
    pub const BAD: &str = "#b5382a";
    pub const BAD_BG: &str = "#f9e9e5";
    pub const CARD: &str = "#fff";
    pub const DUSK: &str = "#e6e1d4";
    pub const GOOD: &str = "#3d8b52";
    pub const GOOD_BG: &str = "#e9f3ea";
    pub const HAZE: &str = "#f3f0e8";
    pub const INK: &str = "#23211d";
    pub const LINE: &str = "#e4dfd3";
    pub const PAPER: &str = "#fbfaf7";
    pub const SKY: &str = "#fff";
    pub const SOFT: &str = "#6d675c";
    pub const WARN: &str = "#b88a14";
    pub const WARN_BG: &str = "#fbf4df";
}

/// Stone by material in still pictures, before it is shaded.
pub const MATERIAL: [&str; 6] = ["#e8d6b2", "#cea084", "#bec4b2", "#d8c6c6", "#b2becc", "#d6ce96"];

/// Colours of a page on paper.
pub mod print {
    pub const CARD: &str = "#fff";
    pub const INK: &str = "#000";
    pub const LINE: &str = "#ccc";
    pub const PAPER: &str = "#fff";
    pub const SOFT: &str = "#444";
}

/// From what is harmless to what is not, at equal distances.
pub const RAMP: [&str; 5] = ["#2f9e6e", "#a8c545", "#f2c230", "#ee7b2c", "#c8281f"];

/// Colours of curves, in order.
pub const SERIES: [&str; 10] = ["#2f86d1", "#d8593c", "#3aa06a", "#9068c9", "#cf9b1d", "#35a3a3", "#a9673c", "#8b9097", "#c0508f", "#6a8f2a"];

/// What is drawn over blocks.
pub mod sign {
    pub const CHOSEN: &str = "#f4f1ff";
    pub const FORCE: &str = "#2f86d1";
    pub const HINGE: &str = "#d6322b";
    pub const IDLE: &str = "#8b9097";
    pub const LOAD: &str = "#b0457f";
    pub const TIE: &str = "#7a5fb0";
}

/// Sizes of text in charts, px.
pub mod size {
    pub const CHART: u32 = 13;
    pub const NOTE: u32 = 11;
    pub const PLOT: u32 = 12;
}

/// What stands in the 3D view in the dark; lamps shine on it.
pub mod stone_dark {
    pub const CHOSEN: &str = "#ff9a3c";
    pub const EDGE: &str = "#15130f";
    pub const FREE: &str = "#cdb992";
    pub const GRID: &str = "#3a3f46";
    pub const SUPPORT: &str = "#565c64";
}

/// What stands in the 3D view in light; lamps shine on it.
pub mod stone_light {
    pub const CHOSEN: &str = "#f08a24";
    pub const EDGE: &str = "#4a4236";
    pub const FREE: &str = "#dccaa6";
    pub const GRID: &str = "#d5cfc1";
    pub const SUPPORT: &str = "#b4b8bd";
}

/// Sizes of text in a page.
pub mod text {
    pub const BODY: &str = "15px";
    pub const CAPTION: &str = ".85rem";
    pub const HEADING: &str = "1rem";
    pub const LABEL: &str = ".88rem";
    pub const LEAD: &str = "1.1rem";
    pub const NOTE: &str = ".82rem";
    pub const SMALL: &str = ".8rem";
    pub const SUBHEADING: &str = ".9rem";
    pub const TINY: &str = ".78rem";
    pub const TITLE: &str = "1.5rem";
}

/// Thrust lines by the state of equilibrium that they belong to.
pub mod thrust {
    pub const EQUILIBRIUM: &str = "#2f86d1";
    pub const LIMIT: &str = "#2f86d1";
    pub const MAXIMUM: &str = "#d8593c";
    pub const MINIMUM: &str = "#3aa06a";
}

/// The same in CSS: Colours of a page in light.
pub const LIGHT_CSS: &str = "--accent:#1b6ca8;--bad:#b5382a;--bad-bg:#f9e9e5;--card:#fff;--dusk:#e6e1d4;--good:#3d8b52;--good-bg:#e9f3ea;--haze:#f3f0e8;--ink:#23211d;--line:#e4dfd3;--paper:#fbfaf7;--sky:#fff;--soft:#6d675c;--warn:#b88a14;--warn-bg:#fbf4df;";

/// The same in CSS: Colours of a page in the dark.
pub const DARK_CSS: &str = "--accent:#6cb2e6;--bad:#ec8270;--bad-bg:#33201d;--card:#1e2125;--dusk:#181b1f;--good:#6cc184;--good-bg:#1d2b21;--haze:#22262b;--ink:#e8e5de;--line:#33363b;--paper:#16181b;--sky:#333941;--soft:#9b968b;--warn:#e0b94d;--warn-bg:#302a19;";

/// The same in CSS: Colours of a page on paper.
pub const PRINT_CSS: &str = "--card:#fff;--ink:#000;--line:#ccc;--paper:#fff;--soft:#444;";

/// The same in CSS: Sizes of text in a page.
pub const TEXT_CSS: &str = "--text-body:15px;--text-caption:.85rem;--text-heading:1rem;--text-label:.88rem;--text-lead:1.1rem;--text-note:.82rem;--text-small:.8rem;--text-subheading:.9rem;--text-tiny:.78rem;--text-title:1.5rem;";

/// The same in CSS: From what is harmless to what is not, at equal distances.
pub const RAMP_CSS: &str = "--ramp:#2f9e6e,#a8c545,#f2c230,#ee7b2c,#c8281f;";
