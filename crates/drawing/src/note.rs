//! What was assumed, repaired and skipped while a drawing was read.

use std::fmt;

/// At most this many names are kept in a note.
const NAMED: usize = 5;

/// What a note is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NoteKind {
    /// The format has no unit, and none was given.
    UnitAssumed,
    /// The unit that was asked for is not the one that the file states.
    UnitOverridden,
    /// Vertices moved onto others within the snap tolerance.
    Welded,
    /// Faces without area left out.
    FlatFaces,
    /// Faces listed twice; one of them left out.
    DoubleFaces,
    /// Vertices of neighbours inserted into edges on which they lie.
    SplitEdges,
    /// Faces turned to agree with their neighbours.
    TurnedFaces,
    /// Solids turned inside out.
    TurnedSolids,
    /// Faces that are not plane, divided into triangles.
    BentFaces,
    /// Objects of several separate bodies, each of which became a solid.
    SeveralBodies,
    /// Objects with several materials, of which the first one holds.
    SeveralMaterials,
    /// Arcs that became chords.
    Chords,
    /// Outlines that were put upright.
    Upright,
    /// Skipped: surfaces that do not close.
    Open,
    /// Skipped: surfaces that have no inside and outside.
    OneSided,
    /// Skipped: closed surfaces that enclose no volume.
    NoVolume,
    /// Skipped: lines that do not close.
    OpenLine,
    /// Skipped: closed lines that cross themselves.
    CrossedLine,
    /// Skipped: closed lines that do not lie in a plane.
    BentLine,
    /// Skipped: outlines without a thickness while no depth was given.
    NoDepth,
    /// Skipped: what lies on layers that are frozen or switched off.
    HiddenLayer,
    /// Skipped: what lies in the paper space of a DXF file.
    PaperSpace,
    /// Skipped: a kind of content that is not read, by its name in the file.
    Unread(String),
}

impl NoteKind {
    /// Whether something of the file was left out that could have been a block.
    pub fn is_loss(&self) -> bool {
        matches!(
            self,
            Self::Open
                | Self::OneSided
                | Self::NoVolume
                | Self::OpenLine
                | Self::CrossedLine
                | Self::BentLine
                | Self::NoDepth
                | Self::HiddenLayer
                | Self::PaperSpace
                | Self::Unread(_)
        )
    }
}

/// One thing that was done while reading, how often and to which items. `Display` gives a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// What was done.
    pub kind: NoteKind,
    /// How often.
    pub count: usize,
    /// Names of the first few solids or layers that it happened to.
    pub names: Vec<String>,
    /// How many different names there were in all.
    pub named: usize,
    /// Line of the file where it first happened, if there are lines.
    pub line: Option<usize>,
    /// The largest distance by which something was moved, m, where something was.
    pub distance: Option<f64>,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.count;
        let many = |one: &str, more: &str| {
            if n == 1 {
                format!("1 {one}")
            } else {
                format!("{n} {more}")
            }
        };
        let faces = many("face", "faces");
        let solids = many("solid", "solids");
        let outlines = many("outline", "outlines");
        let surfaces = many("surface", "surfaces");
        let text = match &self.kind {
            NoteKind::UnitAssumed => {
                "the file has no unit: its numbers are taken for metres; give unit if they are not"
                    .to_owned()
            }
            NoteKind::UnitOverridden => {
                "the unit given differs from the one that the file states; the one given holds"
                    .to_owned()
            }
            NoteKind::Welded => {
                format!(
                    "{} moved onto another within the snap tolerance",
                    many("vertex", "vertices")
                )
            }
            NoteKind::FlatFaces => format!("{faces} without area left out"),
            NoteKind::DoubleFaces => format!("{faces} listed twice left out"),
            NoteKind::SplitEdges => format!(
                "{} of neighbours inserted into edges on which they lie",
                many("vertex", "vertices")
            ),
            NoteKind::TurnedFaces => format!("{faces} turned to agree with the neighbours"),
            NoteKind::TurnedSolids => {
                format!("{solids} turned: the faces were listed clockwise seen from outside")
            }
            NoteKind::BentFaces => {
                format!("{faces} not plane, divided into triangles")
            }
            NoteKind::SeveralBodies => format!(
                "{} made of several separate bodies: each body became a solid of its own",
                many("object is", "objects are")
            ),
            NoteKind::SeveralMaterials => format!(
                "{} several materials: the first one holds",
                many("object has", "objects have")
            ),
            NoteKind::Chords => format!("{} became chords", many("arc", "arcs")),
            NoteKind::Upright => {
                format!("{outlines} in the xy plane taken as an elevation and set upright")
            }
            NoteKind::Open => format!(
                "skipped {surfaces} not closed: a block needs faces on all sides, one on each side of every edge"
            ),
            NoteKind::OneSided => format!("skipped {surfaces} without inside and outside"),
            NoteKind::NoVolume => format!("skipped {surfaces} enclosing no volume"),
            NoteKind::OpenLine => format!(
                "skipped {} not closed: close the lines that are outlines of blocks",
                many("line", "lines")
            ),
            NoteKind::CrossedLine => format!("skipped {outlines} crossing themselves"),
            NoteKind::BentLine => format!("skipped {outlines} not plane"),
            NoteKind::NoDepth => format!(
                "skipped {outlines} without thickness: give depth, in metres, to make blocks of them"
            ),
            NoteKind::HiddenLayer => format!(
                "skipped {} on layers that are frozen or switched off",
                many("entity", "entities")
            ),
            NoteKind::PaperSpace => {
                format!("skipped {} in paper space", many("entity", "entities"))
            }
            NoteKind::Unread(what) => unread(what, n),
        };
        f.write_str(&text)?;
        if let Some(distance) = self.distance {
            write!(f, ", by at most {distance:.1e} m")?;
        }
        if !self.names.is_empty() {
            write!(f, " ({}", self.names.join(", "))?;
            if self.named > self.names.len() {
                write!(f, " and {} more", self.named - self.names.len())?;
            }
            f.write_str(")")?;
        }
        if let Some(line) = self.line {
            write!(f, ", first at line {line}")?;
        }
        Ok(())
    }
}

