//! The runs of a campaign, in order: what is changed in each.

use crate::statistics::{latin_hypercube, sobol};
use drystone_model::{
    Campaign, FailureDomain, Fragility, MOST_SOBOL, ModelSpec, Question, Samples, Sweep, Variation,
    Varied, VaryValue,
};
use serde_json::Value;

use crate::error::Error;
use crate::task::{Scaling, Task};

/// All runs that a campaign may make; those that it makes are chosen as results come in.
#[derive(Debug)]
pub struct Plan {
    /// What is asked.
    pub campaign: Campaign,
    variation: Variation,
    /// Samples of a sweep that is no grid.
    samples: Vec<Vec<f64>>,
    /// Names of motions with how far their seed is counted up.
    suite: Vec<(String, u32)>,
    size: usize,
}

/// One run of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// What the keys of [`Plan::keys`] become.
    pub values: Vec<VaryValue>,
    /// The motion that acts, with how far its seed is counted up; absent: that of the analysis.
    pub motion: Option<(String, u32)>,
    /// How strong it is made.
    pub scaling: Option<Scaling>,
}

impl Plan {
    /// Plans a campaign on a model as written.
    pub fn new(spec: &ModelSpec, campaign: &Campaign) -> Result<Self, Error> {
        let keys = keys(campaign);
        let variation = Variation::find(spec, &keys)?;
        let groups: usize = campaign.vary.iter().map(choices).product();
        let mut samples = Vec::new();
        let mut suite = Vec::new();
        let size = match &campaign.question {
            Question::Sweep(sweep) => {
                samples = sampled(sweep, campaign.vary.len())?;
                sweep.count
            }
            Question::FailureDomain(domain) => {
                groups * directions(domain) * choices(&domain.x) * choices(&domain.y)
            }
            Question::Fragility(fragility) => {
                for (name, count) in &fragility.motions {
                    suite.extend((0..*count).map(|offset| (name.clone(), offset)));
                }
                groups * suite.len() * fragility.intensities.len().max(1)
            }
        };
        Ok(Self {
            campaign: campaign.clone(),
            variation,
            samples,
            suite,
            size,
        })
    }

    /// Number of runs that may be made.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Paths of what varies, in the order of [`Point::values`].
    pub fn keys(&self) -> Vec<&str> {
        keys(&self.campaign)
    }

    /// Motions of a fragility analysis, with how far their seeds are counted up.
    pub fn suite(&self) -> &[(String, u32)] {
        &self.suite
    }

    /// Number of combinations of what varies beside what the question itself does: each has an answer of its own.
    pub fn groups(&self) -> usize {
        match self.campaign.question {
            Question::Sweep(_) => 1,
            _ => self.campaign.vary.iter().map(choices).product(),
        }
    }

    /// The values of a combination.
    pub fn group(&self, group: usize) -> Vec<VaryValue> {
        combination(&self.campaign.vary, group)
    }

    /// A run, by its number from 0.
    pub fn point(&self, index: usize) -> Point {
        let none = |values| Point {
            values,
            motion: None,
            scaling: None,
        };
        match &self.campaign.question {
            Question::Sweep(_) => none(match self.samples.get(index) {
                Some(sample) => {
                    let each = self.campaign.vary.iter().zip(sample);
                    each.map(|(varied, part)| varied.points.at(*part)).collect()
                }
                None => combination(&self.campaign.vary, index),
            }),
            Question::FailureDomain(domain) => {
                let (nx, ny) = (choices(&domain.x), choices(&domain.y));
                let (curve, i, j) = (index / (nx * ny), index / ny % nx, index % ny);
                let mut values = self.group(curve / directions(domain));
                values.push(domain.x.points.values()[i].clone());
                let opposite = curve % directions(domain) == 1;
                values.push(match &domain.y.points.values()[j] {
                    VaryValue::Number(y) if opposite => VaryValue::Number(-y),
                    y => y.clone(),
                });
                none(values)
            }
            Question::Fragility(fragility) => {
                let steps = fragility.intensities.len().max(1);
                let (series, step) = (index / steps, index % steps);
                let (group, motion) = (series / self.suite.len(), series % self.suite.len());
                Point {
                    values: self.group(group),
                    motion: Some(self.suite[motion].clone()),
                    scaling: Some(Scaling {
                        intensity: fragility.intensity,
                        value: fragility.intensities.get(step).copied(),
                    }),
                }
            }
        }
    }

