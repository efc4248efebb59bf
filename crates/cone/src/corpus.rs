//! Problems to try solvers on, generated rather than stored: walls, buildings, arches, and the cases that break things.
//!
//! Public so that benchmarks, tests and other crates measure the same problems. Blocks are of stone (2000 kg/m3), a
//! step lasts 5 ms.

mod closed;
mod hard;

pub use closed::{Closed, closed};
pub use hard::{flat_arch, hard, jammed_keystone};

use crate::operator::{cross, dot};
use crate::{Contact, FIXED, StepProblem};

/// Duration of a step, s.
const STEP: f64 = 0.005;
/// What gravity gives in one step, m/s.
const FALL: f64 = 9.81 * STEP;
/// Density of stone, kg/m3.
const DENSITY: f64 = 2000.0;

/// A small deterministic generator (splitmix64), so that the corpus needs no dependency and never changes.
pub struct Random(u64);

impl Random {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in `[0, 1)`.
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in `[-1, 1)`.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }
}

/// Collects bodies and contact points into a problem.
#[derive(Default)]
pub struct Assembly {
    centre: Vec<[f64; 3]>,
    mass: Vec<f64>,
    rotational: Vec<[f64; 9]>,
    contacts: Vec<Contact>,
}

impl Assembly {
    /// Adds a box with the given centre, full sizes along its axes (rows of `axes`) and density; returns its index.
    pub fn block(
        &mut self,
        centre: [f64; 3],
        size: [f64; 3],
        axes: [[f64; 3]; 3],
        density: f64,
    ) -> u32 {
        let mass = density * size[0] * size[1] * size[2];
        let square = size.map(|x| x * x);
        let own = [
            square[1] + square[2],
            square[0] + square[2],
            square[0] + square[1],
        ]
        .map(|x| mass * x / 12.0);
        let mut j = [0.0; 9];
        for (axis, moment) in axes.iter().zip(own) {
            for row in 0..3 {
                for column in 0..3 {
                    j[3 * row + column] += moment * axis[row] * axis[column];
                }
            }
        }
        self.centre.push(centre);
        self.mass.push(mass);
        self.rotational.push(j);
        self.mass.len() as u32 - 1
    }

    /// Adds a rigid contact point with normal from `a` to `b` and a first tangent.
    pub fn point(
        &mut self,
        a: u32,
        b: u32,
        point: [f64; 3],
        normal: [f64; 3],
        tangent: [f64; 3],
        friction: f64,
    ) {
        let arm = |body: u32| match body {
            FIXED => [0.0; 3],
            _ => std::array::from_fn(|k| point[k] - self.centre[body as usize][k]),
        };
        let contact = Contact {
            bodies: [a, b],
            frame: [normal, tangent, cross(&normal, &tangent)],
            arms: [arm(a), arm(b)],
            friction,
            offset: [0.0; 3],
            compliance: [0.0; 2],
        };
        self.contacts.push(contact);
    }

    /// The problem under gravity, everything at rest before the step.
    pub fn problem(self) -> StepProblem {
        StepProblem {
            free_velocity: vec![[0.0, 0.0, -FALL, 0.0, 0.0, 0.0]; self.mass.len()],
            mass: self.mass,
            rotational: self.rotational,
            free: [true; 6],
            speed_scale: FALL,
            contacts: self.contacts,
        }
    }
}

const WORLD: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Axis-aligned boxes as `[low, high]` corners, on the ground where they start at `z = 0`; four points wherever two
/// faces share an area.
pub fn boxes(list: &[[[f64; 3]; 2]], friction: f64) -> StepProblem {
    let mut assembly = Assembly::default();
    for [low, high] in list {
        let centre = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
        assembly.block(
            centre,
            std::array::from_fn(|k| high[k] - low[k]),
            WORLD,
            DENSITY,
        );
    }
    // Sweep over the bottoms so that large buildings stay cheap.
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by(|&i, &j| list[i][0][2].total_cmp(&list[j][0][2]));
    for (rank, &i) in order.iter().enumerate() {
        if list[i][0][2].abs() < 1e-9 {
            let ground = [[f64::NEG_INFINITY; 3], [f64::INFINITY, f64::INFINITY, 0.0]];
            face(
                &mut assembly,
                FIXED,
                i as u32,
                &ground,
                &list[i],
                2,
                friction,
            );
        }
        for &j in &order[rank + 1..] {
            if list[j][0][2] > list[i][1][2] + 1e-9 {
                break;
            }
            for axis in 0..3 {
                face(
                    &mut assembly,
                    i as u32,
                    j as u32,
                    &list[i],
                    &list[j],
                    axis,
                    friction,
                );
                face(
                    &mut assembly,
                    j as u32,
                    i as u32,
                    &list[j],
                    &list[i],
                    axis,
                    friction,
                );
            }
        }
    }
    assembly.problem()
}

