//! Renaming a rulesheet, as referees do so that players cannot know the game by its words.

use crate::{Description, Interner, Keyword, Symbol};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A renamed rulesheet and the way back.
#[derive(Clone, Debug)]
pub struct Scrambled {
    /// The renamed rulesheet, a clause a line.
    pub text: String,
    /// Original and new name of everything renamed, in order of first occurrence.
    pub names: Vec<(String, String)>,
}

/// Renames every constant and variable except keywords, numbers and the role
/// `random`, consistently. The same seed gives the same names.
///
/// ```
/// let description = senet_gdl::parse("(role white) (<= (legal ?r (take 3)) (role ?r))");
/// let scrambled = senet_gdl::scramble(&description, 7);
/// assert!(scrambled.text.contains("(legal ?") && scrambled.text.contains(" 3)"));
/// assert!(!scrambled.text.contains("white"));
/// ```
pub fn scramble(description: &Description, seed: u64) -> Scrambled {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut taken = description.symbols.clone();
    let mut renamed = Interner::default();
    let mut names = Vec::new();
    for symbol in description.symbols.symbols() {
        let name = description.name(symbol);
        let new_name =
            if keeps_its_name(name) { name.to_owned() } else { fresh(name, &mut taken, &mut generator) };
        if new_name != name {
            names.push((name.to_owned(), new_name.clone()));
        }
        let same: Symbol = renamed.intern(&new_name);
        debug_assert_eq!(same, symbol, "names stay in order of first occurrence");
    }
    let mut copy = description.clone();
    copy.symbols = renamed;
    Scrambled { text: copy.to_text(), names }
}

fn keeps_its_name(name: &str) -> bool {
    let digits = name.strip_prefix(['-', '+']).unwrap_or(name);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number || Keyword::of(name).is_some() || name == "random"
}

/// A pronounceable word that no name of the game and no other new name is.
fn fresh(name: &str, taken: &mut Interner, generator: &mut Xoshiro256PlusPlus) -> String {
    const CONSONANTS: &[u8] = b"bdfghklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    loop {
        let mut word = String::from(if name.starts_with('?') { "?" } else { "" });
        for _ in 0..generator.random_range(2..=4) {
            word.push(char::from(CONSONANTS[generator.random_range(0..CONSONANTS.len())]));
            word.push(char::from(VOWELS[generator.random_range(0..VOWELS.len())]));
        }
        if taken.get(&word).is_none() && Keyword::of(&word).is_none() {
            taken.intern(&word);
            return word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    const GAME: &str =
        "(role random) (role x) (<= (legal X (take ?n 01 -2)) (true (heap not ?n)) (distinct ?n 1+))";

    #[test]
    fn keywords_numbers_and_random_stay() {
        let scrambled = scramble(&parse(GAME), 1);
        let renamed: Vec<_> = scrambled.names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(renamed, ["x", "take", "?n", "heap", "1+"]);
    }

    #[test]
    fn the_map_leads_back() {
        let original = parse(GAME);
        let scrambled = scramble(&original, 2);
        let mut text = scrambled.text.clone();
        for (name, new_name) in &scrambled.names {
            text = text.replace(new_name, name);
        }
        assert_eq!(text, original.to_text());
    }

    #[test]
    fn a_seed_decides_the_names() {
        let original = parse(GAME);
        assert_eq!(scramble(&original, 3).text, scramble(&original, 3).text);
        assert_ne!(scramble(&original, 3).text, scramble(&original, 4).text);
    }
}
