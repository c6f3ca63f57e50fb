//! Names to numbers and back.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

crate::define_id! {
    /// An interned name. Symbols are numbered in the order of their first
    /// interning, which for a rulesheet is the order of first occurrence.
    pub struct Symbol;
}

/// The names of one game. GDL names ignore ASCII case: they are looked up
/// and printed in lower case, and the first spelling is kept for the wire.
///
/// ```
/// use senet_ids::Interner;
/// let mut names = Interner::default();
/// let cell = names.intern("Cell");
/// assert_eq!(names.intern("CELL"), cell);
/// assert_eq!(names.name(cell), "cell");
/// assert_eq!(names.spelling(cell), "Cell");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interner {
    spelling_of_name: IndexMap<Box<str>, Box<str>, RandomState>,
}

impl Interner {
    /// The symbol of `name`, numbered now if it is new.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.get(name) {
            return symbol;
        }
        let (index, _) = self.spelling_of_name.insert_full(name.to_ascii_lowercase().into(), name.into());
        Symbol::new(index)
    }

    /// The symbol of `name`, if it was interned before.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        let index = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.spelling_of_name.get_index_of(name.to_ascii_lowercase().as_str())
        } else {
            self.spelling_of_name.get_index_of(name)
        };
        index.map(Symbol::new)
    }

    /// The name in lower case.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.spelling_of_name.get_index(symbol.index()).expect("a symbol of this interner").0
    }

    /// The name as it was first written.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        self.spelling_of_name.get_index(symbol.index()).expect("a symbol of this interner").1
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.spelling_of_name.len()
    }

    /// Whether no name was interned.
    pub fn is_empty(&self) -> bool {
        self.spelling_of_name.is_empty()
    }

    /// All symbols, in order.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.len()).map(Symbol::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_ignored_and_the_first_spelling_kept() {
        let mut names = Interner::default();
        let mark = names.intern("MarK");
        assert_eq!(names.intern("mark"), mark);
        assert_eq!((names.name(mark), names.spelling(mark)), ("mark", "MarK"));
        assert_eq!(names.get("MARK"), Some(mark));
        assert_eq!(names.get("marks"), None);
    }

    #[test]
    fn only_ascii_case_is_folded() {
        let mut names = Interner::default();
        assert_ne!(names.intern("É"), names.intern("é"));
    }

    #[test]
    fn symbols_are_numbered_by_first_occurrence() {
        let mut names = Interner::default();
        let order: Vec<_> = ["b", "a", "B", "c"].map(|name| names.intern(name).index()).into();
        assert_eq!(order, [0, 1, 0, 2]);
    }
}
