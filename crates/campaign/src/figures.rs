//! What a campaign says as figures.

use crate::statistics::Stripe;
use drystone_page::figure::{
    Axis, Bar, Bars, Chart, Content, Figure, Ink, Item, Line, Mark, Points, extent, told_apart,
};

use crate::collect::{Answer, spoken};
use crate::domain::{Bracket, Domain, State};
use crate::fragility::{Curve, Curves};
use crate::sweep::Effect;

/// Measures that are drawn as tornados.
const TORNADOS: usize = 6;
/// Parts of a curve.
const PARTS: usize = 120;
/// Standard deviations of the normal distribution to either side that hold 95 %.
const BAND: f64 = 1.96;
/// Of charts, where they are 900 wide.
const HEIGHT: f64 = 460.0;

/// The figures of an answer: a domain per combination and all boundaries, one per set of fragility curves, or one per measure.
pub(crate) fn figures(answer: &Answer) -> Vec<Figure> {
    told_apart(match answer {
        Answer::Sweep(effects) => tornados(effects),
        Answer::FailureDomain(domain) => domains(domain),
        Answer::Fragility(curves) => curves.iter().map(fragility).collect(),
    })
}

/// A plane that holds what is drawn and some points more.
fn plane(x: &str, y: &str, items: Vec<Item>, covered: &[[f64; 2]]) -> Content {
    let [x, y] = [(x, 0), (y, 1)].map(|(name, axis)| {
        let drawn = items.iter().flat_map(Item::pairs);
        let values = drawn.chain(covered.iter().copied()).map(|p| p[axis]);
        Axis::new(name, "").with_room(values)
    });
    Content::Chart(Chart {
        x,
        y,
        height: HEIGHT,
        items,
        notes: Vec::new(),
    })
}

fn domains(domain: &Domain) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (at, curve) in domain.curves.iter().enumerate() {
        let cells = || {
            let place = |cell: usize| {
                [
                    domain.x[cell / domain.y.len()],
                    domain.y[cell % domain.y.len()],
                ]
            };
            curve
                .states
                .iter()
                .enumerate()
                .map(move |(cell, state)| (*state, place(cell)))
        };
        let of = |wanted: State| {
            let found = cells().filter(move |(state, _)| *state == wanted);
            found.map(|(_, point)| point).collect::<Vec<_>>()
        };
        let mut items: Vec<Item> = [
            (State::Stood, Mark::Ring, Ink::Good),
            (State::Collapsed, Mark::Dot, Ink::Bad),
            (State::Undecided, Mark::Ring, Ink::Warn),
            (State::Failed, Mark::Cross, Ink::Warn),
            (State::Safe, Mark::Speck, Ink::Good),
            (State::Lost, Mark::Speck, Ink::Bad),
        ]
        .into_iter()
        .map(|(state, mark, ink)| Item::marks(mark, ink, of(state)))
        .collect();
        let mut line = |label: &str, ink: Ink, points: Vec<[f64; 2]>, dashed: bool| {
            items.push(Item::Line(Line::new(label, ink, points).dashed(dashed)));
        };
        let boundary = curve.boundary.iter().filter_map(middle);
        line("boundary", Ink::Series(0), boundary.collect(), false);
        if let Some(hull) = domain.hulls.get(curve.group).filter(|hull| hull.len() > 2) {
            let mut closed = hull.clone();
            closed.extend(hull.first());
            line("hull of collapses", Ink::Bad, closed, true);
        }
        if let Some(rocking) = domain.rocking.get(curve.group) {
            let boundary = rocking.iter().filter_map(middle);
            line(
                "rocking equation",
                Ink::Series(3),
                boundary.collect(),
                false,
            );
        }
        if let (Some(Some(limit)), [first, .., last]) = (domain.limit.get(at), &domain.x[..]) {
            let ends = vec![[*first, *limit], [*last, *limit]];
            line("static capacity", Ink::Series(7), ends, true);
        }
        let label = curve.label(&domain.keys);
        let caption = format!(
            "{}{}Rings stood, dots came down, {}crosses have no answer; specks were not run, and have the verdict of the runs about them.",
            label,
            if label.is_empty() { "" } else { ". " },
            if of(State::Undecided).is_empty() {
                ""
            } else {
                "rings in the colour of the crosses are undecided, "
            }
        );
        let content = plane(&domain.x_key, &domain.y_key, items, &of(State::Unknown));
        figures.push(Figure::new(&format!("Domain {}", at + 1), content).with_caption(&caption));
    }
    if domain.curves.len() > 1 {
        figures.push(boundaries(domain));
    }
    figures
}

/// Halfway between the last that stands and the first that comes down.
fn middle(bracket: &Bracket) -> Option<[f64; 2]> {
    let y = match (bracket.stands, bracket.collapses) {
        (Some(low), Some(high)) => 0.5 * (low + high),
        (None, Some(high)) => high,
        _ => return None,
    };
    Some([bracket.x, y])
}