/// The points where the upper face of `a` across `axis` meets the lower face of `b`, if they share an area.
fn face(
    assembly: &mut Assembly,
    a: u32,
    b: u32,
    low: &[[f64; 3]; 2],
    high: &[[f64; 3]; 2],
    axis: usize,
    friction: f64,
) {
    if (low[1][axis] - high[0][axis]).abs() > 1e-9 {
        return;
    }
    let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
    let range = |k: usize| (low[0][k].max(high[0][k]), low[1][k].min(high[1][k]));
    let ((p0, p1), (q0, q1)) = (range(p), range(q));
    if p1 - p0 < 1e-6 || q1 - q0 < 1e-6 {
        return;
    }
    for (x, y) in [(p0, q0), (p1, q0), (p1, q1), (p0, q1)] {
        let mut point = [0.0; 3];
        point[axis] = high[0][axis];
        point[p] = x;
        point[q] = y;
        assembly.point(a, b, point, WORLD[axis], WORLD[p], friction);
    }
}

/// A tower of `count` equal blocks.
pub fn stack(count: usize) -> StepProblem {
    let list: Vec<_> = (0..count)
        .map(|k| [[0.0, 0.0, 0.2 * k as f64], [0.4, 0.3, 0.2 * (k + 1) as f64]])
        .collect();
    boxes(&list, 0.6)
}

/// A running-bond wall, `length` blocks of 0.4 x 0.2 x 0.2 m long and `courses` high.
pub fn wall(length: usize, courses: usize) -> StepProblem {
    let mut list = Vec::new();
    for course in 0..courses {
        let shift = if course % 2 == 0 { 0.0 } else { 0.5 };
        run(&mut list, length as f64, shift, |from, to| {
            [
                [0.4 * from, 0.0, 0.2 * course as f64],
                [0.4 * to, 0.2, 0.2 * (course + 1) as f64],
            ]
        });
    }
    boxes(&list, 0.6)
}

/// Cuts a course of `length` into unit blocks that start after a part block of `shift`.
fn run(
    list: &mut Vec<[[f64; 3]; 2]>,
    length: f64,
    shift: f64,
    place: impl Fn(f64, f64) -> [[f64; 3]; 2],
) {
    let mut from = 0.0;
    let mut to = if shift > 0.0 { shift } else { 1.0 };
    while from < length - 1e-9 {
        list.push(place(from, to.min(length)));
        from = to;
        to += 1.0;
    }
}

/// A closed rectangular building without openings, `length` x `length` blocks in plan, `courses` high, corners bonded by
/// letting the walls of either direction run through in turn.
pub fn building(length: usize, courses: usize) -> StepProblem {
    let (side, thick) = (0.4 * length as f64, 0.2);
    let mut list = Vec::new();
    for course in 0..courses {
        let (z0, z1) = (0.2 * course as f64, 0.2 * (course + 1) as f64);
        let through_x = course % 2 == 0;
        for near in [0.0, side - thick] {
            let (start, long) = if through_x {
                (0.0, side)
            } else {
                (thick, side - 2.0 * thick)
            };
            run(&mut list, long / 0.4, 0.0, |a, b| {
                [
                    [start + 0.4 * a, near, z0],
                    [start + 0.4 * b, near + thick, z1],
                ]
            });
            let (start, long) = if through_x {
                (thick, side - 2.0 * thick)
            } else {
                (0.0, side)
            };
            run(&mut list, long / 0.4, 0.0, |a, b| {
                [
                    [near, start + 0.4 * a, z0],
                    [near + thick, start + 0.4 * b, z1],
                ]
            });
        }
    }
    boxes(&list, 0.6)
}

/// A semicircular arch of `count` voussoirs on two supports, mean radius 5 m, thickness 0.9 m, width 1 m.
pub fn arch(count: usize) -> StepProblem {
    let (radius, thick, width, friction) = (5.0, 0.9, 1.0, 0.7);
    let step = std::f64::consts::PI / count as f64;
    let mut assembly = Assembly::default();
    for k in 0..count {
        let (sin, cos) = (step * (k as f64 + 0.5)).sin_cos();
        let axes = [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]];
        let size = [thick, width, 2.0 * radius * (0.5 * step).tan()];
        assembly.block([radius * cos, 0.0, radius * sin], size, axes, DENSITY);
    }
    for joint in 0..=count {
        let (sin, cos) = (step * joint as f64).sin_cos();
        let a = if joint == 0 { FIXED } else { joint as u32 - 1 };
        let b = if joint == count { FIXED } else { joint as u32 };
        for (r, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let at = radius + thick * r;
            let point = [at * cos, width * y, at * sin];
            assembly.point(a, b, point, [-sin, 0.0, cos], [cos, 0.0, sin], friction);
        }
    }
    assembly.problem()
}

