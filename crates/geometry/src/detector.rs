//! All contacts of a configuration.

use rayon::prelude::*;

use crate::body::Body;
use crate::narrow::{self, AxisKind, Pair, Scratch};
use crate::{Aabb, ContactPoint, ContactSet, Manifold, Polyhedron, Pose, Tree};

/// Which part of which block a body is.
#[derive(Debug, Clone, Copy)]
struct Owner {
    block: u32,
    part: u32,
}

/// Boxes in the tree are grown by this fraction of the block's thickness, so that blocks that tremble stay put.
/// Larger: the tree changes less often but offers more pairs in vain.
const FATNESS: f64 = 0.1;

/// Pairs per parallel task; fixed, so that results do not depend on the number of threads.
const CHUNK: usize = 256;

/// Settings of contact detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DetectorOptions {
    /// Most points per pair of blocks; None (the default) keeps all. Where there are more, as between drums of many
    /// sides, the most closed one and those spread widest are kept. Below 3 a face contact can no longer hold a block
    /// upright; 4 to 8 change little but time.
    pub max_points: Option<usize>,
}

/// Two bodies of different blocks whose fat boxes overlap.
#[derive(Debug, Clone, Copy)]
struct Near {
    a: u32,
    b: u32,
    hint: Option<AxisKind>,
}

#[derive(Debug, Default)]
struct Task {
    scratch: Scratch,
    manifolds: Vec<Manifold>,
    points: Vec<ContactPoint>,
}

/// Finds the contacts of a set of blocks, again and again as they move.
///
/// What it remembers between calls only saves time: the answer depends on nothing but the shapes, poses and margins.
#[derive(Debug)]
pub struct Detector {
    /// Convex parts of blocks, block by block.
    bodies: Vec<Body>,
    owners: Vec<Owner>,
    blocks: usize,
    fixed: Vec<bool>,
    options: DetectorOptions,
    tree: Tree,
    /// Boxes with margins, not fat.
    boxes: Vec<Aabb>,
    near: Vec<Near>,
    strayed: Vec<u32>,
    tasks: Vec<Task>,
    contacts: ContactSet,
}

impl Detector {
    /// Blocks by their shapes, of one convex part or several, in the frames of their centroids; contacts between fixed blocks are not sought.
    pub fn new<S: AsRef<[Polyhedron]>>(shapes: Vec<S>, fixed: Vec<bool>) -> Self {
        Self::with_options(shapes, fixed, DetectorOptions::default())
    }

    /// As [`Self::new`], with settings. A block without an entry in `fixed` is free.
    pub fn with_options<S: AsRef<[Polyhedron]>>(
        shapes: Vec<S>,
        mut fixed: Vec<bool>,
        options: DetectorOptions,
    ) -> Self {
        fixed.resize(shapes.len(), false);
        let parts = || {
            let blocks = shapes.iter().enumerate();
            blocks.flat_map(|(block, shape)| {
                let parts = shape.as_ref().iter().enumerate();
                parts.map(move |(part, shape)| (block as u32, part as u32, shape))
            })
        };
        Self {
            bodies: parts().map(|(_, _, shape)| Body::new(shape)).collect(),
            owners: parts()
                .map(|(block, part, _)| Owner { block, part })
                .collect(),
            blocks: shapes.len(),
            fixed,
            options,
            tree: Tree::default(),
            boxes: Vec::new(),
            near: Vec::new(),
            strayed: Vec::new(),
            tasks: Vec::new(),
            contacts: ContactSet::default(),
        }
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.blocks
    }

