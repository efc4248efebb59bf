//! A recorded accelerogram of one component.

use crate::RecordScale;

use super::ExcitationError;

/// Acceleration of the ground at equal intervals, the first value at time zero; linear in between.
///
/// No baseline is corrected unless asked for: velocity and displacement are exact integrals of these values from rest, and after
/// the last value the ground goes on at the velocity it then has. A record whose processing left it with zero final
/// velocity keeps that property; a raw record drifts, which changes displacements of the ground but not what a
/// structure does relative to it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordSeries {
    /// Interval, s.
    pub dt: f64,
    /// m/s².
    pub acceleration: Vec<f64>,
}

impl RecordSeries {
    /// A series after checking that it can be integrated.
    pub fn new(dt: f64, acceleration: Vec<f64>) -> Result<Self, ExcitationError> {
        let series = Self { dt, acceleration };
        series.check()?;
        Ok(series)
    }

    /// Whether the series can be integrated: positive interval, at least one value, all of them finite.
    pub fn check(&self) -> Result<(), ExcitationError> {
        if !(self.dt > 0.0 && self.dt.is_finite()) {
            return Err(ExcitationError::TimeStep { dt: self.dt });
        }
        if self.acceleration.is_empty() {
            return Err(ExcitationError::Empty);
        }
        match self.acceleration.iter().position(|a| !a.is_finite()) {
            Some(index) => Err(ExcitationError::NotFinite {
                index,
                value: self.acceleration[index],
            }),
            None => Ok(()),
        }
    }

    /// Largest absolute acceleration, m/s².
    pub fn peak(&self) -> f64 {
        self.acceleration
            .iter()
            .fold(0.0, |peak, a| a.abs().max(peak))
    }

    /// Time of the last value, s.
    pub fn duration(&self) -> f64 {
        self.dt * self.acceleration.len().saturating_sub(1) as f64
    }

    /// The series with its values scaled.
    pub fn scaled(mut self, scale: RecordScale) -> Result<Self, ExcitationError> {
        let factor = self.scale_factor(scale)?;
        for a in &mut self.acceleration {
            *a *= factor;
        }
        self.check()?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_by_factor_and_to_a_peak() {
        let series = RecordSeries::new(0.1, vec![0.0, 1.0, -4.0]).unwrap();
        let doubled = series.clone().scaled(RecordScale::Factor(2.0)).unwrap();
        assert_eq!(doubled.acceleration, [0.0, 2.0, -8.0]);
        let to_peak = series.scaled(RecordScale::Pga(1.0)).unwrap();
        assert_eq!(to_peak.acceleration, [0.0, 0.25, -1.0]);
        assert_eq!(to_peak.peak(), 1.0);
        assert!((to_peak.duration() - 0.2).abs() < 1e-15);
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(
            RecordSeries::new(0.0, vec![1.0]),
            Err(ExcitationError::TimeStep { dt: 0.0 })
        );
        assert_eq!(RecordSeries::new(0.1, vec![]), Err(ExcitationError::Empty));
        assert!(matches!(
            RecordSeries::new(0.1, vec![1.0, f64::NAN]),
            Err(ExcitationError::NotFinite { index: 1, .. })
        ));
        let still = RecordSeries::new(0.1, vec![0.0; 3]).unwrap();
        assert_eq!(
            still.scaled(RecordScale::Pga(2.0)),
            Err(ExcitationError::NothingToScale { pga: 2.0 })
        );
    }
}
