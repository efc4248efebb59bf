//! Structures and drawings to blocks.

use std::borrow::Cow;
use std::path::Path;

use drystone_geometry::{Aabb, DVec3};

use super::{Fingerprint, drawings};
use crate::decode::Broken;
use crate::fault::{Fault, Faults, Section, Trail, did_you_mean};
use crate::spec::{BlockSpec, ModelSpec, PlacingSpec, Plane, StructureSpec};
use crate::structures::{Ground, MAX_BLOCKS, Misfit, Piece, PlacedBlock, place};

/// A model as written in which structures and drawings have become blocks.
pub(super) struct Expanded<'s> {
    /// The blocks of the file come first.
    pub spec: Cow<'s, ModelSpec>,
    /// How many blocks the file itself has.
    own: usize,
    /// Where each further block comes from.
    origins: Vec<(Section, usize)>,
    /// Some structure or drawing is at fault, so that blocks are missing.
    pub incomplete: bool,
    /// What was assumed, repaired and skipped in drawings, and made otherwise in structures.
    pub notes: Vec<String>,
}

impl Expanded<'_> {
    /// The item of the file that a block comes from.
    pub fn origin(&self, block: usize) -> (Section, usize) {
        match block.checked_sub(self.own) {
            None => (Section::Block, block),
            Some(made) => self.origins[made],
        }
    }
}

/// Makes the blocks of all structures and drawings.
pub(super) fn expand<'s>(
    spec: Cow<'s, ModelSpec>,
    broken: &Broken,
    folder: &Path,
    fingerprint: &mut Fingerprint,
    faults: &mut Faults,
) -> Expanded<'s> {
    let own = spec.block.len();
    let incomplete = broken.any(Section::Import) || broken.any(Section::Generate);
    let mut expanded = Expanded {
        spec,
        own,
        origins: Vec::new(),
        incomplete,
        notes: Vec::new(),
    };
    if expanded.spec.import.is_empty() && expanded.spec.generate.is_empty() {
        return expanded;
    }
    // Unnamed blocks keep the names of their positions in the file; what is made has names of its own.
    let spec = expanded.spec.to_mut();
    let (imports, structures) = (
        std::mem::take(&mut spec.import),
        std::mem::take(&mut spec.generate),
    );
    let mut maker = Maker {
        spec,
        origins: Vec::new(),
        owners: Vec::new(),
        faults,
        complete: true,
    };
    for (item, import) in imports.iter().enumerate() {
        if broken.has(Section::Import, item) {
            continue;
        }
        let trail = Trail::item(Section::Import, item, None);
        let drawn = drawings::pieces(import, folder, trail, fingerprint, maker.faults);
        let name = import.placing.name.as_deref();
        match drawn {
            Some(drawn) => {
                expanded.notes.extend(drawn.notes);
                // Layers may overrule these two, which are therefore settled already.
                let placing = PlacingSpec {
                    support: false,
                    group: None,
                    ..import.placing.clone()
                };
                maker.add(Ok(drawn.pieces), &placing, name, (Section::Import, item));
            }
            None => maker.complete = false,
        }
    }
    for (item, generate) in structures.iter().enumerate() {
        let ground = matches!(generate.structure, StructureSpec::Ground(_));
        if ground || broken.has(Section::Generate, item) {
            continue;
        }
        let name = generate
            .placing
            .name
            .as_deref()
            .unwrap_or(generate.structure.kind());
        let structure = generate.structure.structure();
        let pieces = structure.pieces();
        let notes = structure.notes().into_iter();
        expanded
            .notes
            .extend(notes.map(|note| format!("{name}: {note}")));
        maker.add(
            pieces,
            &generate.placing,
            Some(name),
            (Section::Generate, item),
        );
    }
    // The ground comes last: it must know what stands on it.
    for (item, generate) in structures.iter().enumerate() {
        let StructureSpec::Ground(ground) = &generate.structure else {
            continue;
        };
        if !broken.has(Section::Generate, item) {
            maker.ground(ground, &generate.placing, item, incomplete);
        }
    }
    let Maker {
        origins, complete, ..
    } = maker;
    spec.import = imports;
    spec.generate = structures;
    expanded.origins = origins;
    expanded.incomplete |= !complete;
    expanded
}

struct Maker<'m> {
    spec: &'m mut ModelSpec,
    origins: Vec<(Section, usize)>,
    /// Names that can be referred to as a whole, and their blocks.
    owners: Vec<(String, std::ops::Range<usize>)>,
    faults: &'m mut Faults,
    complete: bool,
}

