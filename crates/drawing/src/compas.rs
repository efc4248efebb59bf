//! JSON of the COMPAS framework.
//!
//! Read by structure rather than by the names of classes, which change between versions: assemblies (`compas_assembly`:
//! a graph whose nodes hold blocks), models (`compas_dem`, `compas_model`: elements in a tree with transformations), meshes,
//! polyhedra and boxes, alone or in lists. Written as an assembly.

use drystone_geometry::{DMat3, DVec3};
use serde_json::{Map, Value, json};

use crate::note::{NoteKind, Notes};
use crate::piece::{MOST, Piece};
use crate::text::{clean_name, quoted};
use crate::{DrawingError, DrawnSolid, Raw};

type Object = Map<String, Value>;

/// Names that COMPAS gives to everything that has none of its own.
const CLASSES: [&str; 9] = [
    "Block",
    "BlockElement",
    "BlockGeometry",
    "Box",
    "Element",
    "Mesh",
    "Part",
    "Polyhedron",
    "PlateElement",
];

pub(crate) fn read(bytes: &[u8], notes: &mut Notes) -> Result<Raw, DrawingError> {
    let root: Value = serde_json::from_slice(bytes).map_err(|error| DrawingError {
        line: Some(error.line()).filter(|line| *line > 0),
        message: format!("not JSON: {error}"),
    })?;
    let mut reader = Reader {
        pieces: Vec::new(),
        corners: 0,
        notes,
    };
    reader.thing(&root, &Context::default())?;
    Ok(Raw {
        pieces: reader.pieces,
        ..Raw::default()
    })
}

/// What is known from outside.
#[derive(Clone, Default)]
struct Context {
    name: Option<String>,
    /// The name is that of an element, which goes before that of its geometry.
    settled: bool,
    layer: Option<String>,
    support: bool,
    place: Place,
}

/// x ↦ linear x + shift.
#[derive(Clone, Copy)]
struct Place {
    linear: DMat3,
    shift: DVec3,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            linear: DMat3::IDENTITY,
            shift: DVec3::ZERO,
        }
    }
}

struct Reader<'n> {
    pieces: Vec<Piece>,
    corners: usize,
    notes: &'n mut Notes,
}

