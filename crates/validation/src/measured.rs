//! What experiments measure, and how exactly the step problems behind it were solved.
//!
//! Runs note their tolerances as they begin ([`note`]), and a quantity takes with it those of all runs that its part of the experiment made before it was entered:
//! whoever adds an experiment has nothing to state, and nothing stated can become wrong. Where runs of one experiment have different tolerances, a [`Part`]
//! keeps them apart. Runs are noted per thread; an experiment that makes runs on others notes them on its own.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Index;

use drystone_cone::Tolerances;
use drystone_model::{AnalysisKind, Model, TimeHistory, Tolerance};
use drystone_questions::time_history::tolerances;

/// All words as they are in model files, from loose to strict.
const WORDS: [&str; 3] = ["preview", "default", "validation"];

fn index(word: Tolerance) -> usize {
    match word {
        Tolerance::Preview => 0,
        Tolerance::Default => 1,
        Tolerance::Validation => 2,
    }
}

/// Tolerances of the complementarity gap, which converges last, by the word of `WORDS` that led to them: the least and the largest. Empty if no step was solved.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Solved([Option<[f64; 2]>; 3]);

impl Solved {
    fn add(&mut self, other: Self) {
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine = match (*mine, other) {
                (Some(a), Some(b)) => Some([a[0].min(b[0]), a[1].max(b[1])]),
                (a, b) => a.or(b),
            };
        }
    }

    /// No step was solved.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// For instance `default 1e-7`, `default 1.8e-8 to 1e-7, validation 1e-9`, or `none`.
impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |x: f64| format!("{x:.1e}").replace(".0e", "e");
        let mut parts = Vec::new();
        for (word, range) in WORDS.iter().zip(self.0) {
            if let Some([least, largest]) = range.map(|range| range.map(number)) {
                let to = if least == largest {
                    String::new()
                } else {
                    format!(" to {largest}")
                };
                parts.push(format!("{word} {least}{to}"));
            }
        }
        if parts.is_empty() {
            parts.push("none".to_owned());
        }
        f.pad(&parts.join(", "))
    }
}

thread_local! {
    /// Of the runs in this part so far.
    static SEEN: Cell<Solved> = const { Cell::new(Solved([None; 3])) };
}

/// Notes step problems that are solved to tolerances under a word.
pub fn note_tolerances(word: Tolerance, tolerances: Tolerances) {
    let mut one = Solved::default();
    one.0[index(word)] = Some([tolerances.gap; 2]);
    let mut seen = SEEN.get();
    seen.add(one);
    SEEN.set(seen);
}

/// Notes a run of a time history, with the tolerances that it works out for itself.
pub fn note(model: &Model, settings: &TimeHistory) {
    note_tolerances(settings.tolerance, tolerances(model, settings));
}

/// Notes a run of each time history of a model.
pub fn note_all(model: &Model) {
    for analysis in &model.analyses {
        if let AnalysisKind::TimeHistory(settings) = &analysis.kind {
            note(model, settings);
        }
    }
}

/// A part of an experiment: quantities that are entered while it lasts come from runs that began in it. Those entered afterwards may come from all.
#[derive(Debug)]
#[must_use]
pub struct Part {
    before: Solved,
}

impl Part {
    /// Begins one, which lasts until it is dropped.
    pub fn begin() -> Self {
        Self {
            before: SEEN.take(),
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut seen = SEEN.get();
        seen.add(self.before);
        SEEN.set(seen);
    }
}

/// Measured quantities of one experiment by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measurements(BTreeMap<String, (f64, Solved)>);

impl Measurements {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Enters a quantity, or a new value of it, with the tolerances of the runs so far.
    pub fn insert(&mut self, name: String, value: f64) {
        self.0.insert(name, (value, SEEN.get()));
    }

    /// Enters a quantity of which the largest value counts; one that is not a number stays.
    pub fn insert_largest(&mut self, name: &str, value: f64) {
        let largest = self.get(name).map_or(value, |before| {
            if before.is_nan() || before > value {
                before
            } else {
                value
            }
        });
        self.insert(name.to_owned(), largest);
    }

    /// A value.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.get(name).map(|(value, _)| *value)
    }

    /// How exactly steps were solved for it.
    pub fn solved(&self, name: &str) -> Solved {
        self.0.get(name).map_or_else(Solved::default, |(_, s)| *s)
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0
            .iter()
            .map(|(name, (value, _))| (name.as_str(), *value))
    }
}

impl<const N: usize> From<[(String, f64); N]> for Measurements {
    fn from(values: [(String, f64); N]) -> Self {
        let mut all = Self::new();
        for (name, value) in values {
            all.insert(name, value);
        }
        all
    }
}

impl Index<&str> for Measurements {
    type Output = f64;

    fn index(&self, name: &str) -> &f64 {
        &self.0[name].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note_gap(word: Tolerance, gap: f64) {
        let tolerances = Tolerances {
            gap,
            ..Tolerances::default()
        };
        note_tolerances(word, tolerances);
    }

    /// A quantity has the tolerances of the runs of its part, one entered after the parts those of all.
    #[test]
    fn quantities_have_the_tolerances_of_their_runs() {
        let _experiment = Part::begin();
        let mut results = Measurements::new();
        results.insert("static".into(), 1.0);
        for (name, gap) in [("coarse", 1e-7), ("fine", 1.84e-8)] {
            let _part = Part::begin();
            note_gap(Tolerance::Default, gap);
            results.insert(name.into(), 2.0);
        }
        {
            let _part = Part::begin();
            results.insert("also static".into(), 3.0);
        }
        note_gap(Tolerance::Validation, 1e-9);
        results.insert("all".into(), 4.0);
        let text = |name: &str| results.solved(name).to_string();
        assert_eq!(text("static"), "none");
        assert_eq!(text("also static"), "none");
        assert_eq!(text("coarse"), "default 1e-7");
        assert_eq!(text("fine"), "default 1.8e-8");
        assert_eq!(text("all"), "default 1.8e-8 to 1e-7, validation 1e-9");
        assert!(results.solved("static").is_none() && !results.solved("all").is_none());
    }

    /// The words are those of model files, and the numbers those of a run.
    #[test]
    fn words_are_those_of_model_files() {
        for (word, expected) in [
            ("preview", "preview 1e-5"),
            ("default", "default 1e-7"),
            ("validation", "validation 1e-9"),
        ] {
            let _part = Part::begin();
            let mut scene = crate::scene::Scene::new(0.5, "");
            scene
                .cuboid("ground", [-2.0, -2.0, -0.5], [2.0, 2.0, 0.0], "support = true")
                .cuboid("block", [-0.5, -0.5, 0.0], [0.5, 0.5, 1.0], "")
                .add(&format!(
                    "[[analysis]]\nname = \"rest\"\nkind = \"time_history\"\ndt = 0.005\nduration = 0.01\ntolerance = \"{word}\""
                ));
            let model = scene.model().unwrap();
            crate::experiments::simulate(&model, &mut |_| {}).unwrap();
            let results = Measurements::from([("x".into(), 1.0)]);
            assert_eq!(results.solved("x").to_string(), expected);
        }
    }

    /// One experiment does not see the runs of another.
    #[test]
    fn experiments_do_not_mix() {
        for word in [Tolerance::Default, Tolerance::Preview] {
            let _experiment = Part::begin();
            note_gap(word, 1e-5);
            let results = Measurements::from([("x".into(), 1.0)]);
            let expected = format!("{} 1e-5", WORDS[index(word)]);
            assert_eq!(results.solved("x").to_string(), expected);
        }
    }
}