impl Maker<'_> {
    fn add(
        &mut self,
        pieces: Result<Vec<Piece>, Vec<Misfit>>,
        placing: &PlacingSpec,
        name: Option<&str>,
        origin: (Section, usize),
    ) {
        let materials = &self.spec.material;
        let across = self.spec.model.plane.map(|plane| match plane {
            Plane::Xz => DVec3::Y,
            Plane::Yz => DVec3::X,
        });
        let density = |name: &str| {
            let material = materials.iter().find(|material| material.name == name);
            material.map(|material| material.density)
        };
        let blocks = pieces.and_then(|pieces| place(pieces, placing, name, across, &density));
        let blocks = match blocks {
            Ok(blocks) if blocks.len() + self.spec.block.len() > MAX_BLOCKS => {
                Err(vec![Misfit::new(
                    "kind",
                    format!(
                        "the model would have {} blocks",
                        blocks.len() + self.spec.block.len()
                    ),
                    format!("at most {MAX_BLOCKS}"),
                )])
            }
            blocks => blocks,
        };
        match blocks {
            Ok(blocks) => {
                let first = self.spec.block.len();
                self.origins.extend(blocks.iter().map(|_| origin));
                self.spec.block.extend(blocks.into_iter().map(written));
                let owned = first..self.spec.block.len();
                self.owners
                    .extend(name.map(|name| (name.to_owned(), owned)));
            }
            Err(misfits) => {
                self.complete = false;
                for misfit in misfits {
                    self.faults.push(fault(&misfit, origin, name));
                }
            }
        }
    }

    fn ground(&mut self, ground: &Ground, placing: &PlacingSpec, item: usize, incomplete: bool) {
        let name = placing.name.as_deref().unwrap_or("ground");
        let origin = (Section::Generate, item);
        let mut bounds = Aabb::EMPTY;
        let mut take = |block: &BlockSpec| {
            for &vertex in &block.vertices {
                let vertex = DVec3::from_array(vertex);
                bounds.min = bounds.min.min(vertex);
                bounds.max = bounds.max.max(vertex);
            }
        };
        match &ground.below {
            // Supports have their own place; a second ground does not stand on the first.
            None => self
                .spec
                .block
                .iter()
                .filter(|block| !block.support)
                .for_each(&mut take),
            Some(names) => {
                for (index, wanted) in names.iter().enumerate() {
                    let own = |block: &&BlockSpec| block.name.as_deref() == Some(wanted);
                    let range = self.owners.iter().find(|(name, _)| name == wanted);
                    if let Some((_, range)) = range {
                        self.spec.block[range.clone()].iter().for_each(&mut take);
                    } else if let Some(block) = self.spec.block.iter().find(own) {
                        take(block);
                    } else if self.complete && !incomplete {
                        let known = self.owners.iter().map(|(name, _)| name.as_str());
                        let trail = Trail::item(Section::Generate, item, Some(name));
                        let trail = trail.key("below");
                        self.faults.push(
                            Fault::at(
                                trail.index(index),
                                format!("there is no structure, drawing or block \"{wanted}\""),
                            )
                            .maybe_help(did_you_mean(
                                wanted,
                                "structures",
                                known,
                            )),
                        );
                        self.complete = false;
                        return;
                    }
                }
            }
        }
        if !bounds.min.is_finite() || !bounds.max.is_finite() {
            // What should stand on it is at fault, or missing.
            if self.complete && !incomplete {
                let empty = |(name, blocks): &(String, std::ops::Range<usize>)| {
                    blocks.is_empty().then(|| format!("\"{name}\""))
                };
                let empty: Vec<String> = self.owners.iter().filter_map(empty).collect();
                let misfit = if empty.is_empty() {
                    let help = "add structures or free blocks to the model";
                    Misfit::new("kind", "nothing stands on the ground", help)
                } else {
                    let what = format!(
                        "nothing stands on the ground: no block is left of {}",
                        empty.join(", ")
                    );
                    Misfit::new("kind", what, "`cut` and `remove` take less away")
                };
                self.faults.push(fault(&misfit, origin, Some(name)));
            }
            self.complete = false;
            return;
        }
        let piece = ground
            .under(bounds.min, bounds.max)
            .map(|piece| vec![piece]);
        self.add(piece, placing, Some(name), origin);
    }
}

/// A block as a file could list it.
fn written(block: PlacedBlock) -> BlockSpec {
    let PlacedBlock {
        name,
        material,
        support,
        group,
        vertices,
        faces,
        mass,
        centroid,
        inertia,
    } = block;
    BlockSpec {
        name: Some(name),
        material,
        support,
        group,
        vertices,
        faces,
        mass,
        centroid,
        inertia,
        velocity: None,
        angular_velocity: None,
    }
}

/// The fault of the file that a misfit is; its key may lead into tables, as in `openings[2].width`.
fn fault(misfit: &Misfit, (section, item): (Section, usize), name: Option<&str>) -> Fault {
    let trail = Trail::item(section, item, name);
    let fault = Fault::inside(trail, &misfit.key, misfit.what.clone());
    if misfit.help.is_empty() {
        fault
    } else {
        fault.help(misfit.help.clone())
    }
}
