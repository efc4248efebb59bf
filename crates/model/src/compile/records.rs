//! Recorded accelerograms, read once: the bytes that are hashed are those that are parsed.

use std::path::Path;

use drystone_geometry::DVec3;

use super::check::Check;
use super::{Dependence, Fingerprint};
use crate::fault::Trail;
use crate::spec::{ComponentSpec, RecordSpec, SaSpec};
use drystone_shaking::MotionKind;
use drystone_shaking::{
    RecordComponent, RecordFile, RecordScale, RecordSeries, Treatment, Wanted, read_record_bytes,
};

pub(super) fn recorded(
    spec: &RecordSpec,
    trail: Trail<'_>,
    reading: &mut Reading<'_>,
    check: &mut Check<'_>,
) -> MotionKind {
    let before = check.faults.len();
    check.numbers(spec, trail);
    let common = scale(spec.scale, spec.pga, spec.sa.as_ref(), trail, check);
    if let Some(pga) = spec.pga {
        check.shaking(pga, trail.key("pga"));
    }
    let treatment = treatment(spec);
    let mut components = Vec::new();
    match (&spec.path, spec.components.len()) {
        (Some(path), 0) => {
            let direction = direction(spec.direction, spec.rotate_degrees, trail, check);
            let wanted = Wanted {
                channel: spec.component.as_ref(),
                treatment,
                scale: common.unwrap_or(RecordScale::Factor(1.0)),
            };
            components.extend(reading.component(path, spec.dt, direction, &wanted, before, trail, check));
        }
        (None, 1..=3) => {
            for (key, given) in [
                ("direction", spec.direction.is_some()),
                ("component", spec.component.is_some()),
            ] {
                if given {
                    check.report(
                        trail.key(key),
                        format!("every component has a {key} of its own"),
                        "leave this one out",
                    );
                }
            }
            let several = spec.components.len() > 1;
            for (key, given) in [("pga", spec.pga.is_some()), ("sa", spec.sa.is_some())] {
                if given && several {
                    check.report(
                        trail.key(key),
                        "which component is to have this acceleration?",
                        "write `pga`, `sa` or `scale` in each component, or one `scale` for all",
                    );
                }
            }
            let list = trail.key("components");
            for (index, component) in spec.components.iter().enumerate() {
                let trail = list.index(index);
                let ComponentSpec {
                    path,
                    component: channel,
                    direction: along,
                    scale: factor,
                    pga,
                    sa,
                } = component;
                check.numbers(component, trail);
                let own = scale(*factor, *pga, sa.as_ref(), trail, check);
                let direction = direction(Some(*along), spec.rotate_degrees, trail, check);
                let wanted = Wanted {
                    channel: channel.as_ref(),
                    treatment,
                    scale: own.or(common).unwrap_or(RecordScale::Factor(1.0)),
                };
                components
                    .extend(reading.component(path, spec.dt, direction, &wanted, before, trail, check));
            }
        }
        (None, 0) => check.report(
            trail,
            "a record needs a file",
            "write `path = \"...\"`, or `components = [{ path = \"...\", direction = [1, 0, 0] }, ...]`",
        ),
        (None, count) => check.report(
            trail.key("components"),
            format!("a record has at most 3 components, but {count} are given"),
            "make two motions of them and list both in the analysis",
        ),
        (Some(_), _) => check.report(
            trail.key("path"),
            "the record has both `path` and `components`",
            "leave one of them out",
        ),
    }
    // What lies across a planar model does nothing to it; that all of a record does is a mistake.
    if spec.rotate_degrees.is_some_and(f64::is_finite)
        && !components.is_empty()
        && components
            .iter()
            .all(|component| component.direction.length() < 1e-9)
    {
        check.report(
            trail.key("rotate_degrees"),
            "no component has a part in the plane of the model",
            "another angle, or another direction",
        );
    }
    MotionKind::Record { components }
}

