//! One time step: detect, assemble, solve, integrate
