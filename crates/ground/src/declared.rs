//! `base` and `input` as the rulesheet declares them, beside what was computed.

use crate::limits::Limits;
use crate::lower::{Lowered, lower_declared};
use crate::options::{Declared, Difference, Mode, Options};
use crate::program::{AtomId, GroundProgram, Lit, push_renamed, texts_of};
use crate::reach::saturate;
use crate::simplify::simplify;
use crate::split::{Splitter, Which};
use hashbrown::HashSet;
use senet_analysis::Program;
use senet_rules::RelId;

/// How many undeclared facts are named.
const EXAMPLES: usize = 3;

/// Compares the computed sets with the declared ones. Where nothing outside the declared sets can be reached,
/// the ground program is bounded by them.
///
/// What the rulesheet declares is only looked at: a declaration that is too small, or takes longer to evaluate
/// than the budget allows, changes nothing.
pub fn compare_declared(program: &Program, ground: &mut GroundProgram, options: &Options) -> Declared {
    let mut lowered = lower_declared(program);
    let mut unwatched = |_| ();
    let mut limits = Limits::new(options.budget, &mut unwatched);
    let mut splitter = Splitter::default();
    for rules in std::mem::take(&mut lowered.static_rules) {
        let mut split = Vec::with_capacity(rules.len());
        for rule in rules {
            splitter.split(&mut lowered.store, rule, Which::All, &mut split);
        }
        if saturate(&mut lowered.store, &mut limits, split, None).is_err() {
            return Declared::default();
        }
    }
    let declared = |lowered: &Lowered, relation: Option<RelId>, name: &str| {
        relation.map(|relation| texts_of(lowered, relation, name).into_iter().collect::<HashSet<String>>())
    };
    let base = declared(&lowered, lowered.base, "base");
    let input = declared(&lowered, lowered.input, "input");
    let mut is_outside = vec![false; ground.n_atoms()];
    let base = base.map(|set| difference(ground, "base", &set, ground.base().collect(), &mut is_outside));
    let input = input.map(|set| difference(ground, "input", &set, ground.input().collect(), &mut is_outside));
    let mut is_closed = true;
    if is_outside.contains(&true) {
        let needs_outside =
            |body: &[Lit]| body.iter().any(|lit| !lit.is_negative() && is_outside[lit.atom().index()]);
        let starts_inside = !ground.init().iter().any(|fluent| is_outside[fluent.index()]);
        let bounded = simplify(ground.clone(), false, needs_outside);
        let n_outside = is_outside.iter().filter(|&&it| it).count();
        let n_left = ground.base().len() + ground.input().len() - n_outside;
        is_closed = starts_inside && bounded.base().len() + bounded.input().len() <= n_left;
        if is_closed && options.mode != Mode::Paper {
            *ground = bounded;
        }
    }
    Declared { base, input, is_closed }
}

fn difference(
    ground: &GroundProgram,
    name: &str,
    declared: &HashSet<String>,
    computed: Vec<AtomId>,
    is_outside: &mut [bool],
) -> Difference {
    let mut found =
        Difference { declared: declared.len(), computed: computed.len(), ..Difference::default() };
    for atom in computed {
        let mut fact = String::new();
        push_renamed(&mut fact, ground, name, atom);
        if !declared.contains(&fact) {
            is_outside[atom.index()] = true;
            found.undeclared += 1;
            if found.examples.len() < EXAMPLES {
                found.examples.push(fact);
            }
        }
    }
    found
}
