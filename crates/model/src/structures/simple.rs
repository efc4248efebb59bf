//! Small structures made of blocks: stacks, walls in running bond.

use crate::spec::BlockSpec;

impl BlockSpec {
    /// A box with edges along the axes, between two opposite corners (m).
    pub fn cuboid(name: &str, material: &str, min: [f64; 3], max: [f64; 3]) -> Self {
        let pick = |corner: usize, axis: usize| {
            if corner >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        };
        Self {
            name: Some(name.to_owned()),
            material: material.to_owned(),
            vertices: (0..8)
                .map(|corner| [pick(corner, 0), pick(corner, 1), pick(corner, 2)])
                .collect(),
            ..Self::default()
        }
    }

    /// The same block as a support.
    pub fn supported(mut self) -> Self {
        self.support = true;
        self
    }
}

/// A straight wall along x, one block thick, in running bond. Every second course begins and ends with half a block.
#[derive(Debug, Clone, PartialEq)]
pub struct RunningBondWall {
    /// Blocks are named `NAME.course1.block1` and so on, from the bottom and from the left.
    pub name: String,
    /// Material of the blocks.
    pub material: String,
    /// Lower left front corner of the wall, m.
    pub origin: [f64; 3],
    /// Lengths of a full block along x, y, z, m; y is the thickness of the wall.
    pub block: [f64; 3],
    /// Full blocks in the first course.
    pub blocks_per_course: usize,
    /// Number of courses.
    pub courses: usize,
}

impl RunningBondWall {
    /// The blocks course by course from the bottom, each from the left.
    pub fn blocks(&self) -> Vec<BlockSpec> {
        let ([x, y, z], [lx, ly, lz]) = (self.origin, self.block);
        let halves = 2 * self.blocks_per_course;
        let mut blocks = Vec::new();
        for course in 0..self.courses {
            // Joints in half blocks from the left; whole numbers keep those of neighbouring courses in line exactly.
            let shifted = course % 2 == 1;
            let inner = (usize::from(shifted)..=halves).step_by(2);
            let mut joints: Vec<usize> = if shifted { vec![0] } else { Vec::new() };
            joints.extend(inner);
            if shifted {
                joints.push(halves);
            }
            let [bottom, top] = [course, course + 1].map(|course| z + course as f64 * lz);
            for (index, ends) in joints.windows(2).enumerate() {
                let [left, right] = [ends[0], ends[1]].map(|joint| x + joint as f64 * 0.5 * lx);
                let name = format!("{}.course{}.block{}", self.name, course + 1, index + 1);
                blocks.push(BlockSpec::cuboid(
                    &name,
                    &self.material,
                    [left, y, bottom],
                    [right, y + ly, top],
                ));
            }
        }
        blocks
    }

    /// A support of the same material under the whole wall, `depth` deep and as much wider on all sides (m).
    pub fn ground(&self, depth: f64) -> BlockSpec {
        let ([x, y, z], [lx, ly, _]) = (self.origin, self.block);
        let length = self.blocks_per_course as f64 * lx;
        let name = format!("{}.ground", self.name);
        let min = [x - depth, y - depth, z - depth];
        let max = [x + length + depth, y + ly + depth, z];
        BlockSpec::cuboid(&name, &self.material, min, max).supported()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::spec::{InterfaceSpec, MaterialSpec, ModelSpec};

    fn compiled(block: Vec<BlockSpec>) -> Model {
        let mut spec = ModelSpec {
            block,
            ..ModelSpec::default()
        };
        spec.model.floating = true;
        spec.material.push(MaterialSpec {
            name: "stone".into(),
            density: 2000.0,
        });
        let between = ["*".to_owned(), "*".to_owned()];
        spec.interface.push(InterfaceSpec {
            between,
            friction: 0.6,
            ..InterfaceSpec::default()
        });
        crate::compile(&spec).unwrap_or_else(|faults| panic!("{faults}"))
    }

    fn wall() -> RunningBondWall {
        RunningBondWall {
            name: "wall".into(),
            material: "stone".into(),
            origin: [0.0, 0.0, 0.0],
            block: [0.4, 0.2, 0.2],
            blocks_per_course: 20,
            courses: 10,
        }
    }

    #[test]
    fn ten_courses_of_twenty_blocks_are_205_blocks_that_fill_the_wall() {
        let blocks = wall().blocks();
        assert_eq!(blocks.len(), 205);
        assert_eq!(blocks[20 + 7].name.as_deref(), Some("wall.course2.block8"));
        let model = compiled(blocks);
        let mass: f64 = model.blocks.iter().map(|block| block.mass).sum();
        // Sums of 205 rounded products.
        assert!(
            (mass / (2000.0 * 8.0 * 0.2 * 2.0) - 1.0).abs() < 1e-12,
            "{mass}"
        );
        let halves = model
            .blocks
            .iter()
            .filter(|block| block.mass < 20.0)
            .count();
        assert_eq!(halves, 10);
    }

    #[test]
    fn neighbours_in_a_wall_share_the_coordinates_of_their_joints() {
        let wall = RunningBondWall {
            origin: [0.1, 0.0, 0.3],
            block: [0.37, 0.2, 0.19],
            ..wall()
        };
        let blocks = wall.blocks();
        for pair in blocks.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            if a.vertices[0][2] == b.vertices[0][2] {
                assert_eq!(a.vertices[7][0], b.vertices[0][0]);
            }
        }
        assert_eq!(blocks[0].vertices[7][2], blocks[20].vertices[0][2]);
        assert_eq!(blocks[19].vertices[7][0], blocks[40].vertices[7][0]);
        let ground = wall.ground(0.5);
        assert!(ground.support);
        assert_eq!(ground.vertices[7][2], blocks[0].vertices[0][2]);
    }
}
