//! The `senet` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    senet_cli::run()
}
