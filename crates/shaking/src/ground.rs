//! The motion of the ground as an exact function of time.

use crate::{Motion, MotionKind, Pulse};
use drystone_geometry::DVec3;

use super::linear::{Kinematics, PiecewiseLinear};
use super::sine::SineBurst;
use super::{ExcitationError, RecordSeries, SineStart, synthetic};

/// How the acceleration along one direction runs.
#[derive(Debug, Clone, PartialEq)]
enum Course {
    Linear(PiecewiseLinear),
    Sine(SineBurst),
}

impl Course {
    fn pulse(pulse: Pulse) -> Self {
        match pulse {
            Pulse::OneSine {
                amplitude,
                half_period,
            } => Self::Sine(SineBurst {
                amplitude,
                omega: std::f64::consts::PI / half_period,
                duration: 2.0 * half_period,
                start: SineStart::Still,
            }),
            Pulse::Biphasic {
                amplitude,
                half_period,
            } => Self::Linear(PiecewiseLinear::steps(&[
                (amplitude, half_period),
                (-0.5 * amplitude, 2.0 * half_period),
            ])),
            Pulse::Rectangular {
                amplitude,
                half_period,
            } => Self::Linear(PiecewiseLinear::steps(&[(amplitude, half_period)])),
            Pulse::Sine {
                amplitude,
                frequency,
                duration,
                start,
            } => Self::Sine(SineBurst {
                amplitude,
                omega: 2.0 * std::f64::consts::PI * frequency,
                duration,
                start,
            }),
        }
    }

    fn at(&self, time: f64) -> Kinematics {
        match self {
            Self::Linear(linear) => linear.at(time),
            Self::Sine(sine) => sine.at(time),
        }
    }

    fn acceleration_before(&self, time: f64) -> f64 {
        match self {
            Self::Linear(linear) => linear.acceleration_before(time),
            Self::Sine(sine) => sine.acceleration_before(time),
        }
    }

    fn end(&self) -> f64 {
        match self {
            Self::Linear(linear) => linear.end(),
            Self::Sine(sine) => sine.duration,
        }
    }

    /// Integral of the square of acceleration from the start to a time, m²/s³.
    fn intensity(&self, time: f64) -> f64 {
        match self {
            Self::Linear(linear) => linear.intensity(time),
            Self::Sine(sine) => sine.intensity(time),
        }
    }
}

/// The accelerogram of a motion that is made up from a seed; nothing for others.
pub fn synthetic_series(kind: &MotionKind) -> Option<Result<RecordSeries, ExcitationError>> {
    match kind {
        MotionKind::Stochastic { settings, .. } => Some(synthetic::stochastic(settings)),
        MotionKind::CodeSpectrum { settings, .. } => Some(synthetic::artificial(settings)),
        MotionKind::Pulse { .. } | MotionKind::Record { .. } | MotionKind::Settlement { .. } => {
            None
        }
    }
}

/// The ground's acceleration, velocity and displacement: the sum of pulses and records.
///
/// The ground is where it was drawn at time zero, and its velocity and displacement are the exact integrals of its
/// acceleration; when all motions have ended it goes on at the velocity it then has. It begins at rest, but for a sine that starts oscillating.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroundMotion {
    components: Vec<(DVec3, Course)>,
}

impl GroundMotion {
    /// A ground that does not move.
    pub fn still() -> Self {
        Self::default()
    }

