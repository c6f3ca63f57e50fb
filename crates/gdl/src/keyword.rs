//! The words that GDL reserves.

/// A reserved relation or connective. In the place of a constant each is an ordinary name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Keyword {
    /// `(role R)`: R plays.
    Role,
    /// `(init F)`: F holds at the start.
    Init,
    /// `(true F)`: F holds now.
    True,
    /// `(does R M)`: R plays M now.
    Does,
    /// `(next F)`: F holds after the moves.
    Next,
    /// `(legal R M)`: R may play M now.
    Legal,
    /// `(goal R N)`: the position is worth N to R.
    Goal,
    /// `terminal`: the game is over.
    Terminal,
    /// `(base F)`: F is a fluent.
    Base,
    /// `(input R M)`: M is a move of R.
    Input,
    /// `(sees R P)`: R perceives P (imperfect information).
    Sees,
    /// `(distinct A B)`: A and B are different terms.
    Distinct,
    /// `(not L)`.
    Not,
    /// `(or L …)`.
    Or,
    /// `(and L …)`.
    And,
    /// `(<= HEAD L …)`.
    If,
}

impl Keyword {
    /// Every keyword.
    pub const ALL: [Keyword; 16] = [
        Keyword::Role,
        Keyword::Init,
        Keyword::True,
        Keyword::Does,
        Keyword::Next,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
        Keyword::Base,
        Keyword::Input,
        Keyword::Sees,
        Keyword::Distinct,
        Keyword::Not,
        Keyword::Or,
        Keyword::And,
        Keyword::If,
    ];

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Keyword::Role => "role",
            Keyword::Init => "init",
            Keyword::True => "true",
            Keyword::Does => "does",
            Keyword::Next => "next",
            Keyword::Legal => "legal",
            Keyword::Goal => "goal",
            Keyword::Terminal => "terminal",
            Keyword::Base => "base",
            Keyword::Input => "input",
            Keyword::Sees => "sees",
            Keyword::Distinct => "distinct",
            Keyword::Not => "not",
            Keyword::Or => "or",
            Keyword::And => "and",
            Keyword::If => "<=",
        }
    }

    /// The keyword a word is, in any mixture of cases.
    pub fn of(word: &str) -> Option<Keyword> {
        Self::ALL.into_iter().find(|keyword| keyword.text().eq_ignore_ascii_case(word))
    }

    /// The connective a word is, in any mixture of cases.
    pub(crate) fn connective(word: &str) -> Option<Keyword> {
        // Every word of a rulesheet is asked about, and most have another length.
        let candidates = match word.len() {
            2 => [Keyword::If, Keyword::Or],
            3 => [Keyword::Not, Keyword::And],
            8 => [Keyword::Distinct; 2],
            _ => return None,
        };
        candidates.into_iter().find(|keyword| keyword.text().eq_ignore_ascii_case(word))
    }

    /// The number of arguments of a reserved relation; `None` for a connective.
    pub fn arity(self) -> Option<usize> {
        match self {
            Keyword::Role | Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => Some(1),
            Keyword::Does | Keyword::Legal | Keyword::Goal | Keyword::Input | Keyword::Sees => Some(2),
            Keyword::Terminal => Some(0),
            Keyword::Distinct | Keyword::Not | Keyword::Or | Keyword::And | Keyword::If => None,
        }
    }

    /// Whether it joins or tests formulas instead of naming a relation.
    pub fn is_connective(self) -> bool {
        self.arity().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectives_are_found_in_any_case() {
        for keyword in Keyword::ALL {
            let expected = Some(keyword).filter(|keyword| keyword.is_connective());
            assert_eq!(Keyword::connective(keyword.text()), expected);
            assert_eq!(Keyword::connective(&keyword.text().to_ascii_uppercase()), expected);
        }
    }
}
