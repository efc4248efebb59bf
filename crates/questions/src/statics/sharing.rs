//! Forces that are unique: those of least elastic energy among all that balance the loads.

use drystone_cone::{FIXED, Settings, Solver, StepProblem, Tolerances, Warm};
use drystone_mechanics::tie_contact;
use drystone_model::Joints;

use super::StaticsFault;
use super::balance::{Left, mean_load, unbalanced};
use super::posed::Posed;
use super::standing::{STEP, is_idle, tempered_step};

/// Contacts give way by this fraction of what inertia lets them: the smaller, the fewer rounds and the fewer digits of how forces
/// are shared.
const SOFTNESS: f64 = 1e-5;

/// A tie that pulls from the start, and cannot keep its force, gives way so much more easily than rigid joints do: its force changes by what balance asks for.
const DRAWN: f64 = 1e3;

/// Rounds at most.
const ROUNDS: u32 = 100;

/// Rounds end when forces are out of balance by this part of the tolerance.
const BALANCE: f64 = 0.1;

/// Ties that carry less than this part of the mean load of a block are nearly slack.
const NEARLY_SLACK: f64 = 1e-3;

/// Rounds also end when they no longer bring this factor although they have come so near: what is left is the solver's.
const STALLED: f64 = 0.7;
const NEARLY_BALANCED: f64 = 1e-4;

/// What a tie does while forces are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It carries nothing.
    Slack,
    /// It pulls with the force that it has from the start, whatever else happens.
    Held,
    /// It is a spring, about the force that it has from the start.
    Spring,
}

/// How long rounds go on that bring nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Patience {
    /// To the end, since forces that balance are known to exist.
    All,
    /// No longer: what does not stand has none, and its rounds would all be made for nothing.
    Trial,
}

/// Forces as they are shared between contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Shared {
    /// Of contacts, local components, N.
    pub force: Vec<[f64; 3]>,
    /// Of ties, N.
    pub tension: Vec<f64>,
    /// How many steps it took.
    pub rounds: u32,
    /// The worst that these forces leave out of balance on a block, over the mean load in proportion to its mass or, if that is more, over all that acts
    /// on it, up to the mean load. Recomputed from the forces, whatever became of the steps; what friction does not allow counts as missing.
    pub unbalanced: f64,
}

/// The forces of least elastic energy among those that balance the loads, to `tolerance` of the mean load of a block.
///
/// Joints are dry here: where mortar is needed no such forces balance.
///
/// Between rigid joints ties that are drawn from the start keep their force if forces within all limits balance the loads with it, and are springs about it otherwise.
/// Ties that are not drawn are slack in a structure that stands without them: they were put in when it stood, and what they would share by least energy is
/// that of a stiffness which rigid joints make up. They are left out if forces within all limits balance without them. Where some are needed, those that
/// are nearly slack are left out if forces balance without these.
pub fn share(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    how: Joints,
    tolerance: f64,
) -> Result<Shared, StaticsFault> {
    if is_idle(posed, loads) {
        return Ok(Shared {
            force: vec![[0.0; 3]; posed.statics.contacts.len()],
            tension: vec![0.0; posed.ties.len()],
            rounds: 0,
            unbalanced: 0.0,
        });
    }
    // What stands by its mortar may have no forces within friction.
    let patience = match posed.bonds.is_empty() {
        true => Patience::All,
        false => Patience::Trial,
    };
    let springs = vec![Role::Spring; posed.ties.len()];
    if how == Joints::Elastic {
        return rounds(posed, loads, how, tolerance, &springs, patience);
    }
    let orders = [
        (Role::Held, Role::Slack),
        (Role::Held, Role::Spring),
        (Role::Spring, Role::Slack),
    ];
    let mut trials: Vec<Vec<Role>> = Vec::new();
    for (drawn, other) in orders {
        let roles = roles(posed, drawn, other);
        if roles != springs && !trials.contains(&roles) {
            trials.push(roles);
        }
    }
    let mut tried = 0;
    for roles in trials {
        let mut found = rounds(posed, loads, how, tolerance, &roles, Patience::Trial)?;
        tried += found.rounds;
        if found.unbalanced <= tolerance && posed.within_limits(&found.force, &found.tension) {
            found.rounds = tried;
            return trimmed(posed, loads, tolerance, patience, roles, found);
        }
    }
    let mut found = rounds(posed, loads, how, tolerance, &springs, patience)?;
    found.rounds += tried;
    trimmed(posed, loads, tolerance, patience, springs, found)
}

