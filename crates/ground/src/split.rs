//! Long bodies split where a variable can be eliminated early.
//!
//! A variable that the head does not need is eliminated by giving a name to the conditions it occurs in:
//! `(<= (p ?x) (q ?x ?y) (r ?y ?z) (s ?z))` becomes `(<= (aux ?y) (r ?y ?z) (s ?z))` and
//! `(<= (p ?x) (q ?x ?y) (aux ?y))`. Joins of many variables become joins of few.

use crate::estimate::{Size, join_size, projected, size_of};
use crate::plan::Store;
use crate::program::Kind;
use crate::rule::{Atom, Literal, Pattern, RelId, Relation, Rule, VarSet};
use crate::table::{Table, TableId};
use hashbrown::HashMap;
use senet_analysis::RuleId;
use senet_ids::Symbol;

/// Auxiliary relations, each body once.
#[derive(Default)]
pub(crate) struct Splitter {
    known: HashMap<(Vec<Literal>, Vec<u32>, u32), RelId>,
}

/// Longer bodies are left as they are: to look for parts takes time that grows with the cube of the length.
const MOST_CONDITIONS: usize = 128;

/// Which conditions may be put into an auxiliary relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    All,
    /// Only conditions that no ground rule shows.
    Static,
}

/// Conditions to be given a name.
struct Part {
    /// What is replaced.
    replaced: Vec<usize>,
    /// What the variables of negative conditions need besides.
    binding: Vec<usize>,
    vars: VarSet,
    /// The variables of the part that the rest or the head uses.
    kept: VarSet,
}

impl Splitter {
    /// Splits a rule as long as a variable can be eliminated; the new rules are appended to `out`, each after
    /// those it uses, the rest of the rule is the last.
    pub(crate) fn split(&mut self, store: &mut Store, mut rule: Rule, which: Which, out: &mut Vec<Rule>) {
        while let Some(part) = best_part(store, &rule, which) {
            self.split_off(store, &mut rule, &part, out);
        }
        out.push(rule);
    }

    /// Splits off one part of a rule if that makes fewer instances. If the part is new, its rule is given back.
    pub(crate) fn split_once(&mut self, store: &mut Store, rule: &mut Rule) -> Option<Option<Rule>> {
        let part = cheapest_part(store, rule)?;
        let mut new = Vec::new();
        self.split_off(store, rule, &part, &mut new);
        Some(new.pop())
    }

    fn split_off(&mut self, store: &mut Store, rule: &mut Rule, part: &Part, out: &mut Vec<Rule>) {
        let kept: Vec<u32> = part.kept.iter().collect();
        let members = part.replaced.iter().chain(&part.binding);
        let body: Vec<Literal> = members.map(|&at| rule.body[at].clone()).collect();
        let relation = self.name(store, &body, &kept, rule, out);
        let mut at = 0;
        rule.body.retain(|_| {
            at += 1;
            !part.replaced.contains(&(at - 1))
        });
        let args = kept.into_iter().map(Pattern::Var).collect();
        rule.body.push(Literal::Positive(Atom { relation, args }));
    }

    fn name(
        &mut self,
        store: &mut Store,
        body: &[Literal],
        kept: &[u32],
        rule: &Rule,
        out: &mut Vec<Rule>,
    ) -> RelId {
        let mut renamed: Vec<Option<u32>> = vec![None; rule.n_vars as usize];
        let mut n_vars = 0;
        let mut rename = |var: u32| {
            let new = *renamed[var as usize].get_or_insert_with(|| {
                n_vars += 1;
                n_vars - 1
            });
            Pattern::Var(new)
        };
        let mut map_atom = |atom: &Atom| Atom {
            relation: atom.relation,
            args: atom.args.iter().map(|arg| arg.map_vars(&mut rename)).collect(),
        };
        let mut literals = Vec::with_capacity(body.len());
        for literal in body {
            literals.push(match literal {
                Literal::Positive(atom) => Literal::Positive(map_atom(atom)),
                Literal::Negative(atom) => Literal::Negative(map_atom(atom)),
                Literal::Distinct(left, right) => {
                    let pair = Atom { relation: RelId::new(0), args: vec![left.clone(), right.clone()] };
                    let mut args = map_atom(&pair).args;
                    let right = args.pop().expect("two sides");
                    Literal::Distinct(args.pop().expect("two sides"), right)
                }
            });
        }
        let kept: Vec<u32> =
            kept.iter().map(|&var| renamed[var as usize].expect("a variable of the part")).collect();
        // A part is derived in the stratum of its rule: other strata have their own.
        let key = (literals, kept, rule.stratum);
        if let Some(&relation) = self.known.get(&key) {
            return relation;
        }
        let is_static = key.0.iter().all(|literal| is_static(store, literal));
        let kind = if is_static { None } else { Some(Kind::Auxiliary) };
        let relation = add_auxiliary(store, key.1.len(), kind, rule.origin);
        let args = key.1.iter().map(|&var| Pattern::Var(var)).collect();
        let head = Atom { relation, args };
        out.push(Rule { head, body: key.0.clone(), n_vars, origin: rule.origin, stratum: rule.stratum });
        self.known.insert(key, relation);
        relation
    }
}

