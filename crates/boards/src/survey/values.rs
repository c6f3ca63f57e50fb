//! The terms of a game by number, in the order of the rulesheet.

use senet_gdl::Interner;
use std::cmp::Ordering;
use std::collections::HashMap;

senet_ids::define_id! {
    /// A term that occurs in facts or moves.
    pub(crate) struct Value;
}

/// All terms seen, as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    /// The names of the rulesheet by first occurrence: this order survives renaming.
    names: Interner,
    by_text: HashMap<String, Value>,
    texts: Vec<String>,
    /// The names in each term, by number.
    ranks: Vec<Vec<usize>>,
}

impl Values {
    /// No terms yet, of a game with these names.
    pub(crate) fn new(names: Interner) -> Self {
        Self { names, ..Self::default() }
    }

    /// The number of a term.
    pub(crate) fn intern(&mut self, text: &str) -> Value {
        if let Some(&value) = self.by_text.get(text) {
            return value;
        }
        let value = Value::new(self.texts.len());
        self.ranks.push(self.rank(text));
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), value);
        value
    }

    /// The names in a text by number; names that the rulesheet has not come last.
    pub(crate) fn rank(&self, text: &str) -> Vec<usize> {
        let words = text.split(|c: char| " ()".contains(c)).filter(|word| !word.is_empty());
        words.map(|word| self.names.get(word).map_or(usize::MAX, |symbol| symbol.index())).collect()
    }

    /// The text of a term.
    pub(crate) fn text(&self, value: Value) -> &str {
        &self.texts[value.index()]
    }

    /// Compares terms by where their names first occur in the rulesheet.
    pub(crate) fn compare(&self, left: Value, right: Value) -> Ordering {
        let by_rank = self.ranks[left.index()].cmp(&self.ranks[right.index()]);
        by_rank.then_with(|| self.text(left).cmp(self.text(right)))
    }

    /// The terms in the order of the rulesheet, each once.
    pub(crate) fn sorted(&self, values: impl IntoIterator<Item = Value>) -> Vec<Value> {
        let mut values: Vec<Value> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        values.sort_by(|&left, &right| self.compare(left, right));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_occur_first_come_first() {
        let description = senet_gdl::parse("(role zoe) (init (cell (at zoe) amy))");
        let mut values = Values::new(description.symbols);
        let terms = ["amy", "(at zoe)", "zoe", "unknown"].map(|text| values.intern(text));
        let sorted = values.sorted(terms.into_iter().chain(terms));
        assert_eq!(
            sorted.iter().map(|&value| values.text(value)).collect::<Vec<_>>(),
            ["zoe", "(at zoe)", "amy", "unknown"]
        );
    }
}
