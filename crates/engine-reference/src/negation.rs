//! Negation, decided on completed tables only.
//!
//! A negated call of a table that is still incomplete is delayed. When the frame
//! has no other work, every table that depends on no delayed negation is
//! complete, and the negations of those can be decided.
//!
//! Where calls are more open than the atoms they ask for, a call may wait for its
//! own negation although no atom does. Then what is *possible* is derived beside
//! what is certain, with every undecided negation taken as true: what is not even
//! possible is false, and its negation decided. If that decides nothing either,
//! atoms depend on their own negation.

use crate::cycle::negative_cycle;
use crate::machine::{Called, Continuation, Frame, Machine};
use crate::program::{Arguments, Program, RelationId, StepId};
use crate::stop::Stop;
use crate::table::{TableId, Tables};
use crate::terms::TermId;
use rustc_hash::FxHashSet;

/// A negated call that waits for its table.
pub(crate) struct Delayed {
    pub(crate) owner: TableId,
    pub(crate) target: TableId,
    step: StepId,
    env: Box<[TermId]>,
}

impl Machine {
    /// Whether the continuation goes on: the negated call has no answer.
    pub(crate) fn call_in_vain(
        &mut self,
        program: &Program,
        relation: RelationId,
        arguments: &Arguments,
        owner: TableId,
        step: StepId,
    ) -> Result<bool, Stop> {
        let rule = program.steps[step.index()].rule;
        self.instantiate_all(&arguments.patterns, rule)?;
        let Called::Ready(target) = self.call(program, relation, 0, owner, step)? else {
            return Ok(false);
        };
        if let Some(certain) = &self.certain {
            return Ok(!certain.is_answered(target));
        }
        if self.tables.is_answered(target) {
            return Ok(false);
        }
        if self.tables[target].complete {
            return Ok(true);
        }
        self.delayed.push(Delayed { owner, target, step, env: self.env.as_slice().into() });
        Ok(false)
    }

    /// Lets every delayed negation of the frame that can be decided go on.
    pub(crate) fn decide_delayed(&mut self, program: &Program, frame: Frame) -> Result<(), Stop> {
        let mut delayed = self.delayed.split_off(frame.first_delayed);
        delayed.retain(|delayed| !self.is_settled(delayed.owner) && !self.tables.is_answered(delayed.target));
        if delayed.is_empty() {
            return Ok(());
        }
        self.complete_what_is_not_blocked(&delayed, frame);
        let n_delayed = delayed.len();
        let (decided, mut waiting): (Vec<_>, Vec<_>) =
            delayed.into_iter().partition(|delayed| self.tables[delayed.target].complete);
        self.resume(program, decided.iter());
        if waiting.len() == n_delayed {
            let possible = self.possible_answers(program, frame, &waiting)?;
            let lowest = self.frames.last().expect("the frame at work").lowest;
            let (impossible, undecided): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .partition(|delayed| lowest == frame.lowest && !possible.is_answered(delayed.target));
            if impossible.is_empty() && lowest == frame.lowest {
                let open = &self.open[frame.first_table..];
                return Err(Stop::NegativeCycle(negative_cycle(&self.tables, open, &undecided)));
            }
            self.resume(program, impossible.iter());
            waiting = undecided;
        }
        self.delayed.extend(waiting);
        Ok(())
    }

    /// Whether a table needs no further work: its one answer is known.
    fn is_settled(&self, table: TableId) -> bool {
        self.tables[table].ground && self.tables.is_answered(table)
    }

    /// Tables that depend on no delayed negation have all their answers.
    fn complete_what_is_not_blocked(&mut self, delayed: &[Delayed], frame: Frame) {
        let mut blocked = FxHashSet::default();
        let mut pending: Vec<_> = delayed.iter().map(|delayed| delayed.owner).collect();
        while let Some(table) = pending.pop() {
            if !self.is_settled(table) && blocked.insert(table) {
                pending.extend(self.tables[table].consumers.iter().map(|consumer| consumer.owner));
            }
        }
        for &table in &self.open[frame.first_table..] {
            if !blocked.contains(&table) {
                self.tables[table].complete = true;
            }
        }
    }

    fn resume<'a>(&mut self, program: &Program, delayed: impl Iterator<Item = &'a Delayed>) {
        for Delayed { owner, step, env, .. } in delayed {
            self.environments.extend_from_slice(env);
            self.work.push(Continuation { owner: *owner, step: program.steps[step.index()].next });
        }
    }

    /// The tables as they would be if every negation that is not certainly false were true. They are all of it
    /// only if no table of a frame below was needed; otherwise the frame waits for that one from now on.
    fn possible_answers(
        &mut self,
        program: &Program,
        frame: Frame,
        delayed: &[Delayed],
    ) -> Result<Tables, Stop> {
        let (open, frames) = (self.open.clone(), self.frames.clone());
        self.certain = Some(self.tables.clone());
        self.resume(program, delayed.iter());
        while self.frames.len() > frames.len() || self.work.len() > frame.first_work {
            let last = *self.frames.last().expect("the frame is not finished");
            self.advance(program, last)?;
        }
        let lowest = self.frames.last().expect("the frame is not finished").lowest;
        (self.open, self.frames) = (open, frames);
        self.frames.last_mut().expect("the frame is not finished").lowest = lowest;
        let certain = self.certain.take().expect("set above");
        Ok(std::mem::replace(&mut self.tables, certain))
    }
}