/// A new relation with a table of its own. It gets a name when it is printed.
pub(crate) fn add_auxiliary(store: &mut Store, arity: usize, kind: Option<Kind>, origin: RuleId) -> RelId {
    store.tables.push(Table::new(arity));
    let table = TableId::new(store.tables.len() - 1);
    store.relations.push(Relation { name: Symbol::new(0), arity, table, kind, part_of: Some(origin) });
    RelId::new(store.relations.len() - 1)
}

fn is_static(store: &Store, literal: &Literal) -> bool {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            store.relations[atom.relation.index()].is_static()
        }
        Literal::Distinct(..) => true,
    }
}

/// What matters of the conditions of a body for splitting it.
#[derive(Clone)]
struct Outline {
    head: VarSet,
    vars: Vec<VarSet>,
    is_positive: Vec<bool>,
    is_allowed: Vec<bool>,
    is_static: Vec<bool>,
}

impl Outline {
    fn new(store: &Store, rule: &Rule, which: Which) -> Outline {
        Outline {
            head: rule.head_vars(),
            vars: rule.body.iter().map(Literal::vars).collect(),
            is_positive: rule.body.iter().map(Literal::is_positive).collect(),
            is_allowed: rule.body.iter().map(|it| which == Which::All || is_static(store, it)).collect(),
            is_static: rule.body.iter().map(|it| is_static(store, it)).collect(),
        }
    }

    fn all_vars(&self) -> VarSet {
        let mut all = self.head.clone();
        self.vars.iter().for_each(|vars| all.extend(vars));
        all
    }

    /// The conditions in which a variable occurs, with what is needed to bind the variables of negative ones.
    /// `None` if these are all conditions, or some that may not be named.
    fn part_of(&self, var: u32) -> Option<Part> {
        let n = self.vars.len();
        let replaced: Vec<usize> = (0..n).filter(|&at| self.vars[at].contains(var)).collect();
        if replaced.len() == n || !replaced.iter().all(|&at| self.is_allowed[at]) {
            return None;
        }
        let (mut wanted, mut given) = (VarSet::default(), VarSet::default());
        for &at in &replaced {
            wanted.extend(&self.vars[at]);
            if self.is_positive[at] {
                given.extend(&self.vars[at]);
            }
        }
        let mut binding = Vec::new();
        while !wanted.is_subset(&given) {
            // The condition that adds the fewest variables.
            let missing = |at: usize| {
                self.vars[at].iter().filter(|&var| wanted.contains(var) && !given.contains(var)).count()
            };
            let extra = |at: usize| self.vars[at].iter().filter(|&var| !wanted.contains(var)).count();
            let at = (0..n)
                .filter(|&at| self.is_positive[at] && self.is_allowed[at] && !replaced.contains(&at))
                .filter(|&at| missing(at) > 0)
                .min_by_key(|&at| (extra(at), usize::MAX - missing(at)))?;
            given.extend(&self.vars[at]);
            wanted.extend(&self.vars[at]);
            binding.push(at);
        }
        let mut rest = self.head.clone();
        for at in (0..n).filter(|at| !replaced.contains(at)) {
            rest.extend(&self.vars[at]);
        }
        let mut kept = VarSet::default();
        wanted.iter().filter(|&var| rest.contains(var)).for_each(|var| kept.insert(var));
        Some(Part { replaced, binding, vars: wanted, kept })
    }