impl Reader<'_> {
    /// Anything that may hold geometry.
    fn thing(&mut self, value: &Value, context: &Context) -> Result<(), DrawingError> {
        let object = match value {
            Value::Array(list) => {
                return list.iter().try_for_each(|item| self.thing(item, context));
            }
            Value::Object(object) => object,
            _ => return Ok(()),
        };
        let data = inner(object);
        let mut context = context.clone();
        let own = |object: &Object| {
            object
                .get("name")
                .and_then(Value::as_str)
                .and_then(own_name)
        };
        let name = own(object).or_else(|| own(data));
        if let (Some(name), false) = (name, context.settled) {
            context.name = Some(name);
        }
        if let Some(layer) = data
            .get("attributes")
            .and_then(|attributes| attributes.get("layer"))
            .and_then(Value::as_str)
        {
            context.layer = Some(clean_name(layer));
        }
        if data.contains_key("vertex") && data.contains_key("face") {
            return self.mesh(data, context);
        }
        if let (Some(Value::Array(vertices)), Some(Value::Array(faces))) =
            (data.get("vertices"), data.get("faces"))
        {
            return self.polyhedron(vertices, faces, context);
        }
        if data.contains_key("xsize") && data.contains_key("zsize") {
            return self.cuboid(data, context);
        }
        if let Some(Value::Object(elements)) = data.get("elements") {
            context.name = None;
            return self.model(data, elements, &context);
        }
        if let Some(Value::Array(elements)) = data.get("elements") {
            context.name = None;
            return elements
                .iter()
                .try_for_each(|element| self.element(element, &context));
        }
        let graph = data.get("graph").and_then(Value::as_object).map(inner);
        if let Some(Value::Object(nodes)) = graph.unwrap_or(data).get("node") {
            context.name = None;
            return self.assembly(nodes, &context);
        }
        if data.contains_key("geometry") {
            return self.element(value, &context);
        }
        let what = ["dtype", "datatype"]
            .into_iter()
            .find_map(|key| object.get(key).and_then(Value::as_str));
        let what = what.map_or("JSON object without geometry".to_owned(), clean_name);
        let name = context.name.unwrap_or_default();
        self.notes.add(NoteKind::Unread(what), 1, &name, None);
        Ok(())
    }

    /// The nodes of an assembly, each with a block.
    fn assembly(&mut self, nodes: &Object, context: &Context) -> Result<(), DrawingError> {
        for (key, node) in by_number(nodes) {
            let Some(block) = node.get("block").filter(|block| !block.is_null()) else {
                continue;
            };
            let own = Context {
                name: Some(key.clone()),
                support: is_true(node.get("is_support")),
                ..context.clone()
            };
            self.thing(block, &own)?;
        }
        Ok(())
    }

    /// The elements of a model in the order of its tree, with the transformations of what contains them.
    fn model(
        &mut self,
        data: &Object,
        elements: &Object,
        context: &Context,
    ) -> Result<(), DrawingError> {
        let mut context = context.clone();
        context.place = context.place.then(data.get("transformation"))?;
        let tree = data.get("tree").and_then(Value::as_object).map(inner);
        match tree.and_then(|tree| tree.get("root")) {
            Some(root) => self.branch(root, elements, &context),
            None => elements
                .values()
                .try_for_each(|element| self.element(element, &context)),
        }
    }

    fn branch(
        &mut self,
        node: &Value,
        elements: &Object,
        context: &Context,
    ) -> Result<(), DrawingError> {
        let mut inside = context.clone();
        let element = node
            .get("element")
            .and_then(Value::as_str)
            .and_then(|id| elements.get(id));
        if let Some(element) = element {
            let data = element.as_object().map(inner);
            if data.is_some_and(|data| data.contains_key("geometry")) {
                self.element(element, context)?;
            }
            let transformation = data.and_then(|data| data.get("transformation"));
            inside.place = inside.place.then(transformation)?;
        }
        match node.get("children") {
            Some(Value::Array(children)) => children
                .iter()
                .try_for_each(|child| self.branch(child, elements, &inside)),
            _ => Ok(()),
        }
    }

    fn element(&mut self, element: &Value, context: &Context) -> Result<(), DrawingError> {
        let Some(object) = element.as_object() else {
            return Ok(());
        };
        let data = inner(object);
        let mut own = context.clone();
        let name = [data, object]
            .into_iter()
            .find_map(|o| o.get("name").and_then(Value::as_str).and_then(own_name));
        own.settled |= name.is_some();
        own.name = name.or(own.name);
        own.place = own.place.then(data.get("transformation"))?;
        let attribute = data
            .get("attributes")
            .and_then(|attributes| attributes.get("is_support"));
        own.support = is_true(data.get("is_support")) || is_true(attribute);
        match data.get("geometry") {
            Some(geometry) if !geometry.is_null() => self.thing(geometry, &own),
            _ => {
                let name = own.name.unwrap_or_default();
                let what = NoteKind::Unread("element without geometry".into());
                self.notes.add(what, 1, &name, None);
                Ok(())
            }
        }
    }

    fn mesh(&mut self, data: &Object, context: Context) -> Result<(), DrawingError> {
        let label = context.name.clone().unwrap_or_else(|| "mesh".into());
        let fault = |message: String| {
            DrawingError::whole(format!("in the mesh {}: {message}", quoted(&label)))
        };
        let (Some(Value::Object(vertices)), Some(Value::Object(faces))) =
            (data.get("vertex"), data.get("face"))
        else {
            return Err(fault("`vertex` and `face` must be objects".into()));
        };
        let defaults = data.get("default_vertex_attributes");
        let mut number = std::collections::BTreeMap::new();
        let mut points = Vec::with_capacity(vertices.len());
        for (key, vertex) in by_number(vertices) {
            let axis = |name: &str| {
                let value = vertex.get(name).or_else(|| defaults?.get(name));
                let value = value.map_or(Some(0.0), Value::as_f64);
                value.ok_or_else(|| fault(format!("{name} of vertex {} is no number", quoted(key))))
            };
            number.insert(key.as_str(), points.len() as u32);
            points.push(DVec3::new(axis("x")?, axis("y")?, axis("z")?));
        }
        let mut polygons = Vec::with_capacity(faces.len());
        for (key, face) in by_number(faces) {
            let corners = face.as_array().map(Vec::as_slice).unwrap_or_default();
            let corner = |corner: &Value| {
                let key = match corner {
                    Value::String(key) => key.clone(),
                    other => other.to_string(),
                };
                number.get(key.as_str()).copied()
            };
            let corners: Option<Vec<u32>> = corners.iter().map(corner).collect();
            match corners {
                Some(corners) if corners.len() >= 3 => polygons.push(corners),
                _ => {
                    return Err(fault(format!(
                        "face {} must be a list of at least 3 keys of vertices",
                        quoted(key)
                    )));
                }
            }
        }
        self.push(points, polygons, context)
    }

    fn polyhedron(
        &mut self,
        vertices: &[Value],
        faces: &[Value],
        context: Context,
    ) -> Result<(), DrawingError> {
        let label = context.name.clone().unwrap_or_else(|| "polyhedron".into());
        let fault = |what: &str| {
            DrawingError::whole(format!("in the polyhedron {}: {what}", quoted(&label)))
        };
        let points: Option<Vec<DVec3>> = vertices.iter().map(point).collect();
        let points = points.ok_or_else(|| fault("a vertex must be a list of three numbers"))?;
        let count = points.len() as u64;
        let corner = |v: &Value| v.as_u64().filter(|v| *v < count).map(|v| v as u32);
        let face = |face: &Value| -> Option<Vec<u32>> {
            let corners: Vec<u32> = face.as_array()?.iter().map(corner).collect::<Option<_>>()?;
            (corners.len() >= 3).then_some(corners)
        };
        let polygons: Option<Vec<Vec<u32>>> = faces.iter().map(face).collect();
        let polygons = polygons
            .ok_or_else(|| fault("a face must be a list of at least 3 positions of vertices"))?;
        self.push(points, polygons, context)
    }

    /// A box about its frame.
    fn cuboid(&mut self, data: &Object, context: Context) -> Result<(), DrawingError> {
        let fault = || DrawingError::whole("a box needs xsize, ysize, zsize and a frame");
        let size = |key: &str| data.get(key).and_then(Value::as_f64).ok_or_else(fault);
        let half = 0.5 * DVec3::new(size("xsize")?, size("ysize")?, size("zsize")?);
        let (mut origin, mut axes) = (DVec3::ZERO, DMat3::IDENTITY);
        if let Some(frame) = data.get("frame").and_then(Value::as_object).map(inner) {
            let vector = |key: &str| {
                let value = frame.get(key)?;
                point(value.get("data").unwrap_or(value))
            };
            origin = vector("point").ok_or_else(fault)?;
            let x = vector("xaxis").ok_or_else(fault)?.normalize_or(DVec3::X);
            let y = vector("yaxis").ok_or_else(fault)?;
            let z = x.cross(y).normalize_or(DVec3::Z);
            axes = DMat3::from_cols(x, z.cross(x), z);
        }
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corner = |z: f64| corners.map(|[x, y]| origin + axes * (half * DVec3::new(x, y, z)));
        let points = [corner(-1.0), corner(1.0)].concat();
        let faces = [
            [0, 3, 2, 1],
            [4, 5, 6, 7],
            [0, 1, 5, 4],
            [1, 2, 6, 5],
            [2, 3, 7, 6],
            [3, 0, 4, 7],
        ];
        self.push(points, faces.map(|f| f.to_vec()).to_vec(), context)
    }

    fn push(
        &mut self,
        points: Vec<DVec3>,
        faces: Vec<Vec<u32>>,
        context: Context,
    ) -> Result<(), DrawingError> {
        self.corners += faces.iter().map(Vec::len).sum::<usize>();
        if self.corners > MOST {
            return Err(DrawingError::whole(
                "too many faces for a drawing of blocks",
            ));
        }
        let Place { linear, shift } = context.place;
        self.pieces.push(Piece {
            numbered: context.name.is_none(),
            name: context.name.unwrap_or_else(|| "part".into()),
            layer: context.layer,
            support: context.support,
            vertices: points.into_iter().map(|p| linear * p + shift).collect(),
            faces,
            line: None,
        });
        Ok(())
    }
}