/// Says what to do about content of a kind that is not read.
fn unread(what: &str, count: usize) -> String {
    let advice = match what {
        "3DSOLID" | "BODY" | "REGION" | "SURFACE" | "EXTRUDEDSURFACE" | "LOFTEDSURFACE"
        | "PLANESURFACE" | "REVOLVEDSURFACE" | "SWEPTSURFACE" | "NURBSURFACE" => {
            ": its shape is stored in a closed format; export it as STL or OBJ, or convert it to a polyface mesh"
        }
        "MESH" => ": convert it to 3DFACE or to a polyface mesh, for instance by EXPLODE",
        "LINE" | "ARC" => {
            ": join lines that are outlines of blocks into closed polylines, for instance by PEDIT"
        }
        "SPLINE" | "ELLIPSE" => ": convert it to a closed polyline",
        "HATCH" => ": its boundary is not read; draw it as a closed polyline",
        _ => "",
    };
    format!("skipped {count} × {what}{advice}")
}

/// Collects notes: one per kind, in the order in which they first happen.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    /// All names of each note, to count different ones.
    names: Vec<std::collections::BTreeSet<String>>,
}

impl Notes {
    /// Takes down that something happened `count` times to the item of this name.
    pub(crate) fn add(&mut self, kind: NoteKind, count: usize, name: &str, line: Option<usize>) {
        self.add_by(kind, count, name, line, None);
    }

    /// Likewise, with the distance by which something moved.
    pub(crate) fn add_by(
        &mut self,
        kind: NoteKind,
        count: usize,
        name: &str,
        line: Option<usize>,
        distance: Option<f64>,
    ) {
        if count == 0 {
            return;
        }
        let place = self.list.iter().position(|note| note.kind == kind);
        let place = place.unwrap_or_else(|| {
            self.list.push(Note {
                kind,
                count: 0,
                names: Vec::new(),
                named: 0,
                line,
                distance: None,
            });
            self.names.push(Default::default());
            self.list.len() - 1
        });
        let note = &mut self.list[place];
        note.count = note.count.saturating_add(count);
        note.distance = match (note.distance, distance) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let kind = note.kind.clone();
        self.name(&kind, name);
    }

    /// Takes over what another list holds.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (note, names) in other.list.into_iter().zip(other.names) {
            self.add_by(note.kind.clone(), note.count, "", note.line, note.distance);
            for name in &names {
                self.name(&note.kind, name);
            }
        }
    }

    fn name(&mut self, kind: &NoteKind, name: &str) {
        let Some(place) = self.list.iter().position(|note| note.kind == *kind) else {
            return;
        };
        let (note, names) = (&mut self.list[place], &mut self.names[place]);
        if !name.is_empty() && names.insert(name.to_owned()) {
            note.named += 1;
            if note.names.len() < NAMED {
                note.names.push(name.to_owned());
            }
        }
    }

    /// All notes.
    pub(crate) fn finish(self) -> Vec<Note> {
        self.list
    }
}
