//! Why an evaluation cannot go on, and where one that would not end is stopped.

use crate::machine::Machine;
use crate::program::{Program, RelationId, RuleId};
use crate::table::TableId;
use senet_game::GameError;
use senet_gdl::Interner;

/// Far beyond what any published game needs, and within what a machine has.
pub(crate) struct Limits;

impl Limits {
    /// As deep as the parser reads, so that every position can be written down and read back.
    const TERM_DEPTH: u32 = senet_gdl::MAX_DEPTH as u32;
    /// Symbols in one term, counted as it is written.
    const TERM_SIZE: u32 = 1 << 16;
    /// Symbols and arguments of all terms.
    const TERMS: usize = 1 << 25;
    const TABLES: usize = 1 << 22;
    const KEPT: usize = 1 << 26;
    /// Atoms of a cycle that an error shows.
    const CYCLE_SHOWN: usize = 10;
    const STEPS: u64 = 1 << 31;
    /// Values in the environments of continuations: nothing more is pushed beyond it.
    pub(crate) const WAITING: usize = 1 << 27;
    /// A worker with larger terms than this begins afresh with the next position.
    pub(crate) const TERMS_TO_KEEP: usize = 1 << 23;
}

/// Why the evaluation cannot go on.
pub(crate) enum Stop {
    /// A variable that no condition binds had to be known.
    Unsafe { rule: RuleId, variable: usize },
    /// A limit was reached.
    Unbounded { asked_by: TableId, relation: RelationId, what: String },
    /// Tables in order, each with whether the one before it depends on its negation.
    NegativeCycle(Vec<(TableId, bool)>),
}

impl Machine {
    /// Stops what uses up time or memory.
    pub(crate) fn check_sizes(&self, owner: TableId) -> Result<(), Stop> {
        let what = if self.n_steps > Limits::STEPS {
            format!("over {} steps were taken for one question", Limits::STEPS)
        } else if self.n_kept > Limits::KEPT {
            format!("over {} values were derived for one question", Limits::KEPT)
        } else if self.terms.size() > Limits::TERMS {
            format!("over {} terms were built", Limits::TERMS)
        } else if self.tables.len() > Limits::TABLES {
            format!("over {} different questions arose", Limits::TABLES)
        } else if self.environments.len() > Limits::WAITING {
            format!("over {} values wait to be joined", Limits::WAITING)
        } else {
            return Ok(());
        };
        Err(Stop::Unbounded { asked_by: owner, relation: self.tables[owner].relation, what })
    }

    /// Stops terms that grow: those of a new question or a new answer, in `known`.
    pub(crate) fn check_terms(&self, asked_by: TableId, relation: RelationId) -> Result<(), Stop> {
        for &term in &self.known {
            let what = if self.terms.depth(term) > Limits::TERM_DEPTH {
                format!("a term is nested over {} deep", Limits::TERM_DEPTH)
            } else if self.terms.written_size(term) > Limits::TERM_SIZE {
                format!("a term has over {} symbols", Limits::TERM_SIZE)
            } else {
                continue;
            };
            return Err(Stop::Unbounded { asked_by, relation, what });
        }
        Ok(())
    }

    /// The reason in the words of the rulesheet.
    pub(crate) fn explain(&self, program: &Program, names: &Interner, stop: Stop) -> GameError {
        let name = |relation: RelationId| names.name(program.relations[relation.index()].name).to_owned();
        match stop {
            Stop::Unsafe { rule, variable } => {
                let rule = &program.rules[rule.index()];
                GameError::Unsafe {
                    variable: names.name(rule.variable_names[variable]).to_owned(),
                    clause: rule.text.to_string(),
                }
            }
            Stop::Unbounded { asked_by, relation, what } => {
                let asked_by = self.tables[asked_by].relation;
                let what = if asked_by == relation {
                    what
                } else {
                    format!("{what}, asked by `{}`", name(asked_by))
                };
                GameError::Unbounded { relation: name(relation), what }
            }
            Stop::NegativeCycle(cycle) => {
                let text = |(table, negated): (TableId, bool)| {
                    let atom = self.show_call(program, names, table);
                    if negated { format!("(not {atom})") } else { atom }
                };
                let mut shown: Vec<_> = cycle.iter().take(Limits::CYCLE_SHOWN).copied().map(text).collect();
                if cycle.len() > shown.len() {
                    shown.push(format!("{} more, the last of them", cycle.len() - shown.len()));
                    shown.extend(cycle.last().copied().map(text));
                }
                GameError::NegativeCycle { cycle: shown }
            }
        }
    }

    fn show_call(&self, program: &Program, names: &Interner, table: TableId) -> String {
        let table = &self.tables[table];
        let relation = &program.relations[table.relation.index()];
        let mut out = String::from(names.name(relation.name));
        if relation.is_below_not {
            // It has no name in the rulesheet.
            return format!("(condition below `not` in a rule for `{out}`)");
        }
        for &term in &table.call {
            out.push(' ');
            self.terms.write(&mut out, term, names);
        }
        if table.call.is_empty() { out } else { format!("({out})") }
    }
}
