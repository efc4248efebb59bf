//! Curves of arches and vaults: where their joints lie.

use drystone_keys::words;
use std::f64::consts::FRAC_PI_2;

use crate::dimensions::Dimensions;

words! {
    /// The curve of an arch.
    pub enum ArchShape = Circular {
        /// A circle: a semicircle, or a segment of less than that. Voussoirs embrace equal angles.
        Circular = "circular",
        /// Two arcs that meet at the crown, with centres on the springing line. Voussoirs embrace equal angles; with an even
        /// number of them there is an upright joint at the crown, with an odd number a keystone with a flat soffit.
        Pointed = "pointed",
        /// Half an ellipse. Voussoirs are equally long along the intrados, joints normal to it.
        Elliptical = "elliptical",
        /// A jack arch: level intrados and extrados, joints that meet in one point below. Voussoirs are equally wide.
        Flat = "flat",
    }
}

/// What a curve is made of; the keys of a structure by the same names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Curve {
    pub shape: ArchShape,
    pub span: Option<f64>,
    pub rise: Option<f64>,
    pub radius: Option<f64>,
    pub angle_degrees: Option<f64>,
    /// Of one ring, m.
    pub thickness: f64,
    pub voussoirs: u32,
    pub rings: u32,
}

/// The joints of an arch in the plane xz, symmetric about x = 0, with the springing points of the intrados at z = 0.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Profile {
    /// From left to right, one more than voussoirs. Each has points [x, z] from the intrados to the extrados, one more than
    /// rings. Left ones are mirror images of right ones to the last bit, so that voussoirs share their corners exactly.
    pub joints: Vec<Vec<[f64; 2]>>,
    /// A corner on the extrados of the middle voussoir, where the extrados has one.
    pub apex: Option<[f64; 2]>,
    /// Circle of the intrados: radius, level of its centre, half the angle of embrace (rad).
    pub circle: Option<Circle>,
}

/// A circular intrados.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Circle {
    /// m.
    pub radius: f64,
    /// Level of the centre, m; zero or below.
    pub centre: f64,
    /// Half the angle of embrace, rad.
    pub half: f64,
}

/// Sine and cosine; the cosine of a right angle is exactly zero, so that a springing stays at its level.
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    if angle == FRAC_PI_2 {
        (1.0, 0.0)
    } else {
        angle.sin_cos()
    }
}

impl Curve {
    /// The joints, or `None` after saying what is wrong.
    pub fn profile(&self, check: &mut Dimensions) -> Option<Profile> {
        let mut fits = check.positive("thickness", self.thickness);
        // A single voussoir between springings at one level would be flat.
        let least = if self.shape == ArchShape::Flat { 1 } else { 2 };
        fits &= check.count("voussoirs", self.voussoirs, least);
        fits &= check.count("rings", self.rings, 1);
        for (key, value) in [
            ("span", self.span),
            ("rise", self.rise),
            ("radius", self.radius),
        ] {
            fits &= check.positive_if(key, value);
        }
        if !fits {
            return None;
        }
        match self.shape {
            ArchShape::Circular => self.circular(check),
            ArchShape::Pointed => self.pointed(check),
            ArchShape::Elliptical => self.elliptical(check),
            ArchShape::Flat => self.flat(check),
        }
    }

    /// Reports keys that mean nothing for the shape.
    fn without(&self, keys: &[&str], shape: &str, check: &mut Dimensions) -> bool {
        let given = [
            ("rise", self.rise.is_some()),
            ("radius", self.radius.is_some()),
            ("angle_degrees", self.angle_degrees.is_some()),
        ];
        let mut fits = true;
        for (key, given) in given {
            if given && keys.contains(&key) {
                check.refuse(key, format!("{shape} arch has no `{key}`"), "leave it out");
                fits = false;
            }
        }
        fits
    }

    fn needed_span(&self, shape: &str, check: &mut Dimensions) -> Option<f64> {
        if self.span.is_none() {
            check.refuse(
                "span",
                format!("{shape} arch needs its clear span"),
                "`span = ...`, m",
            );
        }
        self.span
    }

