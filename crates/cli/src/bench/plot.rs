//! Time over size as a picture.

use drystone_bench::{Family, Motion, Report, Row};
use drystone_page::figure::{Axis, Chart, Content, Ink, Item, Line, Mark};

/// In points.
const WIDTH: u32 = 900;
const HEIGHT: f64 = 460.0;

/// Milliseconds of a warm step in collapse (full lines), in small motion (dashed), and of Clarabel (circles) over the number of blocks, both
/// by powers of ten; none if nothing was measured.
pub(super) fn svg(report: &Report) -> Option<String> {
    let mut items = Vec::new();
    let mut number = 0;
    for family in Family::ALL {
        let of = |motion: Motion| -> Vec<&Row> {
            let rows = report.rows.iter();
            let mut rows: Vec<&Row> = rows
                .filter(|row| (row.family, row.motion) == (family, motion) && row.warm.ms > 0.0)
                .collect();
            rows.sort_by_key(|row| row.blocks);
            rows
        };
        let states = [Motion::Small, Motion::Collapse].map(of);
        if states.iter().all(Vec::is_empty) {
            continue;
        }
        let ink = Ink::Series(number);
        number += 1;
        for (rows, small) in states.into_iter().zip([true, false]) {
            let warm = || rows.iter().map(|row| [row.blocks as f64, row.warm.ms]);
            // A family stands once in the legend.
            let label = if small { "" } else { family.word() };
            items.push(Item::Line(Line::new(label, ink, warm()).dashed(small)));
            items.push(Item::marks(Mark::Dot, ink, warm()));
            let clarabel = rows
                .iter()
                .filter_map(|row| Some([row.blocks as f64, row.clarabel?.ms]));
            items.push(Item::marks(Mark::Ring, ink, clarabel));
        }
    }
    let values = |axis: usize| {
        items
            .iter()
            .flat_map(Item::pairs)
            .map(move |point| point[axis])
    };
    let chart = Chart {
        x: Axis::new("blocks", "").by_decades(values(0))?,
        y: Axis::new("time of a solution", "ms").by_decades(values(1))?,
        height: HEIGHT,
        items,
        notes: [
            "full: warm, collapse",
            "dashed: warm, small motion",
            "circles: Clarabel",
        ]
        .map(str::to_owned)
        .to_vec(),
    };
    Content::Chart(chart).picture().alone(WIDTH)
}
