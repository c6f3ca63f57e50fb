//! A tree on an engine, and the match it follows.

use super::constant_sum::constant_sum;
use super::evaluator::Evaluator;
use super::expansion::Expansions;
use super::moves::{Moves, Turn};
use super::parameters::Parameters;
use super::priors::Priors;
use super::roles::Roles;
use super::search::{Effort, Plan, think};
use super::select::draw;
use super::tree::{NONE, Successor, Tree};
use crate::{Choice, Limit, Report, SearchError};
use senet_circuit::Circuit;
use senet_game::{Engine, GameError, MoveGenerator, PlayError, derived_seed, roles};
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A hope has to be so much better than what is sure.
const MARGIN: f32 = 1.0;
/// The longest line that is told.
const MOST_TOLD: usize = 32;

/// Thinks about a match.
pub(crate) trait Brain: Send {
    /// Puts the best move found so far into the reserve of the limit, if it has one.
    fn update_reserve(&mut self, limit: &Limit);
    /// Thinks about the position until the limit is reached or its score is proved.
    fn think(&mut self, limit: &Limit) -> Result<(), SearchError>;
    /// The best move that was found.
    fn choose(&mut self) -> Result<Choice, SearchError>;
    /// Follows a joint move.
    fn follow(&mut self, joint: &[String]) -> Result<(), SearchError>;
    /// How many playouts, and leaves, were made for the position.
    fn counts(&self) -> (u64, u64);
    /// The average strategy of each role in the position: moves with their chances.
    fn strategies(&mut self) -> Vec<Vec<(String, f32)>>;
}

/// A tree on an engine.
pub(crate) struct TreeBrain<E: Engine> {
    pub(crate) engine: Arc<E>,
    worker: E::Worker,
    pub(crate) tree: Tree<E::State>,
    evaluators: Vec<Box<dyn Evaluator<E::State>>>,
    /// One for each thread, and one more to draw what is played.
    generators: Vec<MoveGenerator>,
    pub(crate) plan: Plan,
    effort: Effort,
    name: &'static str,
}

impl<E: Engine> TreeBrain<E> {
    pub(crate) fn new(
        engine: Arc<E>,
        circuit: Option<&Circuit>,
        evaluators: Vec<Box<dyn Evaluator<E::State>>>,
        plan: Plan,
        parameters: &Parameters,
        seed: u64,
        name: &'static str,
    ) -> Result<TreeBrain<E>, SearchError> {
        let mut worker = engine.worker();
        let (texts, mut texts_worker) = (engine.clone(), engine.worker());
        let text = Box::new(move |id| texts.move_text(&mut texts_worker, id));
        let initial = engine.initial(&mut worker)?;
        // A state has its place in a node already.
        let state_bytes = engine.state_bytes(&initial).saturating_sub(size_of::<E::State>()) + 16;
        let sum = |pair| circuit.and_then(|circuit| constant_sum(circuit, pair));
        let names = engine.role_names();
        let roles = Roles::new(names, plan.role, &parameters.models, sum, text, state_bytes);
        let priors = Priors::new(parameters.shared, engine.role_names().len());
        let n = evaluators.len() as u64;
        let mut brain = TreeBrain {
            tree: Tree::new(roles, priors, plan.most_bytes),
            generators: (0..=n).map(|at| MoveGenerator::new(derived_seed(seed, at))).collect(),
            evaluators,
            plan,
            effort: Effort::default(),
            name,
            worker,
            engine,
        };
        brain.begin(initial)?;
        Ok(brain)
    }

    /// Goes on to a position.
    fn begin(&mut self, state: E::State) -> Result<(), SearchError> {
        let is_over = self.engine.is_terminal(&mut self.worker, &state)?;
        let goal = |role| Ok(self.engine.goal(&mut self.worker, &state, role)?.unwrap_or(0));
        let goals = if is_over {
            Some(roles(&*self.engine).map(goal).collect::<Result<_, GameError>>()?)
        } else {
            None
        };
        let root = self.tree.enter(Successor { state, goals });
        self.tree.go_to(root);
        self.effort = Effort::default();
        self.expand_root()
    }

    /// The moves of the root are always there to choose from.
    fn expand_root(&mut self) -> Result<(), SearchError> {
        let (root, proofs) = (self.tree.root, self.plan.taste.proofs);
        let node = &self.tree.nodes[root as usize];
        if node.is_over {
            return Ok(());
        }
        if node.moves.is_some() {
            if proofs {
                self.tree.tighten(root);
                self.prove_with_moves();
            }
            return Ok(());
        }
        let state = node.state.clone().expect("the root is a position");
        let mut expansions = Expansions::default();
        self.evaluators[0].expand(&[&state], &mut expansions)?;
        let expansion = expansions.get(0);
        if let Some(role) = expansion.choices.by_role().position(<[_]>::is_empty) {
            let role = senet_game::RoleId::new(role);
            return Err(GameError::no_legal_move(&*self.engine, &mut self.worker, &state, role).into());
        }
        self.tree.expand(root, &expansion);
        self.tree.forget_refuted_bounds();
        if proofs {
            self.tree.tighten(root);
            self.prove_with_moves();
        }
        Ok(())
    }