    fn circular(&self, check: &mut Dimensions) -> Option<Profile> {
        let circle = match (self.span, self.radius) {
            (Some(span), None) => {
                if self.angle_degrees.is_some() {
                    check.refuse(
                        "angle_degrees",
                        "a span with its rise already says the angle",
                        "either `span` and `rise`, or `radius` and `angle_degrees`",
                    );
                    return None;
                }
                let rise = self.rise.unwrap_or(0.5 * span);
                if rise > 0.5 * span {
                    check.refuse(
                        "rise",
                        format!("{rise} m is more than half the span of {span} m"),
                        "at most a semicircle; or `shape = \"pointed\"`",
                    );
                    return None;
                }
                let radius = (0.25 * span * span + rise * rise) / (2.0 * rise);
                let half = (0.5 * span).atan2(radius - rise);
                Circle {
                    radius,
                    centre: -radius * sin_cos(half).1,
                    half,
                }
            }
            (None, Some(radius)) => {
                if self.rise.is_some() {
                    check.refuse(
                        "rise",
                        "a radius with its angle already says the rise",
                        "either `span` and `rise`, or `radius` and `angle_degrees`",
                    );
                    return None;
                }
                let angle = self.angle_degrees.unwrap_or(180.0);
                if !(angle > 0.0 && angle <= 180.0) {
                    check.refuse(
                        "angle_degrees",
                        format!("an angle of embrace of {angle} degrees"),
                        "greater than 0, at most 180 degrees",
                    );
                    return None;
                }
                let half = (0.5 * angle).to_radians();
                Circle {
                    radius,
                    centre: -radius * sin_cos(half).1,
                    half,
                }
            }
            (Some(_), Some(_)) => {
                check.refuse(
                    "radius",
                    "both `span` and `radius` are given",
                    "either `span` and `rise`, or `radius` and `angle_degrees`",
                );
                return None;
            }
            (None, None) => {
                check.refuse(
                    "span",
                    "neither `span` nor `radius` is given",
                    "`span` and `rise`, or `radius` and `angle_degrees`",
                );
                return None;
            }
        };
        let joint = |fraction: f64| {
            let (sin, cos) = sin_cos(circle.half * fraction);
            self.along(|offset| {
                let radius = circle.radius + offset;
                [radius * sin, radius * cos + circle.centre]
            })
        };
        Some(Profile {
            joints: self.mirrored(joint),
            apex: None,
            circle: Some(circle),
        })
    }

    fn pointed(&self, check: &mut Dimensions) -> Option<Profile> {
        let fits = self.without(&["angle_degrees"], "a pointed", check);
        let span = self.needed_span("a pointed", check)?;
        // The right arc has its centre `offset` to the left of the middle.
        let offset = match (self.rise, self.radius) {
            (Some(rise), None) if rise >= 0.5 * span => (rise * rise - 0.25 * span * span) / span,
            (Some(rise), None) => {
                check.refuse(
                    "rise",
                    format!("{rise} m is less than half the span of {span} m"),
                    "at least half the span; or `shape = \"circular\"`",
                );
                return None;
            }
            (None, Some(radius)) if radius >= 0.5 * span => radius - 0.5 * span,
            (None, Some(radius)) => {
                check.refuse(
                    "radius",
                    format!("{radius} m is less than half the span of {span} m"),
                    "at least half the span; the span itself makes an equilateral arch",
                );
                return None;
            }
            (None, None) | (Some(_), Some(_)) => {
                check.refuse(
                    "rise",
                    "a pointed arch needs either `rise` or `radius`",
                    "its height on the intrados, or the radius of its arcs, m",
                );
                return None;
            }
        };
        let odd = self.voussoirs % 2 == 1;
        if odd && self.rings > 1 && offset > 0.0 {
            check.refuse(
                "voussoirs",
                format!(
                    "{} voussoirs put a pointed keystone under the next ring, which would not be convex",
                    self.voussoirs
                ),
                "an even number, with a joint at the crown",
            );
            return None;
        }
        if !fits {
            return None;
        }
        let radius = 0.5 * span + offset;
        let embrace = (offset / radius).acos();
        let crown = |thickness: f64| {
            let radius = radius + thickness;
            [0.0, ((radius - offset) * (radius + offset)).sqrt()]
        };
        let joint = |fraction: f64| {
            if fraction == 0.0 {
                return self.along(crown);
            }
            // From the springing up.
            let (sin, cos) = sin_cos(embrace * (1.0 - fraction));
            self.along(|thickness| {
                let radius = radius + thickness;
                [radius * cos - offset, radius * sin]
            })
        };
        let apex = (odd && offset > 0.0).then(|| crown(self.thickness));
        Some(Profile {
            joints: self.mirrored(joint),
            apex,
            circle: None,
        })
    }

