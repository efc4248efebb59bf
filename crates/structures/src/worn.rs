//! What is done to the shapes of blocks: cuts, gaps, worn edges, bumps.

use drystone_geometry::{Aabb, DVec3, Polyhedron, ShapeFault};

use super::bumps::bumped;
use super::courses::plain;
use super::place::matches;
use super::{Misfit, Piece, PlacingSpec};

/// A plane that is nearer to a block than this part of its extent touches it without cutting: rounding, not masonry.
const TOUCH: f64 = 1e-9;

/// Reports widths of gaps and worn edges that are none.
pub(super) fn widths(placing: &PlacingSpec, faults: &mut Vec<Misfit>) {
    for (key, value) in [("gap", placing.gap), ("trim", placing.trim)] {
        if let Some(value) = value
            && !(value >= 0.0 && value.is_finite())
        {
            let what = format!("a {key} of {value} m");
            faults.push(Misfit::new(key, what, "zero or more, m"));
        }
    }
}

/// Smallest trim, as a part of the block's thickness.
const FINEST_TRIM: f64 = 2e-4;

/// How many blocks are measured for the largest trim that they can bear; a model has thousands that are alike.
pub(super) const MEASURED: usize = 100;

/// Why a block can't be cut or worn.
pub(super) struct Flaw {
    misfit: Misfit,
    /// The largest value that the block can bear, m, where it was measured.
    largest: f64,
}

impl From<Misfit> for Flaw {
    fn from(misfit: Misfit) -> Self {
        let largest = f64::INFINITY;
        Self { misfit, largest }
    }
}

/// What is wrong with the blocks of a structure.
#[derive(Default)]
pub(super) struct Flaws(pub Vec<Flaw>);

impl Flaws {
    /// One misfit for each key: that of the block that can bear the least, or of the first, with the number of others.
    pub fn done(self) -> Result<(), Vec<Misfit>> {
        let mut found: Vec<(Flaw, usize)> = Vec::new();
        for flaw in self.0 {
            let same = |(other, _): &&mut (Flaw, usize)| other.misfit.key == flaw.misfit.key;
            match found.iter_mut().find(same) {
                None => found.push((flaw, 1)),
                Some((worst, count)) => {
                    *count += 1;
                    if flaw.largest < worst.largest {
                        *worst = flaw;
                    }
                }
            }
        }
        if found.is_empty() {
            return Ok(());
        }
        let told = |(mut flaw, count): (Flaw, usize)| {
            match count - 1 {
                0 => {}
                1 => flaw.misfit.what.push_str(" (and one other block)"),
                others => {
                    let more = format!(" (and {others} other blocks)");
                    flaw.misfit.what.push_str(&more);
                }
            }
            flaw.misfit
        };
        Err(found.into_iter().map(told).collect())
    }
}

