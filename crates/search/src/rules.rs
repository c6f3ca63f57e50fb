//! A game that several players of one process may play: what they need is made once.

use crate::Later;
use senet_analysis::{Analysis, Program, analyze};
use senet_circuit::Circuit;
use senet_engine_circuit::CircuitEngine;
use senet_engine_forward::{ForwardEngine, Options};
use senet_engine_lanes::LanesEngine;
use senet_engine_reference::ReferenceEngine;
use senet_engines::{LoadError, Refusal, Setup};
use senet_game::{AnyEngine, GameError};
use senet_gdl::{Description, Diagnostic};
use senet_ground::Budget;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What the first engine may take to get ready. Few games take more than some milliseconds.
const FIRST_TIME: Duration = Duration::from_secs(2);

/// The match goes on while gates are made.
const GATES_BUDGET: Budget = Budget { time: Some(Duration::from_secs(120)), memory: Some(4 << 30) };

/// The rules of a game and the engines that play it. One engine is ready at once; gates are made on a thread of their own
/// when a player asks for them, and all players share them. When nobody plays the game any more, making them is called off.
pub struct Rules {
    checked: Arc<Checked>,
    first: First,
    gates: Later<Gates>,
    lanes: Later<Arc<LanesEngine>>,
    called_off: Arc<AtomicBool>,
}

impl Drop for Rules {
    fn drop(&mut self) {
        self.called_off.store(true, Ordering::Relaxed);
    }
}

struct Checked {
    description: Description,
    /// It accepts the description.
    analysis: Analysis,
}

/// The engine that is ready at once.
#[derive(Clone)]
pub enum First {
    /// For all games but a few.
    Forward(Arc<ForwardEngine>),
    /// Takes what the other refuses.
    Reference(Arc<ReferenceEngine>),
}

/// A game as gates.
#[derive(Clone)]
pub struct Gates {
    /// The gates.
    pub circuit: Arc<Circuit>,
    /// They play one state at a time.
    pub engine: Arc<CircuitEngine>,
}

impl Rules {
    /// Checks the rules and makes the engine that is ready at once. A rulesheet with errors is refused.
    pub fn new(description: Description) -> Result<Arc<Rules>, LoadError> {
        let analysis = analyze(&description, false);
        Rules::with_analysis(description, analysis)
    }

    /// The same where `analysis` of the description is there already. Clauses with errors are left out, so `analysis`
    /// is all that tells of them: report its findings.
    pub fn lenient(description: Description, analysis: Analysis) -> Result<Arc<Rules>, LoadError> {
        if analysis.program.is_some() {
            return Rules::with_analysis(description, analysis);
        }
        Rules::new(analysis.without_errors(&description))
    }

    fn with_analysis(description: Description, analysis: Analysis) -> Result<Arc<Rules>, LoadError> {
        analysis.accepted(&description)?;
        let checked = Arc::new(Checked { description, analysis });
        let first = checked.first_engine()?;
        let (gates, lanes, called_off) = Default::default();
        Ok(Arc::new(Rules { checked, first, gates, lanes, called_off }))
    }

    /// The rules as they were read.
    pub fn description(&self) -> &Description {
        &self.checked.description
    }

    /// The checked rules.
    pub fn program(&self) -> &Program {
        self.checked.program()
    }

    /// The warnings about the rules.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.checked.analysis.diagnostics
    }

    /// The roles in the order of the rulesheet.
    pub fn role_names(&self) -> &[String] {
        match &self.first {
            First::Forward(engine) => AnyEngine::role_names(&**engine),
            First::Reference(engine) => AnyEngine::role_names(&**engine),
        }
    }

    /// An engine to follow a match with: the best there is now.
    pub fn engine(&self) -> Arc<dyn AnyEngine> {
        match (self.gates.get(), &self.first) {
            (Some(Ok(gates)), _) => gates.engine.clone(),
            (_, First::Forward(engine)) => engine.clone(),
            (_, First::Reference(engine)) => engine.clone(),
        }
    }

    /// The engine that is ready at once.
    pub fn first(&self) -> &First {
        &self.first
    }

    /// The game as gates. Whoever asks first has them made.
    pub fn gates(&self) -> &Later<Gates> {
        let (checked, called_off) = (self.checked.clone(), self.called_off.clone());
        self.gates.begin(move || checked.gates(&called_off));
        &self.gates
    }

    /// The engine of a thousand games at once, made of the same gates.
    pub fn lanes(&self) -> &Later<Arc<LanesEngine>> {
        let gates = self.gates().clone();
        self.lanes.begin(move || {
            let gates = gates.wait(&crate::Limit::default()).expect("there is no limit");
            let circuit = gates.as_ref().map_err(Refusal::clone)?.circuit.clone();
            let engine = LanesEngine::new(circuit);
            let engine = engine.map_err(|error: GameError| Refusal::Other(error.to_string()))?;
            // What an expander is made of is made with the first one: not in the time of a player.
            let _ = engine.expander();
            Ok(Arc::new(engine))
        });
        &self.lanes
    }
}

