//! Lanterns: round walls on the rim of an oculus.

use drystone_keys::keys;

use super::courses::{TINY, plain};
use super::dimensions::Dimensions;

keys! {
    /// A round wall on the rim of the oculus of a dome, open above.
    ///
    /// On level beds it stands on the uppermost ring, flush with the oculus. Radial beds are too steep at the crown to carry a
    /// wall: there the lowest course hangs in the oculus like a hollow keystone, and the outer face of the lantern rises from the upper
    /// edge of the bed.
    pub struct Lantern {
        /// Above the upper edge of the oculus.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Number of courses, equally high but for the part of the lowest one that hangs in the oculus.
        courses: u32 { required, least: 1 },
        /// Of its wall.
        thickness: f64 { optional, unit: "m", above: 0.0, otherwise: "that of the dome, or the width of the bed if that is less and level" },
    }
}

/// A point of a meridian: distance from the axis and level, m.
type Point = [f64; 2];

impl Lantern {
    /// Reports what is wrong on its own.
    pub(super) fn check(&self, check: &mut Dimensions) -> bool {
        let mut fits = check.positive("lantern.height", self.height);
        fits &= check.count("lantern.courses", self.courses, 1);
        fits & check.positive_if("lantern.thickness", self.thickness)
    }

    /// Corners of each course in a meridional plane, from below, on a bed with these ends; `thickness` is that of the dome.
    pub(super) fn meridians(
        &self,
        [inner, outer]: [Point; 2],
        thickness: f64,
        check: &mut Dimensions,
    ) -> Vec<Vec<Point>> {
        let key = "lantern.thickness";
        let bed = outer[0] - inner[0];
        let level = inner[1] == outer[1];
        let default = if level {
            thickness.min(bed)
        } else {
            thickness.max(bed)
        };
        let wall = self.thickness.unwrap_or(default);
        // A bed of exactly this width is one up to rounding.
        let near = TINY * outer[0];
        let [from, to] = if level {
            if wall > bed + near {
                let help = format!("at most {} m", plain(bed));
                check.refuse(
                    key,
                    format!("{wall} m, but the bed is {} m wide", plain(bed)),
                    help,
                );
            }
            [inner[0], inner[0] + wall.min(bed)]
        } else {
            if wall < bed - near || wall > 0.95 * outer[0] {
                let what = format!("{} m at the upper edge of the oculus", plain(wall));
                let most = plain(0.95 * outer[0]);
                let help = format!(
                    "from {} to {most} m: a wall over the whole bed that leaves an opening",
                    plain(bed)
                );
                check.refuse(key, what, help);
            }
            [outer[0] - wall, outer[0]]
        };
        let at =
            |course: u32| outer[1] + self.height * (f64::from(course) / f64::from(self.courses));
        let courses = (0..self.courses).map(|course| {
            let [low, high] = [at(course), at(course + 1)];
            let upper = [[to, high], [from, high]];
            let lower = match course {
                0 if !level && (from - inner[0]).abs() <= near => vec![inner, outer],
                0 if !level => vec![[from, inner[1]], inner, outer],
                _ => vec![[from, low], [to, low]],
            };
            // The inner face is upright to the last bit.
            let upper = match lower[0] {
                [foot, _] if (foot - from).abs() <= near => [upper[0], [foot, high]],
                _ => upper,
            };
            [lower, upper.to_vec()].concat()
        });
        courses.collect()
    }
}