/// The direction of a component after the record is turned about z.
///
/// A planar model takes the part of turned components that lies in its plane: so two horizontal components give the
/// motion along any line.
fn direction(
    along: Option<[f64; 3]>,
    degrees: Option<f64>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> DVec3 {
    let Some(degrees) = degrees else {
        return check.direction(along, trail.key("direction"));
    };
    let plane = check.plane.take();
    let unit = check.direction(along, trail.key("direction"));
    check.plane = plane;
    let (sin, cos) = degrees.to_radians().sin_cos();
    let turned = DVec3::new(
        cos * unit.x - sin * unit.y,
        sin * unit.x + cos * unit.y,
        unit.z,
    );
    match plane {
        None => turned,
        Some(crate::spec::Plane::Xz) => DVec3::new(turned.x, 0.0, turned.z),
        Some(crate::spec::Plane::Yz) => DVec3::new(0.0, turned.y, turned.z),
    }
}

fn treatment(spec: &RecordSpec) -> Treatment {
    Treatment {
        baseline: spec.baseline(),
        taper: spec.taper(),
    }
}

fn scale(
    factor: Option<f64>,
    pga: Option<f64>,
    sa: Option<&SaSpec>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<RecordScale> {
    let spectral = sa.map(|sa| {
        check.numbers(sa, trail.key("sa"));
        RecordScale::Sa {
            period: sa.period,
            damping: sa.damping(),
            value: sa.value,
        }
    });
    let given = [
        ("scale", factor.map(RecordScale::Factor)),
        ("pga", pga.map(RecordScale::Pga)),
        ("sa", spectral),
    ];
    let mut given = given
        .into_iter()
        .filter_map(|(key, scale)| Some((key, scale?)));
    let (first, scale) = given.next()?;
    if let Some((second, _)) = given.next() {
        check.report(
            trail.key(second),
            format!("both `{first}` and `{second}` are given"),
            "leave one of them out",
        );
        return None;
    }
    Some(scale)
}

/// Where records are looked for, and what is learned from reading them.
pub(super) struct Reading<'a> {
    /// Paths are relative to it.
    pub folder: &'a Path,
    /// Takes in the bytes of every file.
    pub fingerprint: &'a mut Fingerprint,
    /// Takes in every motion with its files.
    pub dependence: &'a mut Dependence,
    /// What the reader of results should know, a sentence each.
    pub notes: Vec<String>,
}

impl Reading<'_> {
    /// Reads one component; nothing if it is at fault, which is reported. If faults were found in the keys of the record, beyond those `before` it, its values
    /// are not made: a period or a time step that makes no sense could take for ever.
    #[allow(clippy::too_many_arguments)] // What a component is, and where faults go.
    fn component(
        &mut self,
        path: &str,
        dt: Option<f64>,
        direction: DVec3,
        wanted: &Wanted<'_>,
        before: usize,
        trail: Trail<'_>,
        check: &mut Check<'_>,
    ) -> Option<RecordComponent> {
        let path = self.folder.join(path);
        let bytes = match read_record_bytes(&path) {
            Ok(bytes) => bytes,
            Err(error) if !error.unreadable => {
                check.report(trail.key("path"), error.to_string(), "");
                return None;
            }
            Err(error) => {
                check.report(
                    trail.key("path"),
                    format!(
                        "the file {} cannot be read: {}",
                        path.display(),
                        error.message
                    ),
                    "paths are relative to the folder of the model file",
                );
                return None;
            }
        };
        self.fingerprint.add_bytes(&bytes);
        if check.faults.len() > before {
            return None;
        }
        let (series, notes) = match parsed(&bytes, &path, dt, wanted) {
            Ok(found) => found,
            Err(message) => {
                check.report(trail.key("path"), message, "");
                return None;
            }
        };
        for note in &notes {
            // Components of one file have the same notes.
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        Some(RecordComponent {
            direction,
            path,
            series,
            notes,
        })
    }
}

/// An accelerogram and what was assumed in reading it.
fn parsed(
    bytes: &[u8],
    path: &Path,
    dt: Option<f64>,
    wanted: &Wanted<'_>,
) -> Result<(RecordSeries, Vec<String>), String> {
    let file = RecordFile::parse(bytes, path, dt).map_err(|error| error.to_string())?;
    let named = |text: &str| format!("{}: {text}", path.display());
    let series = file.component(wanted).map_err(|message| named(&message))?;
    Ok((series, file.notes.iter().map(|note| named(note)).collect()))
}
