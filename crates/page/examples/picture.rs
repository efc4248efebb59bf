//! Draws a model as it stands at the start, for the pages of the book.
//!
//! `cargo run --release -p drystone-page --example picture -- MODEL OUT.svg`

use std::path::PathBuf;
use std::process::ExitCode;

use drystone_geometry::Pose;
use drystone_page::figure::Content;
use drystone_page::report::{View, view};

/// In points.
const WIDTH: u32 = 1000;

fn main() -> ExitCode {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [model, out] = &args[..] else {
        eprintln!("usage: picture MODEL OUT.svg");
        return ExitCode::from(2);
    };
    let model = match drystone_model::load(model) {
        Ok(model) => model,
        Err(faults) => {
            eprintln!("{faults}");
            return ExitCode::from(2);
        }
    };
    let blocks = model.blocks.iter();
    let poses: Vec<Pose> = blocks.map(|block| Pose::at(block.position)).collect();
    let frames = [(0.0, poses)];
    let drawing = view(&model, &frames[0].1, &View::around(&model, &frames));
    let Some(svg) = Content::Drawing(drawing).picture().alone(WIDTH) else {
        eprintln!("there is nothing to draw");
        return ExitCode::from(2);
    };
    match std::fs::write(out, svg.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(3)
        }
    }
}
