//! Checks of single values.

use drystone_geometry::DVec3;
use drystone_keys::{Bounds, Keys};

use crate::fault::{Fault, Faults, Trail};
use crate::spec::Plane;
use drystone_shaking::STANDARD_GRAVITY;

/// Relative size below which a component of a vector counts as zero. Programs write `cos(pi/2)` as 6e-17.
const NEGLIGIBLE: f64 = 1e-9;

/// Ground accelerations that are asked of structures, m/s²: codes exempt sites with less than 0.05 g, and the strongest that was recorded is some 40.
pub(crate) const SHAKING: [f64; 2] = [0.49, 50.0];

/// Amplitude of a ground that oscillates, m: several times what the strongest earthquakes have had.
const OSCILLATION: f64 = 5.0;

/// Reports values that make no sense.
pub(crate) struct Check<'f> {
    pub faults: &'f mut Faults,
    pub plane: Option<Plane>,
    /// What is legal and probably not meant, a sentence each.
    pub notes: Vec<String>,
}

impl Check<'_> {
    pub fn report(&mut self, trail: Trail<'_>, what: impl Into<String>, help: &str) {
        let fault = Fault::at(trail, what);
        self.faults.push(if help.is_empty() {
            fault
        } else {
            fault.help(help)
        });
    }

    pub fn finite(&mut self, value: f64, trail: Trail<'_>) -> bool {
        if !value.is_finite() {
            self.report(
                trail,
                format!("the number is {value}, but must be finite"),
                "",
            );
        }
        value.is_finite()
    }

    /// A number of a list, which has no declaration of its own.
    pub fn positive(&mut self, value: f64, unit: &str, trail: Trail<'_>) {
        let bounds = Bounds {
            above: Some(0.0),
            ..Bounds::NONE
        };
        self.bounded(value, &bounds, unit, "", trail);
    }

    /// All numbers of a table, by what is declared of them: they are finite and within their bounds. Whether they all are.
    pub fn numbers(&mut self, spec: &impl Keys, trail: Trail<'_>) -> bool {
        let mut fits = true;
        spec.numbers(&mut |key, value| {
            fits &= self.bounded(value, &key.bounds, key.unit, key.help, trail.key(key.name));
        });
        fits
    }

    fn bounded(
        &mut self,
        value: f64,
        bounds: &Bounds,
        unit: &str,
        help: &str,
        trail: Trail<'_>,
    ) -> bool {
        if !self.finite(value, trail) {
            return false;
        }
        let missed = bounds.missed_by(value, unit);
        if let Some(bound) = &missed {
            let unit = Unit(unit);
            let what = format!("the value is {value}{unit}, but must {bound}");
            self.report(trail, what, help);
        }
        missed.is_none()
    }

    /// A ground acceleration as written, m/s²; notes one that was probably given in g or in cm/s².
    pub fn shaking(&mut self, value: f64, trail: Trail<'_>) {
        let [least, most] = SHAKING;
        let size = value.abs();
        if 0.0 < size && size < least {
            let g = size / STANDARD_GRAVITY;
            self.notes.push(format!(
                "{trail}: {value} m/s² is {g:.3} g, less than moves most structures: if the number was meant in g, write it with its unit, as in \"0.2 g\""
            ));
        } else if size > most && size.is_finite() {
            let g = size / STANDARD_GRAVITY;
            self.notes.push(format!(
                "{trail}: {value} m/s² is {g:.1} g, more than any earthquake has had: if the number was meant in cm/s², write it with its unit, as in \"200 cm/s²\""
            ));
        }
    }

    /// The amplitude of an oscillation as written, m; notes one that was probably given in mm.
    pub fn oscillation(&mut self, value: f64, trail: Trail<'_>) {
        if value.abs() > OSCILLATION && value.is_finite() {
            self.notes.push(format!(
                "{trail}: the ground moves by {value} m to either side, more than in any earthquake: if millimetres are meant, write \"{value} mm\""
            ));
        }
    }

    /// A point or a vector.
    pub fn vector(&mut self, value: [f64; 3], trail: Trail<'_>) -> DVec3 {
        for (axis, component) in value.into_iter().enumerate() {
            self.finite(component, trail.index(axis));
        }
        DVec3::from_array(value)
    }

    /// A translation, velocity or force, which in a planar model lies in the plane.
    pub fn translation(&mut self, value: [f64; 3], trail: Trail<'_>) -> DVec3 {
        let vector = self.vector(value, trail);
        match self.plane {
            None => vector,
            Some(Plane::Xz) => self.without(vector, 1, "lies out of the plane xz", trail),
            Some(Plane::Yz) => self.without(vector, 0, "lies out of the plane yz", trail),
        }
    }

    /// A rotation or angular velocity, which in a planar model is about the normal of the plane.
    pub fn rotation(&mut self, value: [f64; 3], trail: Trail<'_>) -> DVec3 {
        let vector = self.vector(value, trail);
        let (first, second, what) = match self.plane {
            None => return vector,
            Some(Plane::Xz) => (0, 2, "turns blocks out of the plane xz"),
            Some(Plane::Yz) => (1, 2, "turns blocks out of the plane yz"),
        };
        let vector = self.without(vector, first, what, trail);
        self.without(vector, second, what, trail)
    }

    /// A direction of any length, as a unit vector; x where absent.
    pub fn direction(&mut self, value: Option<[f64; 3]>, trail: Trail<'_>) -> DVec3 {
        let value = value.unwrap_or([1.0, 0.0, 0.0]);
        let vector = self.translation(value, trail);
        let unit = vector.try_normalize();
        if unit.is_none()
            && vector.is_finite()
            && DVec3::from_array(value).length() == vector.length()
        {
            self.report(trail, "the direction has no length", "e.g. [1, 0, 0]");
        }
        unit.unwrap_or(DVec3::X)
    }

    /// The vector with one component removed, which must be negligible.
    fn without(&mut self, mut vector: DVec3, axis: usize, what: &str, trail: Trail<'_>) -> DVec3 {
        let component = vector[axis];
        if component.abs() > NEGLIGIBLE * vector.length() {
            self.report(
                trail.index(axis),
                format!("the component {component} {what} of this planar model"),
                "make it zero, or leave `plane` out of [model]",
            );
        }
        vector[axis] = 0.0;
        vector
    }
}

/// A unit after a number.
struct Unit<'u>(&'u str);

impl std::fmt::Display for Unit<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(out, " {}", self.0)
        }
    }
}
