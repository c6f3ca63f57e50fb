//! Names to numbers and back.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

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
    /// The names in lower case, one after the other: so a copy of all names is cheap.
    text: String,
    /// Where each name begins and ends in the text.
    places: Vec<(u32, u32)>,
    by_name: HashTable<Symbol>,
    /// The names that were not first written in lower case, in order.
    spellings: Vec<(Symbol, Box<str>)>,
    hasher: RandomState,
}

impl Interner {
    /// No names yet, and space for some.
    pub fn with_capacity(n_names: usize) -> Self {
        Self {
            places: Vec::with_capacity(n_names),
            by_name: HashTable::with_capacity(n_names),
            ..Self::default()
        }
    }

    /// The symbol of `name`, numbered now if it is new.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash_of(&self.hasher, name);
        if let Some(symbol) = self.find(hash, name) {
            return symbol;
        }
        // Names are mostly written in lower case and known: only here it is worth to look.
        if !has_upper_case(name) {
            return self.add(hash, name);
        }
        let lower_case = name.to_ascii_lowercase();
        let hash = hash_of(&self.hasher, &lower_case);
        self.find(hash, &lower_case).unwrap_or_else(|| {
            let symbol = self.add(hash, &lower_case);
            self.spellings.push((symbol, name.into()));
            symbol
        })
    }

    fn add(&mut self, hash: u64, name: &str) -> Symbol {
        let symbol = Symbol::new(self.places.len());
        let start = self.text.len();
        self.text.push_str(name);
        let narrow = |at| u32::try_from(at).expect("all names together are shorter than 4 GiB");
        self.places.push((narrow(start), narrow(self.text.len())));
        let Self { text, places, hasher, .. } = self;
        self.by_name.insert_unique(hash, symbol, |&other| hash_of(hasher, name_at(text, places, other)));
        symbol
    }

    fn find(&self, hash: u64, name: &str) -> Option<Symbol> {
        let is_it = |symbol: &Symbol| {
            let (start, end) = self.places[symbol.index()];
            self.text.as_bytes()[start as usize..end as usize] == *name.as_bytes()
        };
        self.by_name.find(hash, is_it).copied()
    }

    /// The symbol of `name`, if it was interned before.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        let find = |name: &str| self.find(hash_of(&self.hasher, name), name);
        if has_upper_case(name) { find(&name.to_ascii_lowercase()) } else { find(name) }
    }

    /// The name in lower case.
    #[inline]
    pub fn name(&self, symbol: Symbol) -> &str {
        name_at(&self.text, &self.places, symbol)
    }

    /// The name as it was first written.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        match self.spellings.binary_search_by_key(&symbol, |&(symbol, _)| symbol) {
            Ok(at) => &self.spellings[at].1,
            Err(_) => self.name(symbol),
        }
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no name was interned.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All symbols, in order.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.len()).map(Symbol::new)
    }
}

fn has_upper_case(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// The bytes alone: a single name needs no mark of its end, as the standard hash of strings has.
fn hash_of(hasher: &RandomState, name: &str) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(name.as_bytes());
    state.finish()
}

#[inline]
fn name_at<'t>(text: &'t str, places: &[(u32, u32)], symbol: Symbol) -> &'t str {
    let (start, end) = places[symbol.index()];
    &text[start as usize..end as usize]
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