impl Place {
    /// First the transformation that a file gives, a matrix of four rows, then this.
    fn then(self, transformation: Option<&Value>) -> Result<Self, DrawingError> {
        let Some(value) = transformation.filter(|value| !value.is_null()) else {
            return Ok(self);
        };
        let fault =
            || DrawingError::whole("a transformation must have a matrix of 4 rows of 4 numbers");
        let data = value.as_object().map(inner).ok_or_else(fault)?;
        let rows = data
            .get("matrix")
            .and_then(Value::as_array)
            .ok_or_else(fault)?;
        let entry = |r: usize, c: usize| {
            let row = rows.get(r).and_then(Value::as_array);
            row.and_then(|row| row.get(c)?.as_f64()).ok_or_else(fault)
        };
        let column =
            |c: usize| Ok::<_, DrawingError>(DVec3::new(entry(0, c)?, entry(1, c)?, entry(2, c)?));
        let linear = DMat3::from_cols(column(0)?, column(1)?, column(2)?);
        Ok(Self {
            linear: self.linear * linear,
            shift: self.linear * column(3)? + self.shift,
        })
    }
}

/// The content of a thing with a type.
fn inner(object: &Object) -> &Object {
    match object.get("data") {
        Some(Value::Object(data)) => data,
        _ => object,
    }
}