    /// Everything that determines a run.
    pub fn task(&self, index: usize) -> Task {
        let point = self.point(index);
        let mut task = self.task_of(&self.campaign.of, &point.values, point.motion.as_ref());
        task.scaling = point.scaling;
        task
    }

    /// The task of another analysis with the values of a run, for what is drawn along.
    pub fn task_of(
        &self,
        analysis: &str,
        values: &[VaryValue],
        motion: Option<&(String, u32)>,
    ) -> Task {
        let mut model = self.variation.tree(values);
        prune(&mut model, analysis, motion);
        Task {
            version: drystone_questions::answer::program_version(),
            model,
            scaling: None,
            after_motion: match &self.campaign.question {
                Question::Sweep(_) => None,
                Question::FailureDomain(FailureDomain { after_motion, .. })
                | Question::Fragility(Fragility { after_motion, .. }) => *after_motion,
            },
        }
    }
}

/// Directions of a failure domain.
pub(crate) fn directions(domain: &FailureDomain) -> usize {
    1 + usize::from(domain.both_directions)
}

/// Number of values of a key.
pub(crate) fn choices(varied: &Varied) -> usize {
    varied.points.values().len()
}

fn keys(campaign: &Campaign) -> Vec<&str> {
    let mut keys: Vec<&str> = campaign
        .vary
        .iter()
        .map(|varied| varied.key.as_str())
        .collect();
    if let Question::FailureDomain(domain) = &campaign.question {
        keys.extend([domain.x.key.as_str(), domain.y.key.as_str()]);
    }
    keys
}

fn sampled(sweep: &Sweep, dimensions: usize) -> Result<Vec<Vec<f64>>, Error> {
    match sweep.samples {
        Samples::Grid => Ok(Vec::new()),
        Samples::LatinHypercube => Ok(latin_hypercube(sweep.count, dimensions, sweep.seed)),
        Samples::Sobol => sobol(sweep.count, dimensions).ok_or_else(|| {
            Error::Input(format!(
                "{dimensions} keys vary, but the sequence of Sobol is known for at most {MOST_SOBOL}; take samples = \"latin_hypercube\""
            ))
        }),
    }
}

/// The values of all keys in one of all their combinations; those of the last key change fastest.
fn combination(vary: &[Varied], mut index: usize) -> Vec<VaryValue> {
    let mut values: Vec<VaryValue> = Vec::with_capacity(vary.len());
    for varied in vary.iter().rev() {
        let choices = varied.points.values();
        values.extend(choices.get(index % choices.len().max(1)).cloned());
        index /= choices.len().max(1);
    }
    values.reverse();
    values
}

/// Leaves of a model as written what one analysis needs, so that changes elsewhere in the file leave its results valid.
fn prune(model: &mut Value, analysis: &str, motion: Option<&(String, u32)>) {
    if let Some(general) = model.get_mut("model").and_then(Value::as_object_mut) {
        general.remove("name");
    }
    let named = |item: &Value, name: &str| item["name"] == name;
    if let Some(list) = model.get_mut("analysis").and_then(Value::as_array_mut) {
        list.retain(|item| named(item, analysis));
        if let (Some((name, _)), Some(chosen)) =
            (motion, list.first_mut().and_then(Value::as_object_mut))
        {
            chosen.remove("motions");
            chosen.insert("motion".to_owned(), Value::from(name.as_str()));
        }
    }
    let chosen = &model["analysis"][0];
    let mut used: Vec<String> = Vec::new();
    used.extend(chosen["motion"].as_str().map(str::to_owned));
    let several = chosen["motions"].as_array().into_iter().flatten();
    used.extend(several.filter_map(|name| name.as_str().map(str::to_owned)));
    if let Some(list) = model.get_mut("motion").and_then(Value::as_array_mut) {
        list.retain(|item| used.iter().any(|name| named(item, name)));
        for item in list {
            if let Some((name, offset)) = motion
                && *offset > 0
                && named(item, name)
                && let Some(seed) = item["seed"].as_u64()
            {
                // Seeds are numbers of 32 bits, and go round.
                item["seed"] = Value::from((seed as u32).wrapping_add(*offset));
            }
        }
    }
}
