//! Stereolithography: triangles without anything else, as text or binary.

use std::fmt::Write as _;

use drystone_geometry::{DVec3, triangulate};

use crate::piece::{MOST, Piece};
use crate::text::{clean_name, decode, number, one_line, quoted};
use crate::{DrawingError, DrawnSolid, Raw};

/// Bytes before the first triangle of a binary file: a free text of 80, then the number of triangles.
const HEADER: usize = 84;
/// Bytes of a triangle: a normal and three corners of three numbers each, then two bytes without meaning.
const TRIANGLE: usize = 50;

pub(crate) fn read(bytes: &[u8]) -> Result<Raw, DrawingError> {
    let pieces = match stated_count(bytes) {
        // Some programs begin binary files with the word `solid`, too: if the length fits, it is binary.
        Some(count) if bytes.len() == HEADER + count * TRIANGLE => vec![binary(bytes)],
        _ if starts_as_text(bytes) => text(bytes)?,
        Some(count) => {
            return Err(DrawingError::whole(format!(
                "not an STL file, or a truncated one: its header states {count} triangles, which takes {} bytes, but \
                 there are {}",
                (count * TRIANGLE).saturating_add(HEADER),
                bytes.len()
            )));
        }
        None => {
            return Err(DrawingError::whole(
                "not an STL file: it begins neither with the word `solid` nor with a header of 84 bytes",
            ));
        }
    };
    let faces: usize = pieces.iter().map(|piece| piece.faces.len()).sum();
    if faces > MOST / 3 {
        return Err(DrawingError::whole(
            "too many triangles for a drawing of blocks",
        ));
    }
    Ok(Raw {
        pieces,
        ..Raw::default()
    })
}

fn stated_count(bytes: &[u8]) -> Option<usize> {
    let count: [u8; 4] = bytes.get(80..HEADER)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(count)).ok()
}

fn starts_as_text(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    bytes.len() >= 5 && bytes[..5].eq_ignore_ascii_case(b"solid")
}

fn binary(bytes: &[u8]) -> Piece {
    let mut piece = Piece {
        name: "part".into(),
        numbered: true,
        ..Piece::default()
    };
    for triangle in bytes[HEADER..].chunks_exact(TRIANGLE) {
        let number = |i: usize| {
            let mut four = [0; 4];
            four.copy_from_slice(&triangle[12 + 4 * i..16 + 4 * i]);
            f64::from(f32::from_le_bytes(four))
        };
        let corner = |k: usize| DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2));
        piece.add_face(&[corner(0), corner(1), corner(2)]);
    }
    piece
}

fn text(bytes: &[u8]) -> Result<Vec<Piece>, DrawingError> {
    let text = decode(bytes);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut inside = false;
    let mut corners: Vec<DVec3> = Vec::new();
    let mut last = 0;
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        last = line;
        let content = content.trim();
        let (keyword, rest) = content
            .split_once(char::is_whitespace)
            .unwrap_or((content, ""));
        let in_solid = |inside: bool| {
            if inside {
                Ok(())
            } else {
                Err(DrawingError::at(
                    line,
                    format!("{} outside of a solid", quoted(keyword)),
                ))
            }
        };
        match keyword.to_ascii_lowercase().as_str() {
            "solid" => {
                let name = clean_name(rest);
                pieces.push(Piece {
                    numbered: name.is_empty(),
                    name: if name.is_empty() { "part".into() } else { name },
                    line: Some(line),
                    ..Piece::default()
                });
                inside = true;
            }
            "endsolid" => inside = false,
            "facet" => {
                in_solid(inside)?;
                corners.clear();
            }
            "vertex" => {
                in_solid(inside)?;
                let mut words = rest.split_whitespace();
                let mut coordinate = |axis: &str| match words.next() {
                    Some(word) => number(word, line, axis),
                    None => Err(DrawingError::at(
                        line,
                        format!("a vertex needs three coordinates, and {axis} is missing"),
                    )),
                };
                corners.push(DVec3::new(
                    coordinate("x")?,
                    coordinate("y")?,
                    coordinate("z")?,
                ));
            }
            "endfacet" => {
                in_solid(inside)?;
                if corners.len() != 3 {
                    return Err(DrawingError::at(
                        line,
                        format!("a facet has 3 vertices, not {}", corners.len()),
                    ));
                }
                if let Some(piece) = pieces.last_mut() {
                    piece.add_face(&corners);
                }
                corners.clear();
            }
            "" | "outer" | "endloop" => {}
            _ => {
                return Err(DrawingError::at(
                    line,
                    format!(
                        "{} is no word of an STL file: solid, facet, outer loop, vertex, endloop, endfacet, endsolid",
                        quoted(keyword)
                    ),
                ));
            }
        }
    }
    if inside {
        return Err(DrawingError::at(
            last,
            "the file ends within a solid: it is truncated, or `endsolid` is missing",
        ));
    }
    Ok(pieces)
}

pub(crate) fn write(solids: &[DrawnSolid]) -> Vec<u8> {
    let mut text = String::new();
    for solid in solids {
        let name = one_line(&solid.name);
        let _ = writeln!(text, "solid {name}");
        for face in &solid.faces {
            for triangle in triangulate(&solid.vertices, face) {
                let [a, b, c] = triangle.map(|v| solid.vertices[v as usize]);
                let n = (b - a).cross(c - a).normalize_or_zero();
                let _ = writeln!(text, "facet normal {} {} {}\nouter loop", n.x, n.y, n.z);
                for p in [a, b, c] {
                    let _ = writeln!(text, "vertex {} {} {}", p.x, p.y, p.z);
                }
                text.push_str("endloop\nendfacet\n");
            }
        }
        let _ = writeln!(text, "endsolid {name}");
    }
    text.into_bytes()
}
