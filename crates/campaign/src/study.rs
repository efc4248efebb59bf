//! Which runs a campaign makes, given those that are known.
//!
//! A study has no memory: it says from the results alone what it wants, so that a campaign that was stopped goes on as if it had not been.

use std::collections::BTreeMap;

use crate::statistics::Refinement;
use drystone_model::{FailureDomain, Fragility, Method, Question};

use crate::outcome::Outcome;
use crate::plan::{Plan, choices, directions};

/// Results by the number of their run.
pub type Known = BTreeMap<usize, Outcome>;

/// Runs that a campaign wants, in order: all, or as many as can be told from the results so far.
pub fn wanted(plan: &Plan, known: &Known) -> Vec<usize> {
    match &plan.campaign.question {
        Question::FailureDomain(domain) if domain.refine => {
            let size = choices(&domain.x) * choices(&domain.y);
            let curves = plan.groups() * directions(domain);
            let of_curve = |curve: usize| {
                let first = curve * size;
                let cells = refined(domain, |cell| verdict(known, first + cell)).1;
                cells.into_iter().map(move |cell| first + cell)
            };
            (0..curves).flat_map(of_curve).collect()
        }
        Question::Fragility(fragility) if fragility.method == Method::Incremental => {
            rising(plan, fragility, known)
        }
        Question::Sweep(_) | Question::FailureDomain(_) | Question::Fragility(_) => {
            (0..plan.size()).collect()
        }
    }
}

/// The boundary of one curve as far as it is known, and the runs for it, in order. A run that is known has a verdict, or none if it failed.
pub(crate) fn refined(
    domain: &FailureDomain,
    verdict: impl Fn(usize) -> Option<Option<bool>>,
) -> (Refinement, Vec<usize>) {
    let size = [choices(&domain.x), choices(&domain.y)];
    // About four coarse cells along the shorter side, and at most eight points between two coarse ones.
    let stride = (size[0].min(size[1]) / 4).clamp(1, 8);
    let stride = if stride.is_power_of_two() {
        stride
    } else {
        stride.next_power_of_two() / 2
    };
    let mut grid = Refinement::new(size, stride);
    let mut cells = Vec::new();
    loop {
        let round = grid.wanted();
        let mut complete = true;
        for &[i, j] in &round {
            let cell = i * size[1] + j;
            cells.push(cell);
            match verdict(cell) {
                Some(verdict) => grid.set([i, j], verdict),
                None => complete = false,
            }
        }
        if round.is_empty() || !complete {
            cells.sort_unstable();
            return (grid, cells);
        }
    }
}

/// Whether a run came down, or that it failed; nothing if it is not known.
pub(crate) fn verdict(known: &Known, run: usize) -> Option<Option<bool>> {
    known.get(&run).map(|outcome| outcome.collapsed)
}

/// Every motion up to the first intensity at which the structure comes down.
fn rising(plan: &Plan, fragility: &Fragility, known: &Known) -> Vec<usize> {
    let steps = fragility.intensities.len();
    let mut wanted = Vec::new();
    for first in (0..plan.size()).step_by(steps.max(1)) {
        for index in first..first + steps {
            wanted.push(index);
            // A run that failed says nothing, and the next intensity may.
            match known.get(&index).map(|outcome| outcome.collapsed) {
                Some(None | Some(false)) => {}
                Some(Some(true)) | None => break,
            }
        }
    }
    wanted
}
