//! What follows from literals, through rules in both directions and through groups, and back again.
//!
//! An atom that rules conclude holds exactly if the whole body of one of its rules does. A rule with all of its
//! body true makes its head true; a rule with a false head cannot have all of its body true; an atom without
//! possible rules is false; a true atom with one possible rule makes its body true. Each conclusion costs the
//! rules that use its atom, and so does taking it back.

use super::network::Network;
use super::step::Step;
use crate::program::Lit;

/// More rules than there can be.
pub(super) const FREE: u32 = u32::MAX;

/// The conclusions lead to one that excludes another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contradiction;

/// How far a rule is from concluding its head.
#[derive(Clone, Copy)]
pub(super) struct RuleState {
    pub(super) head: u32,
    /// How many literals are not known to hold.
    pub(super) n_open: u32,
    /// How many literals are known not to hold.
    pub(super) n_false: u32,
}

pub(super) struct Propagation<'n> {
    pub(super) network: &'n Network<'n>,
    /// The rules of the group whose next step is looked at.
    pub(super) step: Step,
    /// By the code of a literal.
    pub(super) holds: Vec<bool>,
    /// What holds, in the order of conclusion.
    pub(super) trail: Vec<u32>,
    /// So much of the trail was taken to the rules that use it.
    pub(super) n_applied: usize,
    /// So much of the trail was taken to the groups.
    pub(super) n_compared: usize,
    pub(super) rules: Vec<RuleState>,
    /// By atom: how many rules can still conclude it.
    pub(super) n_possible: Vec<u32>,
    /// By group: how many members are not known to be false.
    pub(super) n_left: Vec<u32>,
    /// By group: whether one of its members holds.
    pub(super) has_one: Vec<bool>,
    /// By group: whether a conclusion was drawn from that since [`Propagation::forget_used`].
    is_used: Vec<bool>,
    pub(super) used: Vec<u32>,
    /// How many uses of atoms may still be looked at.
    pub(super) fuel: u64,
}

