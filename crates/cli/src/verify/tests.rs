//! Engines that are wrong on purpose.

use super::*;
use senet_engine_reference::ReferenceEngine;
use senet_game::{Engine, MoveId, RoleId};

type State = <ReferenceEngine as Engine>::State;
type Worker = <ReferenceEngine as Engine>::Worker;

/// The reference engine, but a position with a certain fact is said to be terminal, or to forbid a move.
struct Wrong {
    right: ReferenceEngine,
    fact: &'static str,
    mistake: Mistake,
}

#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    Ends,
    LosesAMove,
}

impl Wrong {
    fn is_here(&self, worker: &mut Worker, state: &State, mistake: Mistake) -> bool {
        self.mistake == mistake && self.right.facts(worker, state).iter().any(|fact| fact == self.fact)
    }
}

impl Engine for Wrong {
    type State = State;
    type Worker = Worker;

    fn name(&self) -> &'static str {
        "wrong"
    }
    fn role_names(&self) -> &[String] {
        Engine::role_names(&self.right)
    }
    fn worker(&self) -> Worker {
        self.right.worker()
    }
    fn initial(&self, worker: &mut Worker) -> Result<State, GameError> {
        self.right.initial(worker)
    }
    fn is_terminal(&self, worker: &mut Worker, state: &State) -> Result<bool, GameError> {
        Ok(self.is_here(worker, state, Mistake::Ends) || self.right.is_terminal(worker, state)?)
    }
    fn goal(&self, worker: &mut Worker, state: &State, role: RoleId) -> Result<Option<u8>, GameError> {
        self.right.goal(worker, state, role)
    }
    fn legals(
        &self,
        worker: &mut Worker,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), GameError> {
        self.right.legals(worker, state, role, moves)?;
        if moves.len() > 1 && self.is_here(worker, state, Mistake::LosesAMove) {
            moves.pop();
        }
        Ok(())
    }
    fn step(&self, worker: &mut Worker, state: &State, moves: &[MoveId]) -> Result<State, GameError> {
        self.right.step(worker, state, moves)
    }
    fn move_text(&self, worker: &mut Worker, id: MoveId) -> String {
        self.right.move_text(worker, id)
    }
    fn facts(&self, worker: &mut Worker, state: &State) -> Vec<String> {
        self.right.facts(worker, state)
    }
    fn state_bytes(&self, state: &State) -> usize {
        self.right.state_bytes(state)
    }
    fn state_of(&self, worker: &mut Worker, facts: &[String]) -> Result<State, GameError> {
        self.right.state_of(worker, facts)
    }
}

fn verdict(fact: &'static str, mistake: Mistake, flags: &[&str]) -> Verdict {
    use clap::Parser;
    let words = ["senet", "verify", "tic-tac-toe"].iter().chain(flags);
    let arguments = crate::args::Arguments::try_parse_from(words).expect("valid");
    let crate::args::Verb::Verify(args) = arguments.verb else { panic!("{arguments:?}") };
    let text = library::find("tic-tac-toe").expect("a built-in game").text;
    let new = || ReferenceEngine::new(&senet_gdl::parse(&text)).expect("the rules are good");
    let truth = Truth::new(Arc::new(new()), &args);
    let wrong: Arc<dyn AnyEngine> = Arc::new(Wrong { right: new(), fact, mistake });
    truth.judge(&wrong)
}

fn text(verdict: &Verdict) -> String {
    let mut out = Vec::new();
    verdict.write(&mut out, "tic-tac-toe", "wrong").expect("memory can be written");
    String::from_utf8(out).expect("text")
}

#[test]
fn an_engine_that_is_right_agrees() {
    let verdict = verdict("(control x)", Mistake::None, &["--depth", "3", "--matches", "2"]);
    assert!(
        text(&verdict).starts_with("tic-tac-toe: wrong agrees: perft to depth 3, "),
        "{}",
        text(&verdict)
    );
    assert!(text(&verdict).ends_with(" positions of 2 matches\n"), "{}", text(&verdict));
}

#[test]
fn the_shortest_match_is_shown() {
    // Only o writes o, so it takes two moves.
    let verdict = verdict("(cell 2 3 o)", Mistake::Ends, &["--depth", "0"]);
    assert_eq!(
        text(&verdict),
        "tic-tac-toe: wrong DIFFERS after 2 moves: end of the match
  1. o: noop   x: (mark 1 3)
  2. o: (mark 2 3)   x: noop
  reference  not over
  wrong      over
"
    );
    let json = verdict.json("tic-tac-toe", "wrong");
    assert_eq!(json["agrees"], false);
    assert_eq!(json["difference"]["moves"][1]["o"], "(mark 2 3)");
}

#[test]
fn a_difference_at_the_start_needs_no_moves() {
    let verdict = verdict("(control x)", Mistake::LosesAMove, &["--depth", "0", "--matches", "1"]);
    let Verdict::Differs((moves, aspect)) = &verdict else { panic!("{}", text(&verdict)) };
    assert!(moves.is_empty());
    assert_eq!((aspect.what.as_str(), aspect.reference.len()), ("legal moves of x", 1));
    assert!(text(&verdict).ends_with("  wrong      nothing more\n"), "{}", text(&verdict));
}

#[test]
fn counts_find_what_matches_do_not_meet() {
    let verdict = verdict("(cell 3 1 x)", Mistake::LosesAMove, &["--depth", "2", "--matches", "0"]);
    let Verdict::Differs((moves, aspect)) = &verdict else { panic!("{}", text(&verdict)) };
    assert_eq!((moves.len(), aspect.what.as_str()), (1, "legal moves of o"));
}
