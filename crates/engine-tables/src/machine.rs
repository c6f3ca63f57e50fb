//! The facts of one position, and the moves last played.

use crate::join::Stop;
use crate::knowledge::KnowledgeBase;
use crate::loose::Scratch;
use crate::program::{Group, Program, Runner};
use crate::saturate::Halt;
use senet_rules::Lifetime;

/// The memory of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) base: KnowledgeBase,
    pub(crate) scratch: Scratch,
    is_done: Vec<bool>,
    cursors: Vec<u32>,
    fluents: Vec<u32>,
    is_loose: bool,
    /// By rule: its work, where that is counted.
    pub(crate) work: Vec<u64>,
}

impl Machine {
    pub(crate) fn new(program: &Program) -> Machine {
        let has_loose = |group: &Group| {
            !group.repeated.is_empty() || group.once.iter().any(|runner| matches!(runner, (_, Runner::Loose)))
        };
        let is_loose = program.groups.iter().flatten().any(has_loose);
        let (n_lists, n_rules) = (program.layout.sizes.len(), program.rule_set.rules.len());
        Machine {
            base: KnowledgeBase::new(&program.layout),
            scratch: Scratch::new(program.permanent.clone(), program.terms.clone(), n_lists, n_rules),
            is_done: vec![false; program.groups.len()],
            cursors: vec![0; program.n_cursors],
            fluents: Vec::new(),
            is_loose,
            work: vec![0; n_rules],
        }
    }

    /// Goes to the position in which the fluents at these places hold.
    pub(crate) fn enter(&mut self, program: &Program, fluents: &[u32]) {
        self.forget(program, Lifetime::Position);
        fluents.iter().for_each(|&place| self.base.write(&program.layout, place));
    }

    /// Goes to the position that was derived.
    pub(crate) fn advance(&mut self, program: &Program) {
        let mut fluents = std::mem::take(&mut self.fluents);
        fluents.clear();
        let fluent = program.fluent();
        for list in program.lists_of(program.rule_set.keywords.next) {
            fluents.extend(self.base.items(list).iter().map(|&next| fluent(next)));
        }
        self.enter(program, &fluents);
        self.fluents = fluents;
    }

    /// Forgets what does not live longer.
    pub(crate) fn forget(&mut self, program: &Program, lifetime: Lifetime) {
        self.base.clear_from(program.lists_from(lifetime));
        if self.is_loose {
            self.scratch.forget(program, lifetime);
        }
        for (is_done, own) in self.is_done.iter_mut().zip(&program.lifetimes) {
            *is_done &= *own < lifetime;
        }
    }

    /// Derives the facts of some stages, in order, unless they are known.
    #[inline]
    pub(crate) fn derive(&mut self, program: &Program, needed: &[usize]) -> Result<(), Halt> {
        self.derive_counting::<false>(program, needed)
    }

    /// The same; counts the work of each rule, if that is wanted.
    #[inline(always)]
    pub(crate) fn derive_counting<const COUNT: bool>(
        &mut self,
        program: &Program,
        needed: &[usize],
    ) -> Result<(), Halt> {
        for &at in needed {
            if !self.is_done[at] {
                self.is_done[at] = true;
                for group in &program.groups[at] {
                    let done = self.run::<COUNT>(program, group);
                    done.map_err(|stop| Halt { relation: program.relation_of[at], stop })?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn run<const COUNT: bool>(&mut self, program: &Program, group: &Group) -> Result<(), Stop> {
        let Machine { base, scratch, work, .. } = self;
        for (rule, runner) in &group.once {
            match runner {
                Runner::Tables(tables) => tables.run::<COUNT>(base, &program.layout),
                Runner::Loose => scratch.run(program, base, *rule)?,
            }
            if COUNT {
                work[*rule] += std::mem::take(&mut base.work);
            }
        }
        if !group.triggered.is_empty() || !group.repeated.is_empty() {
            self.repeat::<COUNT>(program, group)?;
        }
        Ok(())
    }

    /// Rules whose results lead to more results: each reads what came in the order of production.
    fn repeat<const COUNT: bool>(&mut self, program: &Program, group: &Group) -> Result<(), Stop> {
        let Machine { base, scratch, cursors, work, .. } = self;
        for (_, tables, cursor) in &group.triggered {
            cursors[*cursor..][..tables.first_lists().len()].fill(0);
        }
        let mut has_new = true;
        while has_new {
            has_new = false;
            for (rule, tables, cursor) in &group.triggered {
                for (at, &list) in (*cursor..).zip(tables.first_lists()) {
                    let (seen, end) = (cursors[at], base.len(list));
                    if seen < end {
                        has_new = true;
                        cursors[at] = end;
                        tables.run_triggered::<COUNT>(base, &program.layout, list, seen..end);
                    }
                }
                if COUNT {
                    work[*rule] += std::mem::take(&mut base.work);
                }
            }
            for &rule in &group.repeated {
                let list = |base: &KnowledgeBase| {
                    let lists = program.lists_of(program.rule_set.rules[rule].head.relation);
                    lists.map(|list| base.len(list)).sum::<u32>()
                };
                let before = list(base);
                scratch.run(program, base, rule)?;
                has_new |= list(base) > before;
            }
        }
        Ok(())
    }
}
