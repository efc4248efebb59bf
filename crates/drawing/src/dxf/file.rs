//! Sections and entities of a DXF file.

use std::collections::{BTreeMap, BTreeSet};

use drystone_geometry::DVec3;

use super::groups::Group;
use crate::DrawingError;
use crate::text::{number, quoted};

/// What a file holds, before shapes are looked at.
#[derive(Debug, Default)]
pub(super) struct File<'a> {
    /// $INSUNITS and its line.
    pub unit: Option<(i64, usize)>,
    /// Layers that are frozen or switched off, in capital letters.
    pub hidden: BTreeSet<String>,
    /// Definitions for INSERT by their names in capital letters.
    pub blocks: BTreeMap<String, Block<'a>>,
    /// What stands in the drawing itself.
    pub entities: Vec<Entity<'a>>,
}

/// A definition for INSERT.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub base: DVec3,
    /// It stands for another file.
    pub external: bool,
    pub entities: Vec<Entity<'a>>,
}

/// An entity with its groups, and the vertices that follow a POLYLINE.
#[derive(Debug)]
pub(super) struct Entity<'a> {
    pub kind: &'a str,
    pub line: usize,
    pub groups: &'a [Group<'a>],
    pub vertices: Vec<Entity<'a>>,
}

impl<'a> Entity<'a> {
    /// The first value of a code.
    pub(super) fn text(&self, code: i32) -> Option<&'a str> {
        self.groups.iter().find(|g| g.code == code).map(|g| g.value)
    }

    /// The first number of a code.
    pub(super) fn real(&self, code: i32) -> Result<Option<f64>, DrawingError> {
        let group = self.groups.iter().find(|g| g.code == code);
        group.map(real).transpose()
    }

    /// The first whole number of a code; 0 if there is none.
    pub(super) fn whole(&self, code: i32) -> Result<i64, DrawingError> {
        let group = self.groups.iter().find(|g| g.code == code);
        Ok(group.map(whole).transpose()?.unwrap_or(0))
    }

    /// The point whose x has this code, y ten more and z twenty more; zero where a coordinate is missing.
    pub(super) fn point(&self, code: i32) -> Result<DVec3, DrawingError> {
        Ok(DVec3::new(
            self.real(code)?.unwrap_or(0.0),
            self.real(code + 10)?.unwrap_or(0.0),
            self.real(code + 20)?.unwrap_or(0.0),
        ))
    }

    /// The layer.
    pub(super) fn layer(&self) -> String {
        name(self.text(8).unwrap_or("0"))
    }
}

/// The number of a group.
pub(super) fn real(group: &Group<'_>) -> Result<f64, DrawingError> {
    number(
        group.value,
        group.line,
        &format!("the value of group {}", group.code),
    )
}

/// The whole number of a group.
pub(super) fn whole(group: &Group<'_>) -> Result<i64, DrawingError> {
    group.value.parse().map_err(|_| {
        DrawingError::at(
            group.line,
            format!(
                "the value of group {} is {}, not a whole number",
                group.code,
                quoted(group.value)
            ),
        )
    })
}

/// A name with letters written as `\U+00E9` put in.
pub(super) fn name(raw: &str) -> String {
    let mut parts = raw.split("\\U+");
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part
            .get(..4)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match code.and_then(char::from_u32) {
            Some(letter) => {
                name.push(letter);
                name.push_str(&part[4..]);
            }
            None => {
                name.push_str("\\U+");
                name.push_str(part);
            }
        }
    }
    crate::text::clean_name(&name)
}

impl<'a> File<'a> {
    pub(super) fn read(groups: &'a [Group<'a>]) -> Result<Self, DrawingError> {
        let mut file = Self::default();
        let mut at = 0;
        let mut any = false;
        while at < groups.len() {
            let group = groups[at];
            at += 1;
            match (group.code, group.value) {
                (0, "EOF") => break,
                (0, "SECTION") => any = true,
                _ if any => continue,
                _ => {
                    return Err(DrawingError::at(
                        group.line,
                        "not a DXF file: it must begin with a section",
                    ));
                }
            }
            if (group.code, group.value) != (0, "SECTION") {
                continue;
            }
            let end = groups[at..]
                .iter()
                .position(|g| g.code == 0 && g.value == "ENDSEC");
            let Some(end) = end else {
                return Err(DrawingError::at(
                    groups.last().map_or(1, |g| g.line),
                    format!(
                        "the file ends within the section that begins at line {}: it is truncated",
                        group.line
                    ),
                ));
            };
            let content = &groups[at..at + end];
            at += end + 1;
            let Some((title, content)) = content.split_first() else {
                continue;
            };
            match title.value {
                "HEADER" => file.header(content)?,
                "TABLES" => file.tables(content)?,
                "BLOCKS" => file.blocks(content)?,
                "ENTITIES" => file.entities = entities(content),
                _ => {}
            }
        }
        if !any {
            return Err(DrawingError::whole("not a DXF file: it has no sections"));
        }
        Ok(file)
    }

    fn header(&mut self, groups: &[Group<'_>]) -> Result<(), DrawingError> {
        for pair in groups.windows(2) {
            if pair[0].code == 9 && pair[0].value == "$INSUNITS" {
                self.unit = Some((whole(&pair[1])?, pair[1].line));
            }
        }
        Ok(())
    }

    fn tables(&mut self, groups: &'a [Group<'a>]) -> Result<(), DrawingError> {
        for entity in entities(groups) {
            if entity.kind != "LAYER" {
                continue;
            }
            let frozen = entity.whole(70)? & 1 != 0;
            let off = entity.whole(62)? < 0;
            if let (true, Some(layer)) = (frozen || off, entity.text(2)) {
                self.hidden.insert(name(layer).to_uppercase());
            }
        }
        Ok(())
    }

    fn blocks(&mut self, groups: &'a [Group<'a>]) -> Result<(), DrawingError> {
        let mut current: Option<(String, Block<'a>)> = None;
        for entity in entities(groups) {
            match entity.kind {
                "BLOCK" => {
                    let key = name(entity.text(2).unwrap_or_default()).to_uppercase();
                    let block = Block {
                        base: entity.point(10)?,
                        external: entity.whole(70)? & 4 != 0,
                        entities: Vec::new(),
                    };
                    current = Some((key, block));
                }
                "ENDBLK" => {
                    if let Some((key, block)) = current.take() {
                        self.blocks.insert(key, block);
                    }
                }
                _ => {
                    if let Some((_, block)) = &mut current {
                        block.entities.push(entity);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Divides groups at codes 0; vertices go to their polylines.
fn entities<'a>(groups: &'a [Group<'a>]) -> Vec<Entity<'a>> {
    let mut list: Vec<Entity<'a>> = Vec::new();
    // Whether VERTEX belongs to the last entity.
    let mut open = false;
    let mut at = 0;
    while at < groups.len() {
        let head = &groups[at];
        let length = groups[at + 1..]
            .iter()
            .position(|g| g.code == 0)
            .unwrap_or(groups.len() - at - 1);
        let content = &groups[at + 1..at + 1 + length];
        at += 1 + length;
        if head.code != 0 {
            continue;
        }
        let entity = Entity {
            kind: head.value,
            line: head.line,
            groups: content,
            vertices: Vec::new(),
        };
        match head.value {
            "VERTEX" if open => {
                if let Some(last) = list.last_mut() {
                    last.vertices.push(entity);
                }
            }
            // Texts of an INSERT, and what ends them.
            "ATTRIB" => {}
            "SEQEND" => open = false,
            kind => {
                open = kind == "POLYLINE";
                list.push(entity);
            }
        }
    }
    list
}
