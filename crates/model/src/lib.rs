//! What the user describes: model files compiled once into an immutable model.

mod model;

pub use model::*;
