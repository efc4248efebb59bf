//! How errors of time histories decrease with the step, for both friction laws, and what accuracy costs.
//!
//! [`structures`] says what is run and what is measured, [`runs`] makes one run, [`store`] keeps runs in a file so that an interrupted study goes on where
//! it was, [`measures`] turns runs into errors and orders, [`tables`] and [`figures`] show them. `examples/convergence.rs` is the command.

mod columns;
pub mod figures;
pub mod measures;
pub mod runs;
pub mod store;
pub mod structures;
pub mod tables;

use drystone_model::{FrictionLaw, Scheme, Tolerance};

/// Steps from the coarsest to the finest, s: each half of the one before.
pub const STEPS: [f64; 7] = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4];

/// How time is stepped and what friction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// Time-stepping scheme.
    pub scheme: Scheme,
    /// Friction law.
    pub law: FrictionLaw,
}

impl Method {
    /// The default scheme with Coulomb's law.
    pub const COULOMB: Self = Self {
        scheme: Scheme::Leapfrog,
        law: FrictionLaw::Coulomb,
    };
    /// The default scheme with the associated law.
    pub const ASSOCIATED: Self = Self {
        scheme: Scheme::Leapfrog,
        law: FrictionLaw::Associated,
    };
    /// The scheme of the papers, with their law.
    pub const PAPERS: Self = Self {
        scheme: Scheme::Euler,
        law: FrictionLaw::Associated,
    };

    /// Words of the model file.
    pub fn words(self) -> [&'static str; 2] {
        [
            match self.scheme {
                Scheme::Euler => "euler",
                Scheme::Leapfrog => "leapfrog",
            },
            match self.law {
                FrictionLaw::Associated => "associated",
                FrictionLaw::Coulomb => "coulomb",
            },
        ]
    }

    /// For tables and legends; the scheme is named where it is not the default.
    pub fn name(self) -> String {
        let law = match self.law {
            FrictionLaw::Associated => "associated",
            FrictionLaw::Coulomb => "Coulomb",
        };
        match self.scheme {
            Scheme::Leapfrog => law.to_owned(),
            Scheme::Euler => format!("{law}, euler"),
        }
    }
}

/// The word of the model file.
pub fn tolerance_word(tolerance: Tolerance) -> &'static str {
    match tolerance {
        Tolerance::Preview => "preview",
        Tolerance::Default => "default",
        Tolerance::Validation => "validation",
    }
}
