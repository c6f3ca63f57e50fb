//! A record held against the rules.

use crate::Record;
use crate::text::{elements, inside};
use senet_game::{AnyEngine, AnyMatch, PlayError, Position};
use std::sync::Arc;
use thiserror::Error;

/// Walks through a record, position by position.
pub struct Walk<'a> {
    record: &'a Record,
    roles: Vec<String>,
    game: Box<dyn AnyMatch>,
    position: Position,
    at: usize,
}

/// Where a record and the rules disagree.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The rules cannot answer, or a recorded move is not legal.
    #[error("move {step}: {error}")]
    Play {
        /// Which joint move, counted from 1.
        step: usize,
        /// Why.
        error: PlayError,
    },
    /// A joint move has not one move for each role.
    #[error("move {step}: {found} moves for {roles} roles")]
    Roles {
        /// Which joint move, counted from 1.
        step: usize,
        /// How many moves it has.
        found: usize,
        /// How many it should have.
        roles: usize,
    },
    /// A move or a state that cannot be read.
    #[error("after {step} moves: {text}")]
    Unreadable {
        /// How many joint moves were played.
        step: usize,
        /// What is wrong.
        text: String,
    },
    /// Other facts hold.
    #[error("after {step} moves: missing in the record {}; in the record alone {}", listed(.missing), listed(.extra))]
    State {
        /// How many joint moves were played.
        step: usize,
        /// Facts that the rules give and the record has not.
        missing: Vec<String>,
        /// Facts that the record has and the rules do not give.
        extra: Vec<String>,
    },
    /// The end of the match is not where it was recorded.
    #[error("{0}")]
    End(&'static str),
    /// Other scores.
    #[error("the scores are {} by the rules, {} in the record", goals(.found), goals(.recorded))]
    Goals {
        /// By the rules.
        found: Vec<Option<i64>>,
        /// By the record.
        recorded: Vec<Option<i64>>,
    },
}

