//! What acts on blocks that have moved: forces keep their direction, and their points go with the blocks.

use drystone_cone::FIXED;
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::Bodies;
use drystone_model::{Model, Pattern, Pushover};

/// A force on a body.
#[derive(Debug, Clone, Copy)]
struct Force {
    body: usize,
    force: DVec3,
    /// Point of application in the frame of the block.
    arm: DVec3,
}

/// Dead loads, and those that are multiplied.
#[derive(Debug, Clone)]
pub(super) struct Loads {
    bodies: Bodies,
    dead: Vec<Force>,
    live: Vec<Force>,
}

impl Loads {
    /// Of a model and what it is asked.
    pub fn new(model: &Model, settings: &Pushover) -> Self {
        let bodies = Bodies::new(model);
        let weight = |&i: &usize| model.gravity * model.blocks[i].mass;
        let own = |body: usize, force: DVec3| Force {
            body,
            force,
            arm: DVec3::ZERO,
        };
        let mut dead: Vec<Force> = bodies
            .blocks
            .iter()
            .enumerate()
            .map(|(body, i)| own(body, weight(i) * DVec3::NEG_Z))
            .collect();
        let mut live = Vec::new();
        if let Some(direction) = settings.growing.body {
            let shares = shares(model, &bodies, settings.pattern);
            let forces = bodies.blocks.iter().zip(shares).enumerate();
            live.extend(forces.map(|(body, (i, share))| own(body, share * weight(i) * direction)));
        }
        for load in &model.loads {
            let body = bodies.of_block[load.block];
            if body == FIXED {
                continue;
            }
            let force = Force {
                body: body as usize,
                force: load.force,
                arm: load.arm,
            };
            match load.live {
                false => dead.push(force),
                true if settings.growing.live => live.push(force),
                true => {}
            }
        }
        Self { bodies, dead, live }
    }

    /// Whether nothing is multiplied.
    pub fn is_nothing(&self) -> bool {
        self.live.iter().all(|live| live.force == DVec3::ZERO)
    }

    /// Sum of the forces that are multiplied, N.
    pub fn resultant(&self) -> DVec3 {
        self.live.iter().map(|live| live.force).sum()
    }

    fn on_bodies(&self, forces: &[Force], poses: &[Pose]) -> Vec<[f64; 6]> {
        let mut sums = vec![[0.0; 6]; self.bodies.blocks.len()];
        for load in forces {
            let arm = poses[self.bodies.blocks[load.body]].rotation * load.arm;
            let couple = arm.cross(load.force);
            for k in 0..3 {
                sums[load.body][k] += load.force[k];
                sums[load.body][3 + k] += couple[k];
            }
        }
        sums
    }

    /// Dead loads per body, N and N m.
    pub fn dead(&self, poses: &[Pose]) -> Vec<[f64; 6]> {
        self.on_bodies(&self.dead, poses)
    }

    /// Loads that are multiplied, N and N m.
    pub fn live(&self, poses: &[Pose]) -> Vec<[f64; 6]> {
        self.on_bodies(&self.live, poses)
    }

    /// Work of dead loads and of those that are multiplied, for a multiplier of one, between two configurations, J.
    pub fn work(&self, from: &[Pose], to: &[Pose]) -> [f64; 2] {
        [&self.dead, &self.live].map(|forces| {
            let one = |load: &Force| {
                let block = self.bodies.blocks[load.body];
                let moved = to[block].transform(load.arm) - from[block].transform(load.arm);
                load.force.dot(moved)
            };
            forces.iter().map(one).sum()
        })
    }
}

/// Body force per weight, per body.
fn shares(model: &Model, bodies: &Bodies, pattern: Pattern) -> Vec<f64> {
    if pattern == Pattern::Weight {
        return vec![1.0; bodies.blocks.len()];
    }
    let blocks = || bodies.blocks.iter().map(|&i| &model.blocks[i]);
    let base = blocks()
        .flat_map(|block| block.shape.vertices().map(|v| v.z + block.position.z))
        .fold(f64::INFINITY, f64::min);
    let height: Vec<f64> = blocks().map(|block| block.position.z - base).collect();
    let weighted: f64 = blocks().zip(&height).map(|(block, h)| block.mass * h).sum();
    let all: f64 = blocks().map(|block| block.mass).sum();
    height.iter().map(|h| h * all / weighted).collect()
}
