//! Blocks as bodies of a problem: those that can move, numbered.

use drystone_cone::FIXED;
use drystone_model::Model;

/// Which blocks have unknown velocities, and where they stand in the step problem.
#[derive(Debug, Clone)]
pub struct Bodies {
    /// Block index per body.
    pub blocks: Vec<usize>,
    /// Body index per block; [`FIXED`] for supports.
    pub of_block: Vec<u32>,
    /// Radius about the centroid per body, m.
    pub radii: Vec<f64>,
}

impl Bodies {
    /// Numbers the free blocks in the order of the model.
    pub fn new(model: &Model) -> Self {
        let mut blocks = Vec::new();
        let of_block = model
            .blocks
            .iter()
            .enumerate()
            .map(|(i, block)| {
                if block.support {
                    return FIXED;
                }
                blocks.push(i);
                (blocks.len() - 1) as u32
            })
            .collect();
        let radii = blocks.iter().map(|&i| model.blocks[i].shape.radius());
        Self {
            radii: radii.collect(),
            blocks,
            of_block,
        }
    }
}
