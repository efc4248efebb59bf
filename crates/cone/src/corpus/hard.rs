//! Problems without a formula, whose answers are stored beside the crate in `problems/`.

use super::{
    Assembly, WORLD, arch, building, collapsing, drop_impact, incline, planar_arch, shaken, stack,
    wall, wedge,
};
use crate::{FIXED, StepProblem};

/// A segmental arch of `count` voussoirs over a span of 20 m that rises by 1.5 m only, 1 m thick.
pub fn flat_arch(count: usize) -> StepProblem {
    let (half, rise, thick, friction) = (10.0_f64, 1.5, 1.0, 0.7);
    let radius = (half * half + rise * rise) / (2.0 * rise);
    let open = (half / radius).asin();
    let step = 2.0 * open / count as f64;
    let mut assembly = Assembly::default();
    // Angles from the right springing, measured at the centre of the circle from +x.
    let angle = |joint: f64| std::f64::consts::FRAC_PI_2 - open + step * joint;
    for k in 0..count {
        let (sin, cos) = angle(k as f64 + 0.5).sin_cos();
        let axes = [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]];
        let size = [thick, 1.0, 2.0 * radius * (0.5 * step).tan()];
        assembly.block([radius * cos, 0.0, radius * sin], size, axes, 2000.0);
    }
    for joint in 0..=count {
        let (sin, cos) = angle(joint as f64).sin_cos();
        let a = if joint == 0 { FIXED } else { joint as u32 - 1 };
        let b = if joint == count { FIXED } else { joint as u32 };
        for (r, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let at = radius + thick * r;
            let point = [at * cos, y, at * sin];
            assembly.point(a, b, point, [-sin, 0.0, cos], [cos, 0.0, sin], friction);
        }
    }
    assembly.problem()
}

/// A keystone driven down at 3 m/s between two blocks that are held by supports pressing in from both sides: it jams, and only
/// moving up makes the room that the supports ask for.
pub fn jammed_keystone() -> StepProblem {
    let mut assembly = Assembly::default();
    let left = assembly.block([-0.6, 0.0, 0.3], [0.6, 0.4, 0.6], WORLD, 2000.0);
    let key = assembly.block([0.0, 0.0, 0.32], [0.6, 0.4, 0.6], WORLD, 2000.0);
    let right = assembly.block([0.6, 0.0, 0.3], [0.6, 0.4, 0.6], WORLD, 2000.0);
    let (sin, cos) = 0.2_f64.sin_cos();
    for (y, z) in [(-0.2, 0.0), (0.2, 0.0), (0.2, 0.6), (-0.2, 0.6)] {
        let x = 0.3 + (z - 0.3) * sin / cos;
        let across = [0.0, 1.0, 0.0];
        assembly.point(FIXED, left, [-0.9, y, z], WORLD[0], across, 0.5);
        assembly.point(left, key, [-x, y, z], [cos, 0.0, sin], across, 0.15);
        assembly.point(right, key, [x, y, z], [-cos, 0.0, sin], across, 0.15);
        let out = [-1.0, 0.0, 0.0];
        assembly.point(FIXED, right, [0.9, y, z], out, across, 0.5);
    }
    let mut p = assembly.problem();
    p.free_velocity[1] = [0.2, 0.05, -3.0, 0.1, 0.3, 0.0];
    for c in &mut p.contacts {
        if c.bodies[0] == FIXED {
            c.offset[0] = -0.02;
        }
    }
    p
}

/// Problems by the names under which their answers are stored. Those of up to about thirty bodies are stored as a whole, the others
/// are generated here and only their velocities are stored.
pub fn hard() -> Vec<(&'static str, StepProblem)> {
    let with_friction = |mut p: StepProblem, mu: f64| {
        p.contacts.iter_mut().for_each(|c| c.friction = mu);
        p
    };
    let mut heavy = shaken(stack(5), 0.05, 21);
    heavy.mass[4] *= 1e6;
    heavy.rotational[4].iter_mut().for_each(|x| *x *= 1e6);
    let mut light = shaken(stack(5), 0.05, 122);
    light.mass[2] *= 1e-6;
    light.rotational[2].iter_mut().for_each(|x| *x *= 1e-6);
    let mut compliant = shaken(wall(3, 3), 0.05, 5);
    for c in &mut compliant.contacts {
        c.compliance = [2e-4, 5e-4];
    }
    let mut moving_ground = shaken(wall(3, 3), 0.02, 28);
    for c in &mut moving_ground.contacts {
        if c.bodies[0] == FIXED {
            c.offset[1] = -0.2;
        }
    }
    let mut twice = shaken(wall(2, 3), 0.1, 23);
    let again = twice.contacts.clone();
    twice.contacts.extend(again);
    let mut overlapping = shaken(wall(2, 4), 0.02, 24);
    for c in overlapping.contacts.iter_mut().skip(8).take(16) {
        c.offset[0] = -6.0;
    }
    vec![
        ("incline", incline(0.9, 0.4)),
        ("wedge", wedge()),
        ("jammed-keystone", jammed_keystone()),
        ("drop-impact", drop_impact()),
        ("mass-ratio-heavy-above", heavy),
        ("mass-ratio-light-between", light),
        (
            "frictionless-wall",
            with_friction(shaken(wall(3, 3), 0.1, 4), 0.0),
        ),
        (
            "friction-2-wall",
            with_friction(shaken(wall(3, 3), 0.1, 4), 2.0),
        ),
        ("compliant-wall", compliant),
        ("moving-ground", moving_ground),
        ("redundant-wall", twice),
        ("deep-overlap-wall", overlapping),
        ("planar-arch", shaken(planar_arch(9), 0.2, 5)),
        (
            "building",
            shaken(collapsing(building(2, 3), 1.0), 0.05, 29),
        ),
        ("stack-of-100-shaken", shaken(stack(100), 0.02, 25)),
        ("flat-arch", shaken(flat_arch(61), 0.02, 26)),
        (
            "wall-collapsing",
            shaken(collapsing(wall(5, 6), 2.0), 0.05, 30),
        ),
        ("arch-101-shaken", shaken(arch(101), 0.05, 127)),
    ]
}
