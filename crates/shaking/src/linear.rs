//! Piecewise linear acceleration with jumps, integrated exactly.

use super::RecordSeries;

/// Acceleration, velocity and displacement along one line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Kinematics {
    /// m/s².
    pub acceleration: f64,
    /// m/s.
    pub velocity: f64,
    /// m.
    pub displacement: f64,
}

/// A stretch of time in which the acceleration is linear; it lasts to the start of the next one, the last for ever.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Segment {
    /// s.
    start: f64,
    /// Rate of acceleration, m/s³.
    slope: f64,
    /// At the start, after any jump.
    at_start: Kinematics,
}

impl Segment {
    fn at(&self, time: f64) -> Kinematics {
        let t = time - self.start;
        let Kinematics {
            acceleration: a,
            velocity: v,
            displacement: d,
        } = self.at_start;
        Kinematics {
            acceleration: a + self.slope * t,
            velocity: v + t * (a + t * self.slope / 2.0),
            displacement: d + t * (v + t * (a / 2.0 + t * self.slope / 6.0)),
        }
    }
}

/// Motion from rest at time zero under piecewise linear acceleration; the last segment has none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PiecewiseLinear {
    segments: Vec<Segment>,
}

impl PiecewiseLinear {
    /// From `(start, acceleration, slope)` in order of time, then quiet from `end` on.
    fn new(pieces: impl Iterator<Item = (f64, f64, f64)>, end: f64) -> Self {
        let mut segments: Vec<Segment> = Vec::with_capacity(pieces.size_hint().0 + 1);
        for (start, acceleration, slope) in pieces.chain(std::iter::once((end, 0.0, 0.0))) {
            let before = segments
                .last()
                .map_or(Kinematics::default(), |last| last.at(start));
            segments.push(Segment {
                start,
                slope,
                at_start: Kinematics {
                    acceleration,
                    ..before
                },
            });
        }
        Self { segments }
    }

    /// Constant accelerations one after the other, each with its duration.
    pub fn steps(steps: &[(f64, f64)]) -> Self {
        let mut end = 0.0;
        let mut pieces = Vec::with_capacity(steps.len());
        for &(acceleration, duration) in steps {
            pieces.push((end, acceleration, 0.0));
            end += duration;
        }
        Self::new(pieces.into_iter(), end)
    }

    /// A record; zero after its last value.
    pub fn record(series: &RecordSeries) -> Self {
        let dt = series.dt;
        let pieces = series
            .acceleration
            .windows(2)
            .enumerate()
            .map(|(k, pair)| (k as f64 * dt, pair[0], (pair[1] - pair[0]) / dt));
        Self::new(pieces, series.duration())
    }

    /// Index of the segment that holds a time; `None` before the motion begins.
    fn segment(&self, time: f64) -> Option<usize> {
        self.segments
            .partition_point(|s| s.start <= time)
            .checked_sub(1)
    }

    /// At a jump of the acceleration, the value after it.
    pub fn at(&self, time: f64) -> Kinematics {
        self.segment(time)
            .map_or(Kinematics::default(), |index| self.segments[index].at(time))
    }

    /// Integral of the square of acceleration from the start to a time, m²/s³.
    pub fn intensity(&self, time: f64) -> f64 {
        let ends = self.segments.iter().skip(1).map(|next| next.start);
        let pieces = self.segments.iter().zip(ends.chain([f64::INFINITY]));
        pieces
            .take_while(|(segment, _)| segment.start < time)
            .map(|(segment, end)| {
                let end = end.min(time);
                let (a, b) = (segment.at_start.acceleration, segment.at(end).acceleration);
                (end - segment.start) / 3.0 * (a * a + a * b + b * b)
            })
            .sum()
    }

    /// At a jump of the acceleration, the value before it.
    pub fn acceleration_before(&self, time: f64) -> f64 {
        self.segments
            .partition_point(|s| s.start < time)
            .checked_sub(1)
            .map_or(0.0, |index| self.segments[index].at(time).acceleration)
    }

    /// Largest absolute rate of the acceleration inside `from..to`, which holds no breakpoint, m/s³.
    pub fn rate_bound(&self, from: f64, to: f64) -> f64 {
        self.segment(0.5 * (from + to))
            .map_or(0.0, |index| self.segments[index].slope.abs())
    }

    /// Times at which the acceleration jumps or has a kink.
    pub fn breakpoints(&self) -> impl Iterator<Item = f64> + '_ {
        self.segments.iter().map(|s| s.start)
    }

    /// Times at which the acceleration jumps.
    pub fn jumps(&self) -> impl Iterator<Item = f64> + '_ {
        // The ends of a segment meet up to rounding in the slope, far below any jump that means something.
        let scale = self
            .segments
            .iter()
            .fold(0.0_f64, |scale, s| scale.max(s.at_start.acceleration.abs()));
        self.segments
            .iter()
            .enumerate()
            .filter_map(move |(index, segment)| {
                let before = match index {
                    0 => 0.0,
                    _ => self.segments[index - 1].at(segment.start).acceleration,
                };
                let jump = (segment.at_start.acceleration - before).abs();
                (jump > 1e-12 * scale).then_some(segment.start)
            })
    }

    /// Time after which the acceleration is zero, s.
    pub fn end(&self) -> f64 {
        self.segments.last().map_or(0.0, |s| s.start)
    }
}