    /// The sum of the `chosen` ones of a model's motions; settlements among them do not move the ground.
    pub fn new(motions: &[Motion], chosen: &[usize]) -> Result<Self, ExcitationError> {
        let mut components = Vec::new();
        for &index in chosen {
            let motion = motions.get(index).ok_or(ExcitationError::NoSuchMotion {
                index,
                count: motions.len(),
            })?;
            match &motion.kind {
                MotionKind::Pulse { direction, pulse } => {
                    components.push((*direction, Course::pulse(*pulse)))
                }
                MotionKind::Record { components: parts } => {
                    for part in parts {
                        part.series.check()?;
                        components.push((
                            part.direction,
                            Course::Linear(PiecewiseLinear::record(&part.series)),
                        ));
                    }
                }
                MotionKind::Stochastic { direction, .. }
                | MotionKind::CodeSpectrum { direction, .. } => {
                    if let Some(series) = synthetic_series(&motion.kind) {
                        components.push((
                            *direction,
                            Course::Linear(PiecewiseLinear::record(&series?)),
                        ));
                    }
                }
                MotionKind::Settlement { .. } => {}
            }
        }
        Ok(Self { components })
    }

    /// One pulse along a direction.
    pub fn from_pulse(direction: DVec3, pulse: Pulse) -> Self {
        Self {
            components: vec![(direction, Course::pulse(pulse))],
        }
    }

    fn sum(&self, value: impl Fn(&Course) -> f64) -> DVec3 {
        self.components
            .iter()
            .fold(DVec3::ZERO, |sum, (direction, course)| {
                sum + *direction * value(course)
            })
    }

    /// Acceleration, m/s²; at a jump, the value after it.
    pub fn acceleration(&self, time: f64) -> DVec3 {
        self.sum(|course| course.at(time).acceleration)
    }

    /// Acceleration, m/s²; at a jump, the value before it.
    pub fn acceleration_before(&self, time: f64) -> DVec3 {
        self.sum(|course| course.acceleration_before(time))
    }

    /// Velocity, m/s.
    pub fn velocity(&self, time: f64) -> DVec3 {
        self.sum(|course| course.at(time).velocity)
    }

    /// Displacement, m.
    pub fn displacement(&self, time: f64) -> DVec3 {
        self.sum(|course| course.at(time).displacement)
    }

    /// Upper bound of the rate of acceleration inside `from..to`, which must not hold a breakpoint, m/s³.
    pub fn rate_bound(&self, from: f64, to: f64) -> f64 {
        self.components
            .iter()
            .map(|(direction, course)| {
                direction.length()
                    * match course {
                        Course::Linear(linear) => linear.rate_bound(from, to),
                        Course::Sine(sine) if to <= 0.0 || from >= sine.duration => 0.0,
                        Course::Sine(sine) => sine.rate_bound(),
                    }
            })
            .sum()
    }

    /// Times at which the acceleration jumps, in order, s.
    pub fn discontinuities(&self) -> Vec<f64> {
        let mut times = Vec::new();
        for (_, course) in &self.components {
            match course {
                Course::Linear(linear) => times.extend(linear.jumps()),
                Course::Sine(sine) => times.extend(sine.jump()),
            }
        }
        in_order(times)
    }

    /// Times at which the acceleration jumps or has a kink, in order, s: in between it is smooth.
    pub fn breakpoints(&self) -> Vec<f64> {
        let mut times = Vec::new();
        for (_, course) in &self.components {
            match course {
                Course::Linear(linear) => times.extend(linear.breakpoints()),
                Course::Sine(sine) => times.extend([0.0, sine.duration]),
            }
        }
        in_order(times)
    }

    /// Integral of the square of acceleration from the start to a time, m²/s³; directions add up.
    pub fn intensity(&self, time: f64) -> f64 {
        let parts = self.components.iter();
        parts
            .map(|(direction, course)| direction.length_squared() * course.intensity(time))
            .sum()
    }

    /// Time by which a part of the whole intensity has come, s.
    pub fn time_of_intensity(&self, part: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.end());
        let wanted = part * self.intensity(high);
        // Halving sixty times leaves nothing but rounding.
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.intensity(middle) < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// Time after which the acceleration is zero, s.
    pub fn end(&self) -> f64 {
        self.components
            .iter()
            .fold(0.0, |end, (_, course)| course.end().max(end))
    }
}

fn in_order(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

#[cfg(test)]
mod tests;
