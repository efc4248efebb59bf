//! Rows of columns with an architrave.

use drystone_geometry::DVec3;
use drystone_keys::keys;

use super::column::Column;
use super::dimensions::Dimensions;
use super::{Misfit, Piece, Structure};

keys! {
    /// Equal columns along x, the axis of the first at x = 0, y = 0, with beams from axis to axis on top of them.
    ///
    /// Blocks are named `column1.drum3` and so on, columns from the left, and `architrave1` from the left: the beam between the
    /// first two columns. Groups: `column`, `architrave`.
    pub struct Colonnade {
        /// Number of columns; at least two.
        columns: u32 { required, least: 2 },
        /// From axis to axis.
        spacing: f64 { required, unit: "m", above: 0.0 },
        /// Each of the columns, with the keys of the kind `column`.
        column: Column { required },
        /// Beams on the columns.
        architrave: Architrave { optional, otherwise: "none" },
    }
}

keys! {
    /// Beams from axis to axis.
    pub struct Architrave {
        /// Height.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Across the row.
        depth: f64 { optional, unit: "m", above: 0.0, otherwise: "the width of the shaft at its top" },
        /// How far the first and the last beam reach beyond the end axes.
        overhang: f64 { optional, unit: "m", least: 0.0, otherwise: "half the width of the top of a column" },
    }
}

impl Colonnade {
    fn check(&self) -> Result<(), Vec<Misfit>> {
        let mut check = Dimensions::default();
        check.count("columns", self.columns, 2);
        check.positive("spacing", self.spacing);
        self.column.check("column.", &mut check);
        check.total(
            "columns",
            &[self.columns, self.column.drums.saturating_add(3)],
        );
        if let Some(architrave) = &self.architrave {
            check.positive("architrave.height", architrave.height);
            check.positive_if("architrave.depth", architrave.depth);
            if let Some(overhang) = architrave.overhang {
                check.not_negative("architrave.overhang", overhang);
            }
        }
        let base = self.column.base.as_ref().map_or(0.0, |base| base.width);
        let widest = base
            .max(self.column.top_width())
            .max(2.0 * self.column.radius);
        if check.fit() && widest >= self.spacing {
            check.refuse(
                "spacing",
                format!("{} m, but the columns are {widest} m wide", self.spacing),
                "wider than a column",
            );
        }
        check.done()
    }
}

impl Structure for Colonnade {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        self.check()?;
        let axis = |column: u32| f64::from(column) * self.spacing;
        let mut pieces = Vec::new();
        for column in 0..self.columns {
            for piece in self.column.made() {
                let name = format!("column{}.{}", column + 1, piece.name);
                let by = DVec3::X * axis(column);
                let vertices = piece.vertices.iter().map(|&v| v + by).collect();
                pieces.push(Piece::new(name, vertices).grouped("column"));
            }
        }
        if let Some(architrave) = &self.architrave {
            let level = self.column.total_height();
            let half = 0.5 * architrave.depth.unwrap_or(2.0 * self.column.top_radius());
            let overhang = architrave.overhang.unwrap_or(0.5 * self.column.top_width());
            let beams = self.columns - 1;
            for beam in 0..beams {
                let mut ends = [axis(beam), axis(beam + 1)];
                if beam == 0 {
                    ends[0] -= overhang;
                }
                if beam + 1 == beams {
                    ends[1] += overhang;
                }
                let min = DVec3::new(ends[0], -half, level);
                let max = DVec3::new(ends[1], half, level + architrave.height);
                let name = format!("architrave{}", beam + 1);
                pieces.push(Piece::cuboid(name, min, max).grouped("architrave"));
            }
        }
        Ok(pieces)
    }
}
