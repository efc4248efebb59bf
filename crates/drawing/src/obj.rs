//! Wavefront OBJ: named objects and groups of polygons.
//!
//! If there are several objects (`o`), each is a block, and groups (`g`) name layers where no material does. Otherwise each
//! group is a block. Materials (`usemtl`) are taken for layers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use drystone_geometry::DVec3;

use crate::note::{NoteKind, Notes};
use crate::piece::{MOST, Piece};
use crate::text::{clean_name, decode, number, one_line, quoted};
use crate::{DrawingError, DrawnSolid, Raw, Unit};

/// A face with what was in force where it stands.
struct Face {
    corners: Vec<u32>,
    object: usize,
    group: usize,
    material: usize,
    line: usize,
}

/// Different names in the order in which they appear; 0 is none.
#[derive(Default)]
struct Words {
    list: Vec<String>,
    place: BTreeMap<String, usize>,
}

impl Words {
    fn of(&mut self, word: &str) -> usize {
        let word = clean_name(word);
        if word.is_empty() {
            return 0;
        }
        if let Some(&place) = self.place.get(&word) {
            return place;
        }
        self.list.push(word.clone());
        self.place.insert(word, self.list.len());
        self.list.len()
    }

    fn word(&self, place: usize) -> Option<&String> {
        self.list.get(place.checked_sub(1)?)
    }
}

#[derive(Default)]
struct Reader {
    vertices: Vec<DVec3>,
    faces: Vec<Face>,
    corners: usize,
    objects: Words,
    groups: Words,
    materials: Words,
    object: usize,
    group: usize,
    material: usize,
    unit: Option<Unit>,
}

pub(crate) fn read(bytes: &[u8], notes: &mut Notes) -> Result<Raw, DrawingError> {
    let text = decode(bytes);
    let mut reader = Reader::default();
    let mut lines = text.lines().enumerate();
    while let Some((index, first)) = lines.next() {
        let line = index + 1;
        if !first.ends_with('\\') {
            reader.statement(first, line, notes)?;
            continue;
        }
        // A backslash at the end continues the line.
        let mut whole = first.trim_end_matches('\\').to_owned();
        for (_, more) in lines.by_ref() {
            whole.push(' ');
            whole.push_str(more.trim_end_matches('\\'));
            if !more.ends_with('\\') {
                break;
            }
        }
        reader.statement(&whole, line, notes)?;
    }
    Ok(reader.finish(notes))
}

