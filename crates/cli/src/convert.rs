//! `drystone convert`: drawings and models into each other.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use drystone_drawing::{Drawing, DrawnSolid, Format, ReadOptions, Unit, Up};
use drystone_geometry::{DVec3, Polyhedron};
use drystone_model::{BlockSpec, InterfaceSpec, MaterialSpec, ModelSpec, MotionSpec};
use drystone_results::write_atomic;

use crate::Outcome;
use crate::speak::{answer, counted};

/// The layer of supports that have no group.
const SUPPORT: &str = "support";
/// Density of the material that blocks get which have none, kg/m³: a middling limestone.
const DENSITY: f64 = 2000.0;
/// Friction of its joints.
const FRICTION: f64 = 0.7;
/// Its name.
const STONE: &str = "stone";

/// Options of `convert`.
#[derive(Debug, clap::Args)]
pub struct ConvertOptions {
    /// Model (.toml, .json) or drawing (.dxf, .obj, .stl, .ply, COMPAS .json)
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Model (.toml, .json) or drawing (.dxf, .obj, .stl, .ply, .compas.json, .vtu, .glb)
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Unit of the drawing: m, mm, cm, dm, km, in, ft, yd, us_ft [default: as stated in the file]
    #[arg(long, value_parser = unit)]
    pub unit: Option<Unit>,
    /// Vertices closer than this are merged, m [default: a millionth of the size of the drawing]
    #[arg(long, value_name = "M")]
    pub snap: Option<f64>,
    /// Plane outlines become blocks of this depth, m
    #[arg(long, value_name = "M")]
    pub depth: Option<f64>,
    /// Axis of the drawing that points up: y or z [default: z, but outlines in the xy plane are set upright]
    #[arg(long, value_parser = up)]
    pub up: Option<Up>,
    /// Arcs of outlines become chords of at most this angle, degrees
    #[arg(long, value_name = "ANGLE", default_value_t = 15.0)]
    pub chord_degrees: f64,
    /// Replace the file if it is already there
    #[arg(long)]
    pub overwrite: bool,
}

fn unit(word: &str) -> Result<Unit, String> {
    Unit::of(word).ok_or_else(|| format!("one of {}", Unit::words()))
}

fn up(word: &str) -> Result<Up, String> {
    match word {
        "y" => Ok(Up::Y),
        "z" => Ok(Up::Z),
        _ => Err("y or z".into()),
    }
}

/// What a file is, or is to be.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Model(drystone_model::Format),
    Drawing(Format),
}

/// What was read.
enum Content {
    Model(Box<ModelSpec>),
    Drawing(Drawing),
}

/// Runs the command.
pub fn convert(options: &ConvertOptions) -> Outcome {
    let told = (|| {
        let into = written_as(&options.output)?;
        if options.output.exists() && !options.overwrite {
            return Err(format!(
                "{} is already there: choose another file or give --overwrite",
                options.output.display()
            ));
        }
        let mut told = String::new();
        let content = read(options, &mut told)?;
        let bytes = encode(content, into, options, &mut told)?;
        Ok((bytes, told))
    })();
    let (bytes, mut told) = match told {
        Ok(told) => told,
        Err(message) => return Outcome::BadInput(message),
    };
    if let Err(error) = write_atomic(&options.output, &bytes) {
        return Outcome::Failed(error.to_string());
    }
    line(&mut told, "wrote", &options.output.display().to_string());
    answer(&told)
}

fn line(told: &mut String, label: &str, text: &str) {
    let _ = writeln!(told, "  {label:<8} {text}");
}

/// By the extension; `.compas.json` is COMPAS, any other `.json` a model.
fn written_as(path: &Path) -> Result<Kind, String> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    if name.ends_with(".compas.json") {
        return Ok(Kind::Drawing(Format::Compas));
    }
    if let Some(format) = drystone_model::Format::of(path) {
        return Ok(Kind::Model(format));
    }
    Format::of(path).map(Kind::Drawing).ok_or_else(|| {
        format!(
            "{}: the extension names no format; known are toml, json (models), dxf, obj, stl, ply, compas.json, vtu, glb",
            path.display()
        )
    })
}

