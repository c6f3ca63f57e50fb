//! A game on its way to an engine: what several engines need is made once.

use crate::kinds::KINDS;
use crate::smallest::smallest_circuit;
use crate::{LoadError, Purpose, Refusal, auto};
use senet_analysis::{Analysis, Program, RulesheetError, analyze};
use senet_circuit::Circuit;
use senet_engine_lanes::Level;
use senet_engine_tables::Order;
use senet_game::AnyEngine;
use senet_gdl::{Description, Diagnostic};
use senet_ground::Budget;
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Somebody who names an engine wants that one.
const BUDGET: Budget = Budget { time: Some(Duration::from_secs(120)), memory: Some(8 << 30) };

/// Makes engines of one game. The ground circuit is made with the first engine that needs it.
#[derive(Clone)]
pub struct Setup<'a> {
    description: &'a Description,
    given_analysis: Option<&'a Analysis>,
    own_analysis: OnceCell<Analysis>,
    budget: Budget,
    level: Level,
    temporization: bool,
    order: Order,
    called_off: Option<&'a AtomicBool>,
    circuit: OnceCell<Result<Arc<Circuit>, Refusal>>,
}

/// An engine, and what is to be told of it.
pub struct Loaded {
    /// The engine.
    pub engine: Arc<dyn AnyEngine>,
    /// Why it is not one that was hoped for; in one line, for people.
    pub note: Option<String>,
}

impl<'a> Setup<'a> {
    /// Nothing is done before it is needed.
    pub fn new(description: &'a Description) -> Self {
        Self {
            description,
            given_analysis: None,
            own_analysis: OnceCell::new(),
            budget: BUDGET,
            level: Level::best(),
            temporization: true,
            order: Order::Best,
            called_off: None,
            circuit: OnceCell::new(),
        }
    }

    /// Saves checking the rules again: `analysis` is of the description.
    pub fn with_analysis(self, analysis: &'a Analysis) -> Self {
        Self { given_analysis: Some(analysis), ..self }
    }

    /// What making an engine may take: 120 seconds and 8 GB unless this says otherwise.
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Gives up making gates as soon as somebody sets this.
    pub fn unless(self, called_off: &'a AtomicBool) -> Self {
        Self { called_off: Some(called_off), ..self }
    }

    /// The instruction set that the engine `lanes` plays with: the best of this processor unless this says otherwise.
    pub fn at_level(self, level: Level) -> Result<Self, LoadError> {
        match level.is_there() {
            true => Ok(Self { level, ..self }),
            false => Err(LoadError::NoSuchLevel(level)),
        }
    }

    /// The engine `forward` derives everything anew in each position: to see what temporization gains.
    pub fn without_temporization(self) -> Self {
        Self { temporization: false, ..self }
    }

    /// The order in which the engine `tables` meets the hypotheses of a rule: the best unless this says otherwise.
    pub fn in_order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The engine of that name. One that is named is used or refused, never replaced; `auto` chooses for a purpose.
    pub fn load(&self, name: &str, purpose: Purpose) -> Result<Loaded, LoadError> {
        if name == "auto" {
            self.program()?;
            return auto::choose(self, purpose);
        }
        let kind = KINDS.iter().find(|kind| kind.name == name);
        let kind = kind.ok_or_else(|| LoadError::UnknownEngine(name.to_owned()))?;
        Ok(Loaded { engine: kind.engine(self)?, note: None })
    }

    /// What may be taken to make an engine.
    pub(crate) fn budget(&self) -> Budget {
        self.budget
    }

    /// The checked rules, or why the rulesheet is refused.
    pub fn program(&self) -> Result<&Program, RulesheetError> {
        self.analysis().accepted(self.description)
    }

