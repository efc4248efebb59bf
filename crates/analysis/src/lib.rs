//! The questions asked of a model: time history, rocking block
