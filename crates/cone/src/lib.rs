//! The convex problem of one time step as plain numbers, its solvers and its judge.
//!
//! This crate knows no blocks, no geometry and no files. A [`StepProblem`] goes into a [`Solver`]; a [`Solution`] comes
//! out with the [`Residual`] that the judge ([`residual`]) recomputed from raw data.
//!
//! * one convex problem, associated friction: the interior-point method, Clarabel for comparison ([`Method`]);
//! * Coulomb friction: a fixed point of convex problems ([`Law`]);
//! * the same for degrees of freedom of any kind, with sparse matrices: [`solve_general`], [`solve_local`];
//! * parts that do not touch are solved apart ([`islands`]), each as if it were alone.

mod anderson;
mod chain;
mod compressed;
pub mod cones;
pub mod corpus;
mod coulomb;
mod fault;
pub mod general;
mod interior_point;
mod islands;
mod limit;
mod natural_map;
mod operator;
mod problem;
mod reference;
mod residual;
mod settings;
mod soften;
mod solution;
mod solver;
mod stored;
mod sweeps;
mod workspace;

pub use fault::ProblemFault;
pub use general::{
    GeneralFault, GeneralProblem, GeneralResidual, GeneralSettings, GeneralSolution, GeneralStatus,
    LocalProblem, Route, SparseMatrix, Stored, SymmetricMatrix, general_residual, local_residual,
    solve_general, solve_local,
};
pub use islands::{Island, islands};
pub use limit::{
    JointBlocks, LimitBond, LimitCrushing, LimitMethod, LimitPair, LimitProblem, LimitResidual,
    LimitSettings, LimitSolution, LimitStatus, LimitTie, StressBlocks, solve_limit,
    solve_limit_from, solve_limit_pair,
};
pub use problem::{Contact, FIXED, StepProblem};
pub use residual::{Residual, objective, residual, residual_under};
pub use settings::{Law, Method, Settings, Tolerances};
pub use solution::{Solution, Stats, Status, Warm};
pub use solver::Solver;
pub use stored::{FORMAT, SOLVED_FORMAT, SolvedProblem, StoredProblem, StoredWarm};
