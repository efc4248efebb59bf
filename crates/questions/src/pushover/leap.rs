//! Blocks that move to another place at once, and what stands in the way of a step.

use drystone_model::Model;

use super::outcome::CurvePoint;

/// Why there is no equilibrium a step ahead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stuck {
    /// These blocks lose their support, or come to rest only after a leap.
    Lost(Vec<usize>),
    /// These blocks hold the structure against any multiplier.
    Locked(Vec<usize>),
    /// The limit problem was not solved.
    Unsolved,
}

/// Blocks that moved to another place at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leap {
    /// The point of the curve that it led to.
    pub to: usize,
    pub blocks: Vec<usize>,
}

impl Leap {
    /// It set less energy free than it takes from there to the end of a curve.
    pub fn is_survived(&self, points: &[CurvePoint]) -> bool {
        let [from, to, end] = [self.to - 1, self.to, points.len() - 1].map(|at| &points[at]);
        to.dissipated - from.dissipated <= end.live_work - to.live_work
    }

    fn told(&self, model: &Model, points: &[CurvePoint]) -> String {
        let d = points[self.to - 1].d;
        let first = self.blocks.first().map(|&i| model.blocks[i].name.as_str());
        let first = first.unwrap_or_default();
        match self.blocks.len() {
            1 => format!("\"{first}\" at {d:.4} m"),
            count => format!("\"{first}\" and {} more at {d:.4} m", count - 1),
        }
    }
}

/// What steps that failed say of where they began. One that has no equilibrium at its end is proof that the curve ends before, whatever was not solved nearer to it.
pub(super) fn decisive(tried: Vec<Stuck>) -> Stuck {
    let proofs = tried.into_iter().rev();
    let mut proofs = proofs.filter(|stuck| *stuck != Stuck::Unsolved);
    proofs.next().unwrap_or(Stuck::Unsolved)
}

/// Leaps of a curve, in words.
pub(super) fn told(model: &Model, leaps: &[Leap], points: &[CurvePoint]) -> Vec<String> {
    let all = [
        (
            true,
            "each sets less energy free than it takes from there to the end of the curve, so that they come to rest",
        ),
        (
            false,
            "it sets more energy free than it takes from there to where the curve was stopped; only a curve that is followed to its end, or a time history, shows whether the structure comes to rest",
        ),
    ];
    all.into_iter()
        .filter_map(|(survived, what)| {
            let leaps = leaps.iter();
            let leaps = leaps.filter(|leap| leap.is_survived(points) == survived);
            let names: Vec<String> = leaps.map(|leap| leap.told(model, points)).collect();
            let names = names.join(", ");
            (!names.is_empty())
                .then(|| format!("blocks snap to another position ({names}): {what}"))
        })
        .collect()
}
