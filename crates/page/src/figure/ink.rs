//! Colours by what they mean.

use serde::{Deserialize, Serialize};

use crate::report::look::{SERIES, drawing, figure, light, sign, thrust};

/// What a colour says; [`Ink::colour`] has it from the one table of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ink {
    /// One curve among others, by its number from 0.
    Series(usize),
    /// It stood.
    Good,
    /// It came down.
    Bad,
    /// There is no answer.
    Warn,
    /// What a chart is about, where it has one subject.
    Accent,
    /// A point that is singled out.
    Mark,
    /// On what everything stands.
    Ground,
    /// A force in a joint.
    Force,
    /// The thrust line of an equilibrium.
    Thrust,
    /// That of least thrust.
    MinimumThrust,
    /// That of greatest thrust.
    MaximumThrust,
    /// That of a limit state.
    LimitThrust,
}

impl Ink {
    /// The colour, as SVG and CSS write it.
    pub fn colour(self) -> &'static str {
        match self {
            Self::Series(number) => SERIES[number % SERIES.len()],
            Self::Good => light::GOOD,
            Self::Bad => light::BAD,
            Self::Warn => light::WARN,
            Self::Accent => light::ACCENT,
            Self::Mark => figure::MARK,
            Self::Ground => drawing::GROUND,
            Self::Force => sign::FORCE,
            Self::Thrust => thrust::EQUILIBRIUM,
            Self::MinimumThrust => thrust::MINIMUM,
            Self::MaximumThrust => thrust::MAXIMUM,
            Self::LimitThrust => thrust::LIMIT,
        }
    }
}