fn goals(values: &[Option<i64>]) -> String {
    let text = |value: &Option<i64>| value.map_or("none".to_owned(), |value| value.to_string());
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn listed(facts: &[String]) -> String {
    match facts {
        [] => "nothing".to_owned(),
        [first, second, third, _, ..] => format!("{first} {second} {third} and {} more", facts.len() - 3),
        facts => facts.join(" "),
    }
}

impl<'a> Walk<'a> {
    /// Begins with the first position.
    pub fn new(record: &'a Record, engine: Arc<dyn AnyEngine>) -> Result<Walk<'a>, ReplayError> {
        let roles = engine.role_names().to_vec();
        let mut game = engine.start().map_err(|error| ReplayError::Play { step: 0, error: error.into() })?;
        let position = game.position();
        let walk = Walk { record, roles, game, position, at: 0 };
        walk.check_state()?;
        Ok(walk)
    }

    /// The position, in which [`moves`](Walk::moves) were played.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many joint moves were played before.
    pub fn step(&self) -> usize {
        self.at
    }

    /// The next joint move as canonical text; `None` at the end of the record.
    pub fn moves(&self) -> Result<Option<Vec<String>>, ReplayError> {
        let Some(moves) = self.record.moves.get(self.at) else { return Ok(None) };
        if moves.len() != self.roles.len() {
            let (found, roles) = (moves.len(), self.roles.len());
            return Err(ReplayError::Roles { step: self.at + 1, found, roles });
        }
        moves.iter().map(|text| self.canonical(text)).collect::<Result<_, _>>().map(Some)
    }

    /// Plays the next joint move and compares what follows. At the end of the record compares the end: then there is
    /// nothing more, and the answer is no.
    pub fn go_on(&mut self) -> Result<bool, ReplayError> {
        let Some(moves) = self.moves()? else {
            self.check_end()?;
            return Ok(false);
        };
        let named = self.roles.iter().cloned().zip(moves).collect();
        self.game.play(&named).map_err(|error| ReplayError::Play { step: self.at + 1, error })?;
        self.at += 1;
        self.position = self.game.position();
        self.check_state()?;
        Ok(true)
    }

    fn canonical(&self, text: &str) -> Result<String, ReplayError> {
        senet_gdl::canonical(text).map_err(|error| self.unreadable(&error.to_string()))
    }

    fn unreadable(&self, text: &str) -> ReplayError {
        ReplayError::Unreadable { step: self.at, text: text.to_owned() }
    }

    fn check_state(&self) -> Result<(), ReplayError> {
        let Some(text) = self.record.states.get(self.at) else {
            return Err(self.unreadable("the state is missing"));
        };
        let facts = inside(text.trim()).ok_or_else(|| self.unreadable("the state is no list"))?;
        let facts = elements(facts).map(|fact| match fact {
            Ok(fact) => self.canonical(fact),
            Err(malformed) => Err(self.unreadable(&malformed.to_string())),
        });
        let mut facts = facts.collect::<Result<Vec<_>, _>>()?;
        facts.sort_unstable();
        facts.dedup();
        if facts == self.position.state {
            return Ok(());
        }
        let only_in = |these: &[String], those: &[String]| {
            these.iter().filter(|fact| those.binary_search(fact).is_err()).cloned().collect()
        };
        let missing = only_in(&self.position.state, &facts);
        Err(ReplayError::State { step: self.at, missing, extra: only_in(&facts, &self.position.state) })
    }

    fn check_end(&self) -> Result<(), ReplayError> {
        let Position { terminal, goals, .. } = &self.position;
        if !self.record.is_completed {
            // Rules that do not give everybody a score end no match.
            let was_over = *terminal && goals.iter().all(Option::is_some);
            return match (was_over, self.record.goal_values.is_empty()) {
                (true, _) => Err(ReplayError::End("the match was over")),
                (false, true) => Ok(()),
                (false, false) => Err(ReplayError::End("there are scores, and the match was not over")),
            };
        }
        if !terminal {
            return Err(ReplayError::End("the match was not over"));
        }
        let found: Vec<_> = goals.iter().map(|goal| goal.map(i64::from)).collect();
        let recorded: Vec<_> = self.record.goal_values.iter().copied().map(Some).collect();
        if found == recorded { Ok(()) } else { Err(ReplayError::Goals { found, recorded }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str =
        "(role Left) (role right) (<= (legal ?r (Say 1)) (role ?r)) (<= (legal ?r noop) (role ?r))
        (<= (next (Said ?r)) (does ?r (say 1))) (init (Said nobody))
        (<= terminal (true (said left))) (goal left 100) (goal right 0)";

    fn walk(record: &Record) -> Result<usize, String> {
        let engine = senet_engines::load("reference", &senet_gdl::parse(RULES)).expect("it plays");
        let mut walk = Walk::new(record, engine).map_err(|error| error.to_string())?;
        while walk.go_on().map_err(|error| error.to_string())? {}
        Ok(walk.step())
    }

    fn record() -> Record {
        let moves = |left: &str, right: &str| vec![left.to_owned(), right.to_owned()];
        Record {
            states: ["( ( said nobody ) )", "((SAID right))", "( ( said left ) )"].map(str::to_owned).into(),
            moves: vec![moves("(noop)", "( SAY 1 )"), moves("(say 1)", "noop")],
            is_completed: true,
            goal_values: vec![100, 0],
            ..Record::default()
        }
    }

    #[test]
    fn a_true_record_is_accepted() {
        assert_eq!(walk(&record()), Ok(2));
    }

    #[test]
    fn each_kind_of_lie_is_found() {
        let check = |change: &dyn Fn(&mut Record)| {
            let mut record = record();
            change(&mut record);
            walk(&record).expect_err("something is wrong")
        };
        assert_eq!(
            check(&|record| record.states[1] = "( ( said left ) ( said x ) )".into()),
            "after 1 moves: missing in the record (said right); in the record alone (said left) (said x)"
        );
        assert_eq!(
            check(&|record| record.moves[1][0] = "(say 2)".into()),
            "move 2: (say 2) is not a legal move of left here"
        );
        assert_eq!(check(&|record| record.moves[0] = vec!["noop".into()]), "move 1: 1 moves for 2 roles");
        assert_eq!(
            check(&|record| record.moves[0][0] = "(".into()),
            "after 0 moves: this parenthesis is never closed"
        );
        assert_eq!(
            check(&|record| record.states[0] = "nothing".into()),
            "after 0 moves: the state is no list"
        );
        assert_eq!(check(&|record| drop(record.states.pop())), "after 2 moves: the state is missing");
        assert_eq!(
            check(&|record| record.goal_values = vec![0, 100]),
            "the scores are 100, 0 by the rules, 0, 100 in the record"
        );
        assert_eq!(check(&|record| record.is_completed = false), "the match was over");
        let excused = check(&|record| {
            record.is_completed = false;
            record.game_error = Some("whatever".into());
        });
        assert_eq!(excused, "the match was over");
        let scored = check(&|record| {
            record.is_completed = false;
            record.moves.pop();
            record.states.pop();
        });
        assert_eq!(scored, "there are scores, and the match was not over");
        let cut = check(&|record| {
            record.moves.pop();
            record.states.pop();
        });
        assert_eq!(cut, "the match was not over");
    }
}