    /// Forgets the score of the root if it was proved by moves that were evicted since: it is proved again by a move that
    /// can be played.
    fn prove_with_moves(&mut self) {
        let (tree, role) = (&mut self.tree, self.plan.role);
        if tree.is_closed(tree.root, role) && !tree.has_move_for_score(tree.root, role) {
            tree.forget_bounds(tree.root);
            tree.tighten(tree.root);
        }
    }

    fn root_moves(&self) -> Result<&Moves, SearchError> {
        Chooser { tree: &self.tree, plan: &self.plan }.root_moves()
    }

    /// Makes choices while the search goes on, if the limit has a reserve for them.
    fn present(&mut self, limit: &Limit) -> Option<Present> {
        limit.reserve.as_ref()?;
        let chooser = Chooser { tree: &self.tree, plan: &self.plan };
        let moves = chooser.root_moves().ok()?;
        let arms = moves.arms[moves.arms_of(self.plan.role)].iter();
        let texts = arms.map(|arm| self.engine.move_text(&mut self.worker, arm.id)).collect();
        let playouts = self.effort.playouts.load(Relaxed);
        let generator = self.generators.last().expect("there is one more").clone();
        Some(Present { texts, playouts, generator, name: self.name })
    }
}

/// Makes choices while the search goes on.
struct Present {
    /// By move of the searching role.
    texts: Vec<String>,
    /// Playouts before the search went on.
    playouts: u64,
    /// A copy: a choice in reserve changes no later draw.
    generator: MoveGenerator,
    name: &'static str,
}

impl Present {
    /// The best choice so far, without a line.
    fn choice<S: Clone + Eq + Hash>(&self, tree: &Tree<S>, plan: &Plan, effort: &Effort) -> Option<Choice> {
        let chooser = Chooser { tree, plan };
        let best = chooser.best(&mut self.generator.clone()).ok()?;
        let report = chooser.report(best, effort, self.name).ok()?;
        let report = Report { playouts: self.playouts + report.playouts, ..report };
        Some(Choice { text: self.texts.get(best)?.clone(), report })
    }
}

/// Chooses among the moves of the root.
struct Chooser<'a, S> {
    tree: &'a Tree<S>,
    plan: &'a Plan,
}

