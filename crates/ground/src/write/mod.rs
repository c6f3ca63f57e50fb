//! Ground programs as text, written rule by rule: no second copy of the program is made.

mod atom_texts;
mod gdl;
mod json;
mod asp;
mod dot;
#[cfg(test)]
mod tests;

pub use asp::write_asp;
pub use dot::write_dot;
pub use gdl::write_gdl;
pub use json::write_json;
