//! One convex problem of one island: try the cheapest way first, and let the judge decide whether it was good enough.

use crate::interior_point::newton::{self, Friction, NewtonRun};
use crate::interior_point::{self, Ending, Outcome, Run};
use crate::settings::Method;
use crate::soften::{soften, softened_residual};
use crate::workspace::Workspace;
use crate::{Law, Residual, Settings, Stats, Status, StepProblem, Warm, reference};

/// Proximal regularisation of the third link, which is not eased.
const STRONG_PROXIMAL: f64 = 1e-7;
/// How far that of the other links may be eased, relative to the Delassus diagonal.
const LEAST_PROXIMAL: f64 = 1e-12;

/// Least compliance, relative to the Delassus diagonal, from which on Newton's method comes first. Joints of stone have 3e-3 to
/// 0.3 at steps of 1 ms: there it is two to three times as fast in small motion at 200 blocks, 1.5 to 2 times at 1000, and
/// about as fast in violent motion. At 3e-4 it still is in small motion, but takes almost twice as long in violent one.
const SOFT: f64 = 1e-3;

/// Velocities, impulses and trust of one island.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) velocity: Vec<[f64; 6]>,
    pub(crate) impulse: Vec<[f64; 3]>,
    pub(crate) status: Status,
    /// The residual of the softened problem, if that was solved in place of the one posed.
    pub(crate) softened: Option<Residual>,
}

impl Part {
    /// An answer to the problem as posed.
    pub(crate) fn posed(velocity: Vec<[f64; 6]>, impulse: Vec<[f64; 3]>, status: Status) -> Self {
        Self {
            velocity,
            impulse,
            status,
            softened: None,
        }
    }

    /// As a guess.
    pub(crate) fn warm(&self) -> Warm<'_> {
        Warm {
            velocity: &self.velocity,
            impulse: &self.impulse,
        }
    }

    /// No answer: free flight.
    pub(crate) fn nothing(problem: &StepProblem) -> Self {
        let impulse = vec![[0.0; 3]; problem.contacts.len()];
        Self::posed(problem.free_velocity.clone(), impulse, Status::Inaccurate)
    }
}

/// Ways to an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// Newton's method from the velocities of the guess.
    Newton,
    /// Interior point from the guess.
    Warm,
    /// Interior point from scratch.
    Cold,
    /// Interior point from scratch, strongly regularised and patient.
    Regularised,
    /// Clarabel.
    Clarabel,
}

const INTERIOR_POINT_FIRST: [Link; 4] = [Link::Warm, Link::Cold, Link::Regularised, Link::Clarabel];
const NEWTON_FIRST: [Link; 5] = [
    Link::Newton,
    Link::Warm,
    Link::Cold,
    Link::Regularised,
    Link::Clarabel,
];
const CLARABEL_FIRST: [Link; 3] = [Link::Clarabel, Link::Cold, Link::Regularised];

/// What one link found.
pub(crate) struct Attempt {
    pub(crate) velocity: Vec<[f64; 6]>,
    pub(crate) impulse: Vec<[f64; 3]>,
    /// It shows that no velocity satisfies the constraints.
    pub(crate) infeasible: bool,
    /// It shows impulses that hold everything at rest.
    pub(crate) rest_impulse: Option<Vec<[f64; 3]>>,
}

impl From<Outcome> for Attempt {
    fn from(found: Outcome) -> Self {
        Self {
            velocity: found.velocity,
            impulse: found.impulse,
            infeasible: found.ending == Ending::Infeasible,
            rest_impulse: found.rest_impulse,
        }
    }
}

impl Link {
    /// `None` if the link does not apply or gives up without an answer.
    pub(crate) fn attempt(
        self,
        problem: &StepProblem,
        warm: Option<Warm<'_>>,
        settings: &Settings,
        workspace: &mut Workspace,
        stats: &mut Stats,
    ) -> Option<Attempt> {
        let mut run = Run {
            tolerances: settings.tolerances,
            max_iterations: settings.max_iterations,
            proximal: settings.proximal,
            least_proximal: LEAST_PROXIMAL.min(settings.proximal),
            warm: None,
            rest: settings.rest_rule,
            squeezed: false,
        };
        let warm = warm.filter(usable);
        match self {
            Link::Newton => {
                let run = NewtonRun {
                    tolerances: settings.tolerances,
                    max_iterations: settings.max_iterations,
                    warm,
                    farthest: f64::INFINITY,
                    slowest: 1.0,
                    least_softness: match settings.method {
                        Method::Automatic => SOFT,
                        Method::InteriorPoint | Method::Newton | Method::Clarabel => 0.0,
                    },
                    each_body: true,
                    rest: settings.rest_rule,
                };
                return newton::solve(problem, Friction::Associated, &run, workspace, stats)
                    .map(Attempt::from);
            }
            Link::Warm => run.warm = Some((warm?, settings.warm_margin)),
            Link::Cold => {}
            Link::Regularised => {
                run.proximal = STRONG_PROXIMAL;
                run.least_proximal = STRONG_PROXIMAL;
                run.max_iterations = settings.max_iterations.saturating_mul(4);
            }
            Link::Clarabel => {
                let found = reference::solve(problem, &settings.tolerances)?;
                stats.iterations += found.iterations;
                return Some(Attempt {
                    velocity: found.velocity,
                    impulse: found.impulse,
                    infeasible: found.infeasible,
                    rest_impulse: None,
                });
            }
        }
        run_interior_point(problem, &run, workspace, stats)
    }
}

