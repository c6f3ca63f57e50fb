//! Games as the grounder makes them.

use libtest_mimic::Failed;
use senet_analysis::Program;
use senet_ground::{
    AtomId, Budget, Grounding, Method, Mode, Options, base_facts, ground, input_facts, write_gdl,
};
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

/// Every mode.
pub const MODES: [Mode; 2] = [Mode::Full, Mode::Paper];

/// Every method.
pub const METHODS: [Method; 2] = [Method::OneStep, Method::Iterative];

/// A game that needs more than this is not grounded in a test.
const BUDGET: Budget = Budget { time: Some(Duration::from_secs(60)), memory: Some(2 << 30) };

/// A ground game with its sets.
pub struct Grounded {
    /// The rules it was made of.
    pub program: Program,
    /// The ground game.
    pub grounding: Grounding,
    /// Base, such as `(base (cell 1 1 b))`, sorted.
    pub base: Vec<String>,
    /// Input, such as `(input xplayer (mark 1 1))`, sorted.
    pub input: Vec<String>,
}

impl Grounded {
    /// Grounds a rulesheet.
    pub fn new(text: &str, mode: Mode, method: Method) -> Result<Grounded, Failed> {
        let description = senet_gdl::parse(text);
        let analysis = senet_analysis::analyze(&description, false);
        let program = match analysis.program {
            Some(program) => program,
            None => {
                let found = analysis.diagnostics.iter().map(|found| found.message.as_str());
                return Err(found.collect::<Vec<_>>().join("\n").into());
            }
        };
        let options = Options { mode, method, budget: BUDGET };
        let grounding = ground(&program, &options, &mut |_| {})?;
        let (base, input) = (base_facts(&grounding.program), input_facts(&grounding.program));
        Ok(Grounded { program, grounding, base, input })
    }

    /// The ground game as a rulesheet.
    pub fn gdl(&self) -> Result<String, Failed> {
        let mut text = Vec::new();
        write_gdl(&self.grounding.program, &mut text)?;
        Ok(String::from_utf8(text)?)
    }

    /// The text of an atom.
    pub fn atom_text(&self, atom: AtomId) -> String {
        let mut text = String::new();
        self.grounding.program.write_atom(&mut text, atom);
        text
    }

    /// Looks for exclusive fluents that hold together, or a group of which none holds though one always should.
    pub fn check_groups(&self, state: &HashSet<&str>) -> Result<(), Failed> {
        let program = &self.grounding.program;
        for group in program.mutex_groups() {
            let text = |fluent: AtomId| {
                let term = program.args(fluent).next().expect("`true` has an argument");
                program.term_text(term)
            };
            let held: Vec<String> =
                group.fluents.iter().map(|&it| text(it)).filter(|it| state.contains(it.as_str())).collect();
            if held.len() > 1 || held.is_empty() && group.is_exactly_one {
                return Err(format!("of a group of {} hold {held:?}", group.fluents.len()).into());
            }
        }
        Ok(())
    }

    /// Says which facts of a position are not in base.
    pub fn check_facts<'a>(&self, facts: impl IntoIterator<Item = &'a str>) -> Result<(), Failed> {
        let is_missing = |fact: &&str| self.base.binary_search(&format!("(base {fact})")).is_err();
        none(facts.into_iter().filter(is_missing), "not in base")
    }

    /// Says which moves of a role are not in input.
    pub fn check_moves<'a>(
        &self,
        role: &str,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), Failed> {
        let is_missing = |text: &&str| self.input.binary_search(&format!("(input {role} {text})")).is_err();
        none(moves.into_iter().filter(is_missing), &format!("moves of {role} not in input"))
    }

    /// Says which facts are not in the sets of another grounding of the game.
    pub fn check_sets_within(&self, other: &Grounded) -> Result<(), Failed> {
        let missing = |own: &[String], others: &[String]| {
            let others: BTreeSet<&String> = others.iter().collect();
            let missing: Vec<String> = own.iter().filter(|fact| !others.contains(fact)).cloned().collect();
            missing
        };
        let missing = [missing(&self.base, &other.base), missing(&self.input, &other.input)].concat();
        none(missing.iter().map(String::as_str), "not in the larger sets")
    }
}

fn none<'a>(found: impl Iterator<Item = &'a str>, what: &str) -> Result<(), Failed> {
    let found: Vec<_> = found.take(10).collect();
    if found.is_empty() { Ok(()) } else { Err(format!("{what}: {}", found.join(" ")).into()) }
}