impl Reader {
    fn statement(
        &mut self,
        text: &str,
        line: usize,
        notes: &mut Notes,
    ) -> Result<(), DrawingError> {
        let text = text.trim();
        let (keyword, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match keyword {
            "v" => {
                let mut words = rest.split_whitespace();
                let mut coordinate = |axis: &str| match words.next() {
                    Some(word) => number(word, line, axis),
                    None => Err(DrawingError::at(
                        line,
                        format!("a vertex needs three coordinates, and {axis} is missing"),
                    )),
                };
                let at = DVec3::new(coordinate("x")?, coordinate("y")?, coordinate("z")?);
                self.vertices.push(at);
            }
            "f" => self.face(rest, line)?,
            "o" => self.object = self.objects.of(rest),
            "g" => self.group = self.groups.of(rest),
            "usemtl" => self.material = self.materials.of(rest),
            "#" => {
                if let Some(unit) = rest.trim().strip_prefix("unit ") {
                    self.unit = Unit::of(unit.trim());
                }
            }
            "" | "vt" | "vn" | "vp" | "s" | "mtllib" | "l" | "p" | "maplib" | "usemap" => {}
            _ if keyword.starts_with('#') => {}
            _ => notes.add(
                NoteKind::Unread(format!("statement {}", quoted(keyword))),
                1,
                "",
                Some(line),
            ),
        }
        Ok(())
    }

    fn face(&mut self, rest: &str, line: usize) -> Result<(), DrawingError> {
        let count = self.vertices.len();
        let mut corners = Vec::new();
        for word in rest.split_whitespace() {
            let index = word.split('/').next().unwrap_or_default();
            let value: i64 = index.parse().map_err(|_| {
                DrawingError::at(
                    line,
                    format!(
                        "the corner {} of a face is not the number of a vertex",
                        quoted(word)
                    ),
                )
            })?;
            // Negative numbers count back from the last vertex so far.
            let place = if value < 0 {
                value.checked_add(count as i64)
            } else {
                Some(value - 1)
            };
            let place = place.filter(|&p| p >= 0 && p < count as i64);
            let Some(place) = place else {
                return Err(DrawingError::at(
                    line,
                    format!(
                        "a face names vertex {value}, but there are {count} vertices before it: numbers run from 1 to \
                         {count}, or from -1 to -{count} counted back"
                    ),
                ));
            };
            corners.push(place as u32);
        }
        if corners.len() < 3 {
            return Err(DrawingError::at(
                line,
                format!("a face needs at least 3 corners, not {}", corners.len()),
            ));
        }
        self.corners += corners.len();
        if self.corners > MOST {
            return Err(DrawingError::at(
                line,
                "too many faces for a drawing of blocks",
            ));
        }
        self.faces.push(Face {
            corners,
            object: self.object,
            group: self.group,
            material: self.material,
            line,
        });
        Ok(())
    }

    fn finish(self, notes: &mut Notes) -> Raw {
        let several = |key: fn(&Face) -> usize| {
            let first = self.faces.first().map(key);
            self.faces.iter().any(|face| Some(key(face)) != first)
        };
        let by_object =
            several(|face| face.object) || !several(|face| face.group) && self.object > 0;
        let mut pieces: Vec<Piece> = Vec::new();
        let mut materials: Vec<usize> = Vec::new();
        let mut place: BTreeMap<usize, usize> = BTreeMap::new();
        let mut mixed: Vec<bool> = Vec::new();
        // Number of each vertex in each piece.
        let mut number: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        for face in &self.faces {
            let (key, words) = if by_object {
                (face.object, &self.objects)
            } else {
                (face.group, &self.groups)
            };
            let at = *place.entry(key).or_insert_with(|| {
                let name = words.word(key).cloned();
                let layer = self
                    .materials
                    .word(face.material)
                    .or_else(|| by_object.then(|| self.groups.word(face.group)).flatten());
                pieces.push(Piece {
                    numbered: name.is_none(),
                    name: name.unwrap_or_else(|| "part".into()),
                    layer: layer.cloned(),
                    line: Some(face.line),
                    ..Piece::default()
                });
                materials.push(face.material);
                mixed.push(false);
                pieces.len() - 1
            });
            mixed[at] |= materials[at] != face.material;
            let piece = &mut pieces[at];
            let corners = face.corners.iter().map(|&v| {
                *number.entry((at, v)).or_insert_with(|| {
                    piece.vertices.push(self.vertices[v as usize]);
                    piece.vertices.len() as u32 - 1
                })
            });
            piece.faces.push(corners.collect());
        }
        for (piece, _) in pieces.iter().zip(&mixed).filter(|(_, mixed)| **mixed) {
            notes.add(NoteKind::SeveralMaterials, 1, &piece.name, piece.line);
        }
        Raw {
            pieces,
            unit: self.unit,
            placed: false,
        }
    }
}

pub(crate) fn write(solids: &[DrawnSolid]) -> Vec<u8> {
    let mut text = String::from("# unit m\n");
    let mut first = 1;
    for solid in solids {
        let _ = writeln!(text, "o {}", one_line(&solid.name));
        if let Some(layer) = &solid.layer {
            let _ = writeln!(text, "usemtl {}", one_line(layer));
        }
        for v in &solid.vertices {
            let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
        }
        for face in &solid.faces {
            text.push('f');
            for v in face {
                let _ = write!(text, " {}", first + *v as usize);
            }
            text.push('\n');
        }
        first += solid.vertices.len();
    }
    text.into_bytes()
}
