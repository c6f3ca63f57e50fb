//! The combinations of a rule that can pass, level by level, before they are laid out as reference tables.
//!
//! A level is an input with the permanent hypotheses joined to it; the first may have no input. What the variables that still
//! matter are bound to has a reference number; combinations that agree in them share it.

use crate::facts::Facts;
use crate::join::{Join, Limits, Question, Seen, Stop};
use crate::superset::Supersets;
use rustc_hash::FxHashMap;
use senet_rules::{Atom, Literal, RelId, Rule, RuleSet};
use senet_terms::Terms;

/// What all rules are grounded with.
pub(crate) struct Grounding<'a> {
    pub(crate) rule_set: &'a RuleSet,
    pub(crate) supersets: &'a Supersets,
    /// Permanent facts, and the supersets of the other relations.
    pub(crate) facts: &'a mut Facts,
    pub(crate) terms: &'a mut Terms,
    /// By relation: the place of its first id.
    pub(crate) places: &'a [u32],
}

impl Grounding<'_> {
    pub(crate) fn is_permanent(&self, relation: RelId) -> bool {
        self.rule_set.is_permanent(relation)
    }

    /// The place of an instance of an atom whose variables are bound; `None` if it can never hold.
    fn place(&mut self, atom: &Atom, slots: &[u32]) -> Option<u32> {
        let args: Vec<u32> = atom.args.iter().map(|arg| arg.value(slots, self.terms)).collect();
        let id = self.supersets.id(atom.relation, self.facts, self.terms, &args)?;
        Some(self.places[atom.relation.index()] + id)
    }
}

/// A combination: the reference number before, the place of the input's id, the reference number after.
pub(crate) type Entry = (u32, u32, u32);

/// Combinations up to an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct DraftLevel {
    /// The number of the literal.
    pub(crate) input: Option<usize>,
    /// Sorted.
    pub(crate) entries: Vec<Entry>,
    pub(crate) n_nodes: usize,
    /// By reference number: the places of positive conditions, of negative ones, and of the result if it is known here.
    pub(crate) records: Vec<u32>,
    pub(crate) n_positive: usize,
    pub(crate) n_conditions: usize,
    pub(crate) has_result: bool,
}

impl DraftLevel {
    /// How many numbers a record has.
    pub(crate) fn stride(&self) -> usize {
        self.n_conditions + usize::from(self.has_result)
    }
}

/// A rule whose combinations are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// Places that have to be known, and places that may not be.
    pub(crate) preconditions: [Vec<u32>; 2],
    pub(crate) levels: Vec<DraftLevel>,
    /// The place of the result if it has no variables.
    pub(crate) result: Option<u32>,
}

impl Draft {
    /// How many numbers it has.
    pub(crate) fn n_words(&self) -> usize {
        self.levels.iter().map(|level| level.entries.len() + level.records.len()).sum()
    }
}

/// A level before its combinations are known.
#[derive(Default)]
struct Plan {
    input: Option<usize>,
    /// Permanent hypotheses and distinct terms.
    joined: Vec<usize>,
    conditions: Vec<usize>,
    /// By variable: whether it is bound after this level.
    is_bound: Vec<bool>,
}

/// Grounds a rule with its positive hypotheses in an order; `None` if it never gives a result. A trigger comes first and is
/// an input even if it binds nothing.
pub(crate) fn draft(
    grounding: &mut Grounding<'_>,
    rule: &Rule,
    order: &[usize],
    trigger: Option<usize>,
    most_entries: usize,
    limits: &mut Limits,
) -> Result<Option<Draft>, Stop> {
    let mut draft = Draft::default();
    let mut open = Vec::new();
    for (at, literal) in rule.body.iter().enumerate() {
        let mut is_ground = trigger != Some(at);
        literal.for_each_var(&mut |_| is_ground = false);
        if !is_ground {
            open.push(at);
        } else if !take_precondition(grounding, literal, &mut draft)? {
            return Ok(None);
        }
    }
    let plans = plan(grounding, rule, order, trigger, open);
    let mut head_vars = vec![false; rule.n_vars];
    rule.head.args.iter().for_each(|arg| arg.for_each_var(&mut |var| head_vars[var as usize] = true));
    let is_covered = |is_bound: &[bool]| head_vars.iter().zip(is_bound).all(|(&head, &bound)| bound || !head);
    let result_level = match head_vars.contains(&true) {
        false => {
            let Some(place) = grounding.place(&rule.head, &[]) else { return Ok(None) };
            draft.result = Some(place);
            None
        }
        true => plans.iter().position(|plan| is_covered(&plan.is_bound)),
    };
    let mut nodes = Nodes { vars: Vec::new(), rows: vec![Vec::new()] };
    for (at, level) in plans.iter().enumerate() {
        let mut is_live = vec![false; rule.n_vars];
        let mut mark = |literal: usize| {
            rule.body[literal].for_each_var(&mut |var| is_live[var as usize] = true);
        };
        level.conditions.iter().for_each(|&literal| mark(literal));
        for later in &plans[at + 1..] {
            later
                .input
                .iter()
                .chain(&later.joined)
                .chain(&later.conditions)
                .for_each(|&literal| mark(literal));
        }
        if result_level.is_some_and(|result| result >= at) {
            is_live.iter_mut().zip(&head_vars).for_each(|(live, &head)| *live |= head);
        }
        let vars = (0..rule.n_vars).filter(|&var| is_live[var] && level.is_bound[var]).collect();
        let ground = Level { rule, plan: level, vars, has_result: result_level == Some(at), most_entries };
        let (level, reached) = ground.ground(grounding, &nodes, limits)?;
        if level.entries.is_empty() {
            return Ok(None);
        }
        draft.levels.push(level);
        nodes = reached;
    }
    prune(&mut draft.levels);
    Ok(Some(draft))
}