impl<'a, S: Clone + Eq + Hash> Chooser<'a, S> {
    fn root_moves(&self) -> Result<&'a Moves, SearchError> {
        self.tree.nodes[self.tree.root as usize].moves.as_ref().ok_or(SearchError::NoMatch)
    }

    /// Which of its moves a role should play.
    fn best(&self, generator: &mut MoveGenerator) -> Result<usize, SearchError> {
        let role = self.plan.role;
        let root = self.tree.root;
        let moves = self.root_moves()?;
        if self.plan.taste.proofs
            && let Some(sure) = self.tree.sure_move(root, role)
        {
            return Ok(sure);
        }
        if moves.turn == Turn::Together {
            let mut average = moves.average(role);
            if self.plan.taste.proofs
                && let Some(is_reasonable) = self.tree.reasonable_moves(root, role)
            {
                keep(&mut average, &is_reasonable);
            }
            return Ok(draw(&average, generator));
        }
        let arms = &moves.arms[moves.arms_of(role)];
        let proofs = self.plan.taste.proofs && moves.turn.free() == Some(role);
        let low = if proofs { arms.iter().map(|arm| arm.low).fold(0.0, f32::max) } else { 0.0 };
        let is_against_chance = matches!(moves.turn, Turn::AgainstChance(_));
        let most = arms.iter().map(|arm| arm.visits).max().unwrap_or(0);
        let is_open = |at: &usize| {
            // Chance blurs what single moves are worth: their means come apart before their visits do.
            (!proofs || arms[*at].high > low) && (!is_against_chance || arms[*at].visits >= most.div_ceil(4))
        };
        let by_visits = |left: &usize, right: &usize| {
            let key = |at: usize| (if is_against_chance { 0 } else { arms[at].visits }, arms[at].mean);
            let ((left, left_mean), (right, right_mean)) = (key(*left), key(*right));
            left.cmp(&right).then(left_mean.total_cmp(&right_mean))
        };
        let most_visited = (0..arms.len()).filter(is_open).max_by(by_visits);
        // Of what is sure, the end is better than the way to it: else one might walk in circles.
        let nearness = |at: usize| {
            let child = if is_against_chance { NONE } else { moves.child(at as u64) };
            let is_over = child != NONE && self.tree.nodes[child as usize].is_over;
            (proofs && is_over, proofs && arms[at].low >= arms[at].high)
        };
        // And what is lost is put off.
        let by_nearness = |left: &usize, right: &usize| {
            let nearer = nearness(*left).cmp(&nearness(*right));
            let better = if low > 0.0 { nearer } else { nearer.reverse() };
            better.then_with(|| by_visits(left, right))
        };
        let is_sure = |at: &usize| !proofs || arms[*at].low >= low;
        let surest = (0..arms.len()).filter(is_sure).max_by(by_nearness);
        Ok(match (most_visited, surest) {
            // What is sure is worth more than what is hoped for, unless that is clearly more. Nothing is no such thing.
            (Some(open), Some(sure))
                if low > 0.0 && (arms[open].visits == 0 || arms[open].mean <= low + MARGIN) =>
            {
                sure
            }
            (Some(open), _) => open,
            (None, Some(sure)) => sure,
            (None, None) => unreachable!("a role has a move, and node {root} has the role"),
        })
    }

    /// What is known of a move of the root, without a line.
    fn report(&self, best: usize, effort: &Effort, name: &'static str) -> Result<Report, SearchError> {
        let (role, root) = (self.plan.role, self.tree.root);
        let moves = self.root_moves()?;
        let arm = moves.arms[moves.arms_of(role)][best];
        let is_proved = self.plan.taste.proofs && self.tree.is_proved(root, role);
        let ((low, _), mean) = (self.tree.range(root, role), self.tree.means(root)[role]);
        let value = match moves.turn {
            _ if self.plan.taste.proofs && self.tree.is_closed(root, role) => low,
            turn if turn.free() == Some(role) && arm.visits > 0 => arm.mean.clamp(arm.low, arm.high),
            _ => mean,
        };
        Ok(Report {
            engine: Some(name),
            playouts: effort.playouts.load(Relaxed),
            nodes: self.tree.len() as u64,
            depth: effort.depth.load(Relaxed) as u32,
            value: Some(f64::from(value)),
            is_proved,
            longest_pause: Some(self.tree.longest_pause),
            ..Report::default()
        })
    }
}

impl<E: Engine> TreeBrain<E> {
    /// The joint moves that are expected: the one that was chosen, then each the most visited.
    fn line(&mut self, chosen: usize) -> Vec<Vec<String>> {
        let mut line = Vec::new();
        let mut node = self.tree.root;
        while let Some(moves) = self.tree.nodes[node as usize].moves.as_ref() {
            let n_roles = self.tree.n_roles();
            let mut joint = 0;
            let mut is_visited = true;
            for role in (0..n_roles).rev() {
                let arms = &moves.arms[moves.arms_of(role)];
                let best = (0..arms.len()).max_by(|&left, &right| {
                    let key = |at: usize| (arms[at].low, arms[at].visits);
                    key(left).partial_cmp(&key(right)).expect("bounds are numbers")
                });
                let is_chosen = line.is_empty() && role == self.plan.role;
                let best = if is_chosen { chosen } else { best.expect("a role has a move") };
                is_visited &= arms.len() == 1 || arms[best].visits > 0 || arms[best].low > 0.0;
                joint = u64::saturating_mul(joint, arms.len() as u64).saturating_add(best as u64);
            }
            if !is_visited || line.len() == MOST_TOLD {
                break;
            }
            let ids: Vec<_> = moves.ids(joint).collect();
            let child = moves.child(joint);
            line.push(ids.iter().map(|&id| self.engine.move_text(&mut self.worker, id)).collect());
            if child == NONE {
                break;
            }
            node = child;
        }
        line
    }
}

impl<E: Engine> Drop for TreeBrain<E> {
    fn drop(&mut self) {
        self.tree.dispose();
    }
}

impl<E: Engine> Brain for TreeBrain<E> {
    fn update_reserve(&mut self, limit: &Limit) {
        let present = self.present(limit);
        let effort_from_now = Effort::default();
        limit.update_reserve(|| present?.choice(&self.tree, &self.plan, &effort_from_now));
    }

    fn think(&mut self, limit: &Limit) -> Result<(), SearchError> {
        let root = &self.tree.nodes[self.tree.root as usize];
        if root.is_over {
            return Ok(());
        }
        let present = self.present(limit);
        let (plan, n) = (&self.plan, self.evaluators.len());
        let present = |tree: &Tree<_>, effort: &Effort| present.as_ref()?.choice(tree, plan, effort);
        let (evaluators, generators) = (&mut self.evaluators, &mut self.generators[..n]);
        let effort = think(&mut self.tree, evaluators, generators, plan, limit, &present)?;
        self.effort.playouts.fetch_add(effort.playouts.into_inner(), Relaxed);
        self.effort.leaves.fetch_add(effort.leaves.into_inner(), Relaxed);
        self.effort.depth.fetch_max(effort.depth.into_inner(), Relaxed);
        Ok(())
    }

