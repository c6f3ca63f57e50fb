//! From rules over terms to rules over columns.

use crate::domain::{Domain, Shape, for_each_choice};
use crate::flat::{Atom, Column, Flat, FlatId, Group, Literal, Operand, Relation, Rule, Stage};
use crate::infer::{Domains, Place};
use crate::prune::drop_what_never_holds;
use crate::tree::{Fit, Tree, fit, pair, tree_of_shape};
use rustc_hash::{FxHashMap, FxHashSet};
use senet_engine_forward::Outline;
use senet_rules::{Pattern, RelId};

/// An argument with more shapes is kept whole.
const MOST_SHAPES: usize = 256;
/// So many rules may be made of one.
const MOST_RULES: usize = 512;
/// Permanent relations with more facts are derived when the program starts, unless they are written fact by fact.
const MOST_ROWS: usize = 2_000;

/// Takes terms apart wherever their shapes are known.
pub(crate) fn flatten(outline: &Outline) -> Flat {
    let mut kept_whole = FxHashSet::default();
    if outline.roles.iter().any(|&role| outline.terms.compound(role).is_some()) {
        // The program compares them with its roles.
        let keywords = outline.rule_set().keywords;
        kept_whole.extend([keywords.legal, keywords.moves, keywords.goal].map(|relation| (relation, 0)));
    }
    loop {
        let domains = Domains::infer(outline, &kept_whole);
        let mut flattening = Flattening {
            outline,
            rule_set: outline.rule_set(),
            domains: &domains,
            relations: Vec::new(),
            known: FxHashMap::default(),
            keep_whole: Vec::new(),
        };
        let flat = flattening.run();
        let n_kept = kept_whole.len();
        for place in flattening.keep_whole {
            kept_whole.extend(twin(outline.rule_set(), place));
            kept_whole.insert(place);
        }
        if kept_whole.len() == n_kept {
            return flat;
        }
    }
}

/// The same argument of the relation that has the same facts at another time.
fn twin(rule_set: &senet_rules::RuleSet, (relation, arg): Place) -> Option<Place> {
    let keywords = rule_set.keywords;
    let pairs = [(keywords.fluents, keywords.next), (keywords.legal, keywords.moves)];
    let twins = pairs.into_iter().chain(pairs.map(|(left, right)| (right, left)));
    twins.into_iter().find(|&(own, _)| own == relation).map(|(_, twin)| (twin, arg))
}

struct Flattening<'a> {
    outline: &'a Outline<'a>,
    rule_set: &'a senet_rules::RuleSet,
    domains: &'a Domains,
    relations: Vec<Relation>,
    known: FxHashMap<(RelId, Vec<Shape>), FlatId>,
    /// Arguments that cannot be taken apart.
    keep_whole: Vec<Place>,
}

/// The variables of a rule, taken apart: the shape of each and the number of its first part.
type Vars = [(Shape, u32)];

