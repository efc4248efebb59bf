//! Items of a model file to the model as written. Reports every key that is unknown or missing and every value of the wrong
//! type; whether the values make sense is a matter of compilation.

mod elements;

use std::collections::BTreeSet;

use drystone_keys::{Decode, Item, Json, Node, Source, read_tree};

use crate::fault::{Fault, Faults, Section, Trail, did_you_mean};
use crate::spec::ModelSpec;

/// Items that could not be read in full. They are in the model as written, by name at least, so that what refers to them
/// is not reported too, but their values mean nothing.
#[derive(Debug, Default)]
pub(crate) struct Broken(BTreeSet<(Section, usize)>);

impl Broken {
    pub fn has(&self, section: Section, item: usize) -> bool {
        self.0.contains(&(section, item))
    }

    pub fn any(&self, section: Section) -> bool {
        self.0
            .range((section, 0)..=(section, usize::MAX))
            .next()
            .is_some()
    }
}

/// Reads the model as written.
pub(crate) fn decode(source: Source<'_>, faults: &mut Faults) -> (ModelSpec, Broken) {
    let mut decoder = Decoder::default();
    source.read(faults, &mut |item, faults| decoder.item(&item, faults));
    (decoder.spec, decoder.broken)
}

/// As [`decode`], from a tree of JSON in memory.
pub(crate) fn decode_tree(tree: &Json, faults: &mut Faults) -> ModelSpec {
    let mut decoder = Decoder::default();
    read_tree(tree, faults, &mut |item, faults| {
        decoder.item(&item, faults)
    });
    decoder.spec
}

#[derive(Default)]
struct Decoder {
    spec: ModelSpec,
    broken: Broken,
    general_seen: bool,
    /// Sections complained about, so that a thousand wrong items of one kind are one fault.
    refused: BTreeSet<String>,
}

impl Decoder {
    fn item(&mut self, item: &Item<'_>, faults: &mut Faults) {
        let key = item.section.text.as_ref();
        match Section::of(key) {
            None => self.unknown(item, faults),
            Some(Section::Model) => self.general(item, faults),
            Some(section) => match item.index {
                Some(index) => self.element(section, index, item, faults),
                None => faults.push(
                    Fault::new(format!(
                        "`{key}` is {}, but must be an array of tables",
                        item.node.describe()
                    ))
                    .help(format!(
                        "write [[{key}]] in TOML, \"{key}\": [{{...}}] in JSON"
                    ))
                    .span(item.section.span.clone()),
                ),
            },
        }
    }

    fn unknown(&mut self, item: &Item<'_>, faults: &mut Faults) {
        let key = item.section.text.as_ref();
        if !self.refused.insert(key.to_owned()) {
            return;
        }
        let known = Section::ALL.into_iter().map(Section::key);
        let fault = Fault::new(format!("unknown key `{key}` at the top of the file"))
            .maybe_help(did_you_mean(key, "known keys", known));
        faults.push(fault.span(item.section.span.clone()));
    }

    fn general(&mut self, item: &Item<'_>, faults: &mut Faults) {
        if item.index.is_some() {
            if self.refused.insert("model".into()) {
                faults.push(
                    Fault::new("`model` is an array, but must be a single table")
                        .help("write [model] in TOML, \"model\": {...} in JSON")
                        .span(item.section.span.clone()),
                );
            }
        } else if std::mem::replace(&mut self.general_seen, true) {
            faults.push(
                Fault::new("[model] stands twice in the file").span(item.section.span.clone()),
            );
        } else if !item.broken
            && let Some(general) = Decode::decode(&item.node, Trail::table(Section::Model), faults)
        {
            self.spec.model = general;
        }
    }

    fn element(&mut self, section: Section, index: usize, item: &Item<'_>, faults: &mut Faults) {
        let before = faults.len();
        let name = item.node.name();
        let trail = Trail::item(section, index, name);
        let spec = &mut self.spec;
        let (node, broken) = (&item.node, item.broken);
        match section {
            Section::Model => {}
            Section::Material => spec.material.push(read(node, broken, trail, faults)),
            Section::Interface => spec.interface.push(read(node, broken, trail, faults)),
            Section::Block => spec.block.push(read(node, broken, trail, faults)),
            Section::Import => spec.import.push(read(node, broken, trail, faults)),
            Section::Generate => spec.generate.push(read(node, broken, trail, faults)),
            Section::Load => spec.load.push(read(node, broken, trail, faults)),
            Section::Tie => spec.tie.push(read(node, broken, trail, faults)),
            Section::Motion => spec.motion.push(read(node, broken, trail, faults)),
            Section::Analysis => spec.analysis.push(read(node, broken, trail, faults)),
        }
        if broken || faults.len() > before {
            self.broken.0.insert((section, index));
        }
    }
}

/// Something that stands in an array at the top of the file.
trait Element: Decode + Default {
    /// What stands for an item that could not be read.
    fn named(name: &str) -> Self;
}

fn read<T: Element>(node: &Node<'_>, broken: bool, trail: Trail<'_>, faults: &mut Faults) -> T {
    let decoded = if broken {
        None
    } else {
        T::decode(node, trail, faults)
    };
    decoded.unwrap_or_else(|| T::named(node.name().unwrap_or_default()))
}
