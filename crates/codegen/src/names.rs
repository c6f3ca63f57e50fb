//! Names of the rulesheet as names of Rust.

use rustc_hash::FxHashSet;

/// Reserved words of Rust.
const RESERVED: [&str; 53] = [
    "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for", "if",
    "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while", "async", "await", "dyn",
    "abstract", "become", "box", "do", "final", "gen", "macro", "override", "priv", "typeof", "unsized",
    "virtual", "yield", "try", "union", "Self",
];

/// Names that generated code uses for itself, and packages that it uses.
const USED: [&str; 43] = [
    "facts",
    "terms",
    "new",
    "row",
    "rows",
    "key",
    "at",
    "older",
    "u16",
    "u32",
    "usize",
    "std",
    "core",
    "rand",
    "test",
    "lib",
    "main",
    "Chain",
    "Compounds",
    "Default",
    "Debug",
    "Clone",
    "Err",
    "Facts",
    "Fluent",
    "HashedIndex",
    "Index",
    "Move",
    "None",
    "Ok",
    "Option",
    "Range",
    "Rows",
    "Some",
    "Stage",
    "String",
    "Term",
    "Vec",
    "NAMES",
    "FUNCTIONS",
    "COMPOUNDS",
    "N_ROLES",
    "ROLES",
];

/// Names that are not taken yet in one place.
#[derive(Clone, Default, Debug)]
pub(crate) struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    /// Takes a name, or the name with the first number that makes it new.
    pub(crate) fn take(&mut self, wanted: String, between: &str) -> String {
        let mut name = wanted.clone();
        let mut number = 2;
        let is_kept = |name: &str| RESERVED.contains(&name) || USED.contains(&name);
        while is_kept(&name) || !self.taken.insert(name.clone()) {
            name = format!("{wanted}{between}{number}");
            number += 1;
        }
        name
    }

    /// A name such as `cell_holds`.
    pub(crate) fn snake(&mut self, name: &str) -> String {
        self.take(words(name).join("_"), "_")
    }

    /// A name such as `CELL_HOLDS`.
    pub(crate) fn shout(&mut self, name: &str) -> String {
        self.take(words(name).join("_").to_uppercase(), "_")
    }

    /// A name such as `CellHolds`.
    pub(crate) fn camel(&mut self, name: &str) -> String {
        self.take(camel(name), "N")
    }
}

fn camel(name: &str) -> String {
    let capital = |word: String| word[..1].to_uppercase() + &word[1..];
    words(name).into_iter().map(capital).collect()
}

/// The names of the variants of an enumeration. Nothing but `Self` is in their way.
pub(crate) fn variants(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut taken = FxHashSet::default();
    let mut made = Vec::new();
    for name in names {
        let mut variant = camel(&name);
        while variant == "Self" || !taken.insert(variant.clone()) {
            variant.push('N');
        }
        made.push(variant);
    }
    made
}

/// The words of a name: lower case letters and digits, the first character of all a letter.
fn words(name: &str) -> Vec<String> {
    let mut spelled = String::new();
    for character in name.chars() {
        match character {
            'a'..='z' | '0'..='9' => spelled.push(character),
            'A'..='Z' => spelled.push(character.to_ascii_lowercase()),
            '+' => spelled.push_str("_plus_"),
            '<' => spelled.push_str("_less_"),
            '>' => spelled.push_str("_greater_"),
            '=' => spelled.push_str("_equal_"),
            '*' => spelled.push_str("_times_"),
            '/' => spelled.push_str("_over_"),
            _ => spelled.push('_'),
        }
    }
    let mut words: Vec<String> =
        spelled.split('_').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    match words.first_mut() {
        None => words.push("it".to_owned()),
        Some(first) if first.starts_with(|c: char| c.is_ascii_digit()) => first.insert(0, 'n'),
        Some(_) => {}
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_new_and_legal() {
        let mut names = Names::default();
        let made: Vec<String> =
            ["move", "x-1", "x_1", "++", "7", "?", "cellHolds"].map(|name| names.snake(name)).into();
        assert_eq!(made, ["move_2", "x_1", "x_1_2", "plus_plus", "n7", "it", "cellholds"]);
        assert_eq!(names.camel("true cell_holds 8x8"), "TrueCellHolds8x8");
        assert_eq!(names.shout("a b"), "A_B");
        assert_eq!(
            variants(["move", "self", "Move"].map(str::to_owned).into_iter()),
            ["Move", "SelfN", "MoveN"]
        );
    }
}