/// Whether a hypothesis without variables can hold. If it is not permanent it becomes a precondition.
fn take_precondition(
    grounding: &mut Grounding<'_>,
    literal: &Literal,
    draft: &mut Draft,
) -> Result<bool, Stop> {
    let (atom, is_wanted) = match literal {
        Literal::Distinct(left, right) => {
            return Ok(left.value(&[], grounding.terms) != right.value(&[], grounding.terms));
        }
        Literal::Positive(atom) => (atom, true),
        Literal::Negative(atom) => (atom, false),
    };
    let place = grounding.place(atom, &[]);
    if grounding.is_permanent(atom.relation) {
        return Ok(place.is_some() == is_wanted);
    }
    match place {
        Some(place) => draft.preconditions[usize::from(!is_wanted)].push(place),
        None => return Ok(!is_wanted),
    }
    Ok(true)
}

/// Spreads the hypotheses over levels: each as soon as its variables are bound.
fn plan(
    grounding: &Grounding<'_>,
    rule: &Rule,
    order: &[usize],
    trigger: Option<usize>,
    mut open: Vec<usize>,
) -> Vec<Plan> {
    let mut is_bound = vec![false; rule.n_vars];
    let mut plans = Vec::new();
    let mut level = Plan::default();
    let order = trigger.into_iter().chain(order.iter().copied().filter(|&at| trigger != Some(at)));
    for at in order {
        if !open.contains(&at) {
            continue;
        }
        open.retain(|&it| it != at);
        let atom = rule.body[at].atom().expect("positive hypotheses are ordered");
        if grounding.is_permanent(atom.relation) {
            level.joined.push(at);
        } else {
            if level.input.is_some() || !level.joined.is_empty() {
                plans.push(std::mem::take(&mut level));
            }
            level.input = Some(at);
        }
        rule.body[at].for_each_var(&mut |var| is_bound[var as usize] = true);
        open.retain(|&it| {
            let literal = &rule.body[it];
            let mut is_known = true;
            literal.for_each_var(&mut |var| is_known &= is_bound[var as usize]);
            if is_known {
                match literal.atom() {
                    Some(atom) if !grounding.is_permanent(atom.relation) => level.conditions.push(it),
                    _ => level.joined.push(it),
                }
            }
            !is_known
        });
        level.is_bound = is_bound.clone();
    }
    if level.input.is_some() || !level.joined.is_empty() {
        plans.push(level);
    }
    plans
}

/// What the reference numbers of a level stand for.
struct Nodes {
    vars: Vec<usize>,
    rows: Vec<Vec<u32>>,
}

struct Level<'a> {
    rule: &'a Rule,
    plan: &'a Plan,
    vars: Vec<usize>,
    has_result: bool,
    most_entries: usize,
}

