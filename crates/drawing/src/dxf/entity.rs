//! Shapes of entities.

use drystone_geometry::{DMat3, DVec3};

use super::file::{Entity, real, whole};
use super::outline::Corner;
use super::transform::axes;
use crate::DrawingError;

/// What an entity describes, in the coordinates of the drawing or of the block that it stands in.
#[derive(Debug)]
pub(super) enum Shape {
    /// A line in a plane; `frame` takes its corners (x, y, height) to the coordinates of the drawing.
    Outline {
        corners: Vec<Corner>,
        height: f64,
        frame: DMat3,
        closed: bool,
        /// Extrusion along the normal of the plane; zero: a mere line.
        thickness: f64,
    },
    /// A closed or open line in space.
    Line { points: Vec<DVec3>, closed: bool },
    /// Faces over vertices.
    Mesh {
        vertices: Vec<DVec3>,
        faces: Vec<Vec<u32>>,
    },
    /// A single face.
    Face(Vec<DVec3>),
    /// Another block.
    Insert(Insert),
    /// Not read.
    Other,
}

/// A block put into the drawing, perhaps as an array.
#[derive(Debug)]
pub(super) struct Insert {
    pub block: String,
    pub at: DVec3,
    pub scale: DVec3,
    /// rad.
    pub rotation: f64,
    pub frame: DMat3,
    pub columns: i64,
    pub rows: i64,
    pub column_spacing: f64,
    pub row_spacing: f64,
}

pub(super) fn shape(entity: &Entity<'_>) -> Result<Shape, DrawingError> {
    match entity.kind {
        "LWPOLYLINE" => light_polyline(entity),
        "POLYLINE" => polyline(entity),
        "CIRCLE" => circle(entity),
        "SOLID" | "TRACE" => filled(entity),
        "3DFACE" => face(entity),
        "INSERT" => insert(entity),
        _ => Ok(Shape::Other),
    }
}

fn frame(entity: &Entity<'_>) -> Result<DMat3, DrawingError> {
    let given = entity.text(210).is_some();
    let normal = if given { entity.point(210)? } else { DVec3::Z };
    if normal.length_squared() < 1e-20 {
        return Err(DrawingError::at(
            entity.line,
            format!("the extrusion direction of {} has no length", entity.kind),
        ));
    }
    Ok(axes(normal))
}

fn light_polyline(entity: &Entity<'_>) -> Result<Shape, DrawingError> {
    let mut corners: Vec<Corner> = Vec::new();
    for group in entity.groups {
        match (group.code, corners.last_mut()) {
            (10, _) => corners.push(Corner {
                x: real(group)?,
                y: 0.0,
                bulge: 0.0,
            }),
            (20, Some(corner)) => corner.y = real(group)?,
            (42, Some(corner)) => corner.bulge = real(group)?,
            _ => {}
        }
    }
    Ok(Shape::Outline {
        corners,
        height: entity.real(38)?.unwrap_or(0.0),
        frame: frame(entity)?,
        closed: entity.whole(70)? & 1 != 0,
        thickness: entity.real(39)?.unwrap_or(0.0),
    })
}

fn polyline(entity: &Entity<'_>) -> Result<Shape, DrawingError> {
    let flags = entity.whole(70)?;
    if flags & 64 != 0 {
        return polyface(entity);
    }
    if flags & 16 != 0 {
        return polygon_mesh(entity, flags);
    }
    let mut corners = Vec::new();
    let mut points = Vec::new();
    for vertex in &entity.vertices {
        // A control point of a smoothed line is not on it.
        if vertex.whole(70)? & 16 != 0 {
            continue;
        }
        let at = vertex.point(10)?;
        points.push(at);
        corners.push(Corner {
            x: at.x,
            y: at.y,
            bulge: vertex.real(42)?.unwrap_or(0.0),
        });
    }
    let closed = flags & 1 != 0;
    if flags & 8 != 0 {
        return Ok(Shape::Line { points, closed });
    }
    Ok(Shape::Outline {
        corners,
        height: entity.real(30)?.unwrap_or(0.0),
        frame: frame(entity)?,
        closed,
        thickness: entity.real(39)?.unwrap_or(0.0),
    })
}

