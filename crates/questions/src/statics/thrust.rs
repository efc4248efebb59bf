//! Thrust lines: where the resultant passes through joint after joint, BRT section 2.6.

use std::collections::VecDeque;

use drystone_geometry::{DVec3, Manifold};
use drystone_mechanics::Statics;

use super::joints::Joint;

/// A path of joints through a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct ThrustPath {
    /// Positions in the list of joints.
    pub joints: Vec<usize>,
    /// Whether each joint is passed from its first block to its second.
    pub forward: Vec<bool>,
    /// Horizontal unit vector from one end to the other.
    pub outward: DVec3,
}

/// The resultant in one joint of the path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThrustPoint {
    /// Block indices in the order of the path.
    pub blocks: [usize; 2],
    /// Point of application, m.
    pub point: DVec3,
    /// Force on the second of the blocks, N.
    pub force: DVec3,
    /// Distance from the nearest edge over that of the middle.
    pub edge_fraction: f64,
    /// Shear over friction times normal force.
    pub friction_used: f64,
}

/// A thrust line.
#[derive(Debug, Clone, PartialEq)]
pub struct ThrustLine {
    /// Which state of equilibrium: `equilibrium`, `limit`, `minimum` or `maximum`.
    pub state: &'static str,
    /// Horizontal force along the path over the first of its [`cuts`](ThrustPath::cuts), N: over all joints of the structure's springing or
    /// crown, of which the path passes through one.
    pub thrust: f64,
    /// In the order of the path.
    pub points: Vec<ThrustPoint>,
}

impl ThrustPath {
    /// The shortest path of joints between two blocks, through blocks that can move. Ends that can move are joined to the supports they
    /// stand on.
    pub fn between(statics: &Statics<'_>, from: usize, to: usize) -> Option<Self> {
        let model = statics.model;
        let manifolds = &statics.touching.manifolds;
        let mut neighbours = vec![Vec::new(); model.blocks.len()];
        for (joint, manifold) in manifolds.iter().enumerate().filter(|(_, m)| m.area > 0.0) {
            neighbours[manifold.a as usize].push((joint, manifold.b as usize));
            neighbours[manifold.b as usize].push((joint, manifold.a as usize));
        }
        let mut reached: Vec<Option<(usize, usize)>> = vec![None; model.blocks.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(block) = queue.pop_front() {
            if block == to {
                break;
            }
            if model.blocks[block].support && block != from {
                continue;
            }
            for &(joint, next) in &neighbours[block] {
                if next != from && reached[next].is_none() {
                    reached[next] = Some((joint, block));
                    queue.push_back(next);
                }
            }
        }
        let mut blocks = vec![to];
        let mut path = Vec::new();
        while let Some((joint, before)) = reached[blocks[blocks.len() - 1]] {
            path.push(joint);
            blocks.push(before);
        }
        if blocks[blocks.len() - 1] != from {
            return None;
        }
        path.reverse();
        blocks.reverse();
        let foot = |block: usize| {
            let free = !model.blocks[block].support;
            neighbours[block]
                .iter()
                .filter(|(_, other)| free && model.blocks[*other].support)
                .copied()
                .next()
        };
        if let Some((joint, support)) = foot(from) {
            path.insert(0, joint);
            blocks.insert(0, support);
        }
        if let Some((joint, support)) = foot(to) {
            path.push(joint);
            blocks.push(support);
        }
        Some(Self::along(statics, path, &blocks, from, to))
    }

    fn along(
        statics: &Statics<'_>,
        joints: Vec<usize>,
        blocks: &[usize],
        from: usize,
        to: usize,
    ) -> Self {
        let model = statics.model;
        let forward = joints
            .iter()
            .zip(blocks)
            .map(|(&joint, &block)| statics.touching.manifolds[joint].a as usize == block)
            .collect();
        let across = model.blocks[to].position - model.blocks[from].position;
        let flat = DVec3::new(across.x, across.y, 0.0);
        Self {
            joints,
            forward,
            outward: flat.try_normalize().unwrap_or(DVec3::X),
        }
    }

    /// The path through a structure that is a single chain of blocks between supports, as arches are.
    pub fn of_chain(statics: &Statics<'_>) -> Option<Self> {
        let model = statics.model;
        let free = |block: usize| !model.blocks[block].support;
        let mut count = vec![0; model.blocks.len()];
        let mut ends = Vec::new();
        let carrying = |m: &&Manifold| m.area > 0.0;
        for manifold in statics.touching.manifolds.iter().filter(carrying) {
            let (a, b) = (manifold.a as usize, manifold.b as usize);
            count[a] += 1;
            count[b] += 1;
            if free(a) != free(b) {
                ends.push(if free(a) { a } else { b });
            }
        }
        let chain = statics.bodies.blocks.iter().all(|&block| count[block] == 2);
        let [from, to] = ends[..] else {
            return None;
        };
        if !chain || from == to || statics.bodies.blocks.len() < 3 {
            return None;
        }
        let path = Self::between(statics, from, to)?;
        // From left to right, whatever the order of blocks.
        if path.outward.x < 0.0 || (path.outward.x == 0.0 && path.outward.y < 0.0) {
            return Self::between(statics, to, from);
        }
        Some(path)
    }

    /// The line that joints with their resultants make, in a state with this thrust, N.
    pub fn line(&self, state: &'static str, joints: &[Joint], thrust: f64) -> ThrustLine {
        let points: Vec<ThrustPoint> = self
            .joints
            .iter()
            .zip(&self.forward)
            .map(|(&joint, &forward)| {
                let joint = &joints[joint];
                let force = joint.force * joint.normal + joint.shear;
                let [a, b] = joint.blocks;
                ThrustPoint {
                    blocks: if forward { [a, b] } else { [b, a] },
                    point: joint.point,
                    force: if forward { force } else { -force },
                    edge_fraction: joint.edge_fraction,
                    friction_used: joint.friction_used,
                }
            })
            .collect();
        ThrustLine {
            state,
            thrust,
            points,
        }
    }
}