fn boundaries(domain: &Domain) -> Figure {
    let line = |(at, curve): (usize, &crate::domain::Curve)| {
        let brackets = curve.boundary.iter();
        let points = brackets.filter_map(|bracket| Some([bracket.x, bracket.collapses?]));
        let line = Line::new(&curve.label(&domain.keys), Ink::Series(at), points);
        Item::Line(line.dashed(curve.opposite))
    };
    let items = domain.curves.iter().enumerate().map(line).collect();
    let content = plane(&domain.x_key, &domain.y_key, items, &[]);
    Figure::new("Boundaries", content).with_caption("First collapse by x.")
}

fn fragility(set: &Curves) -> Figure {
    let values = set.keys.iter().zip(&set.values);
    let values: Vec<String> = values
        .map(|(key, value)| format!("{key} = {}", spoken(value)))
        .collect();
    let most = |c: &Curve| c.stripes.iter().map(|s| s.intensity).fold(0.0, f64::max);
    let end = 1.1 * set.curves.iter().map(most).fold(0.0, f64::max);
    // What is shaded lies behind points, and points behind lines and words.
    let [mut items, mut marks, mut lines, mut words] = [const { Vec::new() }; 4];
    for (number, curve) in set.curves.iter().enumerate() {
        let ink = Ink::Series(number);
        let part = |stripe: &Stripe| [stripe.intensity, stripe.collapses / stripe.runs];
        marks.push(Item::marks(Mark::Dot, ink, curve.stripes.iter().map(part)));
        let counted = curve.stripes.iter().filter(|s| number == 0 && s.runs > 1.0);
        words.extend(counted.map(|stripe| {
            let text = format!("{}/{}", stripe.collapses, stripe.runs);
            Item::text(part(stripe), &text)
        }));
        if let Ok(fit) = &curve.fit {
            let at = |k: usize| end * (k as f64 + 0.5) / PARTS as f64;
            let points = (0..PARTS).map(|k| [at(k), fit.probability(at(k))]);
            lines.push(Item::Line(Line::new(&curve.state, ink, points)));
            let side = |k: usize, side: usize| [at(k), fit.band(at(k), BAND)[side]];
            let (there, back) = ((0..PARTS), (0..PARTS).rev());
            let outline = there.map(|k| side(k, 0)).chain(back.map(|k| side(k, 1)));
            items.push(Item::Band(Points::new(ink, outline)));
        }
    }
    items.extend(marks.into_iter().chain(lines).chain(words));
    let corners = [[0.0, 0.0], [0.0, 1.0]];
    let content = plane(&set.intensity, "probability", items, &corners);
    Figure::new(&values.join(", "), content).with_caption(
        "Part of the runs that reached the state by intensity, with n of N for collapse; fitted curves with bands of 95 %.",
    )
}

fn tornados(effects: &[Effect]) -> Vec<Figure> {
    let mut measures: Vec<&str> = Vec::new();
    for effect in effects {
        if !measures.contains(&effect.measure.as_str()) && effect.range() > 0.0 {
            measures.push(&effect.measure);
        }
    }
    let measures = measures.into_iter().take(TORNADOS);
    measures
        .filter_map(|measure| tornado(measure, effects))
        .collect()
}

/// Bars from the least to the greatest mean, the longest first.
fn tornado(measure: &str, effects: &[Effect]) -> Option<Figure> {
    let of: Vec<&Effect> = effects.iter().filter(|e| e.measure == measure).collect();
    let ends = of.iter().flat_map(|effect| [effect.low.1, effect.high.1]);
    let bar = |effect: &&Effect| Bar {
        label: effect.key.clone(),
        range: [effect.low.1, effect.high.1],
        ends: [effect.low.0.clone(), effect.high.0.clone()],
    };
    let axis = Axis::new(measure, "").over(extent(ends))?;
    let bars = Bars::new(axis, of.first()?.mean, of.iter().map(bar).collect());
    Some(Figure::new(measure, Content::Bars(bars)).with_caption(
        "Mean over the runs with the value written at the end of a bar; the line is the mean of all.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_without_points_and_with_one_are_drawn() {
        let empty = plane("x", "y < z", Vec::new(), &[]).picture().in_page();
        assert!(!empty.contains("NaN") && empty.contains("y &lt; z"));
        let items = vec![
            Item::marks(Mark::Cross, Ink::Warn, [[1.0, 2.0]]),
            Item::Line(Line::new("a & b", Ink::Bad, [[1.0, f64::NAN], [1.0, 2.0]])),
        ];
        let svg = plane("x", "y", items, &[]).picture().in_page();
        assert!(!svg.contains("NaN") && svg.contains("a &amp; b"));
        assert!(tornado("m", &[]).is_none());
    }
}
