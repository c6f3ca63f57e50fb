//! The names of a scrambled game and the way back.

use crate::text::word_length;
use senet_gdl::Scrambled;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// From names to other names: from those that players were told to those of the rulesheet, or back.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Renaming(BTreeMap<String, String>);

impl Renaming {
    /// The way back from a scrambled rulesheet.
    pub fn back_from(scrambled: &Scrambled) -> Renaming {
        Renaming(scrambled.names.iter().map(|(name, new_name)| (new_name.clone(), name.clone())).collect())
    }

    /// The other way.
    pub fn inverse(&self) -> Renaming {
        Renaming(self.0.iter().map(|(name, new_name)| (new_name.clone(), name.clone())).collect())
    }

    /// A canonical text in other names. Names nobody renamed stay.
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(|c| c != '(' && c != ')' && c != ' ') {
            let end = start + word_length(&rest[start..]).max(1);
            let word = &rest[start..end];
            out.push_str(&rest[..start]);
            out.push_str(self.0.get(word).map_or(word, String::as_str));
            rest = &rest[end..];
        }
        out.push_str(rest);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let rules = senet_gdl::parse("(role white) (<= (legal white (take ?n 3)) (true (heap ?n)))");
        let back = Renaming::back_from(&senet_gdl::scramble(&rules, 5));
        let forth = back.inverse();
        let term = "(take (heap 3) white other)";
        let renamed = forth.apply(term);
        assert!(!renamed.contains("take") && renamed.contains(" 3) "), "{renamed}");
        assert!(renamed.ends_with(" other)"));
        assert_eq!(back.apply(&renamed), term);
        assert_eq!(forth.apply("white"), forth.apply("(white)").trim_matches(['(', ')']));
    }
}
