//! The `senet` program.

use std::process::ExitCode;

/// Checking and grounding make many small things.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // The first touch of a huge page takes 4 to 9 ms on a virtual machine whose host has no memory ready: too long for a pause of
    // the search. With small pages it is 3 µs, and `mcts` makes 8 % more playouts there.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    senet_cli::run()
}
