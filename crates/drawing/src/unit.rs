//! Units of length that drawings use.

use std::fmt;

/// A unit of length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// m.
    Metre,
    /// mm.
    Millimetre,
    /// cm.
    Centimetre,
    /// dm.
    Decimetre,
    /// km.
    Kilometre,
    /// in, 25.4 mm.
    Inch,
    /// ft, 12 in.
    Foot,
    /// yd, 3 ft.
    Yard,
    /// The foot of surveyors in the United States, 1200/3937 m.
    SurveyFoot,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 9] = [
        Self::Metre,
        Self::Millimetre,
        Self::Centimetre,
        Self::Decimetre,
        Self::Kilometre,
        Self::Inch,
        Self::Foot,
        Self::Yard,
        Self::SurveyFoot,
    ];

    /// Length of the unit, m.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Millimetre => 1e-3,
            Self::Centimetre => 1e-2,
            Self::Decimetre => 0.1,
            Self::Kilometre => 1e3,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
            Self::Yard => 0.9144,
            Self::SurveyFoot => 1200.0 / 3937.0,
        }
    }

    /// How users write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Millimetre => "mm",
            Self::Centimetre => "cm",
            Self::Decimetre => "dm",
            Self::Kilometre => "km",
            Self::Inch => "in",
            Self::Foot => "ft",
            Self::Yard => "yd",
            Self::SurveyFoot => "us_ft",
        }
    }

    /// The unit that users write so.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.word() == word)
    }

    /// The words for all units, for messages.
    pub fn words() -> String {
        Self::ALL.map(Self::word).join(", ")
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
