//! The program `drystone`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(drystone_cli::main(std::env::args_os(), None))
}
