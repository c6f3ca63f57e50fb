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
    /// All spellings, one after the other: so a copy of all names is cheap.
    text: String,
    spellings: Vec<Spelling>,
    /// The places in `spellings`, by content.
    by_content: HashTable<u32>,
    names: Vec<Name>,
    hasher: RandomState,
}

/// A word as it was written, or its lower case.
#[derive(Clone, Copy, Debug)]
struct Spelling {
    start: u32,
    end: u32,
    symbol: Symbol,
}

/// Two spellings of a name.
#[derive(Clone, Copy, Debug)]
struct Name {
    lower_case: u32,
    first: u32,
}

impl Interner {
    /// No names yet, and space for some.
    pub fn with_capacity(n_names: usize) -> Self {
        Self {
            spellings: Vec::with_capacity(n_names),
            by_content: HashTable::with_capacity(n_names),
            names: Vec::with_capacity(n_names),
            ..Self::default()
        }
    }

    /// The symbol of `name`, numbered now if it is new.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = self.hash(name);
        if let Some(symbol) = self.find(hash, name) {
            return symbol;
        }
        let n_names = self.names.len();
        if !has_upper_case(name) {
            let symbol = Symbol::new(n_names);
            let spelling = self.add(hash, name, symbol);
            self.names.push(Name { lower_case: spelling, first: spelling });
            return symbol;
        }
        let symbol = self.intern(&name.to_ascii_lowercase());
        let spelling = self.add(hash, name, symbol);
        if symbol.index() == n_names {
            self.names[n_names].first = spelling;
        }
        symbol
    }

    fn add(&mut self, hash: u64, word: &str, symbol: Symbol) -> u32 {
        let narrow = |at| u32::try_from(at).expect("all names together are shorter than 4 GiB");
        let at = narrow(self.spellings.len());
        let start = narrow(self.text.len());
        self.text.push_str(word);
        self.spellings.push(Spelling { start, end: narrow(self.text.len()), symbol });
        let Self { text, spellings, hasher, .. } = self;
        let hash_at = |&at: &u32| hash_of(hasher, bytes_of(text, spellings[at as usize]));
        self.by_content.insert_unique(hash, at, hash_at);
        at
    }

    fn find(&self, hash: u64, word: &str) -> Option<Symbol> {
        let is_it = |&at: &u32| bytes_of(&self.text, self.spellings[at as usize]) == word.as_bytes();
        self.by_content.find(hash, is_it).map(|&at| self.spellings[at as usize].symbol)
    }

    fn hash(&self, word: &str) -> u64 {
        hash_of(&self.hasher, word.as_bytes())
    }

    /// The symbol of `name`, if it was interned before.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        let find = |word: &str| self.find(self.hash(word), word);
        if has_upper_case(name) { find(&name.to_ascii_lowercase()) } else { find(name) }
    }

    /// The name in lower case.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.text_of(self.names[symbol.index()].lower_case)
    }

    /// The name as it was first written.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        self.text_of(self.names[symbol.index()].first)
    }

    fn text_of(&self, spelling: u32) -> &str {
        let Spelling { start, end, .. } = self.spellings[spelling as usize];
        &self.text[start as usize..end as usize]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no name was interned.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All symbols, in order.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.len()).map(Symbol::new)
    }
}

fn has_upper_case(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn bytes_of(text: &str, spelling: Spelling) -> &[u8] {
    &text.as_bytes()[spelling.start as usize..spelling.end as usize]
}

/// The bytes alone: a single word needs no mark of its end, as the standard hash of strings has.
fn hash_of(hasher: &RandomState, word: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(word);
    state.finish()
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