impl Checked {
    fn program(&self) -> &Program {
        self.analysis.program.as_ref().expect("the analysis accepts the rules")
    }

    fn first_engine(&self) -> Result<First, GameError> {
        let options = Options { time: Some(FIRST_TIME), ..Options::default() };
        Ok(match ForwardEngine::new(self.program(), options) {
            Ok(engine) => First::Forward(Arc::new(engine)),
            Err(_) => First::Reference(Arc::new(ReferenceEngine::new(&self.description)?)),
        })
    }

    fn gates(&self, called_off: &AtomicBool) -> Result<Gates, Refusal> {
        let setup = Setup::new(&self.description).with_analysis(&self.analysis);
        let setup = setup.within(GATES_BUDGET).unless(called_off);
        let circuit = setup.circuit()?;
        Ok(Gates { engine: Arc::new(CircuitEngine::new(&circuit)), circuit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limit;

    #[test]
    fn gates_are_shared_and_follow_the_first_engine() {
        let game = senet_engines::library::find("tic-tac-toe").expect("built in");
        let rules = Rules::new(senet_gdl::parse(&game.text)).expect("it plays");
        assert_eq!((rules.engine().name(), rules.role_names().len()), ("forward", 2));
        let lanes = rules.lanes().wait(&Limit::default()).expect("no limit").as_ref().expect("it is small");
        let gates = rules.gates().get().expect("lanes are made of them").as_ref().expect("it is small");
        assert!(std::ptr::eq(lanes.circuit(), &*gates.circuit));
        assert_eq!(rules.engine().name(), "circuit");
    }

    #[test]
    fn a_rulesheet_with_errors_is_refused_with_its_place() {
        let whole = "(role robot) (legal robot go) (goal robot 0) terminal";
        for (text, place) in [(format!("{whole} (<= )"), "1:55"), (format!("{whole}\n (<= (p ?x)"), "2:2")] {
            let refused = Rules::new(senet_gdl::parse(&text)).err().expect("it has an error").to_string();
            assert!(refused.starts_with(&format!("the rulesheet has an error at {place}: ")), "{refused}");
        }
    }

    #[test]
    fn lenient_rules_leave_out_clauses_with_errors_and_have_every_engine() {
        let text = "(role robot) (init p) (legal robot go) (<= (legal robot ?x) (true q)) (<= (legal robot))
            (<= (next q) (true p)) (<= terminal (true q)) (<= (goal robot 100) (true q)) (<=) (goal robot";
        let description = senet_gdl::parse(text);
        let analysis = analyze(&description, false);
        assert_eq!(analysis.n_errors, 4);
        let rules = Rules::lenient(description, analysis).expect("the rest plays");
        assert_eq!(rules.engine().name(), "forward");
        let lanes = rules.lanes().wait(&Limit::default()).expect("no limit");
        assert!(lanes.is_ok() && rules.engine().name() == "circuit");
        let mut game = rules.engine().start().expect("it begins");
        assert_eq!(game.position().legal, [["go"]]);
        game.play(&[("robot".to_owned(), "go".to_owned())].into()).expect("it is legal");
        assert_eq!((game.position().terminal, game.position().goals), (true, vec![Some(100)]));
    }

    #[test]
    fn lenient_rules_without_a_role_are_refused() {
        for text in ["", "(role", "(role ?x) (legal a b)"] {
            let description = senet_gdl::parse(text);
            let analysis = analyze(&description, false);
            assert!(matches!(Rules::lenient(description, analysis), Err(LoadError::Rules(_))), "{text}");
        }
    }

    #[test]
    fn warnings_are_kept() {
        let rules = Rules::new(senet_gdl::parse("(role robot) (legal robot go) (goal robot 0)"));
        let rules = rules.expect("it plays");
        assert_eq!(rules.findings().iter().map(|found| found.code.id).collect::<Vec<_>>(), ["G404"]);
    }

    #[test]
    fn what_cannot_be_grounded_is_played_all_the_same() {
        let endless = "(role robot) (init (n 0)) (legal robot grow) (goal robot 0)
            (<= (next (n (s ?n))) (true (n ?n))) (<= terminal (true (n (s (s 0)))))";
        let rules = Rules::new(senet_gdl::parse(endless)).expect("it plays");
        for refused in [
            rules.gates().wait(&Limit::default()).expect("no limit").as_ref().err(),
            rules.lanes().wait(&Limit::default()).expect("no limit").as_ref().err(),
        ] {
            let why = refused.expect("there is no end of fluents").to_string();
            assert!(why.contains("not grounded"), "{why}");
        }
        assert_eq!(rules.engine().name(), "forward");
    }
}