/// The same arch in its plane: two translations and one rotation, two points per joint.
pub fn planar_arch(count: usize) -> StepProblem {
    let mut p = arch(count);
    p.free = [true, false, true, false, true, false];
    for c in &mut p.contacts {
        for arm in &mut c.arms {
            arm[1] = 0.0;
        }
    }
    p.contacts = p
        .contacts
        .chunks(4)
        .flat_map(|joint| [joint[0], joint[1]])
        .collect();
    p
}

/// A block on a plane inclined by `angle`, already sliding.
pub fn incline(angle: f64, friction: f64) -> StepProblem {
    let (sin, cos) = angle.sin_cos();
    let (down, up, across) = ([cos, 0.0, -sin], [sin, 0.0, cos], [0.0, 1.0, 0.0]);
    let mut assembly = Assembly::default();
    let size = [0.4, 0.3, 0.2];
    let centre = up.map(|x| 0.5 * size[2] * x);
    let block = assembly.block(centre, size, [down, across, up], DENSITY);
    for (i, j) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
        let point = std::array::from_fn(|k| size[0] * i * down[k] + size[1] * j * across[k]);
        assembly.point(FIXED, block, point, up, down, friction);
    }
    let mut p = assembly.problem();
    (0..3).for_each(|k| p.free_velocity[0][k] += 0.8 * down[k]);
    p
}

/// A stack that falls onto the ground and closes its gaps within the step.
pub fn drop_impact() -> StepProblem {
    let mut p = stack(4);
    p.free_velocity.iter_mut().enumerate().for_each(|(k, v)| {
        v[2] -= 3.0 + 0.1 * k as f64;
        v[4] = 0.4;
    });
    p.contacts.iter_mut().for_each(|c| c.offset[0] = 0.2);
    p
}

/// A heavy wedge pressed between two inclined supports.
pub fn wedge() -> StepProblem {
    let mut assembly = Assembly::default();
    let block = assembly.block([0.0, 0.0, 0.3], [0.6, 0.5, 0.6], WORLD, DENSITY);
    let (sin, cos) = 0.3_f64.sin_cos();
    for side in [-1.0, 1.0] {
        let normal = [-side * cos, 0.0, sin];
        for (z, y) in [(0.1, -0.25), (0.1, 0.25), (0.5, 0.25), (0.5, -0.25)] {
            let x = side * (0.1 + z * sin / cos);
            assembly.point(FIXED, block, [x, y, z], normal, [0.0, 1.0, 0.0], 0.2);
        }
    }
    let mut p = assembly.problem();
    p.free_velocity[0] = [0.3, 0.0, -2.0, 0.0, 0.5, 0.0];
    p
}

/// A row of blocks squeezed between two supports that both penetrate: no velocity opens both.
pub fn clamp() -> StepProblem {
    let list: Vec<_> = (0..3)
        .map(|k| [[0.4 * k as f64, 0.0, 1.0], [0.4 * (k + 1) as f64, 0.2, 1.2]])
        .collect();
    let mut p = boxes(&list, 0.6);
    let mut assembly = Assembly::default();
    for [low, high] in &list {
        let centre = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
        assembly.block(
            centre,
            std::array::from_fn(|k| high[k] - low[k]),
            WORLD,
            DENSITY,
        );
    }
    for (y, z) in [(0.0, 1.0), (0.2, 1.0), (0.2, 1.2), (0.0, 1.2)] {
        assembly.point(FIXED, 0, [0.0, y, z], WORLD[0], WORLD[1], 0.6);
        assembly.point(2, FIXED, [1.2, y, z], WORLD[0], WORLD[1], 0.6);
    }
    for mut contact in assembly.contacts {
        contact.offset[0] = -0.1;
        p.contacts.push(contact);
    }
    p
}

/// Three separate structures on one ground: at rest, sliding, and falling.
pub fn separate_stacks() -> StepProblem {
    let mut list = Vec::new();
    for place in 0..3 {
        let x = 2.0 * place as f64;
        (0..3).for_each(|k| {
            list.push([
                [x, 0.0, 0.2 * k as f64],
                [x + 0.4, 0.3, 0.2 * (k + 1) as f64],
            ])
        });
    }
    let mut p = boxes(&list, 0.6);
    for b in 3..6 {
        p.free_velocity[b][0] = 1.5;
    }
    for c in p
        .contacts
        .iter_mut()
        .filter(|c| c.bodies.iter().any(|&b| b != FIXED && b >= 6))
    {
        c.offset[0] = 0.02;
    }
    p
}

