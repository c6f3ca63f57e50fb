//! Grounding a text.

use senet_ground::{Budget, Grounding, Mode, Options, Stopped, ground};

/// Grounds a rulesheet that is accepted.
pub(crate) fn ground_text(text: &str, mode: Mode, budget: Budget) -> Result<Grounding, Box<Stopped>> {
    let description = senet_gdl::parse(text);
    let analysis = senet_analysis::analyze(&description, false);
    let program = analysis.program.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics));
    ground(&program, &Options { mode, budget, ..Options::default() }, &mut |_| {})
}
