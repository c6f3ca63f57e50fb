//! Facts that are on no board, in a few lines.

use crate::play::move_list::shown;
use crate::play::natural_order::natural_order;

/// A relation with longer text than this is cut.
const LONGEST: usize = 240;

/// The facts, those of a relation together: `ply 20; hand black 3, white 2`.
pub(super) fn list(facts: &[String], width: usize) -> Vec<String> {
    let mut relations: Vec<(&str, Vec<String>)> = Vec::new();
    for text in facts {
        let text = shown(text);
        let (relation, arguments) = text.split_once(' ').unwrap_or((text, ""));
        let arguments = arguments.to_owned();
        match relations.iter_mut().find(|(name, _)| *name == relation) {
            Some((_, facts)) => facts.push(arguments),
            None => relations.push((relation, vec![arguments])),
        }
    }
    let n_relations = relations.len();
    let mut items = Vec::new();
    for (at, (name, facts)) in relations.into_iter().enumerate() {
        items.extend(one_relation(name, facts, if at + 1 == n_relations { "" } else { ";" }));
    }
    wrap(&items, width)
}

/// The facts of one relation: the first after the name of the relation, the last before `end`.
fn one_relation(name: &str, mut facts: Vec<String>, end: &str) -> Vec<String> {
    facts.sort_by(|left, right| natural_order(left, right));
    let fits = |length: &mut usize, fact: &String| {
        *length += fact.len() + 2;
        Some(*length <= LONGEST)
    };
    let n_shown = facts.iter().scan(0, fits).take_while(|&fits| fits).count().max(1);
    let n_left = facts.len() - n_shown;
    let mut items = facts;
    items.truncate(n_shown);
    items[0] = format!("{name} {}", items[0]).trim_end().to_owned();
    if n_left > 0 {
        items.push(format!("and {n_left} more"));
    }
    let last = items.len() - 1;
    items.iter_mut().take(last).for_each(|item| item.push(','));
    items[last].push_str(end);
    items
}

/// Sets items one after the other and breaks lines between them only.
pub(super) fn wrap(items: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + item.chars().count() <= width => {
                line.push(' ');
                line.push_str(item);
            }
            _ => lines.push(item.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_relation_is_cut() {
        let facts: Vec<String> = (1..=200).map(|n| format!("(used {n})")).collect();
        let lines = list(&facts, 1000);
        assert!(lines[0].starts_with("used 1, 2, 3, ") && lines[0].ends_with(" more"), "{lines:?}");
    }

    #[test]
    fn facts_of_a_relation_stand_together() {
        let facts = ["(hand black 10)", "(hand white 9)", "(ply 20)", "lost"].map(str::to_owned);
        assert_eq!(list(&facts, 80), ["hand black 10, white 9; ply 20; lost"]);
        assert_eq!(list(&facts, 20), ["hand black 10,", "white 9; ply 20;", "lost"]);
    }
}