/// Forces between rigid joints without ties that are nearly slack, if these balance as well.
fn trimmed(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
    patience: Patience,
    roles: Vec<Role>,
    found: Shared,
) -> Result<Shared, StaticsFault> {
    let mean = mean_load(posed, loads);
    let mut fewer = roles.clone();
    let ties = posed.statics.model.ties.iter().zip(&found.tension);
    for (role, (tie, &tension)) in fewer.iter_mut().zip(ties) {
        if tie.initial_force <= 0.0 && tension <= NEARLY_SLACK * mean {
            *role = Role::Slack;
        }
    }
    if fewer == roles {
        return Ok(found);
    }
    let mut without = rounds(posed, loads, Joints::Rigid, tolerance, &fewer, patience)?;
    without.rounds += found.rounds;
    let within = |shared: &Shared| posed.within_limits(&shared.force, &shared.tension);
    let good = without.unbalanced <= tolerance.max(found.unbalanced)
        && (within(&without) || !within(&found));
    Ok(if good { without } else { found })
}

/// One role for ties that are drawn from the start, and one for the others.
fn roles(posed: &Posed<'_>, drawn: Role, other: Role) -> Vec<Role> {
    let ties = posed.statics.model.ties.iter();
    let role = |initial: f64| if initial > 0.0 { drawn } else { other };
    ties.map(|tie| role(tie.initial_force)).collect()
}

/// A step with compliant contacts that starts from the velocity of the one before, blocks staying where they are: when velocities no longer
/// change, forces balance, and the velocity is the multiplier of that balance. Forces tell, not velocities: those of a step that the solver missed
/// may stay as they are while nothing balances.
fn rounds(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    how: Joints,
    tolerance: f64,
    roles: &[Role],
    patience: Patience,
) -> Result<Shared, StaticsFault> {
    let statics = &posed.statics;
    let (mut problem, _) = tempered_step(posed, &with_held(posed, loads, roles));
    let kick = problem.free_velocity.clone();
    let mut compliance = statics.compliance(how);
    let typical = median(compliance.iter().map(|c| c[0]));
    let springs = || {
        let ties = posed.ties.iter().zip(&statics.model.ties).zip(roles);
        ties.filter_map(|(tie, role)| (*role == Role::Spring).then_some(tie))
    };
    problem
        .contacts
        .extend(springs().map(|(tie, _)| tie_contact(tie)));
    for (_, tie) in springs() {
        let soft = match how {
            Joints::Elastic => 1.0 / tie.stiffness,
            Joints::Rigid if tie.initial_force > 0.0 => DRAWN * typical,
            Joints::Rigid => typical,
        };
        compliance.push([soft; 2]);
    }
    let scale = SOFTNESS * median(lightness(&problem).into_iter()) / typical;
    for (contact, soft) in problem.contacts.iter_mut().zip(&compliance) {
        contact.compliance = soft.map(|c| c * scale);
    }
    // Least energy is that of what ties are drawn beyond the force that they have from the start.
    let drawn = &mut problem.contacts[statics.contacts.len()..];
    for (contact, (_, tie)) in drawn.iter_mut().zip(springs()) {
        contact.offset[0] = -contact.compliance[0] * tie.initial_force * STEP;
    }
    // Velocities are what is sought here: none is to be rounded to rest, and all digits count.
    let mut solver = Solver::new(Settings {
        tolerances: Tolerances {
            momentum: 1e-10,
            primal: 1e-10,
            gap: 1e-11,
        },
        rest_rule: false,
        ..Settings::default()
    });
    let mut velocity = vec![[0.0; 6]; loads.len()];
    let mut impulse = vec![[0.0; 3]; problem.contacts.len()];
    let contacts = statics.contacts.len();
    let forces = |impulse: &[[f64; 3]]| -> (Vec<[f64; 3]>, Vec<f64>) {
        let mut own = impulse[contacts..].iter().map(|r| r[0] / STEP);
        let ties = roles.iter().zip(&statics.model.ties);
        let tension = ties.map(|(role, tie)| match role {
            Role::Slack => 0.0,
            Role::Held => tie.initial_force,
            Role::Spring => own.next().unwrap_or(0.0),
        });
        let tension = tension.collect();
        let on_contacts = impulse[..contacts].iter();
        (on_contacts.map(|r| r.map(|r| r / STEP)).collect(), tension)
    };
    let (mut force, mut tension) = forces(&impulse);
    let mut rounds = 0;
    let mut before = f64::INFINITY;
    let mut left = f64::INFINITY;
    while rounds < ROUNDS {
        for ((free, kick), v) in problem.free_velocity.iter_mut().zip(&kick).zip(&velocity) {
            *free = std::array::from_fn(|k| kick[k] + v[k]);
        }
        let warm = Warm {
            velocity: &velocity,
            impulse: &impulse,
        };
        let solution = solver.solve(&problem, (rounds > 0).then_some(warm))?;
        rounds += 1;
        velocity = solution.velocity;
        impulse = solution.impulse;
        (force, tension) = forces(&impulse);
        left = unbalanced(posed, loads, &force, &tension);
        if left <= BALANCE * tolerance
            || (rounds > 2
                && left > STALLED * before
                && (before < NEARLY_BALANCED || patience == Patience::Trial))
        {
            break;
        }
        before = left;
    }
    Ok(Shared {
        force,
        tension,
        rounds,
        unbalanced: left,
    })
}

