//! In what two answers about a position differ.

use senet_game::Position;

/// A position as an engine sees it, or why it does not.
pub(super) type View = Result<Position, String>;

/// The first thing in which two views differ. Of sets each side has what the other lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Aspect {
    /// Such as `facts` or `legal moves of x`.
    pub(super) what: String,
    pub(super) reference: Vec<String>,
    pub(super) engine: Vec<String>,
}

impl Aspect {
    fn of_values(what: &str, reference: String, engine: String) -> Option<Aspect> {
        let differs = reference != engine;
        differs.then(|| Aspect { what: what.to_owned(), reference: vec![reference], engine: vec![engine] })
    }

    /// Both are sorted.
    fn of_sets(what: &str, reference: &[String], engine: &[String]) -> Option<Aspect> {
        let lacking = |all: &[String], other: &[String]| -> Vec<String> {
            all.iter().filter(|text| other.binary_search(text).is_err()).cloned().collect()
        };
        let aspect = Aspect {
            what: what.to_owned(),
            reference: lacking(reference, engine),
            engine: lacking(engine, reference),
        };
        // Of repeated elements neither side lacks one.
        (reference != engine).then_some(aspect)
    }
}

/// In what the views differ, if they do. Two engines that both cannot answer agree.
pub(super) fn difference(roles: &[String], reference: &View, engine: &View) -> Option<Aspect> {
    let (reference, engine) = match (reference, engine) {
        (Ok(reference), Ok(engine)) => (reference, engine),
        (Err(_), Err(_)) => return None,
        (Err(error), Ok(_)) => return Aspect::of_values("answer", error.clone(), "a position".to_owned()),
        (Ok(_), Err(error)) => return Aspect::of_values("answer", "a position".to_owned(), error.clone()),
    };
    if let Some(aspect) = Aspect::of_sets("facts", &reference.state, &engine.state) {
        return Some(aspect);
    }
    let end = |position: &Position| if position.terminal { "over" } else { "not over" }.to_owned();
    if let Some(aspect) = Aspect::of_values("end of the match", end(reference), end(engine)) {
        return Some(aspect);
    }
    let goal = |position: &Position, role: usize| {
        position.goals[role].map_or("none".to_owned(), |goal| goal.to_string())
    };
    roles.iter().enumerate().find_map(|(role, name)| {
        let moves =
            Aspect::of_sets(&format!("legal moves of {name}"), &reference.legal[role], &engine.legal[role]);
        moves.or_else(|| {
            Aspect::of_values(&format!("goal of {name}"), goal(reference, role), goal(engine, role))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position() -> Position {
        Position {
            state: vec!["a".into(), "b".into()],
            terminal: false,
            goals: vec![Some(50)],
            legal: vec![vec!["go".into()]],
        }
    }

    fn what(change: impl FnOnce(&mut Position)) -> Option<Aspect> {
        let mut other = position();
        change(&mut other);
        difference(&["x".to_owned()], &Ok(position()), &Ok(other))
    }

    #[test]
    fn everything_is_compared() {
        assert_eq!(what(|_| ()), None);
        let facts = what(|position| position.state[1] = "c".into()).expect("a difference");
        assert_eq!(
            (facts.what.as_str(), facts.reference, facts.engine),
            ("facts", vec!["b".into()], vec!["c".into()])
        );
        assert_eq!(what(|position| position.terminal = true).expect("a difference").what, "end of the match");
        assert_eq!(what(|position| position.goals[0] = None).expect("a difference").engine, ["none"]);
        let moves = what(|position| position.legal[0].push("stay".into())).expect("a difference");
        assert_eq!(moves.what, "legal moves of x");
        let twice = what(|position| position.legal[0].push("go".into())).expect("a difference");
        assert_eq!(twice.engine, Vec::<String>::new());
    }

    #[test]
    fn an_engine_that_fails_alone_differs() {
        let roles = ["x".to_owned()];
        let (fine, failed) = (Ok(position()), Err("no".to_owned()));
        assert_eq!(difference(&roles, &failed, &failed), None);
        assert_eq!(difference(&roles, &fine, &failed).expect("a difference").engine, ["no"]);
        assert_eq!(difference(&roles, &failed, &fine).expect("a difference").reference, ["no"]);
    }
}