    fn elliptical(&self, check: &mut Dimensions) -> Option<Profile> {
        let fits = self.without(&["radius", "angle_degrees"], "an elliptical", check);
        let span = self.needed_span("an elliptical", check)?;
        let Some(rise) = self.rise else {
            check.refuse(
                "rise",
                "an elliptical arch needs its rise",
                "`rise = ...`, m",
            );
            return None;
        };
        if !fits {
            return None;
        }
        let (a, b) = (0.5 * span, rise);
        let quarter = Quarter::new(a, b);
        let joint = |fraction: f64| {
            let (sin, cos) = sin_cos(quarter.parameter(fraction));
            // The outward normal of (a sin, b cos).
            let length = (b * sin).hypot(a * cos);
            let normal = [b * sin / length, a * cos / length];
            self.along(|offset| [a * sin + offset * normal[0], b * cos + offset * normal[1]])
        };
        Some(Profile {
            joints: self.mirrored(joint),
            apex: None,
            circle: None,
        })
    }

    fn flat(&self, check: &mut Dimensions) -> Option<Profile> {
        let fits = self.without(&["rise", "radius"], "a flat", check);
        let span = self.needed_span("a flat", check)?;
        let angle = self.angle_degrees.unwrap_or(60.0);
        if !(angle > 0.0 && angle < 180.0) {
            check.refuse(
                "angle_degrees",
                format!("{angle} degrees between the two end joints"),
                "greater than 0, less than 180 degrees",
            );
            return None;
        }
        if !fits {
            return None;
        }
        // Joints lean outwards in proportion to their distance from the middle.
        let lean = (0.5 * angle).to_radians().tan();
        let joint =
            |fraction: f64| self.along(|offset| [fraction * (0.5 * span + offset * lean), offset]);
        Some(Profile {
            joints: self.mirrored(joint),
            apex: None,
            circle: None,
        })
    }

    /// Points of a joint at the boundaries of rings, by their distance from the intrados.
    fn along(&self, point: impl Fn(f64) -> [f64; 2]) -> Vec<[f64; 2]> {
        (0..=self.rings)
            .map(|ring| point(f64::from(ring) * self.thickness))
            .collect()
    }

    /// All joints from those on the right, which are given by their place between the crown (0) and the springing (1).
    fn mirrored(&self, joint: impl Fn(f64) -> Vec<[f64; 2]>) -> Vec<Vec<[f64; 2]>> {
        let count = i64::from(self.voussoirs);
        (0..=count)
            .map(|index| {
                let place = 2 * index - count;
                let mut points = joint(place.unsigned_abs() as f64 / count as f64);
                for point in &mut points {
                    point[0] = match place.signum() {
                        0 => 0.0,
                        -1 => -point[0],
                        _ => point[0],
                    };
                }
                points
            })
            .collect()
    }
}

/// Arc lengths of a quarter of an ellipse (a sin p, b cos p), p from 0 at the crown to a right angle at the springing.
struct Quarter {
    /// Lengths up to equal steps of the parameter.
    lengths: Vec<f64>,
}

impl Quarter {
    /// So many steps that Simpson's rule is exact to rounding for all but the flattest ellipses, for which places of joints
    /// are a matter of taste anyway: each joint is normal to the ellipse at its own place.
    const STEPS: usize = 4096;

    fn new(a: f64, b: f64) -> Self {
        let step = FRAC_PI_2 / Self::STEPS as f64;
        let speed = |p: f64| (a * p.cos()).hypot(b * p.sin());
        let mut lengths = vec![0.0];
        let mut length = 0.0;
        for index in 0..Self::STEPS {
            let p = index as f64 * step;
            length += step / 6.0 * (speed(p) + 4.0 * speed(p + 0.5 * step) + speed(p + step));
            lengths.push(length);
        }
        Self { lengths }
    }

    /// The parameter at a fraction of the length of the quarter.
    fn parameter(&self, fraction: f64) -> f64 {
        if fraction >= 1.0 {
            return FRAC_PI_2;
        }
        let length = fraction * self.lengths[Self::STEPS];
        let above = self.lengths.partition_point(|&l| l <= length);
        let below = above.saturating_sub(1).min(Self::STEPS - 1);
        let [low, high] = [self.lengths[below], self.lengths[below + 1]];
        let within = (length - low) / (high - low);
        (below as f64 + within) * FRAC_PI_2 / Self::STEPS as f64
    }
}