fn is_true(value: Option<&Value>) -> bool {
    value.and_then(Value::as_bool).unwrap_or(false)
}

/// A name that somebody gave.
fn own_name(name: &str) -> Option<String> {
    let name = clean_name(name);
    (!name.is_empty() && !CLASSES.contains(&name.as_str())).then_some(name)
}

fn point(value: &Value) -> Option<DVec3> {
    match value.as_array()?.as_slice() {
        [x, y, z] => Some(DVec3::new(x.as_f64()?, y.as_f64()?, z.as_f64()?)),
        _ => None,
    }
}

/// Entries with numbers for keys in the order of these, then the others.
fn by_number(object: &Object) -> Vec<(&String, &Value)> {
    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
    entries.sort_by_key(|(key, _)| (key.parse::<u64>().unwrap_or(u64::MAX), (*key).clone()));
    entries
}

pub(crate) fn write(solids: &[DrawnSolid]) -> Vec<u8> {
    let mut nodes = Object::new();
    let mut edges = Object::new();
    for (number, solid) in solids.iter().enumerate() {
        let entry = json!({ "block": block(solid, number), "is_support": solid.support });
        nodes.insert(number.to_string(), entry);
        edges.insert(number.to_string(), json!({}));
    }
    let last = solids.len().checked_sub(1);
    let assembly = json!({
        "dtype": "compas_assembly.datastructures/Assembly",
        "data": {
            "attributes": { "name": "Assembly" },
            "graph": {
                "dtype": "compas.datastructures/Graph",
                "data": {
                    "attributes": {},
                    "default_edge_attributes": { "interfaces": null },
                    "default_node_attributes": {
                        "block": null, "displacement": [0, 0, 0, 0, 0, 0], "is_support": false,
                        "x": 0.0, "y": 0.0, "z": 0.0,
                    },
                    "edge": edges,
                    "max_node": last.map_or(-1, |last| last as i64),
                    "node": nodes,
                },
            },
        },
    });
    let mut bytes = assembly.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

fn block(solid: &DrawnSolid, number: usize) -> Value {
    let mut vertices = Object::new();
    for (i, v) in solid.vertices.iter().enumerate() {
        vertices.insert(i.to_string(), json!({ "x": v.x, "y": v.y, "z": v.z }));
    }
    let mut faces = Object::new();
    for (i, face) in solid.faces.iter().enumerate() {
        faces.insert(i.to_string(), json!(face));
    }
    let mut attributes = json!({ "node": number });
    if let Some(layer) = &solid.layer {
        attributes["layer"] = json!(layer);
    }
    json!({
        "dtype": "compas_assembly.datastructures/Block",
        "inheritance": ["compas.datastructures/Mesh"],
        "name": solid.name,
        "data": {
            "attributes": attributes,
            "default_edge_attributes": {},
            "default_face_attributes": {},
            "default_vertex_attributes": { "x": 0.0, "y": 0.0, "z": 0.0 },
            "edgedata": {},
            "face": faces,
            "facedata": {},
            "max_face": solid.faces.len() as i64 - 1,
            "max_vertex": solid.vertices.len() as i64 - 1,
            "vertex": vertices,
        },
    })
}
