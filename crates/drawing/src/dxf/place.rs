//! Entities put in place, with the blocks that contain them.

use std::collections::BTreeMap;

use drystone_geometry::{DMat3, DVec3};

use super::entity::{Insert, Shape, shape};
use super::file::{Entity, File};
use super::outline::{extrude, outline, straighten};
use super::transform::Affine;
use crate::note::{NoteKind, Notes};
use crate::piece::{MOST, Piece, check_coordinate};
use crate::{DrawingError, ReadOptions, Unit, Up, upright};

/// Blocks may contain blocks to this depth.
const DEEPEST: usize = 32;
/// At most this many blocks are put in place: hostile files multiply little things.
const MOST_INSERTS: usize = 200_000;
/// At most this many entities are put in place.
const MOST_ENTITIES: usize = 5_000_000;

/// All pieces of a drawing in metres, z up.
pub(super) fn pieces(
    file: &File<'_>,
    unit: Unit,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<Vec<Piece>, DrawingError> {
    let mut placing = Placing {
        file,
        options,
        metres: unit.metres(),
        notes,
        pieces: Vec::new(),
        faces: BTreeMap::new(),
        inserts: 0,
        entities: 0,
        corners: 0,
        path: Vec::new(),
    };
    let context = Context {
        transform: Affine::IDENTITY,
        layer: None,
        name: None,
        instance: 0,
    };
    placing.all(&file.entities, &context)?;
    Ok(placing.pieces)
}

/// Where entities stand.
struct Context {
    transform: Affine,
    /// Layer of the INSERT; entities of blocks on layer 0 take it.
    layer: Option<String>,
    /// Name of the outermost block.
    name: Option<String>,
    /// Number of the INSERT; 0 in the drawing itself.
    instance: usize,
}

struct Placing<'f, 'a> {
    file: &'f File<'a>,
    options: &'f ReadOptions,
    metres: f64,
    notes: &'f mut Notes,
    pieces: Vec<Piece>,
    /// Which piece the single faces of an instance and layer go to.
    faces: BTreeMap<(usize, String), usize>,
    inserts: usize,
    entities: usize,
    corners: usize,
    /// Blocks being put in place, the outermost first.
    path: Vec<String>,
}

impl Placing<'_, '_> {
    fn all(&mut self, entities: &[Entity<'_>], context: &Context) -> Result<(), DrawingError> {
        for entity in entities {
            self.entities += 1;
            if self.entities > MOST_ENTITIES || self.corners > MOST {
                return Err(DrawingError::at(
                    entity.line,
                    "too many entities for a drawing of blocks, counting those of inserted blocks",
                ));
            }
            self.one(entity, context)?;
        }
        Ok(())
    }

    fn one(&mut self, entity: &Entity<'_>, context: &Context) -> Result<(), DrawingError> {
        let line = Some(entity.line);
        if entity.kind == "VIEWPORT" {
            return Ok(());
        }
        let own = entity.layer();
        let layer = match &context.layer {
            Some(layer) if own == "0" => layer.clone(),
            _ => own,
        };
        if entity.whole(67)? == 1 {
            self.notes.add(NoteKind::PaperSpace, 1, &layer, line);
            return Ok(());
        }
        if self.file.hidden.contains(&layer.to_uppercase()) || entity.whole(60)? == 1 {
            self.notes.add(NoteKind::HiddenLayer, 1, &layer, line);
            return Ok(());
        }
        let mut piece = Piece {
            name: context.name.clone().unwrap_or_else(|| layer.clone()),
            layer: Some(layer.clone()),
            line,
            numbered: true,
            ..Piece::default()
        };
        match shape(entity)? {
            Shape::Outline {
                corners,
                height,
                frame,
                closed,
                thickness,
            } => {
                let flat = straighten(&corners, closed, self.options.chord);
                let scale = self.metres * context.transform.linear.determinant().abs().cbrt();
                self.notes.add_by(
                    NoteKind::Chords,
                    flat.arcs,
                    &piece.name,
                    line,
                    Some(flat.distance * scale),
                );
                let lift = |[x, y]: [f64; 2]| frame * DVec3::new(x, y, height);
                let points = flat.points.into_iter().map(lift).collect();
                let along = context.transform.linear * frame.z_axis * (thickness * self.metres);
                self.line(points, closed, along, context, piece)
            }
            Shape::Line { points, closed } => {
                self.line(points, closed, DVec3::ZERO, context, piece)
            }
            Shape::Mesh { vertices, faces } => {
                piece.vertices = self.placed(&vertices, context, line)?;
                piece.faces = faces;
                self.push(piece);
                Ok(())
            }
            Shape::Face(corners) => {
                let corners = self.placed(&corners, context, line)?;
                let key = (context.instance, layer);
                let place = match self.faces.get(&key) {
                    Some(&place) => place,
                    None => {
                        self.pieces.push(piece);
                        self.faces.insert(key, self.pieces.len() - 1);
                        self.pieces.len() - 1
                    }
                };
                self.corners += corners.len();
                self.pieces[place].add_face(&corners);
                Ok(())
            }
            Shape::Insert(insert) => self.insert(&insert, &layer, entity.line, context),
            Shape::Other => {
                self.notes
                    .add(NoteKind::Unread(entity.kind.to_owned()), 1, &layer, line);
                Ok(())
            }
        }
    }

    /// In metres, z up.
    fn placed(
        &self,
        points: &[DVec3],
        context: &Context,
        line: Option<usize>,
    ) -> Result<Vec<DVec3>, DrawingError> {
        let up = self.options.up == Some(Up::Y);
        let mut placed = Vec::with_capacity(points.len());
        for &p in points {
            let q = context.transform.point(p);
            // Metres keep every bit.
            let q = if self.metres == 1.0 {
                q
            } else {
                q * self.metres
            };
            for x in q.to_array() {
                check_coordinate(x, line)?;
            }
            placed.push(if up { upright(q) } else { q });
        }
        Ok(placed)
    }

    fn line(
        &mut self,
        points: Vec<DVec3>,
        closed: bool,
        along: DVec3,
        context: &Context,
        mut piece: Piece,
    ) -> Result<(), DrawingError> {
        let points = self.placed(&points, context, piece.line)?;
        let mut outline = match outline(points, closed) {
            Ok(outline) => outline,
            Err(kind) => {
                self.notes.add(kind, 1, &piece.name, piece.line);
                return Ok(());
            }
        };
        if along != DVec3::ZERO {
            let along = match self.options.up {
                Some(Up::Y) => upright(along),
                _ => along,
            };
            extrude(&outline, DVec3::ZERO, along, &mut piece);
            self.push(piece);
            return Ok(());
        }
        let Some(depth) = self.options.depth else {
            self.notes
                .add(NoteKind::NoDepth, 1, &piece.name, piece.line);
            return Ok(());
        };
        if self.options.up.is_none() && outline.normal.z.abs() > 1.0 - 1e-9 {
            outline.points.iter_mut().for_each(|p| *p = upright(*p));
            outline.normal = upright(outline.normal);
            self.notes
                .add(NoteKind::Upright, 1, &piece.name, piece.line);
        }
        let half = outline.normal * (0.5 * depth);
        extrude(&outline, -half, half, &mut piece);
        self.push(piece);
        Ok(())
    }

    fn push(&mut self, piece: Piece) {
        self.corners += piece.faces.iter().map(Vec::len).sum::<usize>();
        self.pieces.push(piece);
    }

    fn insert(
        &mut self,
        insert: &Insert,
        layer: &str,
        line: usize,
        context: &Context,
    ) -> Result<(), DrawingError> {
        let key = insert.block.to_uppercase();
        let file = self.file;
        let Some(block) = file.blocks.get(&key) else {
            return Err(DrawingError::at(
                line,
                format!(
                    "INSERT names the block \"{}\", which the file does not define",
                    insert.block
                ),
            ));
        };
        if block.external {
            self.notes.add(
                NoteKind::Unread("external reference".into()),
                1,
                &insert.block,
                Some(line),
            );
            return Ok(());
        }
        if self.path.contains(&key) || self.path.len() >= DEEPEST {
            let path = self.path.join("\" > \"");
            return Err(DrawingError::at(
                line,
                format!(
                    "the block \"{path}\" > \"{key}\" contains itself, or blocks are nested too deep"
                ),
            ));
        }
        let copies = insert.columns.checked_mul(insert.rows).unwrap_or(i64::MAX);
        let left = MOST_INSERTS.saturating_sub(self.inserts);
        if usize::try_from(copies).map_or(true, |copies| copies > left) {
            return Err(DrawingError::at(
                line,
                format!(
                    "INSERT of {} × {} copies of \"{}\": a drawing may have at most {MOST_INSERTS} inserted blocks",
                    insert.columns, insert.rows, insert.block
                ),
            ));
        }
        let turn = DMat3::from_rotation_z(insert.rotation);
        let name = context.name.clone().or_else(|| {
            // Names that begin with a star are made by programs.
            (!insert.block.starts_with('*')).then(|| insert.block.clone())
        });
        self.path.push(key);
        for row in 0..insert.rows {
            for column in 0..insert.columns {
                let offset = DVec3::new(
                    column as f64 * insert.column_spacing,
                    row as f64 * insert.row_spacing,
                    0.0,
                );
                let linear = insert.frame * turn * DMat3::from_diagonal(insert.scale);
                let own = Affine {
                    linear,
                    shift: insert.frame * (insert.at + turn * offset) - linear * block.base,
                };
                self.inserts += 1;
                let inner = Context {
                    transform: context.transform.after(&own),
                    layer: Some(layer.to_owned()),
                    name: name.clone(),
                    instance: self.inserts,
                };
                self.all(&block.entities, &inner)?;
            }
        }
        self.path.pop();
        Ok(())
    }
}
