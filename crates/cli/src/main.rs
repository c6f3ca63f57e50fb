//! The `senet` program.

mod memory;

use std::process::ExitCode;

fn main() -> ExitCode {
    memory::keep_what_is_freed();
    // The first touch of a huge page takes 4 to 9 ms on a virtual machine whose host has no memory ready: too long for a pause of
    // the search. With small pages it is 3 µs, and `mcts` makes 8 % more playouts there.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    senet_cli::run()
}
