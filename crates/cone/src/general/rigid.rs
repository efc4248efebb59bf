//! Problems of rigid bodies in disguise: recognised from their numbers, and solved as step problems.
//!
//! The step problem is in velocities counted from `M^-1 f`, so that its scale is that of the judge.

use super::judge::Scales;
use super::problem::{GeneralProblem, Sound};
use crate::operator::cross;
use crate::{Contact, FIXED, StepProblem};

/// What is taken for rounding, relative to one for frames, to an arm for moments and to the diagonal for `M`.
const ROUNDING: f64 = 1e-10;

/// The rows of `D` that belong to one body, for the three columns of a contact.
struct Touch {
    body: usize,
    rows: [[f64; 3]; 6],
}

/// The step problem that says the same, or why there is none. Six degrees of freedom per body are tried before three.
pub(super) fn recognise(
    problem: &GeneralProblem,
    sound: &Sound,
    scales: Scales,
) -> Result<StepProblem, String> {
    let n = problem.size();
    if n == 0 || !n.is_multiple_of(3) {
        return Err(format!(
            "{n} degrees of freedom are not six or three per body"
        ));
    }
    if n.is_multiple_of(6) {
        match with_freedoms(6, problem, sound, scales) {
            Ok(step) => return Ok(step),
            Err(why) => {
                return with_freedoms(3, problem, sound, scales)
                    .map_err(|planar| format!("in space, {why}; in a plane, {planar}"));
            }
        }
    }
    with_freedoms(3, problem, sound, scales)
}

fn with_freedoms(
    size: usize,
    problem: &GeneralProblem,
    sound: &Sound,
    scales: Scales,
) -> Result<StepProblem, String> {
    let bodies = problem.size() / size;
    if u32::try_from(bodies).is_err() || bodies as u32 == FIXED {
        return Err(format!("{bodies} bodies are too many to be numbered"));
    }
    let mut step = StepProblem {
        free_velocity: vec![[0.0; 6]; bodies],
        free: if size == 6 {
            [true; 6]
        } else {
            [true, true, false, false, false, true]
        },
        speed_scale: scales.speed,
        ..StepProblem::default()
    };
    masses(size, sound, &mut step)?;
    for c in 0..problem.contacts() {
        let touches = touches(size, problem, c)?;
        let (first, second) = match &touches[..] {
            [one] => (None, one),
            [one, other] => (Some(one), other),
            _ => {
                let count = touches.len();
                return Err(format!(
                    "contact {c} touches {count} bodies, not one or two"
                ));
            }
        };
        let (frame, arm) = frame_and_arm(size, second, 1.0, c)?;
        let mut contact = Contact {
            bodies: [FIXED, second.body as u32],
            frame,
            arms: [[0.0; 3], arm],
            friction: problem.friction[c],
            offset: std::array::from_fn(|k| sound.local_offset[3 * c + k]),
            compliance: [0.0; 2],
        };
        if let Some(first) = first {
            let (other, arm) = frame_and_arm(size, first, -1.0, c)?;
            let same = frame.iter().flatten().zip(other.iter().flatten());
            if same.into_iter().any(|(a, b)| (a - b).abs() > ROUNDING) {
                return Err(format!(
                    "contact {c} does not push its two bodies apart alike"
                ));
            }
            contact.bodies[0] = first.body as u32;
            contact.arms[0] = arm;
        }
        step.contacts.push(contact);
    }
    Ok(step)
}