/// The piece after cuts, gap, trimming and bumps; nothing if a cut takes it away whole. Only edges in the direction `along` are trimmed,
/// if there is one. The largest possible trim is looked for only if `measure`.
pub(super) fn worn(
    mut piece: Piece,
    placing: &PlacingSpec,
    planes: &[(DVec3, f64)],
    along: Option<DVec3>,
    measure: bool,
) -> Result<Option<Piece>, Flaw> {
    let gap = placing.gap();
    let trim = placing.trim();
    let bumps = placing.bumps.as_ref().filter(|bumps| {
        let pattern = bumps.blocks.as_deref().unwrap_or("*");
        matches(pattern, &piece.name)
    });
    let extent = Aabb::around(piece.vertices.iter().copied()).extent();
    let touch = TOUCH * extent.max_element();
    let crossed = |&&(normal, offset): &&(DVec3, f64)| {
        piece
            .vertices
            .iter()
            .any(|v| normal.dot(*v) > offset + touch)
    };
    let crossing: Vec<(DVec3, f64)> = planes.iter().filter(crossed).copied().collect();
    if crossing.is_empty() && gap == 0.0 && trim == 0.0 && bumps.is_none() {
        return Ok(Some(piece));
    }
    if piece.faces.is_some()
        && Polyhedron::from_faces(&piece.vertices, piece.faces.as_deref().unwrap_or(&[])).is_err()
    {
        let given = [
            ("cut", !crossing.is_empty()),
            ("gap", gap > 0.0),
            ("trim", trim > 0.0),
        ];
        let key = given.iter().find(|(_, given)| *given);
        return Err(Misfit::new(
            key.map_or("bumps", |(key, _)| *key),
            format!(
                "the block \"{}\" is not convex, so it cannot be cut, trimmed or shrunk",
                piece.name
            ),
            "leave out `cut`, `gap`, `trim` and `bumps`, or draw the block in convex parts",
        )
        .into());
    }
    let fault = |key: &str, piece: &Piece, fault: ShapeFault| {
        let name = &piece.name;
        let what = match fault {
            ShapeFault::FaceLost { normal } => format!(
                "a {key} of {trim} m leaves nothing of a face of the block \"{name}\", the one with the normal {normal:.3}"
            ),
            _ => format!("nothing sound is left of the block \"{name}\": {fault}"),
        };
        let help = "a smaller value, or leave the block out with `remove`";
        Misfit::new(key, what, help)
    };
    let mut shape =
        Polyhedron::hull(&piece.vertices).map_err(|error| fault("cut", &piece, error))?;
    // A cut leaves no slivers: what is thinner than a thousandth of the block goes with the part that is taken away.
    let sliver = 1e-3 * shape.size();
    let whole = shape.volume_properties();
    let cut = !crossing.is_empty();
    for (normal, offset) in crossing {
        let deepest = shape
            .vertices()
            .iter()
            .map(|v| offset - normal.dot(*v))
            .fold(f64::NEG_INFINITY, f64::max);
        if deepest <= sliver {
            return Ok(None);
        }
        let highest = shape
            .vertices()
            .iter()
            .map(|v| normal.dot(*v) - offset)
            .fold(f64::NEG_INFINITY, f64::max);
        if highest > 0.0 {
            shape = shape
                .cut(normal, offset)
                .map_err(|error| fault("cut", &piece, error))?;
        }
    }
    shape = shape
        .shrunk(0.5 * gap)
        .map_err(|error| fault("gap", &piece, error))?;
    // Finer than that, contacts are found on the worn edges instead of between them.
    let finest = FINEST_TRIM * shape.size();
    if trim > 0.0 && trim < finest {
        return Err(Flaw::from(Misfit::new(
            "trim",
            format!(
                "a trim of {trim:e} m is too small to distinguish from a sharp edge of the block \"{}\"",
                piece.name
            ),
            format!("zero, or at least {finest:.2e} m"),
        )));
    }
    shape = match shape.trimmed(trim, along) {
        Ok(trimmed) => trimmed,
        Err(error) => {
            let mut flaw = Flaw::from(fault("trim", &piece, error));
            if measure {
                flaw.largest = shape.largest_trim(along);
                // Three digits, rounded down.
                let unit = 10f64.powf(flaw.largest.log10().floor() - 2.0);
                let most = plain((flaw.largest / unit).floor() * unit);
                flaw.misfit.help =
                    format!("at most {most} m, or leave the block out with `remove`");
            }
            return Err(flaw);
        }
    };
    if let Some(bumps) = bumps {
        shape = bumped(&shape, bumps, &piece.name)?;
    }
    // The mass of a curved block changes in proportion; where a plane has cut it, nobody knows the curved part that is left.
    if let Some(own) = &mut piece.properties {
        if cut {
            return Err(Misfit::new(
                "cut",
                format!(
                    "the block \"{}\" has the mass of a curved shape, which a cut would make unknown",
                    piece.name
                ),
                "leave out `curved_mass` or `cut`",
            )
            .into());
        }
        let left = shape.volume_properties();
        let ratio = left.volume / whole.volume;
        own.volume *= ratio;
        own.inertia *= ratio;
        own.centroid += left.centroid - whole.centroid;
    }
    piece.vertices = shape.vertices().to_vec();
    piece.faces = None;
    Ok(Some(piece))
}
