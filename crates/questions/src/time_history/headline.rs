//! The verdict of a time history in one line.

use drystone_model::TimeHistory;

use super::notes::short;
use super::{Status, Summary};

/// Names of fallen blocks that are told; the summary has all.
const NAMED: usize = 3;

/// The verdict in one line.
pub(super) fn headline(
    settings: &TimeHistory,
    results: &Summary,
    done: bool,
    seconds: f64,
) -> String {
    let mut text = verdict(settings, results);
    if results.status == Status::Collapsed && !done {
        let time = results.time;
        text.push_str(&format!(", interrupted at {time:.3} s, and can be resumed"));
    }
    text.push_str(&format!(
        " ({} steps in {seconds:.1} s, worst residual {:.1e}, penetration {:.1e} m)",
        results.steps, results.worst_residual, results.max_penetration
    ));
    let troubles = &results.troubles;
    if troubles.inaccurate_steps > 0 {
        text.push_str(&format!(
            "; {} steps missed the tolerance, try a smaller dt",
            troubles.inaccurate_steps
        ));
    }
    if troubles.relaxed_steps > 0 {
        text.push_str(&format!(
            "; {} steps had blocks wedged between fixed ones",
            troubles.relaxed_steps
        ));
    }
    if troubles.capped_steps > 0 {
        text.push_str(&format!(
            "; overlaps were removed gradually in {} steps",
            troubles.capped_steps
        ));
    }
    text
}

fn verdict(settings: &TimeHistory, results: &Summary) -> String {
    let fallen = fallen(&results.fallen_blocks);
    let with = |text: String, more: &[String]| {
        let more = more.iter().filter(|part| !part.is_empty());
        more.fold(text, |text, part| format!("{text}; {part}"))
    };
    match results.status {
        Status::Collapsed => {
            let time = results.collapse_time;
            let when = time.map_or(String::new(), |time| format!(" at {time:.3} s"));
            with(format!("collapsed{when}"), &[fallen])
        }
        Status::Stood => {
            // Within the duration nothing needs to be said.
            let late = results.time > settings.duration + settings.dt;
            let beyond = if late {
                format!(", at rest after {:.3} s", results.time)
            } else {
                String::new()
            };
            with(format!("stood{beyond}"), &[fallen, farthest(results)])
        }
        Status::Undecided => {
            let why = open(settings, results);
            with(
                format!("undecided: stood so far, {why}"),
                &[fallen, farthest(results)],
            )
        }
        Status::Interrupted => {
            format!("interrupted at {:.3} s, and can be resumed", results.time)
        }
    }
}

/// Why there is no verdict.
fn open(settings: &TimeHistory, results: &Summary) -> String {
    match results.motion_end {
        Some(end) if end > results.time + 1e-9 => format!(
            "shaken for {} of {} s: raise `duration` to know",
            short(results.time),
            short(end)
        ),
        _ if results.held_at_end == Some(false) => format!(
            "and slow at the end, but no forces within friction hold it where it is: {} to know",
            remedy(settings)
        ),
        _ if !results.moving_at_end => format!(
            "and slow at the end, but not for long enough to be at rest: {} to know",
            remedy(settings)
        ),
        _ => format!(
            "but still moving at {} s (kinetic energy {:.3e} J): {} to know",
            short(results.time),
            results.energy.kinetic,
            remedy(settings)
        ),
    }
}

fn remedy(settings: &TimeHistory) -> &'static str {
    if settings.settle > 0.0 {
        "raise `settle`"
    } else {
        "raise `duration` or `settle`"
    }
}

/// The first names, and how many there are.
fn fallen(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|name| format!("\"{name}\""))
        .collect();
    let shown = shown.join(", ");
    match names.len() {
        0 => String::new(),
        1 => format!("fell by more than its height: {shown}"),
        count if count <= NAMED => {
            format!("{count} blocks fell by more than their height: {shown}")
        }
        count => format!(
            "{count} blocks fell by more than their height: {shown} and {} more",
            count - NAMED
        ),
    }
}

fn farthest(results: &Summary) -> String {
    let farthest = &results.largest_displacement;
    if farthest.displacement <= 0.0 {
        return String::new();
    }
    format!(
        "largest displacement {:.3e} m (block \"{}\")",
        farthest.displacement, farthest.block
    )
}
