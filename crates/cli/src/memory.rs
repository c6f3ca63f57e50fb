//! The allocator of the program.
#![allow(unsafe_code, reason = "the calls of the allocator are foreign functions")]

use libmimalloc_sys::{mi_collect, mi_option_set, mi_option_t};
use std::ffi::c_long;

/// Checking and grounding make many small things.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of `mimalloc.h`: freed pages are returned to the system so many milliseconds later.
const PURGE_DELAY: mi_option_t = 15;
/// Longer than any match.
const TEN_DAYS: c_long = 10 * 24 * 3_600_000;

/// Freed memory stays with the program until a search drops a large tree. To return pages all processors have to forget
/// them, and where one of those is a virtual one that waits for its turn, that held a search up for 10 to 40 ms.
pub(crate) fn keep_what_is_freed() {
    // SAFETY: the option exists, and no other thread runs yet that could read it.
    unsafe { mi_option_set(PURGE_DELAY, TEN_DAYS) };
    senet_search::set_return_memory(|| {
        // SAFETY: it may be called from any thread at any time; it frees nothing that is in use.
        unsafe { mi_collect(true) }
    });
}
