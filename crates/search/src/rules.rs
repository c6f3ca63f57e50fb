//! A game that several players of one process may play: what they need is made once.

use crate::Later;
use senet_analysis::{Analysis, Program, analyze};
use senet_circuit::Circuit;
use senet_engine_circuit::CircuitEngine;
use senet_engine_forward::{ForwardEngine, Options};
use senet_engine_lanes::LanesEngine;
use senet_engine_reference::ReferenceEngine;
use senet_engines::{LoadError, Refusal, Setup};
use senet_game::{AnyEngine, GameError, PlayoutOptions};
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
        analysis.accepted(&description)?;
        Ok(Rules::with_analysis(description, analysis)?)
    }

    /// The same for a rulesheet that may have errors. Only `analysis`, which is of the description, tells of them: report
    /// its findings.
    ///
    /// Clauses that could not be read are left out. Where others have errors, the reference engine plays them as far as
    /// it can, as `(legal ?r noop)`; where it cannot begin a match they are left out as well. If that does not help, the
    /// rulesheet is refused.
    pub fn lenient(description: Description, analysis: Analysis) -> Result<Arc<Rules>, LoadError> {
        if analysis.program.is_some() {
            return Ok(Rules::with_analysis(description, analysis)?);
        }
        let description = description.select(|_| true);
        let analysis = analyze(&description, false);
        let Err(error) = analysis.accepted(&description) else {
            return Ok(Rules::with_analysis(description, analysis)?);
        };
        let without_errors = analysis.without_errors(&description);
        if let Ok(rules) = Rules::with_analysis(description, analysis)
            && begins(&*rules.engine())
        {
            return Ok(rules);
        }
        let rules = Rules::new(without_errors)?;
        if begins(&*rules.engine()) { Ok(rules) } else { Err(LoadError::Rules(error)) }
    }

    fn with_analysis(description: Description, analysis: Analysis) -> Result<Arc<Rules>, GameError> {
        let checked = Arc::new(Checked { description, analysis });
        let first = checked.first_engine()?;
        let (gates, lanes, called_off) = Default::default();
        Ok(Arc::new(Rules { checked, first, gates, lanes, called_off }))
    }

    /// The rules as they were read.
    pub fn description(&self) -> &Description {
        &self.checked.description
    }

    /// The checked rules; `None` if lenient rules have errors.
    pub fn program(&self) -> Option<&Program> {
        self.checked.analysis.program.as_ref()
    }

    /// The findings about these rules: only warnings, unless lenient rules have errors.
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
    fn first_engine(&self) -> Result<First, GameError> {
        let options = Options { time: Some(FIRST_TIME), ..Options::default() };
        let forward =
            self.analysis.program.as_ref().and_then(|program| ForwardEngine::new(program, options).ok());
        Ok(match forward {
            Some(engine) => First::Forward(Arc::new(engine)),
            None => First::Reference(Arc::new(ReferenceEngine::new(&self.description)?)),
        })
    }

    fn gates(&self, called_off: &AtomicBool) -> Result<Gates, Refusal> {
        let setup = Setup::new(&self.description).with_analysis(&self.analysis);
        let setup = setup.within(GATES_BUDGET).unless(called_off);
        let circuit = setup.circuit()?;
        Ok(Gates { engine: Arc::new(CircuitEngine::new(&circuit)), circuit })
    }
}

/// Whether an engine plays the first moves of a match.
fn begins(engine: &dyn AnyEngine) -> bool {
    let options = PlayoutOptions { max_length: 3, ..PlayoutOptions::new(1, 0) };
    !engine.role_names().is_empty() && engine.playouts_one_by_one(options).is_ok()
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

    fn lenient(text: &str) -> Result<Arc<Rules>, LoadError> {
        let description = senet_gdl::parse(text);
        let analysis = analyze(&description, false);
        assert!(analysis.n_errors > 0, "{text}");
        Rules::lenient(description, analysis)
    }

    /// The legal moves of the first role before and after its first one.
    fn moves(rules: &Rules) -> [Vec<String>; 2] {
        let mut game = rules.engine().start().expect("it begins");
        let first = game.position().legal.swap_remove(0);
        let role = rules.role_names()[0].clone();
        game.play(&[(role, first[0].clone())].into()).expect("it is legal");
        [first, game.position().legal.swap_remove(0)]
    }

    #[test]
    fn lenient_rules_without_what_cannot_be_read_have_every_engine() {
        let rules = "(role robot) (init p) (<= (legal robot go) (true p)) (<= (legal robot stop) (true q))
            (<= (next q) (true p)) (<=) (goal robot 100) (<= (legal robot () x)) (<= terminal";
        let rules = lenient(rules).expect("the rest plays");
        assert_eq!(rules.engine().name(), "forward");
        assert!(rules.lanes().wait(&Limit::default()).expect("no limit").is_ok());
        assert_eq!(rules.engine().name(), "circuit");
        assert_eq!(moves(&rules), [["go"], ["stop"]]);
    }

    #[test]
    fn lenient_rules_with_errors_are_played_by_the_reference_engine_as_far_as_it_can() {
        let rules = lenient("(role robot) (init p) (legal ?r go) (goal ?r 0) (<= terminal (true q))");
        let rules = rules.expect("the roles are known when they are asked for");
        assert_eq!(rules.engine().name(), "reference");
        assert_eq!(moves(&rules), [["go"], ["go"]]);
        let refused = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().err();
        let refused = refused.expect("it has errors").to_string();
        assert!(refused.starts_with("the rulesheet has 2 errors, the first at 1:30: "), "{refused}");
    }

    #[test]
    fn lenient_rules_leave_out_what_no_engine_plays() {
        let rules = "(role robot) (init p) (legal robot go) (<= (next (at ?x)) (does robot go))
            (<= (next p) (true p)) (goal robot 0) (<= terminal (true q))";
        let rules = lenient(rules).expect("the rest plays");
        assert_eq!(rules.engine().name(), "forward");
        assert_eq!(moves(&rules), [["go"], ["go"]]);
    }

    #[test]
    fn lenient_rules_without_a_match_are_refused() {
        for text in ["", "(role", "(role ?x) (legal a b)", "(role x) (legal x ?y)"] {
            assert!(matches!(lenient(text), Err(LoadError::Rules(_))), "{text}");
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