/// A guess that is not finite is no guess.
pub(crate) fn usable(guess: &Warm<'_>) -> bool {
    let velocity = guess.velocity.iter().flatten();
    let mut all = velocity.chain(guess.impulse.iter().flatten());
    all.all(|x| x.is_finite())
}

fn run_interior_point(
    problem: &StepProblem,
    run: &Run<'_>,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<Attempt> {
    interior_point::solve(problem, run, workspace, stats).map(Attempt::from)
}

/// Solves one convex problem of one island with contacts.
pub(crate) fn solve(
    problem: &StepProblem,
    warm: Option<Warm<'_>>,
    settings: &Settings,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Part {
    if settings.check_first
        && let Some(part) = warm.and_then(|w| accept_guess(problem, w, settings, workspace))
    {
        stats.checked_only += 1;
        return part;
    }
    let links: &[Link] = match settings.method {
        // Where Newton's method does not apply it gives way to the next.
        Method::Automatic | Method::Newton => &NEWTON_FIRST,
        Method::InteriorPoint => &INTERIOR_POINT_FIRST,
        Method::Clarabel => &CLARABEL_FIRST,
    };
    let mut best: Option<(f64, Part)> = None;
    let mut tried = 0;
    for link in links {
        let Some(found) = link.attempt(problem, warm, settings, workspace, stats) else {
            continue;
        };
        stats.fallbacks += u32::from(tried > 0);
        tried += 1;
        if found.infeasible {
            return solve_softened(&soften(problem), settings, workspace, stats);
        }
        if let Some(impulse) = found.rest_impulse.filter(|_| settings.rest_rule) {
            let rest = at_rest(problem, &impulse, settings, workspace);
            workspace.spare.take_impulse(impulse);
            if let Some(part) = rest {
                stats.at_rest += 1;
                let moving = Part::posed(found.velocity, found.impulse, Status::Solved);
                workspace.spare.take_back(moving);
                return part;
            }
        }
        let judge = &mut workspace.judge;
        let judged = judge.residual(problem, Law::Associated, &found.velocity, &found.impulse);
        let excess = judged.excess(&settings.tolerances);
        let status = if excess <= 1.0 {
            Status::Solved
        } else {
            Status::Inaccurate
        };
        let part = Part::posed(found.velocity, found.impulse, status);
        if status == Status::Solved {
            return part;
        }
        if best.as_ref().is_none_or(|(least, _)| excess < *least) {
            best = Some((excess, part));
        }
    }
    best.map_or_else(|| Part::nothing(problem), |(_, part)| part)
}

/// The guess itself, if the judge takes it; at rest if it takes that too.
pub(crate) fn accept_guess(
    problem: &StepProblem,
    warm: Warm<'_>,
    settings: &Settings,
    workspace: &mut Workspace,
) -> Option<Part> {
    let judge = &mut workspace.judge;
    let judged = judge.residual(problem, settings.law, warm.velocity, warm.impulse);
    if !judged.within(&settings.tolerances) {
        return None;
    }
    let rest = settings
        .rest_rule
        .then(|| at_rest(problem, warm.impulse, settings, workspace))
        .flatten();
    Some(rest.unwrap_or_else(|| {
        let (mut velocity, mut impulse) = (workspace.spare.velocity(), workspace.spare.impulse());
        velocity.extend_from_slice(warm.velocity);
        impulse.extend_from_slice(warm.impulse);
        Part::posed(velocity, impulse, Status::Solved)
    }))
}

/// Exactly zero velocity under the given impulses, if the judge accepts it. Degrees of freedom that are not free keep
/// their value.
pub(crate) fn at_rest(
    problem: &StepProblem,
    given: &[[f64; 3]],
    settings: &Settings,
    workspace: &mut Workspace,
) -> Option<Part> {
    let zero = |v: &[f64; 6]| std::array::from_fn(|k| if problem.free[k] { 0.0 } else { v[k] });
    let (mut velocity, mut impulse) = (workspace.spare.velocity(), workspace.spare.impulse());
    velocity.extend(problem.free_velocity.iter().map(zero));
    impulse.extend_from_slice(given);
    let judge = &mut workspace.judge;
    let judged = judge.residual(problem, settings.law, &velocity, &impulse);
    let part = Part::posed(velocity, impulse, Status::Solved);
    if judged.within(&settings.tolerances) {
        Some(part)
    } else {
        workspace.spare.take_back(part);
        None
    }
}

/// Solves a softened problem of one island: `Infeasible` if the judge takes the answer, else `Inaccurate`.
pub(crate) fn solve_softened(
    softened: &StepProblem,
    settings: &Settings,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Part {
    let patient = settings.max_iterations.saturating_mul(4);
    let mut best: Option<(f64, Part)> = None;
    for (proximal, max_iterations) in [
        (settings.proximal, settings.max_iterations),
        (STRONG_PROXIMAL, patient),
    ] {
        let run = Run {
            tolerances: settings.tolerances,
            max_iterations,
            proximal,
            least_proximal: LEAST_PROXIMAL.min(proximal),
            warm: None,
            rest: false,
            squeezed: true,
        };
        stats.fallbacks += 1;
        let Some(found) = run_interior_point(softened, &run, workspace, stats) else {
            continue;
        };
        let judged = softened_residual(softened, Law::Associated, &found.velocity, &found.impulse);
        let excess = judged.excess(&settings.tolerances);
        let good = excess <= 1.0;
        if good || best.as_ref().is_none_or(|(least, _)| excess < *least) {
            let part = Part {
                velocity: found.velocity,
                impulse: found.impulse,
                status: if good {
                    Status::Infeasible
                } else {
                    Status::Inaccurate
                },
                softened: Some(judged),
            };
            best = Some((excess, part));
        }
        if good {
            break;
        }
    }
    best.map_or_else(|| Part::nothing(softened), |(_, part)| part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{corpus, islands, residual};

    /// Every link alone solves every island that has a solution, to tolerances tighter than the default.
    #[test]
    fn each_link_stands_alone() {
        // At a mass ratio of a million Clarabel, which measures the whole, cannot resolve the light body any finer.
        let settings = Settings::default();
        for (name, whole) in corpus::all() {
            if name == "clamp" || whole.bodies() > 100 {
                continue;
            }
            for island in islands(&whole).iter().filter(|i| !i.contacts.is_empty()) {
                let problem = island.extract(&whole);
                let velocity = problem.free_velocity.clone();
                let impulse = vec![[0.0; 3]; problem.contacts.len()];
                let warm = Some(Warm {
                    velocity: &velocity,
                    impulse: &impulse,
                });
                for link in INTERIOR_POINT_FIRST {
                    let mut stats = Stats::default();
                    let found = link
                        .attempt(
                            &problem,
                            warm,
                            &settings,
                            &mut Workspace::default(),
                            &mut stats,
                        )
                        .unwrap_or_else(|| panic!("{name} {link:?}"));
                    let judged = residual(&problem, &found.velocity, &found.impulse);
                    assert!(
                        judged.within(&settings.tolerances),
                        "{name} {link:?}: {judged:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_link_sees_that_the_clamp_has_no_solution() {
        let problem = corpus::clamp();
        for link in [Link::Cold, Link::Regularised, Link::Clarabel] {
            let mut stats = Stats::default();
            let found = link
                .attempt(
                    &problem,
                    None,
                    &Settings::default(),
                    &mut Workspace::default(),
                    &mut stats,
                )
                .unwrap();
            assert!(found.infeasible, "{link:?}");
        }
    }

    /// A structure at rest whose guess carries nothing: to begin from there is worse than to begin from nothing.
    #[test]
    fn a_guess_that_balances_nothing_is_no_guess() {
        let problem = corpus::wall(6, 5);
        let (velocity, impulse) = (
            vec![[0.0; 6]; problem.bodies()],
            vec![[0.0; 3]; problem.contacts.len()],
        );
        let warm = Some(Warm {
            velocity: &velocity,
            impulse: &impulse,
        });
        let [with, without] = [Link::Warm, Link::Cold].map(|link| {
            let mut stats = Stats::default();
            let settings = Settings::default();
            let workspace = &mut Workspace::default();
            link.attempt(&problem, warm, &settings, workspace, &mut stats)
                .unwrap();
            stats.factorisations
        });
        assert_eq!(with, without);
    }

    #[test]
    fn a_guess_that_is_not_finite_is_ignored() {
        let problem = corpus::stack(2);
        let velocity = vec![[f64::NAN; 6]; 2];
        let impulse = vec![[0.0; 3]; problem.contacts.len()];
        let warm = Some(Warm {
            velocity: &velocity,
            impulse: &impulse,
        });
        let mut stats = Stats::default();
        let part = solve(
            &problem,
            warm,
            &Settings::default(),
            &mut Workspace::default(),
            &mut stats,
        );
        assert_eq!(part.status, Status::Solved);
    }
}
