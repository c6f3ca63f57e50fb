//! Which relations are derived on demand: those that cannot be derived as a whole, and large ones if that is faster.

use crate::planner::{Failure, MOST_TIME, Planned, Times, plan};
use crate::program::{Keep, Program};
use senet_analysis::Program as Checked;
use senet_rules::demand::{Demanded, by_copies};
use senet_rules::shapes::Shapes;
use senet_rules::unions::without_unions;
use senet_rules::{Lifetime, Literal, RelId, RuleSet};
use std::time::{Duration, Instant};

/// A relation with so many facts in a position may be better off on demand.
const LARGE: u32 = 128;
/// What takes longer to make ready is tried on demand before it is tried for as long as it takes.
const PATIENCE: Duration = Duration::from_millis(200);
/// A relation that takes longer in the first position is tried on demand at once.
const PATIENCE_WITH_A_RELATION: Duration = Duration::from_millis(4);

/// Makes the rules of a game ready, within a time if one is given.
pub(crate) fn make(
    checked: &Checked,
    time: Option<Duration>,
    keep: Keep,
    shapes: impl FnOnce(&mut RuleSet) -> Shapes,
) -> Result<Planned, Failure> {
    let deadline = time.map(|time| Instant::now() + time);
    let mut rule_set = RuleSet::new(checked);
    let shapes = shapes(&mut rule_set);
    let maker = Maker { checked, rule_set, shapes, keep, deadline };
    let hurried = Patience { all: Some(PATIENCE), relation: Some(PATIENCE_WITH_A_RELATION) };
    let patient = Patience { relation: None, ..hurried };
    let fastest = maker.fastest(hurried).or_else(|| maker.fastest(patient));
    fastest.map_or_else(|| maker.plan(maker.rule_set.clone(), Patience::default()), Ok)
}

/// How long an attempt may take.
#[derive(Clone, Copy, Default)]
struct Patience {
    all: Option<Duration>,
    /// See [`Times::relation`].
    relation: Option<Duration>,
}

struct Maker<'a> {
    checked: &'a Checked,
    rule_set: RuleSet,
    shapes: Shapes,
    keep: Keep,
    deadline: Option<Instant>,
}

impl Maker<'_> {
    fn plan(&self, rule_set: RuleSet, patience: Patience) -> Result<Planned, Failure> {
        let end = patience.all.map(|patience| Instant::now() + patience);
        let deadline = self.deadline.into_iter().chain(end).min();
        let program = Program::new(rule_set, self.shapes.clone(), self.checked.symbols(), self.keep);
        let times = Times { measuring: MOST_TIME, relation: patience.relation, deadline };
        plan(program, self.checked.role_facts(), times)
    }

    /// The relations that are asked from outside.
    fn roots(&self) -> Vec<RelId> {
        let keywords = self.rule_set.keywords;
        let mut roots = vec![keywords.role, keywords.goal, keywords.terminal];
        roots.extend(self.shapes.fluents.iter().flat_map(|shape| [shape.init, shape.now, shape.next]));
        roots.extend(self.shapes.moves.iter().flat_map(|shape| [shape.legal, shape.does]));
        roots
    }

    /// Puts more and more relations on demand while that makes the rules run, or run faster. Those come next that could not
    /// be derived, and then those that ask for them; or those that are large. `None` if nothing could be derived in time.
    fn fastest(&self, patience: Patience) -> Option<Planned> {
        let roots = self.roots();
        let mut wanted: Vec<RelId> = Vec::new();
        let mut best: Option<(f64, Planned)> = None;
        loop {
            let demanded = by_copies(&self.rule_set, &roots, &wanted);
            let mut more = Vec::new();
            if let Some(demanded) = demanded {
                match self.plan(demanded.rule_set.clone(), patience) {
                    Ok(mut planned) => {
                        more = large(&demanded, &planned);
                        more.retain(|relation| !wanted.contains(relation) && !roots.contains(relation));
                        if best.is_none() && more.is_empty() {
                            return Some(planned);
                        }
                        let Ok(seconds) = planned.seconds_a_position() else { break };
                        if best.as_ref().is_some_and(|(least, _)| *least <= seconds) {
                            break;
                        }
                        best = Some((seconds, planned));
                    }
                    Err((_, halt)) if best.is_none() => {
                        let relation = demanded.origin(halt.relation);
                        more = if wanted.contains(&relation) { self.askers(&wanted) } else { vec![relation] };
                        more.retain(|relation| !roots.contains(relation));
                    }
                    Err(_) => {}
                }
            } else if best.is_none() {
                more = self.askers(&wanted);
                more.retain(|relation| !roots.contains(relation));
            }
            if more.is_empty() {
                break;
            }
            wanted.extend(more);
        }
        let (seconds, best) = best?;
        Some(self.faster_without_unions(&wanted, seconds, patience).unwrap_or(best))
    }

    /// The rules without those of these relations that only collect others, if that takes less time.
    fn faster_without_unions(&self, wanted: &[RelId], seconds: f64, patience: Patience) -> Option<Planned> {
        let rule_set = without_unions(&self.rule_set, wanted)?;
        let demanded = by_copies(&rule_set, &self.roots(), wanted)?;
        let mut planned = self.plan(demanded.rule_set, patience).ok()?;
        (planned.seconds_a_position().ok()? < seconds).then_some(planned)
    }

    /// Relations whose rules use one of these and that are not among them.
    fn askers(&self, asked: &[RelId]) -> Vec<RelId> {
        let uses = |literal: &Literal| literal.atom().is_some_and(|atom| asked.contains(&atom.relation));
        let rules = self.rule_set.rules.iter().filter(|rule| rule.body.iter().any(uses));
        let mut askers: Vec<RelId> = rules.map(|rule| rule.head.relation).collect();
        askers.sort_unstable();
        askers.dedup();
        askers.retain(|relation| !asked.contains(relation));
        askers
    }
}

/// The relations that had many facts in a position.
fn large(demanded: &Demanded, planned: &Planned) -> Vec<RelId> {
    let relations = &demanded.rule_set.relations;
    let is_large = |at: &usize| {
        relations[*at].lifetime != Lifetime::Match && planned.sizes.n_rows(RelId::new(*at)) >= LARGE
    };
    let mut large: Vec<RelId> =
        (0..relations.len()).filter(is_large).map(|at| demanded.origin(RelId::new(at))).collect();
    large.sort_unstable();
    large.dedup();
    large
}