impl<'n> Propagation<'n> {
    pub(super) fn new(network: &'n Network<'n>, n_fluent_groups: usize, fuel: u64) -> Propagation<'n> {
        let program = network.program;
        let n_atoms = program.n_atoms();
        let ends = &program.rules.first_literal;
        let rules = program.rules.heads.iter().zip(ends.iter().zip(&ends[1..]));
        let rules = rules.map(|(&head, (start, end))| RuleState { head, n_open: end - start, n_false: 0 });
        let mut n_possible: Vec<u32> = network.rules.lens().collect();
        network.free().into_iter().for_each(|atoms| n_possible[atoms].fill(FREE));
        let n_left: Vec<u32> = network.members.lens().collect();
        Propagation {
            network,
            step: Step::new(n_atoms),
            holds: vec![false; 2 * n_atoms],
            trail: Vec::with_capacity(64),
            n_applied: 0,
            n_compared: 0,
            rules: rules.collect(),
            n_possible,
            // Before a game ends each role has a move.
            has_one: (0..network.n_groups)
                .map(|group| group >= n_fluent_groups && n_left[group] > 0)
                .collect(),
            is_used: vec![false; network.n_groups],
            used: Vec::new(),
            n_left,
            fuel,
        }
    }

    pub(super) fn assert(&mut self, lit: Lit) -> Result<(), Contradiction> {
        self.assume(lit.code())
    }

    #[inline]
    pub(super) fn assume(&mut self, code: u32) -> Result<(), Contradiction> {
        if self.holds[code as usize] {
            return Ok(());
        }
        if self.holds[(code ^ 1) as usize] {
            return Err(Contradiction);
        }
        self.holds[code as usize] = true;
        self.trail.push(code);
        Ok(())
    }

    #[inline]
    pub(super) fn is_known(&self, code: u32) -> bool {
        self.holds[code as usize] || self.holds[(code ^ 1) as usize]
    }

    #[inline]
    pub(super) fn is_false(&self, code: u32) -> bool {
        self.holds[(code ^ 1) as usize]
    }

    pub(super) fn is_possible(&self, rule: u32) -> bool {
        self.rules[rule as usize].n_false == 0
    }

    pub(super) fn n_open(&self, rule: u32) -> u32 {
        self.rules[rule as usize].n_open
    }

    pub(super) fn n_left(&self, group: usize) -> u32 {
        self.n_left[group]
    }

    /// How many rules can still conclude an atom; `None` if the rules do not say when it holds.
    pub(super) fn n_possible(&self, atom: usize) -> Option<u32> {
        Some(self.n_possible[atom]).filter(|&n_rules| n_rules != FREE)
    }

    /// Draws all conclusions. Rules come first: groups can have many members.
    pub(super) fn propagate(&mut self) -> Result<(), Contradiction> {
        while self.fuel > 0 {
            if let Some(&code) = self.trail.get(self.n_applied) {
                self.n_applied += 1;
                self.apply(code)?;
            } else if let Some(&code) = self.trail.get(self.n_compared) {
                self.n_compared += 1;
                self.compare(code)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Takes a literal to the rules, and from moves to what is legal. All counts are brought up to date even if there is a contradiction.
    fn apply(&mut self, code: u32) -> Result<(), Contradiction> {
        let network = self.network;
        let mut result = Ok(());
        let confirmed = network.users.of(code as usize);
        confirmed.iter().for_each(|&rule| self.confirm(rule, &mut result));
        let refuted = network.users.of((code ^ 1) as usize);
        refuted.iter().for_each(|&rule| self.refute(rule, &mut result));
        let mut n_users = 1 + confirmed.len() + refuted.len();
        let mut at = self.step.first(code);
        while let Some((rule, next)) = self.step.user(at) {
            self.confirm(rule, &mut result);
            n_users += 1;
            at = next;
        }
        let mut at = self.step.first(code ^ 1);
        while let Some((rule, next)) = self.step.user(at) {
            self.refute(rule, &mut result);
            n_users += 1;
            at = next;
        }
        self.spend(n_users);
        result?;
        let atom = (code >> 1) as usize;
        if code & 1 == 0 {
            if network.moves.contains(&atom) {
                self.assume(positive(atom - network.moves.start + network.legals.start))?;
            }
            return if self.n_possible[atom] == 1 { self.use_only_rule(atom) } else { Ok(()) };
        }
        if network.legals.contains(&atom) {
            self.assume(negative(atom - network.legals.start + network.moves.start))?;
        }
        let own = network.rules.of(atom);
        self.spend(own.len());
        own.iter().try_for_each(|&rule| match self.rules[rule as usize] {
            RuleState { n_open: 0 | 1, n_false: 0, .. } => self.break_rule(rule),
            _ => Ok(()),
        })
    }

    /// One more literal of a rule holds.
    #[inline]
    fn confirm(&mut self, rule: u32, result: &mut Result<(), Contradiction>) {
        let state = &mut self.rules[rule as usize];
        state.n_open -= 1;
        let RuleState { head, n_open, n_false } = *state;
        if n_open <= 1 && n_false == 0 && result.is_ok() {
            let head = head as usize;
            *result = match n_open {
                0 => self.assume(positive(head)),
                1 if self.is_false(positive(head)) => self.break_rule(rule),
                _ => Ok(()),
            };
        }
    }

    /// One more literal of a rule does not hold.
    #[inline]
    fn refute(&mut self, rule: u32, result: &mut Result<(), Contradiction>) {
        let state = &mut self.rules[rule as usize];
        state.n_false += 1;
        if state.n_false > 1 {
            return;
        }
        let head = state.head as usize;
        let n_possible = &mut self.n_possible[head];
        if *n_possible == FREE {
            return;
        }
        *n_possible -= 1;
        let n_possible = *n_possible;
        if n_possible <= 1 && result.is_ok() {
            *result = match n_possible {
                0 => self.assume(negative(head)),
                1 if self.holds[positive(head) as usize] => self.use_only_rule(head),
                _ => Ok(()),
            };
        }
    }

    /// Makes the last literal false of a rule whose head is.
    fn break_rule(&mut self, rule: u32) -> Result<(), Contradiction> {
        let body = self.network.body(rule);
        self.spend(body.len());
        if body.iter().any(|lit| self.is_false(lit.code())) {
            return Ok(());
        }
        match body.iter().find(|lit| !self.is_known(lit.code())) {
            Some(open) => self.assume(open.code() ^ 1),
            None => Err(Contradiction),
        }
    }

    /// Makes the body true of the only rule that can conclude a true atom.
    fn use_only_rule(&mut self, head: usize) -> Result<(), Contradiction> {
        let rules = self.network.rules.of(head);
        self.spend(rules.len());
        match rules.iter().find(|&&rule| self.is_possible(rule)) {
            Some(&rule) => self.assume_body(rule),
            None => Err(Contradiction),
        }
    }

    pub(super) fn assume_body(&mut self, rule: u32) -> Result<(), Contradiction> {
        self.network.body(rule).iter().try_for_each(|&lit| self.assert(lit))
    }

    /// Takes a literal to the groups of its atom.
    fn compare(&mut self, code: u32) -> Result<(), Contradiction> {
        let network = self.network;
        let atom = (code >> 1) as usize;
        let groups = network.groups.of(atom);
        if code & 1 == 0 {
            for &group in groups {
                let members = network.members.of(group as usize);
                self.spend(members.len());
                let others = members.iter().filter(|&&member| member as usize != atom);
                others.into_iter().try_for_each(|&other| self.assume(negative(other as usize)))?;
            }
            return Ok(());
        }
        groups.iter().for_each(|&group| self.n_left[group as usize] -= 1);
        self.spend(groups.len());
        groups.iter().try_for_each(|&group| {
            if self.has_one[group as usize] && self.n_left[group as usize] <= 1 {
                self.use_last_member(group)
            } else {
                Ok(())
            }
        })
    }

    fn use_last_member(&mut self, group: u32) -> Result<(), Contradiction> {
        self.note_used(group);
        let members = self.network.members.of(group as usize);
        self.spend(members.len());
        match members.iter().find(|&&member| !self.is_false(positive(member as usize))) {
            Some(&last) => self.assume(positive(last as usize)),
            None => Err(Contradiction),
        }
    }

    pub(super) fn note_used(&mut self, group: u32) {
        if !std::mem::replace(&mut self.is_used[group as usize], true) {
            self.used.push(group);
        }
    }

    pub(super) fn forget_used(&mut self) {
        self.used.drain(..).for_each(|group| self.is_used[group as usize] = false);
    }

    #[inline]
    pub(super) fn spend(&mut self, work: usize) {
        self.fuel = self.fuel.saturating_sub(work as u64);
    }
}

#[inline]
pub(super) fn positive(atom: usize) -> u32 {
    (atom as u32) << 1
}

#[inline]
pub(super) fn negative(atom: usize) -> u32 {
    positive(atom) | 1
}