/// Masses and rotational blocks, if that is all there is.
fn masses(size: usize, sound: &Sound, step: &mut StepProblem) -> Result<(), String> {
    let m = &sound.inertia;
    let translations = if size == 6 { 3 } else { 2 };
    for (row, column, value) in m.entries() {
        let scale = (m.at(row, row) * m.at(column, column)).sqrt();
        let moves = |k: usize| k % size < translations;
        let coupled = row / size != column / size || moves(row) || moves(column);
        if row != column && coupled && value.abs() > ROUNDING * scale {
            return Err(format!("M couples degrees of freedom {row} and {column}"));
        }
    }
    for body in 0..step.free_velocity.len() {
        let at = |i: usize, j: usize| m.at(size * body + i, size * body + j);
        let mass = at(0, 0);
        if (1..translations).any(|k| (at(k, k) - mass).abs() > ROUNDING * mass) {
            return Err(format!(
                "body {body} has different masses in different directions"
            ));
        }
        step.mass.push(mass);
        step.rotational.push(if size == 6 {
            std::array::from_fn(|k| at(3 + k / 3, 3 + k % 3))
        } else {
            let turn = at(2, 2);
            [turn, 0.0, 0.0, 0.0, turn, 0.0, 0.0, 0.0, turn]
        });
    }
    Ok(())
}

/// The bodies that a contact touches, in their order.
fn touches(size: usize, problem: &GeneralProblem, contact: usize) -> Result<Vec<Touch>, String> {
    let mut touches: Vec<Touch> = Vec::new();
    for k in 0..3 {
        for (row, value) in problem.directions.column(3 * contact + k) {
            if value == 0.0 {
                continue;
            }
            let body = row / size;
            let place = match touches.binary_search_by_key(&body, |t| t.body) {
                Ok(place) => place,
                Err(_) if touches.len() == 2 => {
                    return Err(format!("contact {contact} touches more than two bodies"));
                }
                Err(place) => {
                    let rows = [[0.0; 3]; 6];
                    touches.insert(place, Touch { body, rows });
                    place
                }
            };
            let freedom = row % size;
            let at = if size == 3 && freedom == 2 {
                5
            } else {
                freedom
            };
            touches[place].rows[at][k] = value;
        }
    }
    Ok(touches)
}

/// Axes of a contact and its arm, as one of its bodies has them.
fn frame_and_arm(
    size: usize,
    touch: &Touch,
    sign: f64,
    contact: usize,
) -> Result<([[f64; 3]; 3], [f64; 3]), String> {
    let axis = |from: usize, k: usize| -> [f64; 3] {
        std::array::from_fn(|i| sign * touch.rows[from + i][k])
    };
    let mut frame: [[f64; 3]; 3] = std::array::from_fn(|k| axis(0, k));
    if size == 3 {
        // The axis across the plane moves nothing.
        let across: Vec<usize> = (0..3).filter(|&k| frame[k] == [0.0; 3]).collect();
        match across[..] {
            [k] => frame[k] = [0.0, 0.0, 1.0],
            _ => return Err(format!("contact {contact} has no two axes in the plane")),
        }
    }
    for i in 0..3 {
        for j in 0..=i {
            let product: f64 = (0..3).map(|k| frame[i][k] * frame[j][k]).sum();
            let wanted = if i == j { 1.0 } else { 0.0 };
            if (product - wanted).abs() > ROUNDING {
                return Err(format!("the axes of contact {contact} are not orthonormal"));
            }
        }
    }
    let mut arm = [0.0; 3];
    for (k, b) in frame.iter().enumerate() {
        let part = cross(b, &axis(3, k));
        // In a plane two axes have the arm's moments, in space all three: every part of it counts twice.
        let share = if size == 6 { 0.5 } else { 1.0 };
        (0..3).for_each(|i| arm[i] += share * part[i]);
    }
    if size == 3 {
        arm[2] = 0.0;
    }
    let length = arm.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
    for (k, b) in frame.iter().enumerate() {
        let (wanted, found) = (cross(&arm, b), axis(3, k));
        let free = |i: usize| size == 6 || i == 2;
        if (0..3).any(|i| free(i) && (wanted[i] - found[i]).abs() > ROUNDING * length) {
            return Err(format!(
                "the moments of contact {contact} are not those of an arm"
            ));
        }
    }
    Ok((frame, arm))
}
