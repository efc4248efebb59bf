//! A stretch of sinusoidal acceleration.

use super::SineStart;
use super::linear::Kinematics;

/// `a sin(omega t)` for `0..duration`; afterwards constant velocity.
///
/// From rest, the velocity `a/omega (1 - cos omega t)` is never negative: a ground that starts from rest under a sine of
/// acceleration drifts by `2 pi a / omega²` per period. Whole periods end at rest. A ground that begins with the velocity
/// `-a/omega` oscillates about its place by `a/omega²`; it ends at rest a quarter of a period before or after a whole one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SineBurst {
    /// m/s².
    pub amplitude: f64,
    /// Angular frequency, rad/s.
    pub omega: f64,
    /// s.
    pub duration: f64,
    /// With which velocity it begins.
    pub start: SineStart,
}

impl SineBurst {
    /// The acceleration with which the burst ends, m/s²; zero for whole half periods.
    fn last_acceleration(&self) -> f64 {
        // Whole half periods that are not so in binary must not leave a jump of rounding size behind.
        let phase = self.omega * self.duration;
        let halves = phase / std::f64::consts::PI;
        if (halves - halves.round()).abs() <= 1e-12 * halves.abs().max(1.0) {
            0.0
        } else {
            self.amplitude * phase.sin()
        }
    }

    /// Motion during the burst, continued smoothly beyond its ends.
    fn during(&self, time: f64) -> Kinematics {
        let Self {
            amplitude, omega, ..
        } = *self;
        let phase = omega * time;
        match self.start {
            SineStart::Still => Kinematics {
                acceleration: amplitude * phase.sin(),
                // 1 - cos written as a square keeps its digits while the phase is small.
                velocity: amplitude / omega * 2.0 * (0.5 * phase).sin().powi(2),
                displacement: amplitude / (omega * omega) * phase_minus_sine(phase),
            },
            SineStart::Oscillating => Kinematics {
                acceleration: amplitude * phase.sin(),
                velocity: -amplitude / omega * phase.cos(),
                displacement: -amplitude / (omega * omega) * phase.sin(),
            },
        }
    }

    /// Integral of the square of acceleration from the start to a time, m²/s³.
    pub fn intensity(&self, time: f64) -> f64 {
        let time = time.clamp(0.0, self.duration);
        let twice = 2.0 * self.omega * time;
        self.amplitude * self.amplitude / (4.0 * self.omega) * phase_minus_sine(twice)
    }

    /// At the end of the burst, the values after it.
    pub fn at(&self, time: f64) -> Kinematics {
        if time < 0.0 {
            Kinematics::default()
        } else if time < self.duration {
            self.during(time)
        } else {
            let end = self.during(self.duration);
            Kinematics {
                acceleration: 0.0,
                velocity: end.velocity,
                displacement: end.displacement + (time - self.duration) * end.velocity,
            }
        }
    }

    /// At the end of the burst, the value before it.
    pub fn acceleration_before(&self, time: f64) -> f64 {
        if time == self.duration {
            self.last_acceleration()
        } else {
            self.at(time).acceleration
        }
    }

    /// Largest absolute rate of the acceleration, m/s³.
    pub fn rate_bound(&self) -> f64 {
        self.amplitude.abs() * self.omega
    }

    /// Time at which the acceleration jumps, if it does.
    pub fn jump(&self) -> Option<f64> {
        (self.last_acceleration() != 0.0).then_some(self.duration)
    }
}

/// `x - sin x` without cancellation for small `x`.
fn phase_minus_sine(x: f64) -> f64 {
    if x.abs() > 0.5 {
        return x - x.sin();
    }
    let square = x * x;
    let mut term = x * square / 6.0;
    let mut sum = 0.0;
    // Nine terms reach below rounding at 0.5.
    for k in 1..10 {
        sum += term;
        term *= -square / ((2 * k + 2) * (2 * k + 3)) as f64;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_phases_keep_their_digits() {
        // Both branches at their meeting point agree to rounding of the subtraction.
        let x = 0.5_f64;
        assert!((phase_minus_sine(x) - (x - x.sin())).abs() < 1e-16);
        // Leading terms x³/6 - x⁵/120 at 1e-3; the next is 1e-12 relative.
        let x = 1e-3_f64;
        let series = x.powi(3) / 6.0 * (1.0 - x * x / 20.0);
        assert!((phase_minus_sine(x) / series - 1.0).abs() < 1e-14);
    }

    #[test]
    fn whole_half_periods_end_without_a_jump() {
        let whole = SineBurst {
            amplitude: 3.0,
            omega: std::f64::consts::PI / 0.3,
            duration: 0.9,
            start: SineStart::Still,
        };
        assert_eq!(whole.jump(), None);
        let broken = SineBurst {
            duration: 0.7,
            ..whole
        };
        assert_eq!(broken.jump(), Some(0.7));
        let last = 3.0 * (0.7 * whole.omega).sin();
        assert!((broken.acceleration_before(0.7) - last).abs() < 1e-14);
        assert_eq!(broken.at(0.7).acceleration, 0.0);
    }
}