    /// The findings about the rulesheet. Where it is accepted, they are warnings.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.analysis().diagnostics
    }

    pub(crate) fn analysis(&self) -> &Analysis {
        match self.given_analysis {
            Some(analysis) => analysis,
            None => self.own_analysis.get_or_init(|| analyze(self.description, false)),
        }
    }

    /// The rules.
    pub fn description(&self) -> &'a Description {
        self.description
    }

    /// The instruction set that the engine `lanes` plays with. This processor has it.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether the engine `forward` keeps facts from position to position.
    pub(crate) fn temporization(&self) -> bool {
        self.temporization
    }

    /// The order in which the engine `tables` meets the hypotheses of a rule.
    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// The game as gates, made within the budget when it is asked for the first time.
    pub fn circuit(&self) -> Result<Arc<Circuit>, Refusal> {
        let make = || smallest_circuit(self.program()?, self.budget, self.called_off);
        self.circuit.get_or_init(|| make().map(Arc::new)).clone()
    }

    /// The same with a budget that is not larger in anything.
    pub(crate) fn hurried(&self, budget: Budget) -> Setup<'a> {
        let least = |left: Option<usize>, right: Option<usize>| left.into_iter().chain(right).min();
        let budget = Budget {
            time: self.budget.time.into_iter().chain(budget.time).min(),
            memory: least(self.budget.memory, budget.memory),
        };
        self.clone().within(budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LEVELS, NAMES};
    use senet_game::PlayoutOptions;

    /// Numbers grow without end.
    const ENDLESS: &str = "(role robot) (init (n 0)) (legal robot grow) (goal robot 0)
        (<= (next (n (s ?n))) (true (n ?n))) (<= terminal (true (n (s (s 0)))))";

    #[test]
    fn the_circuit_is_made_once() {
        let description = senet_gdl::parse(&crate::library::find("tic-tac-toe").expect("built in").text);
        let setup = Setup::new(&description);
        let first = setup.circuit().expect("tic-tac-toe is small");
        assert!(Arc::ptr_eq(&first, &setup.circuit().expect("it was made")));
    }

    #[test]
    fn a_refusal_has_a_reason() {
        let endless = senet_gdl::parse(ENDLESS);
        let refusal = Setup::new(&endless).circuit().expect_err("there is no end of fluents").to_string();
        assert!(refusal.contains("not grounded") && refusal.contains("nest without end"), "{refusal}");
        let unsafe_rules = senet_gdl::parse("(role robot) (<= (next (at ?x)) (does robot go))");
        let refusal = Setup::new(&unsafe_rules).circuit().expect_err("?x is not bound").to_string();
        assert!(refusal.starts_with("the rulesheet has an error at 1:28: "), "{refusal}");
        let chess = senet_gdl::parse(&crate::library::find("chess").expect("built in").text);
        let no_time = Budget { time: Some(Duration::ZERO), memory: None };
        let refusal = Setup::new(&chess).within(no_time).circuit().expect_err("there is no time").to_string();
        assert!(refusal.contains("0 s of the budget"), "{refusal}");
    }

    #[test]
    fn no_engine_takes_a_rulesheet_with_errors() {
        let complete = "(role robot) (legal robot go) (goal robot 0) terminal";
        for (fault, expected) in [
            (" (<= )", "an error at 1:55: this rule has no head (G006)"),
            (" (<= (q ?x", "an error at 1:55: this parenthesis is never closed (G001)"),
            (
                " (<= (q ?x))\n () ()",
                "3 errors, the first at 1:62: the variable `?x` stands in a fact (G201)",
            ),
        ] {
            let description = senet_gdl::parse(&format!("{complete}{fault}"));
            for (name, purpose) in NAMES.into_iter().zip([Purpose::Match, Purpose::OneState].iter().cycle()) {
                let error = Setup::new(&description).load(name, *purpose).err().expect("it has errors");
                assert!(matches!(error, LoadError::Rules(_)), "{name}: {error:?}");
                assert!(error.to_string().starts_with(&format!("the rulesheet has {expected}")), "{error}");
            }
        }
    }

    #[test]
    fn warnings_are_told() {
        let description = senet_gdl::parse("(role robot) (legal robot go) (goal robot 0)");
        let setup = Setup::new(&description);
        assert!(setup.load("reference", Purpose::OneState).is_ok());
        assert_eq!(setup.findings().iter().map(|found| found.code.id).collect::<Vec<_>>(), ["G404"]);
    }

    #[test]
    fn auto_plays_what_cannot_be_grounded() {
        let description = senet_gdl::parse(ENDLESS);
        let loaded = Setup::new(&description).load("auto", Purpose::OneState).expect("some engine plays");
        // Whichever of the engines without gates is faster for so small a game.
        assert!(["forward", "reference"].contains(&loaded.engine.name()));
        assert!(loaded.note.expect("people are told").contains("was not grounded"));
    }

    #[test]
    fn the_smaller_budget_counts() {
        let description = senet_gdl::parse(ENDLESS);
        let own = Budget { time: Some(Duration::from_secs(1)), memory: None };
        let hurry = Budget { time: Some(Duration::from_secs(9)), memory: Some(5) };
        let budget = Setup::new(&description).within(own).hurried(hurry).budget;
        assert_eq!((budget.time, budget.memory), (own.time, Some(5)));
    }

    #[test]
    fn levels_that_are_there_play_the_same() {
        let description = senet_gdl::parse(&crate::library::find("connect-four").expect("built in").text);
        let options = PlayoutOptions::new(2_000, 3);
        let best = Setup::new(&description).load("lanes", Purpose::ManyPlayouts).expect("it is small").engine;
        assert_eq!(best.level_name(), Some(Level::best().name()));
        let expected = best.playouts(options).expect("the rules are right");
        for level in LEVELS {
            let setup = match Setup::new(&description).at_level(level) {
                Ok(setup) => setup,
                Err(error) => {
                    assert!(!level.is_there());
                    eprintln!("skipped: {error}");
                    continue;
                }
            };
            let engine = setup.load("lanes", Purpose::ManyPlayouts).expect("it is small").engine;
            assert_eq!(engine.level_name(), Some(level.name()));
            assert_eq!(engine.playouts(options).as_ref(), Ok(&expected), "{}", level.name());
        }
    }

    #[test]
    fn an_unknown_engine_is_named() {
        let description = senet_gdl::parse(ENDLESS);
        let error =
            Setup::new(&description).load("quantum", Purpose::OneState).err().expect("no such engine");
        assert!(error.to_string().starts_with("there is no engine `quantum`: choose one of auto, reference"));
    }
}
