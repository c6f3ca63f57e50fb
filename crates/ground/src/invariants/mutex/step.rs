//! The rules that decide about one group in the next state, by the literals they use.

const NONE: u32 = u32::MAX;

/// Which rules use a literal, in chains: made and forgotten again for each group.
pub(super) struct Step {
    /// By the code of a literal: the last entry.
    last: Vec<u32>,
    /// A rule, and the entry before of the same literal.
    entries: Vec<(u32, u32)>,
    /// The literals that have entries.
    literals: Vec<u32>,
    /// The atoms whose rules take part.
    pub(super) atoms: Vec<u32>,
    is_atom: Vec<bool>,
}

impl Step {
    pub(super) fn new(n_atoms: usize) -> Step {
        Step {
            last: vec![NONE; 2 * n_atoms],
            entries: Vec::new(),
            literals: Vec::new(),
            atoms: Vec::new(),
            is_atom: vec![false; n_atoms],
        }
    }

    pub(super) fn add_atom(&mut self, atom: usize) {
        if !std::mem::replace(&mut self.is_atom[atom], true) {
            self.atoms.push(atom as u32);
        }
    }

    pub(super) fn add_user(&mut self, code: u32, rule: u32) {
        let last = &mut self.last[code as usize];
        if *last == NONE {
            self.literals.push(code);
        }
        let before = std::mem::replace(last, self.entries.len() as u32);
        self.entries.push((rule, before));
    }

    /// The entry of a literal at which to begin.
    #[inline]
    pub(super) fn first(&self, code: u32) -> u32 {
        self.last[code as usize]
    }

    /// The rule of an entry, and where to go on.
    #[inline]
    pub(super) fn user(&self, at: u32) -> Option<(u32, u32)> {
        self.entries.get(at as usize).copied()
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.atoms.drain(..).for_each(|atom| self.is_atom[atom as usize] = false);
        self.literals.drain(..).for_each(|code| self.last[code as usize] = NONE);
    }
}
