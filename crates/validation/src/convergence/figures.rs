//! Errors as figures: a panel per structure and measure.

use drystone_model::{FrictionLaw, Scheme};
use drystone_page::figure::{Axis, Chart, Content, Figure, Ink, Item, Line, Mark, Panels, Points};

use super::Method;
use super::measures::{Curve, Study};
use super::structures::Measure;

/// Ends of the axis of steps, ms.
const STEPS: [f64; 2] = [0.1, 10.0];

/// Errors over steps, with the bands that a changed input leaves.
pub fn errors(studies: &[Study]) -> Figure {
    let mut panels = panels(studies, |study| {
        let values = study.curves.iter().flat_map(errors_of);
        let y = axis(study).by_decades(values.map(|[_, error, _]| error))?;
        let x = Axis::new("time step", "ms").by_decades(STEPS.into_iter())?;
        let mut items: Vec<Item> = Vec::new();
        for curve in &study.curves {
            items.extend(band(curve, y.range));
        }
        for curve in &study.curves {
            let points = errors_of(curve).map(|[dt, error, _]| [dt, error]);
            items.extend(line(curve.method, points.collect()));
        }
        Some(Chart {
            x,
            y,
            height: 0.0,
            items,
            notes: Vec::new(),
        })
    });
    panels.notes = vec![
        "Shaded: what changes in a run with the same step when gravity and densities are changed by 1e-6 of themselves.".to_owned(),
        "Errors inside the shading of their colour say nothing about the step.".to_owned(),
    ];
    Figure::new("Errors over the time step", Content::Panels(panels))
}

/// Processor time over errors.
pub fn costs(studies: &[Study]) -> Figure {
    let panels = panels(studies, |study| {
        if matches!(study.measure, Measure::Spread(_)) {
            return None;
        }
        let all = || study.curves.iter().flat_map(errors_of);
        let x = axis(study).by_decades(all().map(|[_, error, _]| error))?;
        let y = Axis::new("processor time", "s").by_decades(all().map(|[_, _, cpu]| cpu))?;
        let curves = study.curves.iter();
        let items = curves.flat_map(|curve| {
            let points = errors_of(curve).map(|[_, error, cpu]| [error, cpu]);
            line(curve.method, points.collect())
        });
        Some(Chart {
            items: items.collect(),
            x,
            y,
            height: 0.0,
            notes: Vec::new(),
        })
    });
    Figure::new("Processor time over errors", Content::Panels(panels))
}

fn panels(studies: &[Study], chart: impl Fn(&Study) -> Option<Chart>) -> Panels {
    let charts = studies.iter().filter_map(|study| {
        let title = study.structure.title.to_owned();
        Some((title, chart(study)?))
    });
    Panels::new(3, charts.collect())
}

fn axis(study: &Study) -> Axis {
    Axis::new(study.measure.label(), study.measure.unit())
}

/// Step in ms, error and processor time of each run that has an error which a logarithm can show.
fn errors_of(curve: &Curve) -> impl Iterator<Item = [f64; 3]> {
    curve.points.iter().filter_map(|point| {
        let error = point.error.filter(|e| *e > 0.0 && e.is_finite())?;
        Some([1e3 * point.dt, error, point.row.cpu])
    })
}

/// From the lower end of the axis to what a changed input does.
fn band(curve: &Curve, [low, high]: [f64; 2]) -> Option<Item> {
    let top: Vec<[f64; 2]> = curve
        .points
        .iter()
        .filter_map(|point| Some([1e3 * point.dt, point.band?.clamp(low, high)]))
        .collect();
    let (first, last) = (top.first()?, top.last()?);
    let corners = [[last[0], low], [first[0], low]];
    let outline = top.iter().copied().chain(corners);
    Some(Item::Band(Points::new(ink(curve.method), outline)))
}

fn line(method: Method, points: Vec<[f64; 2]>) -> [Item; 2] {
    let (ink, mark) = (ink(method), mark(method));
    let dashed = method.law == FrictionLaw::Associated;
    let line = Line::new(&method.name(), ink, points.clone()).dashed(dashed);
    [Item::Line(line), Item::marks(mark, ink, points)]
}

/// Blue, vermilion and grey are told apart by everybody; marks and dashes say the same once more.
fn ink(method: Method) -> Ink {
    match (method.scheme, method.law) {
        (Scheme::Leapfrog, FrictionLaw::Coulomb) => Ink::Series(0),
        (Scheme::Leapfrog, FrictionLaw::Associated) => Ink::Series(1),
        (Scheme::Euler, _) => Ink::Series(7),
    }
}

fn mark(method: Method) -> Mark {
    match (method.scheme, method.law) {
        (Scheme::Leapfrog, FrictionLaw::Coulomb) => Mark::Dot,
        (Scheme::Leapfrog, FrictionLaw::Associated) => Mark::Ring,
        (Scheme::Euler, _) => Mark::Cross,
    }
}
