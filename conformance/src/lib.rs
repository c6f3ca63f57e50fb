//! Tests of every game times every engine: see the `tests` folder.