impl Flattening<'_> {
    fn run(&mut self) -> Flat {
        self.look_at_shapes();
        let mut flat = Flat {
            relations: Vec::new(),
            stages: Vec::new(),
            fluents: Vec::new(),
            moves: Vec::new(),
            goals: Vec::new(),
            terminal: None,
            permanent: Vec::new(),
            initial: Vec::new(),
        };
        if !self.keep_whole.is_empty() {
            return flat;
        }
        let stages: Vec<Vec<usize>> = self.outline.stages().collect();
        let is_derived = self.derived(&stages);
        for rules in stages {
            if rules.iter().any(|&rule| is_derived[self.rule_set.rules[rule].head.relation.index()]) {
                let stage = self.stage(&rules);
                flat.stages.push(stage);
            }
        }
        flat.permanent = self.permanent(&flat.stages, &is_derived);
        let fluents = self.rule_set.keywords.fluents;
        flat.initial =
            self.outline.initial.iter().filter_map(|&fluent| self.row(fluents, &[fluent])).collect();
        let goals = self.rule_set.keywords.goal;
        flat.fluents = self.twins(fluents, self.rule_set.keywords.next);
        flat.moves = self.twins(self.rule_set.keywords.legal, self.rule_set.keywords.moves);
        flat.relations = self.relations.clone();
        drop_what_never_holds(&mut flat);
        let ids = (0..flat.relations.len()).map(FlatId::new);
        flat.goals = ids.clone().filter(|id| flat.relations[id.index()].source == goals).collect();
        flat.terminal =
            ids.clone().find(|id| flat.relations[id.index()].source == self.rule_set.keywords.terminal);
        flat
    }

    /// Relations whose rules run: those that change, and what they ask of permanent relations that are too large to be
    /// written down.
    fn derived(&self, stages: &[Vec<usize>]) -> Vec<bool> {
        let rule_set = self.rule_set;
        let head = |rule: usize| rule_set.rules[rule].head.relation;
        let mut n_rules = vec![0; rule_set.relations.len()];
        rule_set.rules.iter().for_each(|rule| n_rules[rule.head.relation.index()] += 1);
        let is_large = |relation: RelId| {
            let n_rows = self.outline.permanent(relation).len();
            n_rows > MOST_ROWS && n_rows > 4 * n_rules[relation.index()]
        };
        let mut is_asked = vec![false; rule_set.relations.len()];
        let mut is_derived = vec![false; rule_set.relations.len()];
        for rules in stages.iter().rev() {
            let is_run = rules.iter().map(|&rule| head(rule)).any(|relation| {
                !rule_set.is_permanent(relation) || is_asked[relation.index()] && is_large(relation)
            });
            if is_run {
                for &rule in rules {
                    is_derived[head(rule).index()] = true;
                    let asked = rule_set.rules[rule].body.iter().filter_map(senet_rules::Literal::atom);
                    asked.for_each(|atom| is_asked[atom.relation.index()] = true);
                }
            }
        }
        is_derived
    }

    /// Arguments of too many shapes are kept whole.
    fn look_at_shapes(&mut self) {
        for relation in (0..self.rule_set.relations.len()).map(RelId::new) {
            let n_shapes: Vec<usize> = self.domains.of(relation).iter().map(Domain::n_shapes).collect();
            let product = n_shapes.iter().copied().fold(1, usize::saturating_mul);
            if product > MOST_SHAPES
                && let Some(most) = (0..n_shapes.len()).max_by_key(|&arg| n_shapes[arg])
            {
                self.keep_whole.push((relation, most));
            }
        }
    }

    /// The relation of these shapes.
    fn relation(&mut self, source: RelId, shapes: Vec<Shape>) -> FlatId {
        if let Some(&known) = self.known.get(&(source, shapes.clone())) {
            return known;
        }
        let id = FlatId::new(self.relations.len());
        let mut columns = Vec::new();
        for (shape, domain) in shapes.iter().zip(self.domains.of(source)) {
            push_columns(shape, domain, &mut columns);
        }
        let lifetime = self.rule_set.lifetime(source);
        self.known.insert((source, shapes.clone()), id);
        self.relations.push(Relation { source, shapes, columns, lifetime });
        id
    }

    /// A fact as a row of columns.
    fn row(&mut self, relation: RelId, terms: &[u32]) -> Option<(FlatId, Vec<u32>)> {
        let args: Vec<Pattern> = terms.iter().map(|&term| Pattern::Ground(term)).collect();
        let atom = self.atom(&senet_rules::Atom { relation, args }, &[])?;
        let value = |operand: &Operand| match operand {
            Operand::Term(term) => Some(*term),
            Operand::Var(_) | Operand::Build(..) => None,
        };
        Some((atom.relation, atom.columns.iter().map(value).collect::<Option<_>>()?))
    }

    /// Permanent facts that rules ask for and that are not derived.
    fn permanent(&mut self, stages: &[Stage], is_derived: &[bool]) -> Vec<(FlatId, Vec<Vec<u32>>)> {
        let mut is_asked = vec![false; self.rule_set.relations.len()];
        for rule in stages.iter().flat_map(Stage::rules) {
            for literal in &rule.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                    is_asked[self.relations[atom.relation.index()].source.index()] = true;
                }
            }
        }
        let mut rows: FxHashMap<FlatId, Vec<Vec<u32>>> = FxHashMap::default();
        for relation in (0..is_asked.len()).map(RelId::new) {
            let is_permanent = self.rule_set.is_permanent(relation);
            if is_asked[relation.index()] && is_permanent && !is_derived[relation.index()] {
                for terms in self.outline.permanent(relation) {
                    if let Some((id, row)) = self.row(relation, terms) {
                        rows.entry(id).or_default().push(row);
                    }
                }
            }
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_unstable_by_key(|(id, _)| id.index());
        rows
    }

    /// Every shape of a relation, with the relation of the same shapes that follows from it.
    fn twins(&mut self, relation: RelId, twin: RelId) -> Vec<(FlatId, FlatId)> {
        let of = |flat: &Relation| flat.source == relation || flat.source == twin;
        let mut shapes: Vec<Vec<Shape>> =
            self.relations.iter().filter(|flat| of(flat)).map(|flat| flat.shapes.clone()).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let pair =
            |shapes: Vec<Shape>| (self.relation(relation, shapes.clone()), self.relation(twin, shapes));
        shapes.into_iter().map(pair).collect()
    }

    fn stage(&mut self, rules: &[usize]) -> Stage {
        let mut heads: Vec<RelId> =
            rules.iter().map(|&rule| self.rule_set.rules[rule].head.relation).collect();
        heads.sort_unstable_by_key(|head| head.index());
        heads.dedup();
        let same_stratum = |left: &usize, right: &usize| {
            self.rule_set.rules[*left].stratum == self.rule_set.rules[*right].stratum
        };
        let strata: Vec<&[usize]> = rules.chunk_by(same_stratum).collect();
        let mut groups = Vec::new();
        for stratum in strata {
            let mut group = Group::default();
            for &rule in stratum {
                let is_here = |literal: &senet_rules::Literal| match literal {
                    senet_rules::Literal::Positive(atom) => heads.contains(&atom.relation),
                    senet_rules::Literal::Negative(_) | senet_rules::Literal::Distinct(..) => false,
                };
                let body = &self.rule_set.rules[rule].body;
                let triggers: Vec<usize> = (0..body.len()).filter(|&at| is_here(&body[at])).collect();
                for flat in self.rules_of(rule) {
                    if triggers.is_empty() {
                        group.once.push(flat);
                    } else {
                        group.repeated.push((flat, triggers.clone()));
                    }
                }
            }
            groups.push(group);
        }
        let is_permanent = self.rule_set.is_permanent(heads[0]);
        Stage { heads, is_permanent, groups }
    }

    /// A rule for each way its variables can be taken apart.
    fn rules_of(&mut self, source: usize) -> Vec<Rule> {
        let rule = &self.rule_set.rules[source];
        let Some(domains) = self.domains.of_vars(self.outline.terms, rule) else { return Vec::new() };
        let n_rules = domains.iter().map(Domain::n_shapes).fold(1, usize::saturating_mul);
        if n_rules > MOST_RULES {
            self.keep_most_shaped_whole(rule);
            return Vec::new();
        }
        let choices: Vec<Vec<Shape>> = domains.iter().map(Domain::shapes).collect();
        let mut rules = Vec::new();
        for_each_choice(&choices, &mut |shapes| rules.extend(self.rule(source, shapes)));
        rules
    }

    /// Of the arguments of a rule, the one with the most shapes.
    fn keep_most_shaped_whole(&mut self, rule: &senet_rules::Rule) {
        let atoms = rule.body.iter().filter_map(senet_rules::Literal::atom);
        let places = atoms.flat_map(|atom| (0..atom.args.len()).map(|arg| (atom.relation, arg)));
        let most = places.max_by_key(|&(relation, arg)| self.domains.of(relation)[arg].n_shapes());
        self.keep_whole.extend(most);
    }

    /// The rule in which variables have these shapes; `None` if nothing can follow from it.
    fn rule(&mut self, source: usize, shapes: &[Shape]) -> Option<Rule> {
        let rule = &self.rule_set.rules[source];
        let (mut parts, mut vars) = (Vec::new(), Vec::new());
        for (shape, &name) in shapes.iter().zip(&rule.variables) {
            parts.push((shape.clone(), vars.len() as u32));
            let name = self.outline.names.name(name);
            match shape {
                Shape::Constant | Shape::Open => vars.push(name.to_owned()),
                Shape::Function(..) => vars.extend((1..=shape.n_leaves()).map(|at| format!("{name}_{at}"))),
            }
        }
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in &rule.body {
            body.push(match literal {
                senet_rules::Literal::Positive(atom) => Literal::Positive(self.atom(atom, &parts)?),
                senet_rules::Literal::Negative(atom) => {
                    self.atom(atom, &parts).map_or(Literal::Always, Literal::Negative)
                }
                senet_rules::Literal::Distinct(left, right) => {
                    let (left, right) = (self.tree(left, &parts), self.tree(right, &parts));
                    let mut pairs = Vec::new();
                    if pair(&left, &right, &mut pairs) { Literal::Differ(pairs) } else { Literal::Always }
                }
            });
        }
        let head = self.atom(&rule.head, &parts)?;
        Some(Rule { source, head, body, vars })
    }

    /// An atom over columns; `None` if it cannot hold.
    fn atom(&mut self, atom: &senet_rules::Atom, vars: &Vars) -> Option<Atom> {
        let (mut shapes, mut columns) = (Vec::new(), Vec::new());
        let domains = self.domains;
        for (arg, pattern) in atom.args.iter().enumerate() {
            let tree = self.tree(pattern, vars);
            match fit(&tree, &domains.of(atom.relation)[arg], &mut columns) {
                Fit::Shape(shape) => shapes.push(shape),
                Fit::Never => return None,
                Fit::Unknown => {
                    self.keep_whole.push((atom.relation, arg));
                    return None;
                }
            }
        }
        Some(Atom { relation: self.relation(atom.relation, shapes), columns })
    }

    /// A pattern with its variables taken apart.
    fn tree(&self, pattern: &Pattern, vars: &Vars) -> Tree {
        match pattern {
            Pattern::Var(var) => {
                let (shape, first) = &vars[*var as usize];
                tree_of_shape(shape, &mut first.clone())
            }
            Pattern::Ground(term) => self.tree_of_term(*term),
            Pattern::App(functor, args) => {
                Tree::Function(*functor, args.iter().map(|arg| self.tree(arg, vars)).collect(), None)
            }
        }
    }

    fn tree_of_term(&self, term: u32) -> Tree {
        match self.outline.terms.compound(term) {
            None => Tree::Constant(Operand::Term(term)),
            Some((functor, args)) => {
                let args = args.iter().map(|&arg| self.tree_of_term(arg)).collect();
                Tree::Function(functor, args, Some(term))
            }
        }
    }
}

fn push_columns(shape: &Shape, domain: &Domain, columns: &mut Vec<Column>) {
    match shape {
        Shape::Open => columns.push(Column::Open),
        Shape::Constant => columns.push(Column::Constants(domain.constants.clone())),
        Shape::Function(functor, args) => {
            let domains = &domain.functions[functor];
            args.iter().zip(domains).for_each(|(arg, domain)| push_columns(arg, domain, columns));
        }
    }
}