/// By the extension; JSON is a model if it has the tables of one.
fn read_as(path: &Path) -> Result<Kind, String> {
    let kind = written_as(path)?;
    let Kind::Model(drystone_model::Format::Json) = kind else {
        return Ok(kind);
    };
    let cannot = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| cannot(&error))?;
    let tables = [
        "model", "block", "generate", "import", "material", "analysis",
    ];
    let has_tables = match serde_json::from_slice(&bytes) {
        Ok(serde_json::Value::Object(root)) => tables.iter().any(|key| root.contains_key(*key)),
        Ok(_) => false,
        // The reader of models says best what is wrong with it.
        Err(_) => true,
    };
    Ok(if has_tables {
        kind
    } else {
        Kind::Drawing(Format::Compas)
    })
}

fn read(options: &ConvertOptions, told: &mut String) -> Result<Content, String> {
    let path = &options.input;
    let content = match read_as(path)? {
        Kind::Model(_) => {
            let (spec, model) =
                drystone_model::load_blocks(path).map_err(|faults| faults.to_string())?;
            for note in &model.notes {
                line(told, "note", note);
            }
            let count = spec.block.len();
            line(
                told,
                "read",
                &format!("{}: a model of {count} blocks", path.display()),
            );
            Content::Model(Box::new(spec))
        }
        Kind::Drawing(format) => {
            let bytes =
                std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let read = drystone_drawing::read(&bytes, format, &reading(options));
            let drawing = read.map_err(|error| match error.line {
                Some(line) => format!("{}:{line}: {}", path.display(), error.message),
                None => format!("{}: {}", path.display(), error.message),
            })?;
            describe(&drawing, format, options, told);
            Content::Drawing(drawing)
        }
    };
    Ok(content)
}

fn reading(options: &ConvertOptions) -> ReadOptions {
    ReadOptions {
        unit: options.unit,
        snap: options.snap,
        depth: options.depth,
        up: options.up,
        chord: Some(options.chord_degrees.to_radians()),
    }
}

fn describe(drawing: &Drawing, format: Format, options: &ConvertOptions, told: &mut String) {
    let solids = &drawing.solids;
    let layers: std::collections::BTreeSet<&String> = solids
        .iter()
        .filter_map(|solid| solid.layer.as_ref())
        .collect();
    let mut what = format!(
        "{}: {format}, {}",
        options.input.display(),
        counted(solids.len(), "solid")
    );
    if !layers.is_empty() {
        let _ = write!(what, " on {}", counted(layers.len(), "layer"));
    }
    line(told, "read", &what);
    let unit = match (options.unit, drawing.unit) {
        (Some(unit), _) => format!("{unit}, as given"),
        (None, Some(unit)) => format!("{unit}, as the file says"),
        (None, None) => "m, assumed".to_owned(),
    };
    line(told, "unit", &unit);
    let hollow = solids
        .iter()
        .filter(|solid| !solid.is_convex(drawing.snap))
        .count();
    if hollow > 0 {
        line(told, "shapes", &format!("{hollow} not convex"));
    }
    // The sum of nothing is -0.
    let volume: f64 = solids.iter().map(DrawnSolid::volume).sum::<f64>() + 0.0;
    line(told, "volume", &format!("{volume:.6} m3"));
    for note in &drawing.notes {
        let label = if note.kind.is_loss() {
            "skipped"
        } else {
            "note"
        };
        let text = note.to_string();
        line(told, label, text.strip_prefix("skipped ").unwrap_or(&text));
    }
}