impl Level<'_> {
    fn ground(
        self,
        grounding: &mut Grounding<'_>,
        before: &Nodes,
        limits: &mut Limits,
    ) -> Result<(DraftLevel, Nodes), Stop> {
        let Level { rule, plan, vars, has_result, most_entries } = self;
        let n_vars = rule.n_vars;
        let marked = |vars: &[usize]| (0..n_vars).map(|var| vars.contains(&var)).collect::<Vec<bool>>();
        let mut is_wanted = marked(&vars);
        let mut literals: Vec<&Literal> = plan.joined.iter().map(|&at| &rule.body[at]).collect();
        let input = match plan.input {
            None => None,
            Some(at) => {
                let atom = rule.body[at].atom().expect("inputs are atoms");
                if !grounding.supersets.is_written_out(atom.relation) {
                    return Err(Stop::Memory);
                }
                rule.body[at].for_each_var(&mut |var| is_wanted[var as usize] = true);
                literals.push(&rule.body[at]);
                Some((grounding.facts.of_atom(atom), atom.leaves(), grounding.places[atom.relation.index()]))
            }
        };
        let (positive, negative): (Vec<usize>, Vec<usize>) =
            plan.conditions.iter().partition(|&&at| matches!(rule.body[at], Literal::Positive(_)));
        let question =
            Question { literals, is_bound: marked(&before.vars), is_wanted, trigger: None, head: None };
        let join = Join::new(&question, grounding.facts, grounding.terms);
        let mut level = DraftLevel {
            input: plan.input,
            n_positive: positive.len(),
            n_conditions: positive.len() + negative.len(),
            has_result,
            ..DraftLevel::default()
        };
        let mut numbers: FxHashMap<Vec<u32>, Option<u32>> = FxHashMap::default();
        let mut nodes = Nodes { vars, rows: Vec::new() };
        let mut slots = vec![0; n_vars];
        for (reference, row) in before.rows.iter().enumerate() {
            before.vars.iter().zip(row).for_each(|(&var, &term)| slots[var] = term);
            let mut found = |slots: &[u32], facts: &mut Facts, terms: &mut Terms| {
                let chi = input.as_ref().map_or(0, |(form, leaves, place)| {
                    let columns: Vec<u32> = leaves.iter().map(|leaf| leaf.value(slots)).collect();
                    let row = facts[*form].find(&columns).expect("the join found it");
                    place + facts[*form].whole(row)
                });
                let key: Vec<u32> = nodes.vars.iter().map(|&var| slots[var]).collect();
                let number = match numbers.get(&key) {
                    Some(number) => *number,
                    None => {
                        let mut within = Grounding {
                            rule_set: grounding.rule_set,
                            supersets: grounding.supersets,
                            facts,
                            terms,
                            places: grounding.places,
                        };
                        let record = record(&mut within, rule, (&positive, &negative), has_result, slots);
                        let number = record.map(|record| {
                            level.records.extend(record);
                            nodes.rows.push(key.clone());
                            nodes.rows.len() as u32 - 1
                        });
                        numbers.insert(key, number);
                        number
                    }
                };
                if let Some(number) = number {
                    level.entries.push((reference as u32, chi, number));
                    let n_words = level.entries.len() + level.records.len() + nodes.rows.len();
                    if n_words > most_entries {
                        return Err(Stop::Memory);
                    }
                }
                Ok(())
            };
            let place = (&mut *grounding.facts, &mut *grounding.terms, &mut *limits);
            join.run(&mut slots, (0..0, &mut Seen::default()), place, &mut found)?;
        }
        level.n_nodes = nodes.rows.len();
        level.entries.sort_unstable();
        level.entries.dedup();
        Ok((level, nodes))
    }
}

/// The places of conditions and result; `None` if a condition or the result can never hold. The place 0 is never known.
fn record(
    grounding: &mut Grounding<'_>,
    rule: &Rule,
    (positive, negative): (&[usize], &[usize]),
    has_result: bool,
    slots: &[u32],
) -> Option<Vec<u32>> {
    let mut record = Vec::with_capacity(positive.len() + negative.len() + 1);
    for &at in positive {
        record.push(grounding.place(rule.body[at].atom()?, slots)?);
    }
    for &at in negative {
        record.push(grounding.place(rule.body[at].atom()?, slots).unwrap_or(0));
    }
    if has_result {
        record.push(grounding.place(&rule.head, slots)?);
    }
    Some(record)
}

/// Removes what leads nowhere, and numbers what is left.
fn prune(levels: &mut [DraftLevel]) {
    for at in (0..levels.len()).rev() {
        let mut is_used = vec![at + 1 == levels.len(); levels[at].n_nodes];
        if let Some(later) = levels.get(at + 1) {
            later.entries.iter().for_each(|&(before, ..)| is_used[before as usize] = true);
        }
        // A reference number that nothing leads to is not used either.
        let mut is_reached = vec![false; is_used.len()];
        levels[at].entries.iter().for_each(|&(.., node)| is_reached[node as usize] = true);
        is_used.iter_mut().zip(&is_reached).for_each(|(used, &reached)| *used &= reached);
        let stride = levels[at].stride();
        let mut numbers = vec![u32::MAX; is_used.len()];
        let mut n_used = 0;
        for (node, _) in is_used.iter().enumerate().filter(|&(_, &is_used)| is_used) {
            numbers[node] = n_used as u32;
            levels[at].records.copy_within(node * stride..(node + 1) * stride, n_used * stride);
            n_used += 1;
        }
        let level = &mut levels[at];
        level.records.truncate(n_used * stride);
        level.n_nodes = n_used;
        level.entries.retain_mut(|(.., node)| {
            *node = numbers[*node as usize];
            *node != u32::MAX
        });
        if let Some(later) = levels.get_mut(at + 1) {
            later.entries.retain_mut(|(before, ..)| {
                *before = numbers[*before as usize];
                *before != u32::MAX
            });
        }
    }
}
