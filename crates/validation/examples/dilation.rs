//! Redundant structures under both laws of friction.
//!
//! `cargo run --release -p drystone-validation --example dilation` prints the tables of section 6.5 of the book's page on stepping.

use drystone_validation::experiments::dilation::{
    columns_model, difference, displacements, spread, wall_model,
};

const LAWS: [&str; 2] = ["associated", "coulomb"];
const TIMES: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.6];

fn main() -> Result<(), String> {
    println!("columns: friction, law, dt [ms], spread of the angles [rad] up to {TIMES:?} s");
    for count in [2, 3, 4, 8] {
        for friction in [0.6, 1.5, 5.0] {
            for law in LAWS {
                for dt in [2e-3, 1e-3, 5e-4, 2.5e-4] {
                    let found = spread(&columns_model(count, friction, law, dt)?, &TIMES)?;
                    let found: Vec<String> = found.iter().map(|x| format!("{x:.0e}")).collect();
                    println!(
                        "{count} | {friction} | {law} | {} | {}",
                        1e3 * dt,
                        found.join(" | ")
                    );
                }
            }
        }
    }
    println!(
        "wall of twenty: friction, law, difference from 0.125 ms at 4, 2, 1, 0.5, 0.25 ms [mm], largest displacement [mm]"
    );
    for friction in [0.7, 1.2, 5.0] {
        for law in LAWS {
            let run = |dt: f64| displacements(&wall_model(friction, law, dt)?);
            let fine = run(1.25e-4)?;
            let mut row = Vec::new();
            for dt in [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4] {
                row.push(format!("{:.2}", 1e3 * difference(&run(dt)?, &fine)));
            }
            let largest = fine.iter().fold(0f64, |most, d| most.max(d.length()));
            println!(
                "{friction} | {law} | {} | {:.1}",
                row.join(" | "),
                1e3 * largest
            );
        }
    }
    Ok(())
}
