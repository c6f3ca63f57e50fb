//! Notes on a rulesheet whose `base` or `input` is not what its rules give.

use super::GroundArgs;
use crate::excerpt::shorten;
use senet_ground::{Declared, Difference};
use std::io::{self, Write};

/// Writes a line for each of base and input that is declared and differs from what was computed.
pub(super) fn write_notes(out: &mut impl Write, args: &GroundArgs, declared: &Declared) -> io::Result<()> {
    let Declared { base, input, is_closed } = declared;
    for (name, difference) in [("base", base), ("input", input)] {
        if let Some(note) = difference.as_ref().and_then(|found| note(name, found, *is_closed && !args.paper))
        {
            writeln!(out, "note: {note}")?;
        }
    }
    Ok(())
}

fn note(name: &str, difference: &Difference, declared_bound: bool) -> Option<String> {
    let Difference { declared, computed, undeclared, examples } = difference;
    if *undeclared == 0 {
        return (declared > computed).then(|| {
            format!("`{name}`: {declared} declared, {computed} computed; the computed ones are used")
        });
    }
    let examples: Vec<_> = examples.iter().map(|example| shorten(example)).collect();
    let used = if declared_bound {
        "these are left out, because what is declared never leads to them"
    } else {
        "the computed ones are used"
    };
    Some(format!(
        "`{name}`: {declared} declared, {computed} computed, {undeclared} of these not declared, such as {}; {used}",
        examples.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(declared: usize, computed: usize, undeclared: usize) -> Difference {
        Difference { declared, computed, undeclared, examples: vec!["(base on)".into(), "(base off)".into()] }
    }

    #[test]
    fn equal_sets_need_no_note() {
        assert_eq!(note("base", &difference(5, 5, 0), true), None);
    }

    #[test]
    fn a_note_says_which_facts_are_used() {
        let wide = note("input", &difference(9, 5, 0), true).expect("sets that differ have a note");
        assert_eq!(wide, "`input`: 9 declared, 5 computed; the computed ones are used");
        let both = note("base", &difference(5, 6, 2), true).expect("sets that differ have a note");
        assert_eq!(
            both,
            "`base`: 5 declared, 6 computed, 2 of these not declared, such as (base on) (base off); \
             these are left out, because what is declared never leads to them"
        );
        let open = note("base", &difference(5, 6, 2), false).expect("sets that differ have a note");
        assert!(open.ends_with("; the computed ones are used"), "{open}");
    }
}
