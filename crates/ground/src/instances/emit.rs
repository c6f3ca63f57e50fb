//! The results of a join, stored as instances of the current rule.

use super::Instances;
use crate::facts::{Table, TableId};
use crate::join::{Found, HEAD, Sink};
use crate::limits::{Limits, Stopping};
use crate::options::Mode;
use crate::program::{AtomId, Lit};
use senet_rules::RelId;
use smallvec::SmallVec;

/// An atom that can never hold, in a negative literal that is left out.
const NEVER: u32 = u32::MAX;

/// The known facts of the current rule's head relation.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Whether it gets its facts only now.
    pub(super) is_growing: bool,
    /// Whether only atoms that occur in rules so far are wanted.
    pub(super) is_asked: bool,
}

/// A dynamic literal of the rule at hand.
pub(super) struct Part {
    pub(super) literal: usize,
    pub(super) relation: RelId,
    pub(super) first_atom: u32,
    pub(super) is_negative: bool,
}

/// Stores the instances of the rule at hand as a join finds them.
pub(super) struct Emit<'a> {
    pub(super) to: &'a mut Instances,
    pub(super) parts: SmallVec<[Part; 8]>,
    pub(super) head_table: TableId,
    pub(super) head_first: u32,
    pub(super) may_repeat: bool,
    pub(super) head: Head,
    pub(super) row: Vec<u32>,
}

/// Sorts the few literals of a body and drops repetitions; gives the number that is left.
fn settle(body: &mut [Lit]) -> usize {
    sort_few(body);
    let mut len = 1;
    for at in 1..body.len() {
        if body[at] != body[len - 1] {
            body[len] = body[at];
            len += 1;
        }
    }
    len
}

/// Sorts the few literals of a body.
#[inline]
fn sort_few(body: &mut [Lit]) {
    if body.len() > 16 {
        body.sort_unstable();
        return;
    }
    for at in 1..body.len() {
        let mut place = at;
        while place > 0 && body[place - 1] > body[place] {
            body.swap(place - 1, place);
            place -= 1;
        }
    }
}

fn has_atom_twice(body: &[Lit]) -> bool {
    body.windows(2).any(|pair| pair[0].atom() == pair[1].atom())
}

impl Sink for Emit<'_> {
    fn found(
        &mut self,
        tables: &mut [Table],
        limits: &mut Limits,
        found: &Found<'_>,
    ) -> Result<(), Stopping> {
        let literals = &mut self.to.rules.literals;
        let first = literals.len();
        let (mut least, mut is_sorted) = (0, true);
        for part in self.parts.as_slice() {
            let number = found.numbers[part.literal];
            let (atom, lit) = if !part.is_negative {
                let atom = part.first_atom + number;
                (atom, Lit::positive(AtomId::new(atom as usize)))
            } else if number != NEVER {
                (number, Lit::negative(AtomId::new(number as usize)))
            } else {
                continue;
            };
            is_sorted &= atom >= least;
            least = atom + 1;
            literals.push(lit);
        }
        if !is_sorted {
            let len = settle(&mut literals[first..]);
            literals.truncate(first + len);
            if self.to.mode != Mode::Paper && has_atom_twice(&literals[first..]) {
                literals.truncate(first);
                self.to.has_contradictions = true;
                return Ok(());
            }
        }
        limits.add_memory(8 + 4 * (literals.len() - first))?;
        limits.progress.rules = self.to.rules.heads.len();
        let mut head = found.head_number;
        if self.head.is_growing {
            self.row.clear();
            self.row.extend(found.head());
            let (row, is_new) = tables[self.head_table.index()].insert(&self.row);
            // It is numbered last.
            self.to.n_atoms += u32::from(is_new);
            head = self.head_first + row;
        }
        self.to.store(head, first, self.may_repeat)
    }

    fn number(&mut self, literal: usize, args: &[u32], row: Option<u32>) -> Option<u32> {
        if literal == HEAD {
            // An auxiliary relation is still growing, of others everything that can follow is
            // known.
            if self.head.is_growing {
                return Some(0);
            }
            let number = self.head_first + row?;
            let is_wanted = !self.head.is_asked || self.to.occurs.get(number as usize) == Some(&true);
            return is_wanted.then_some(number);
        }
        let part = self.parts.iter().find(|part| part.literal == literal).expect("a dynamic literal");
        if let Some(row) = row {
            return Some(part.first_atom + row);
        }
        if self.to.mode != Mode::Paper {
            return Some(NEVER);
        }
        Some(self.to.impossible.number(part.relation, args))
    }
}
