//! Names of things, and finding things by name.

use std::collections::HashMap;

use crate::decode::Broken;
use crate::fault::{Fault, Faults, Section, Trail, did_you_mean};

/// The names of one section of the model. The map is only ever asked for single names, so that its order does not matter.
pub(crate) struct Names<'n> {
    section: Section,
    by_name: HashMap<&'n str, usize>,
    in_order: Vec<&'n str>,
    /// Some item could not even be asked for its name: it may be the one that is missing.
    uncertain: bool,
}

impl<'n> Names<'n> {
    /// Takes the names of all items; reports those that are empty or used twice.
    pub fn collect(
        section: Section,
        names: impl Iterator<Item = &'n str>,
        broken: &Broken,
        faults: &mut Faults,
    ) -> Self {
        Self::collect_from(section, names, &|item| (section, item), broken, faults)
    }

    /// As [`Names::collect`], for items of which some stand elsewhere in the file: blocks of structures.
    pub fn collect_from(
        section: Section,
        names: impl Iterator<Item = &'n str>,
        origin: &dyn Fn(usize) -> (Section, usize),
        broken: &Broken,
        faults: &mut Faults,
    ) -> Self {
        let in_order: Vec<&str> = names.collect();
        let mut by_name = HashMap::with_capacity(in_order.len());
        let mut uncertain = false;
        for (item, &name) in in_order.iter().enumerate() {
            let (written, number) = origin(item);
            let trail = Trail::item(written, number, Some(name));
            if name.is_empty() {
                if broken.has(section, item) {
                    uncertain = true;
                } else {
                    let trail = Trail::item(section, item, None);
                    faults.push(Fault::at(trail.key("name"), "the name is empty"));
                }
                continue;
            }
            if let Some(first) = by_name.insert(name, item) {
                by_name.insert(name, first);
                let (elsewhere, number) = origin(first);
                let what = format!("{} {} has this name already", elsewhere.key(), number + 1);
                faults.push(Fault::at(trail.key("name"), what).help("names must be unique"));
            }
        }
        Self {
            section,
            by_name,
            in_order,
            uncertain,
        }
    }

    /// The position of the thing of this name; reports an unknown name.
    pub fn find(&self, name: &str, trail: Trail<'_>, faults: &mut Faults) -> Option<usize> {
        let found = self.by_name.get(name).copied();
        if found.is_none() && !self.uncertain {
            // Looking for the nearest of a million names takes a while; nobody needs it a thousand times.
            let help = if faults.len() < 100 {
                let plural = match self.section {
                    Section::Analysis => "analyses".to_owned(),
                    section => format!("{}s", section.key()),
                };
                did_you_mean(
                    name,
                    &plural,
                    self.in_order
                        .iter()
                        .copied()
                        .filter(|name| !name.is_empty()),
                )
            } else {
                None
            };
            let what = format!("there is no {} \"{name}\"", self.section.key());
            faults.push(Fault::at(trail, what).maybe_help(help));
        }
        found
    }

    /// Some names are not known, because what makes them is at fault.
    pub fn doubt(&mut self) {
        self.uncertain = true;
    }

    /// As [`Names::find`], without a report.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}