/// Vertices first, then faces of up to four vertices counted from 1; a minus hides the edge that begins there.
fn polyface(entity: &Entity<'_>) -> Result<Shape, DrawingError> {
    let mut vertices = Vec::new();
    let mut records = Vec::new();
    for vertex in &entity.vertices {
        if vertex.whole(70)? & 64 != 0 {
            vertices.push(vertex.point(10)?);
        } else {
            records.push(vertex);
        }
    }
    let mut faces = Vec::new();
    for record in records {
        let mut face = Vec::new();
        for group in record.groups.iter().filter(|g| (71..=74).contains(&g.code)) {
            let index = whole(group)?.unsigned_abs();
            if index == 0 {
                continue;
            }
            if index > vertices.len() as u64 {
                return Err(DrawingError::at(
                    group.line,
                    format!(
                        "a face of a polyface mesh names vertex {index}, but the mesh has {} vertices, counted from 1",
                        vertices.len()
                    ),
                ));
            }
            face.push((index - 1) as u32);
        }
        // Faces of one or two vertices are loose points and lines.
        if face.len() >= 3 {
            faces.push(face);
        }
    }
    Ok(Shape::Mesh { vertices, faces })
}

/// A grid of m times n vertices that may be closed in both directions.
fn polygon_mesh(entity: &Entity<'_>, flags: i64) -> Result<Shape, DrawingError> {
    let (m, n) = (entity.whole(71)?, entity.whole(72)?);
    let mut vertices = Vec::new();
    for vertex in &entity.vertices {
        if vertex.whole(70)? & 16 == 0 {
            vertices.push(vertex.point(10)?);
        }
    }
    let whole = m >= 2 && n >= 2 && m.checked_mul(n) == Some(vertices.len() as i64);
    if !whole {
        return Err(DrawingError::at(
            entity.line,
            format!(
                "a polygon mesh of {m} × {n} vertices has {} of them",
                vertices.len()
            ),
        ));
    }
    let (m, n) = (m as u32, n as u32);
    let (along, across) = (flags & 1 != 0, flags & 32 != 0);
    let mut faces = Vec::new();
    for i in 0..if along { m } else { m - 1 } {
        for j in 0..if across { n } else { n - 1 } {
            let at = |i: u32, j: u32| (i % m) * n + j % n;
            faces.push(vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Ok(Shape::Mesh { vertices, faces })
}

fn circle(entity: &Entity<'_>) -> Result<Shape, DrawingError> {
    let centre = entity.point(10)?;
    let radius = entity.real(40)?.unwrap_or(0.0);
    // Two half circles.
    let side = |x: f64| Corner {
        x,
        y: centre.y,
        bulge: 1.0,
    };
    Ok(Shape::Outline {
        corners: vec![side(centre.x - radius), side(centre.x + radius)],
        height: centre.z,
        frame: frame(entity)?,
        closed: true,
        thickness: entity.real(39)?.unwrap_or(0.0),
    })
}

/// The third and the fourth corner are listed crosswise.
fn filled(entity: &Entity<'_>) -> Result<Shape, DrawingError> {
    let mut corners = Vec::new();
    for code in [10, 11, 13, 12] {
        if entity.text(code).is_some() {
            let at = entity.point(code)?;
            corners.push(Corner {
                x: at.x,
                y: at.y,
                bulge: 0.0,
            });
        }
    }
    Ok(Shape::Outline {
        corners,
        height: entity.real(30)?.unwrap_or(0.0),
        frame: frame(entity)?,
        closed: true,
        thickness: entity.real(39)?.unwrap_or(0.0),
    })
}

fn face(entity: &Entity<'_>) -> Result<Shape, DrawingError> {
    let mut corners: Vec<DVec3> = Vec::new();
    for code in 10..=13 {
        if entity.text(code).is_some() {
            let at = entity.point(code)?;
            // Triangles repeat their last corner.
            if corners.last() != Some(&at) {
                corners.push(at);
            }
        }
    }
    Ok(Shape::Face(corners))
}

fn insert(entity: &Entity<'_>) -> Result<Shape, DrawingError> {
    let scale = |code| Ok::<f64, DrawingError>(entity.real(code)?.unwrap_or(1.0));
    let count = |code| Ok::<i64, DrawingError>(entity.whole(code)?.max(1));
    Ok(Shape::Insert(Insert {
        block: super::file::name(entity.text(2).unwrap_or_default()),
        at: entity.point(10)?,
        scale: DVec3::new(scale(41)?, scale(42)?, scale(43)?),
        rotation: entity.real(50)?.unwrap_or(0.0).to_radians(),
        frame: frame(entity)?,
        columns: count(70)?,
        rows: count(71)?,
        column_spacing: entity.real(44)?.unwrap_or(0.0),
        row_spacing: entity.real(45)?.unwrap_or(0.0),
    }))
}
