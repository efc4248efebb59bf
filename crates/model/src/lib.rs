//! What the user describes: model files compiled once into an immutable model.
//!
//! A file is read item by item ([`load`]), decoded to the model as written ([`ModelSpec`]) and compiled ([`compile`]) to
//! the [`Model`] that everything else works with. Everything that is wrong is reported together ([`Faults`]), each with
//! its line and with what would be right.
//!
//! To add a key of what stands or acts: a line in its declaration in `spec`, which makes its reader, its schema and its row in the
//! book; what it means in `compile`, its value in `model`. A key of a question: all three in the question's file in `asked`.

mod asked;
mod case;
mod compile;
mod decode;
mod fault;
mod load;
mod model;
mod schema;
mod spec;
mod variation;
mod vary;

pub use asked::*;
pub use case::{Case, Findings, OverlapFinding, TieFinding};
pub use compile::{compile, compile_in};
pub use drystone_keys::{Fault, Faults, Format};
pub use drystone_shaking::{
    Artificial, Baseline, Channel, CodeShape, CodeSpectrum, Eurocode8Type, Motion, MotionKind,
    Pulse, RecordComponent, RecordScale, RecordSeries, SineStart, SoilClass, Stochastic, Strength,
    Treatment,
};
pub use drystone_structures as structures;
pub use load::{
    compile_text, from_json, from_toml, from_tree, load, load_blocks, load_spec, parse,
};
pub use model::*;
pub use schema::schema;
pub use spec::*;
pub use variation::Variation;
pub use vary::{Parameter, VaryFault};
