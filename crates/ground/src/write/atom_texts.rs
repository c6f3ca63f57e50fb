//! The texts of atoms: rules repeat them, so each is made once while they take little memory.

use crate::program::{AtomId, GroundProgram};

/// The memory for texts, in bytes. Atoms whose texts do not fit are written anew each time.
const MOST_BYTES: usize = 64 << 20;

/// Texts of the first atoms, which are the fluents and the moves that most rules ask for.
pub(super) struct AtomTexts<F> {
    push_atom: F,
    texts: String,
    ends: Vec<u32>,
}

impl<F: Fn(&mut String, AtomId)> AtomTexts<F> {
    /// The texts that `push_atom` appends.
    pub(super) fn new(program: &GroundProgram, push_atom: F) -> AtomTexts<F> {
        AtomTexts::within(MOST_BYTES, program, push_atom)
    }

    fn within(most_bytes: usize, program: &GroundProgram, push_atom: F) -> AtomTexts<F> {
        let (mut texts, mut ends) = (String::new(), Vec::new());
        for at in 0..program.n_atoms() {
            let start = texts.len();
            push_atom(&mut texts, AtomId::new(at));
            if texts.len() > most_bytes {
                texts.truncate(start);
                break;
            }
            ends.push(texts.len() as u32);
        }
        AtomTexts { push_atom, texts, ends }
    }

    /// Appends the text of an atom.
    #[inline]
    pub(super) fn push(&self, out: &mut String, atom: AtomId) {
        let at = atom.index();
        match self.ends.get(at) {
            Some(&end) => {
                let start = if at == 0 { 0 } else { self.ends[at - 1] };
                out.push_str(&self.texts[start as usize..end as usize]);
            }
            None => (self.push_atom)(out, atom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::tests::lamp;

    #[test]
    fn texts_are_the_same_with_and_without_memory() {
        let program = lamp();
        let push_atom = |out: &mut String, atom| program.write_atom(out, atom);
        for most_bytes in [0, 20, 1000] {
            let texts = AtomTexts::within(most_bytes, &program, push_atom);
            assert!(texts.texts.len() <= most_bytes);
            for atom in (0..program.n_atoms()).map(AtomId::new) {
                let (mut expected, mut found) = (String::new(), String::new());
                push_atom(&mut expected, atom);
                texts.push(&mut found, atom);
                assert_eq!(found, expected);
            }
        }
    }
}