/// Adds random velocities of size `speed` (m/s), angular ones in proportion to the size of blocks, and gaps that would
/// close or open at a twentieth of that speed.
pub fn shaken(mut p: StepProblem, speed: f64, seed: u64) -> StepProblem {
    let mut random = Random::new(seed);
    for v in &mut p.free_velocity {
        for (k, x) in v.iter_mut().enumerate().filter(|(k, _)| p.free[*k]) {
            *x += speed * random.signed() * if k < 3 { 1.0 } else { 4.0 };
        }
    }
    for c in &mut p.contacts {
        c.offset[0] += 0.05 * speed * random.signed();
    }
    p
}

/// Bodies fly apart from the middle of the plan at `speed` (m/s) times their height over the mean: the step in which a
/// structure comes down. Positions are recovered from the arms of contacts with the ground and between bodies.
pub fn collapsing(mut p: StepProblem, speed: f64) -> StepProblem {
    let mut at: Vec<Option<[f64; 3]>> = vec![None; p.bodies()];
    if let Some(first) = at.first_mut() {
        *first = Some([0.0; 3]);
    }
    // Bodies come in courses and contacts bottom up, so that a few sweeps reach everything that is connected.
    for _ in 0..50 {
        for c in p
            .contacts
            .iter()
            .filter(|c| c.bodies[0] != FIXED && c.bodies[1] != FIXED)
        {
            let [a, b] = c.bodies.map(|x| x as usize);
            let apart: [f64; 3] = std::array::from_fn(|k| c.arms[0][k] - c.arms[1][k]);
            match (at[a], at[b]) {
                (Some(x), None) => at[b] = Some(std::array::from_fn(|k| x[k] + apart[k])),
                (None, Some(x)) => at[a] = Some(std::array::from_fn(|k| x[k] - apart[k])),
                _ => {}
            }
        }
    }
    let known: Vec<[f64; 3]> = at.into_iter().map(|x| x.unwrap_or_default()).collect();
    let count = known.len().max(1) as f64;
    let mean: [f64; 3] = std::array::from_fn(|k| known.iter().map(|x| x[k]).sum::<f64>() / count);
    let extent = known.iter().map(|x| dot(x, x).sqrt()).fold(1e-9, f64::max);
    for (v, x) in p.free_velocity.iter_mut().zip(&known) {
        let height = 0.5 + x[2] / extent;
        for k in 0..2 {
            v[k] += speed * height * (x[k] - mean[k]) / extent;
        }
        v[2] -= 0.2 * speed;
    }
    p
}

/// Every problem of the corpus that ordinary tests run on, by name. Only `clamp` has no solution.
pub fn all() -> Vec<(&'static str, StepProblem)> {
    let with_friction = |mut p: StepProblem, mu: f64| {
        p.contacts.iter_mut().for_each(|c| c.friction = mu);
        p
    };
    let mut heavy = stack(4);
    heavy.mass[3] *= 1e6;
    heavy.rotational[3].iter_mut().for_each(|x| *x *= 1e6);
    let mut compliant = shaken(wall(4, 4), 0.05, 5);
    for c in &mut compliant.contacts {
        c.compliance = [2e-4, 5e-4];
    }
    let mut lone = stack(1);
    lone.contacts.clear();
    lone.free_velocity[0] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let mut nothing = lone.clone();
    nothing.mass.clear();
    nothing.rotational.clear();
    nothing.free_velocity.clear();
    let mut moving_ground = wall(4, 4);
    for c in moving_ground
        .contacts
        .iter_mut()
        .filter(|c| c.bodies[0] == FIXED)
    {
        c.offset = [0.0, -0.2, 0.0];
    }
    vec![
        ("nothing", nothing),
        ("no contacts", lone),
        ("single block", stack(1)),
        ("stack", stack(5)),
        ("wall 50", wall(6, 8)),
        ("wall 50 shaken", shaken(wall(6, 8), 0.1, 1)),
        ("wall 200", wall(12, 16)),
        ("wall 200 collapsing", collapsing(wall(12, 16), 2.0)),
        ("building", collapsing(building(4, 5), 1.0)),
        ("arch", arch(21)),
        ("arch shaken", shaken(arch(21), 0.3, 2)),
        ("planar arch", planar_arch(15)),
        ("planar arch shaken", shaken(planar_arch(15), 0.2, 3)),
        ("incline sliding", incline(0.9, 0.4)),
        ("incline sticking", incline(0.3, 0.8)),
        ("drop impact", drop_impact()),
        ("wedge", wedge()),
        (
            "frictionless",
            with_friction(shaken(wall(4, 4), 0.1, 4), 0.0),
        ),
        (
            "high friction",
            with_friction(shaken(wall(4, 4), 0.1, 4), 2.0),
        ),
        ("three islands", separate_stacks()),
        ("mass ratio", heavy),
        ("compliant", compliant),
        ("moving ground", moving_ground),
        ("clamp", clamp()),
    ]
}
