//! Facts that are on no board, in a few lines.

use super::fact::Fact;
use crate::play::natural_order::natural_order;

/// A relation with longer text than this is cut.
const LONGEST: usize = 240;

/// The facts, those of a relation together: `ply 20; hand black 3, white 2`.
pub(super) fn list(facts: &[&str], width: usize) -> Vec<String> {
    let mut relations: Vec<(&str, Vec<String>)> = Vec::new();
    for text in facts {
        let Fact { relation, arguments } = Fact::of(text);
        let arguments = arguments.join(" ");
        match relations.iter_mut().find(|(name, _)| *name == relation) {
            Some((_, facts)) => facts.push(arguments),
            None => relations.push((relation, vec![arguments])),
        }
    }
    let texts: Vec<String> = relations.into_iter().map(|(name, facts)| one_relation(name, facts)).collect();
    wrap(&texts.join("; "), width)
}

fn one_relation(name: &str, mut facts: Vec<String>) -> String {
    facts.sort_by(|left, right| natural_order(left, right));
    let mut text = String::new();
    for (at, arguments) in facts.iter().enumerate() {
        if text.len() > LONGEST {
            text.push_str(&format!(", and {} more", facts.len() - at));
            break;
        }
        text.push_str(if at == 0 { name } else { "," });
        if !arguments.is_empty() {
            text.push(' ');
            text.push_str(arguments);
        }
    }
    text
}

/// Breaks text between words.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_a_relation_stand_together() {
        let facts = ["(hand black 10)", "(hand white 9)", "(ply 20)", "lost"];
        assert_eq!(list(&facts, 80), ["hand black 10, white 9; ply 20; lost"]);
        assert_eq!(list(&facts, 20), ["hand black 10, white", "9; ply 20; lost"]);
    }
}