fn encode(
    content: Content,
    into: Kind,
    options: &ConvertOptions,
    told: &mut String,
) -> Result<Vec<u8>, String> {
    match (content, into) {
        (Content::Model(spec), Kind::Drawing(format)) => {
            drystone_drawing::write(&solids(&spec)?, format).map_err(|error| error.to_string())
        }
        (Content::Drawing(drawing), Kind::Drawing(format)) => {
            drystone_drawing::write(&drawing.solids, format).map_err(|error| error.to_string())
        }
        (Content::Model(spec), Kind::Model(format)) => {
            let elsewhere = options.input.parent() != options.output.parent();
            if elsewhere
                && spec
                    .motion
                    .iter()
                    .any(|m| matches!(m, MotionSpec::Record(_)))
            {
                line(
                    told,
                    "note",
                    "paths of records are those of the model that was read; adapt them to the other folder",
                );
            }
            text(&spec, format)
        }
        (Content::Drawing(drawing), Kind::Model(format)) => text(&model(drawing, told), format),
    }
}

fn text(spec: &ModelSpec, format: drystone_model::Format) -> Result<Vec<u8>, String> {
    let text = match format {
        drystone_model::Format::Toml => spec.to_toml(),
        drystone_model::Format::Json => spec.to_json(),
    };
    text.map(String::into_bytes)
        .map_err(|error| error.to_string())
}

/// The blocks of a model as solids. Their layer is their group, or else `support`, or else their material.
fn solids(spec: &ModelSpec) -> Result<Vec<DrawnSolid>, String> {
    let solid = |block: &BlockSpec| {
        let name = block.name.clone().unwrap_or_default();
        let vertices: Vec<DVec3> = block
            .vertices
            .iter()
            .copied()
            .map(DVec3::from_array)
            .collect();
        let (vertices, faces) = match &block.faces {
            Some(faces) => (vertices, faces.clone()),
            None => {
                let hull = Polyhedron::hull(&vertices)
                    .map_err(|fault| format!("block \"{name}\": {fault}"))?;
                let faces = hull
                    .faces()
                    .iter()
                    .map(|face| face.corners.clone())
                    .collect();
                (hull.vertices().to_vec(), faces)
            }
        };
        let support = block.support.then(|| SUPPORT.to_owned());
        let layer = block.group.clone().or(support);
        Ok(DrawnSolid {
            name,
            layer: Some(layer.unwrap_or_else(|| block.material.clone())),
            support: block.support,
            vertices,
            faces,
        })
    };
    spec.block.iter().map(solid).collect()
}

/// A drawing as a model of one material.
fn model(drawing: Drawing, told: &mut String) -> ModelSpec {
    line(
        told,
        "assumed",
        &format!("material \"{STONE}\" of {DENSITY} kg/m3 and friction {FRICTION} in all joints"),
    );
    let snap = drawing.snap;
    let block: Vec<BlockSpec> = drawing
        .solids
        .into_iter()
        .map(|solid| block(solid, snap))
        .collect();
    if !block.iter().any(|block| block.support) {
        line(
            told,
            "note",
            "no block is marked as a support: write `support = true` into those that stand for the ground",
        );
    }
    ModelSpec {
        material: vec![MaterialSpec {
            name: STONE.into(),
            density: DENSITY,
        }],
        interface: vec![InterfaceSpec {
            between: ["*".into(), "*".into()],
            friction: FRICTION,
            ..InterfaceSpec::default()
        }],
        block,
        ..ModelSpec::default()
    }
}

fn block(solid: DrawnSolid, snap: f64) -> BlockSpec {
    let convex = solid.is_convex(snap);
    // Formats without a mark for supports have them on a layer of that name when they are written here.
    let marked = solid.layer.as_deref() == Some(SUPPORT);
    BlockSpec {
        name: Some(solid.name),
        material: STONE.into(),
        support: solid.support || marked,
        group: solid.layer.filter(|_| !marked),
        vertices: solid.vertices.iter().map(|v| v.to_array()).collect(),
        faces: (!convex).then_some(solid.faces),
        ..BlockSpec::default()
    }
}