    /// The outline after a part was given a name.
    fn replace(&mut self, part: &Part) {
        for &at in part.replaced.iter().rev() {
            self.vars.remove(at);
            self.is_positive.remove(at);
            self.is_allowed.remove(at);
            self.is_static.remove(at);
        }
        self.vars.push(part.kept.clone());
        self.is_positive.push(true);
        self.is_allowed.push(true);
        self.is_static.push(false);
    }
}

/// The part with the fewest variables, if naming it leaves joins with fewer variables than the rule has.
fn best_part(store: &mut Store, rule: &Rule, which: Which) -> Option<Part> {
    if !(2..=MOST_CONDITIONS).contains(&rule.body.len()) {
        return None;
    }
    let outline = Outline::new(store, rule, which);
    let all = outline.all_vars();
    let parts = all.iter().filter(|&var| !outline.head.contains(var)).filter_map(|var| outline.part_of(var));
    let parts = parts.filter(|part| part.vars.len() < all.len());
    let best = parts.min_by_key(|part| (part.vars.len(), part.kept.len()))?;
    // All facts of a static part are derived, which must not take longer than the rule itself.
    if which == Which::Static {
        let sizes = sizes(store, rule);
        let members = best.replaced.iter().chain(&best.binding);
        let inside = join_size(members.filter_map(|&at| sizes[at].as_ref())).rows;
        if inside > 4.0 * join_size(sizes.iter().flatten()).rows + 256.0 {
            return None;
        }
    }
    Some(best)
}

/// The sizes of the positive conditions.
fn sizes(store: &mut Store, rule: &Rule) -> Vec<Option<Size>> {
    let mut sizes = Vec::with_capacity(rule.body.len());
    for literal in &rule.body {
        sizes.push(if let Literal::Positive(atom) = literal { Some(size_of(store, atom)) } else { None });
    }
    sizes
}

/// The first part of the way to split a rule that leaves the fewest instances, if they are less than two thirds
/// of those of the rule as it is.
fn cheapest_part(store: &mut Store, rule: &Rule) -> Option<Part> {
    /// Rules with fewer instances are not worth a relation.
    const FEW: f64 = 16.0;
    let mut outline = Outline::new(store, rule, Which::All);
    if !(2..=MOST_CONDITIONS).contains(&rule.body.len()) || outline.all_vars().is_subset(&outline.head) {
        return None;
    }
    let mut sizes = sizes(store, rule);
    let whole = join_size(sizes.iter().flatten()).rows;
    if whole < FEW {
        return None;
    }
    let mut first = None;
    let (mut best, mut inside_all) = (whole, 0.0);
    loop {
        let mut choice: Option<(f64, f64, Part, Size)> = None;
        for var in outline.all_vars().iter().filter(|&var| !outline.head.contains(var)) {
            let Some(part) = outline.part_of(var) else { continue };
            // Static conditions show in no ground rule: there is nothing to save.
            if part.replaced.iter().chain(&part.binding).all(|&at| outline.is_static[at]) {
                continue;
            }
            let members = part.replaced.iter().chain(&part.binding);
            let inside = join_size(members.filter_map(|&at| sizes[at].as_ref()));
            let name = projected(&inside, |var| part.kept.contains(var));
            let rest = (0..sizes.len()).filter(|at| !part.replaced.contains(at));
            let outside = join_size(rest.filter_map(|at| sizes[at].as_ref()).chain([&name])).rows;
            if choice.as_ref().is_none_or(|(least, ..)| inside.rows + outside < *least) {
                choice = Some((inside.rows + outside, inside.rows, part, name));
            }
        }
        let Some((cost, inside, part, name)) = choice else { break };
        for &at in part.replaced.iter().rev() {
            sizes.remove(at);
        }
        sizes.push(Some(name));
        outline.replace(&part);
        if first.is_none() {
            first = Some(part);
        }
        best = best.min(inside_all + cost);
        inside_all += inside;
    }
    first.filter(|_| best * 1.5 < whole)
}