    /// Whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.blocks == 0
    }

    /// The contacts found last.
    pub fn contacts(&self) -> &ContactSet {
        &self.contacts
    }

    /// Finds all pairs of antagonist points whose gap is at most the sum of their blocks' margins (m).
    ///
    /// Blocks with non-finite poses touch nothing.
    ///
    /// # Panics
    /// If there is not one pose and one margin per block.
    pub fn detect(&mut self, poses: &[Pose], margins: &[f64]) -> &ContactSet {
        assert_eq!(poses.len(), self.blocks, "one pose per block");
        assert_eq!(margins.len(), self.blocks, "one margin per block");
        self.bodies
            .par_iter_mut()
            .with_min_len(CHUNK)
            .zip(&self.owners)
            .for_each(|(body, owner)| body.place(&poses[owner.block as usize]));
        let bodies = self.bodies.iter().zip(&self.owners);
        self.boxes.clear();
        self.boxes.extend(
            bodies.map(|(body, owner)| body.world_bounds().grown(margins[owner.block as usize])),
        );
        self.update_near();
        self.touch_all(margins);
        &self.contacts
    }

    /// Brings the list of near pairs up to date.
    fn update_near(&mut self) {
        self.strayed.clear();
        for (i, bounds) in self.boxes.iter().enumerate() {
            let stays = self
                .tree
                .bounds(i as u32)
                .is_some_and(|fat| fat.contains(bounds));
            if !stays {
                self.strayed.push(i as u32);
            }
        }
        if self.strayed.is_empty() {
            return;
        }
        let fat = |i: usize| self.boxes[i].grown(FATNESS * self.bodies[i].size);
        let (fixed, owners) = (&self.fixed, &self.owners);
        let near_pair = |i: u32, j: u32| {
            let [a, b] = [i, j].map(|body| owners[body as usize].block as usize);
            let can_touch = a != b && !(fixed[a] && fixed[b]);
            can_touch.then_some(Near {
                a: i.min(j),
                b: i.max(j),
                hint: None,
            })
        };
        let near = &mut self.near;
        if self.tree.is_worn() || 8 * self.strayed.len() > self.boxes.len() {
            // Those that stay keep their boxes: growing them again would make them stray one by one.
            let stayed = |i: usize| {
                self.tree
                    .bounds(i as u32)
                    .filter(|fat| fat.contains(&self.boxes[i]))
                    .copied()
            };
            let boxes: Vec<Aabb> = (0..self.boxes.len())
                .map(|i| stayed(i).unwrap_or_else(|| fat(i)))
                .collect();
            self.tree.rebuild(&boxes);
            near.clear();
            self.tree.self_pairs(|i, j| near.extend(near_pair(i, j)));
        } else {
            for &i in &self.strayed {
                self.tree.put(i, fat(i as usize));
            }
            let strayed = &self.strayed;
            let has_strayed = |i: u32| strayed.binary_search(&i).is_ok();
            near.retain(|pair| !has_strayed(pair.a) && !has_strayed(pair.b));
            for &i in strayed {
                if let Some(bounds) = self.tree.bounds(i).copied() {
                    self.tree.query(&bounds, |j| {
                        // A pair of strays is met from both sides.
                        if j != i && !(has_strayed(j) && j < i) {
                            near.extend(near_pair(i, j));
                        }
                    });
                }
            }
        }
        self.near.sort_unstable_by_key(|pair| (pair.a, pair.b));
    }

    /// Runs the narrow phase over the near pairs.
    fn touch_all(&mut self, margins: &[f64]) {
        let (bodies, owners) = (&self.bodies, &self.owners);
        let (boxes, options) = (&self.boxes, &self.options);
        let count = self.near.len().div_ceil(CHUNK);
        if self.tasks.len() < count {
            self.tasks.resize_with(count, Task::default);
        }
        let tasks = &mut self.tasks[..count];
        self.near
            .par_chunks_mut(CHUNK)
            .zip(tasks.par_iter_mut())
            .for_each(|(pairs, task)| {
                task.manifolds.clear();
                task.points.clear();
                for near in pairs {
                    let (a, b) = (near.a as usize, near.b as usize);
                    if !boxes[a].overlaps(&boxes[b]) {
                        continue;
                    }
                    let [of_a, of_b] = [owners[a], owners[b]];
                    let margin = margins[of_a.block as usize] + margins[of_b.block as usize];
                    let pair = Pair::new(&bodies[a], &bodies[b], margin);
                    let first = task.points.len() as u32;
                    let found = narrow::touch(
                        &pair,
                        &mut near.hint,
                        options.max_points,
                        &mut task.scratch,
                        &mut task.points,
                    );
                    if let Some(found) = found {
                        task.manifolds.push(Manifold {
                            a: of_a.block,
                            b: of_b.block,
                            parts: [of_a.part, of_b.part],
                            normal: found.normal,
                            first,
                            count: task.points.len() as u32 - first,
                            area: found.area,
                        });
                    }
                }
            });
        self.contacts.manifolds.clear();
        self.contacts.points.clear();
        for task in &self.tasks[..count] {
            let first = self.contacts.points.len() as u32;
            self.contacts.points.extend_from_slice(&task.points);
            self.contacts
                .manifolds
                .extend(task.manifolds.iter().map(|m| Manifold {
                    first: m.first + first,
                    ..*m
                }));
        }
    }
}
