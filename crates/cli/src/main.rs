//! The `senet` program.

use std::process::ExitCode;

/// Checking and grounding make many small things.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    senet_cli::run()
}