/// How easily the bodies of each contact are moved, 1/kg.
fn lightness(problem: &StepProblem) -> Vec<f64> {
    let of = |body: u32| match body {
        FIXED => 0.0,
        body => 1.0 / problem.mass[body as usize],
    };
    let contacts = problem.contacts.iter();
    contacts
        .map(|contact| of(contact.bodies[0]) + of(contact.bodies[1]))
        .collect()
}

/// Loads with the pull of ties that are held, N and N m per body.
fn with_held(posed: &Posed<'_>, loads: &[[f64; 6]], roles: &[Role]) -> Vec<[f64; 6]> {
    let held = posed.statics.model.ties.iter().zip(roles);
    let tension: Vec<f64> = held
        .map(|(tie, role)| match role {
            Role::Held => tie.initial_force,
            Role::Slack | Role::Spring => 0.0,
        })
        .collect();
    let none = vec![[0.0; 3]; posed.statics.contacts.len()];
    Left::new(posed, loads, &none, &tension).sums
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tonne on the ground, with a tie of 2 kN that draws it down.
    const DRAWN_DOWN: &str = r#"
[[material]]
name = "stone"
density = 1000
[[interface]]
between = ["*", "*"]
friction = 0.6
normal_stiffness = 1e9
[[block]]
name = "block"
material = "stone"
vertices = [[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1],[0,1,1],[1,1,1]]
[[block]]
name = "ground"
material = "stone"
support = true
vertices = [[-1,-1,-1],[2,-1,-1],[-1,2,-1],[2,2,-1],[-1,-1,0],[2,-1,0],[-1,2,0],[2,2,0]]
[[tie]]
name = "bar"
blocks = ["block", "ground"]
points = [[0.5, 0.5, 0.9], [0.5, 0.5, -0.9]]
stiffness = 1e6
yield = 5000
initial_force = 2000
"#;

    /// The joint carries weight and tie, with rigid joints and with such that give way.
    #[test]
    fn joints_carry_what_ties_pull_with_from_the_start() {
        let model =
            drystone_model::from_toml(DRAWN_DOWN).unwrap_or_else(|faults| panic!("{faults}"));
        let posed = Posed::new(&model);
        for how in [Joints::Rigid, Joints::Elastic] {
            let found = share(&posed, &posed.statics.dead(), how, 1e-6).unwrap();
            let pressed: f64 = found.force.iter().map(|f| f[0]).sum();
            // The block sinks by 10 um on its springs, and the tie gives a thousandth of its force back; where joints are rigid it gives nothing.
            let gives = match how {
                Joints::Elastic => 20.0,
                Joints::Rigid => 0.0,
            };
            assert!(
                (found.tension[0] - 2000.0).abs() <= gives,
                "{:?}",
                found.tension
            );
            let weight = model.gravity * model.blocks[0].mass;
            assert!(
                (pressed - weight - found.tension[0]).abs() < 1e-2,
                "{pressed}"
            );
        }
    }

    /// A push that friction bears, and one that it does not.
    #[test]
    fn ties_that_are_not_drawn_carry_nothing_where_blocks_stand_without_them() {
        let tied = |friction: &str| {
            let text = DRAWN_DOWN
                .replace("initial_force = 2000\n", "")
                .replace("friction = 0.6", &format!("friction = {friction}"));
            let push =
                "[[load]]\nblock = \"block\"\nforce = [4000, 0, 0]\npoint = [0.5, 0.5, 0.1]\n";
            let tie = text.replace(
                "[0.5, 0.5, 0.9], [0.5, 0.5, -0.9]",
                "[0, 0.5, 0.1], [-0.9, 0.5, -0.1]",
            );
            let model = drystone_model::from_toml(&format!("{tie}{push}"))
                .unwrap_or_else(|faults| panic!("{faults}"));
            let posed = Posed::new(&model);
            let found = share(&posed, &posed.statics.dead(), Joints::Rigid, 1e-6).unwrap();
            assert!(found.unbalanced <= 1e-6, "{found:?}");
            found.tension[0]
        };
        // Friction carries 0.6 of 9810 N, more than the push.
        assert_eq!(tied("0.6"), 0.0);
        // Without it the tie carries at least what friction does not.
        assert!(tied("0.1") > 4000.0 - 0.1 * 1.2 * 9810.0, "{}", tied("0.1"));
    }

    /// Without weight the tie is all there is: the joint carries it, and the rounds end.
    #[test]
    fn a_tie_that_pulls_is_a_load_where_nothing_weighs() {
        let text = format!("[model]\ngravity = 0.0\n{DRAWN_DOWN}");
        let model = drystone_model::from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"));
        let posed = Posed::new(&model);
        for how in [Joints::Rigid, Joints::Elastic] {
            let found = share(&posed, &posed.statics.dead(), how, 1e-6).unwrap();
            let pressed: f64 = found.force.iter().map(|f| f[0]).sum();
            assert!(
                found.unbalanced <= 1e-6 && found.rounds < ROUNDS,
                "{found:?}"
            );
            assert!((found.tension[0] - 2000.0).abs() < 20.0, "{found:?}");
            assert!((pressed - found.tension[0]).abs() < 1e-2, "{pressed}");
        }
    }

    /// A tie that draws the block sideways: friction bears some of its force. A tie that bears more slackens until friction does.
    #[test]
    fn a_tie_keeps_its_force_if_blocks_bear_it_and_is_noted_if_not() {
        let drawn = |force: &str| {
            let text = DRAWN_DOWN
                .replace("initial_force = 2000", &format!("initial_force = {force}"))
                .replace("yield = 5000", "yield = 50000")
                .replace(
                    "[0.5, 0.5, 0.9], [0.5, 0.5, -0.9]",
                    "[0, 0.5, 0.1], [-0.9, 0.5, -0.1]",
                );
            let asked = "[[analysis]]\nname = \"e\"\nkind = \"equilibrium\"\n";
            let model = drystone_model::from_toml(&format!("{text}{asked}"))
                .unwrap_or_else(|faults| panic!("{faults}"));
            let drystone_model::AnalysisKind::Equilibrium(settings) = &model.analyses[0].kind
            else {
                panic!("an equilibrium");
            };
            let found = crate::statics::equilibrium(&Posed::new(&model), settings).unwrap();
            assert!(found.standing.stands && found.balanced, "{found:?}");
            (found.tension[0], found.notes)
        };
        assert_eq!(drawn("6000"), (6000.0, Vec::new()));
        // Along the ground T cos b = 0.6 (W + T sin b), with tan b = 0.2 / 0.9.
        let (sin, cos) = f64::atan2(0.2, 0.9).sin_cos();
        let most = 0.6 * 9810.0 / (cos - 0.6 * sin);
        let (kept, notes) = drawn("20000");
        assert!((kept - most).abs() < 1e-3 * most, "{kept} {most}");
        assert!(
            notes.len() == 1
                && notes[0]
                    .starts_with("the tie \"bar\" does not keep its `initial_force` of 2.000e4 N")
                && notes[0].ends_with("have 6.957e3 N in the tie"),
            "{notes:?}"
        );
    }
}