    fn choose(&mut self) -> Result<Choice, SearchError> {
        // The search may have set the assumption of a constant sum aside; the answer relies on it.
        let root = self.tree.root;
        self.tree.roles.resume_assumption();
        if self.plan.taste.proofs {
            self.tree.tighten(root);
        }
        let generator = self.generators.last_mut().expect("there is one more");
        let chooser = Chooser { tree: &self.tree, plan: &self.plan };
        let best = chooser.best(generator)?;
        let report = chooser.report(best, &self.effort, self.name)?;
        // The next report covers what is done from here on, while the opponents think.
        self.tree.longest_pause = Duration::ZERO;
        let chooser = Chooser { tree: &self.tree, plan: &self.plan };
        let moves = chooser.root_moves()?;
        let id = moves.arms[moves.arms_of(self.plan.role)][best].id;
        let report = Report { line: self.line(best), ..report };
        Ok(Choice { text: self.engine.move_text(&mut self.worker, id), report })
    }

    fn follow(&mut self, joint: &[String]) -> Result<(), SearchError> {
        self.expand_root()?;
        let n_roles = self.tree.n_roles();
        let root = self.tree.root;
        let node = &self.tree.nodes[root as usize];
        let moves = node.moves.as_ref().ok_or(PlayError::Terminal)?;
        let (mut ids, mut number) = (Vec::new(), 0);
        for role in (0..n_roles).rev() {
            let arms = &moves.arms[moves.arms_of(role)];
            let text = joint.get(role).map_or("", String::as_str);
            let is_it = |at: &usize| self.engine.move_text(&mut self.worker, arms[*at].id) == text;
            let at = (0..arms.len()).find(is_it).ok_or_else(|| PlayError::IllegalMove {
                role: self.engine.role_names()[role].clone(),
                text: text.to_owned(),
            })?;
            number = u64::saturating_mul(number, arms.len() as u64).saturating_add(at as u64);
            ids.push(arms[at].id);
        }
        ids.reverse();
        let child = moves.child(number);
        let is_numbered = moves.n_joint() < u64::MAX;
        if child == NONE || !is_numbered {
            let state = node.state.clone().expect("the root is a position");
            let next = self.engine.step(&mut self.worker, &state, &ids)?;
            return self.begin(next);
        }
        self.tree.hold(child);
        self.tree.go_to(child);
        self.tree.roles.resume_assumption();
        self.effort = Effort::default();
        self.expand_root()
    }

    fn counts(&self) -> (u64, u64) {
        (self.effort.playouts.load(Relaxed), self.effort.leaves.load(Relaxed))
    }

    fn strategies(&mut self) -> Vec<Vec<(String, f32)>> {
        let Ok(moves) = self.root_moves() else { return Vec::new() };
        let all: Vec<Vec<_>> = (0..self.tree.n_roles())
            .map(|role| {
                let ids = moves.arms[moves.arms_of(role)].iter().map(|arm| arm.id);
                ids.zip(moves.average(role)).collect()
            })
            .collect();
        let text = |(id, chance)| (self.engine.move_text(&mut self.worker, id), chance);
        let mut texts = text;
        all.into_iter().map(|chances: Vec<_>| chances.into_iter().map(&mut texts).collect()).collect()
    }
}

/// Leaves some of the chances out.
fn keep(chances: &mut [f32], is_kept: &[bool]) {
    chances.iter_mut().zip(is_kept).for_each(|(chance, is_kept)| *chance *= f32::from(u8::from(*is_kept)));
    let sum: f32 = chances.iter().sum();
    let n_kept = is_kept.iter().filter(|is_kept| **is_kept).count() as f32;
    for (chance, &is_kept) in chances.iter_mut().zip(is_kept) {
        *chance = match (sum > 0.0, is_kept) {
            (true, _) => *chance / sum,
            (false, true) => 1.0 / n_kept,
            (false, false) => 0.0,
        };
    }
}

impl Moves {
    /// How often a role should play each of its moves.
    fn average(&self, role: usize) -> Vec<f32> {
        let arms = self.arms_of(role);
        let weights: Vec<f32> = match self.turn {
            Turn::Together => self.regrets(role).iter().map(|regret| regret.average).collect(),
            _ => self.arms[arms.clone()].iter().map(|arm| arm.visits as f32).collect(),
        };
        let sum: f32 = weights.iter().sum();
        let share = |weight| if sum > 0.0 { weight / sum } else { 1.0 / arms.len() as f32 };
        weights.into_iter().map(share).collect()
    }
}
