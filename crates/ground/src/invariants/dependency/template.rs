//! The rules as flat arrays, ready to be copied with new variables.

use super::arena::{Arena, Node, Span, Top};
use super::chase::Class;
use senet_analysis::{Atom, Literal, Program, RelationId, Rule};
use senet_gdl::{Term, TermKind};
use senet_ids::Symbol;
use std::ops::Range;

/// Deeper terms are left alone: the chase recurs on terms.
const MAX_DEPTH: usize = 40;

/// An argument in a rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ref {
    Constant(Symbol),
    /// A variable or compound term of the rule.
    Local(u32),
}

impl Ref {
    /// The term in an arena where those of the rule begin at `first_node`.
    #[inline]
    pub(super) fn node(self, first_node: Node) -> Node {
        match self {
            Ref::Constant(symbol) => symbol.index() as Node,
            Ref::Local(at) => first_node + at,
        }
    }
}

/// A variable, without a name, or a compound term of a rule. Arguments count from those of the rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateCell {
    pub(super) name: Option<Symbol>,
    pub(super) first_arg: u32,
    pub(super) n_args: u32,
}

/// Whether an atom holds or not, or terms differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Positive,
    Negative,
    Distinct,
}

/// A literal of a rule. Arguments count from those of the rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiteralTemplate {
    pub(super) sign: Sign,
    /// Means nothing for [`Sign::Distinct`].
    pub(super) relation: RelationId,
    /// What is known of the relation; nothing for [`Sign::Distinct`].
    pub(super) class: Class,
    pub(super) first_arg: u32,
    pub(super) n_args: u32,
}

/// Where the parts of a rule are.
#[derive(Clone, Debug)]
pub(super) struct RuleRange {
    pub(super) cells: Range<usize>,
    /// The arguments of the head come first.
    pub(super) args: Range<usize>,
    pub(super) literals: Range<usize>,
}

/// All rules.
#[derive(Default, Debug)]
pub(super) struct Templates {
    pub(super) cells: Vec<TemplateCell>,
    pub(super) args: Vec<Ref>,
    pub(super) literals: Vec<LiteralTemplate>,
    rules: Vec<RuleRange>,
    /// The rules of each relation.
    by_relation: Vec<Range<usize>>,
}

impl Templates {
    /// The rules of the relations that hold by rules. `None` if a term is too deep.
    pub(super) fn new(program: &Program, classes: &[Class]) -> Option<Self> {
        let mut templates = Self::default();
        for (relation, &class) in classes.iter().enumerate() {
            let first = templates.rules.len();
            if class == Class::Rules {
                for rule in program.rules_of(RelationId::new(relation)) {
                    templates.add(rule, classes)?;
                }
            }
            templates.by_relation.push(first..templates.rules.len());
        }
        Some(templates)
    }

    pub(super) fn rules_of(&self, relation: RelationId) -> Range<usize> {
        self.by_relation[relation.index()].clone()
    }

    /// The relation that a rule concludes.
    pub(super) fn relation_of(&self, rule: usize) -> RelationId {
        RelationId::new(self.by_relation.partition_point(|rules| rules.end <= rule))
    }

    pub(super) fn rule(&self, rule: usize) -> &RuleRange {
        &self.rules[rule]
    }

    pub(super) fn literals_of(&self, rule: usize) -> &[LiteralTemplate] {
        &self.literals[self.rules[rule].literals.clone()]
    }

    fn add(&mut self, rule: &Rule, classes: &[Class]) -> Option<()> {
        let mut writer = Writer {
            first_cell: self.cells.len(),
            first_arg: self.args.len(),
            first_literal: self.literals.len(),
            to: self,
        };
        let variable = TemplateCell { name: None, first_arg: 0, n_args: 0 };
        writer.to.cells.extend(rule.variables.iter().map(|_| variable));
        writer.args(&rule.head.args, 0)?;
        for literal in &rule.body {
            writer.literal(literal, classes)?;
        }
        let range = RuleRange {
            cells: writer.first_cell..writer.to.cells.len(),
            args: writer.first_arg..writer.to.args.len(),
            literals: writer.first_literal..writer.to.literals.len(),
        };
        self.rules.push(range);
        Some(())
    }

    /// Whether the arguments of the rule's head cannot equal the terms, seen from the names alone.
    pub(super) fn head_clashes(&self, arena: &Arena<'_>, rule: usize, args: Span) -> bool {
        let range = &self.rules[rule];
        let patterns = &self.args[range.args.start..];
        let mut pairs = patterns.iter().zip(&arena.args[args.places()]);
        pairs.any(|(&pattern, &node)| self.clashes(range, pattern, arena, node))
    }

    fn clashes(&self, range: &RuleRange, pattern: Ref, arena: &Arena<'_>, node: Node) -> bool {
        let node = arena.find(node);
        let at = match pattern {
            Ref::Constant(symbol) => {
                // Constants have the numbers of their symbols.
                return node as usize != symbol.index()
                    && match arena.top(node) {
                        Top::Variable => false,
                        Top::Application(name, args) => name != symbol || args.len() > 0,
                    };
            }
            Ref::Local(at) => at as usize,
        };
        let cell = self.cells[range.cells.start + at];
        let Some(name) = cell.name else { return false };
        let Top::Application(other, others) = arena.top(node) else { return false };
        let args = &self.args[range.args.start + cell.first_arg as usize..][..cell.n_args as usize];
        name != other
            || args.len() != others.len()
            || (0..args.len()).any(|at| self.clashes(range, args[at], arena, arena.arg(others, at)))
    }

    /// Whether the heads of two rules conclude different fluents at one place, seen from the names alone.
    pub(super) fn heads_differ(&self, left: usize, right: usize, place: usize) -> bool {
        match (self.fluent_arg(left, place), self.fluent_arg(right, place)) {
            (Some(Ref::Constant(left)), Some(Ref::Constant(right))) => left != right,
            _ => false,
        }
    }

    fn fluent_arg(&self, rule: usize, place: usize) -> Option<Ref> {
        let range = &self.rules[rule];
        let Ref::Local(at) = self.args[range.args.start] else { return None };
        let cell = self.cells[range.cells.start + at as usize];
        let args = &self.args[range.args.start + cell.first_arg as usize..];
        (cell.name.is_some() && place < cell.n_args as usize).then(|| args[place])
    }
}

struct Writer<'t> {
    to: &'t mut Templates,
    first_cell: usize,
    first_arg: usize,
    first_literal: usize,
}

impl Writer<'_> {
    fn literal(&mut self, literal: &Literal, classes: &[Class]) -> Option<()> {
        let (sign, relation, first_arg, n_args) = match literal {
            Literal::Positive(Atom { relation, args, .. }) => {
                (Sign::Positive, *relation, self.args(args, 0)?, args.len())
            }
            Literal::Negative(Atom { relation, args, .. }) => {
                (Sign::Negative, *relation, self.args(args, 0)?, args.len())
            }
            Literal::Distinct(left, right, _) => {
                let first_arg = self.reserve(2);
                self.put(first_arg, left, 0)?;
                self.put(first_arg + 1, right, 0)?;
                (Sign::Distinct, RelationId::new(0), first_arg, 2)
            }
        };
        let (first_arg, n_args) = (first_arg as u32, n_args as u32);
        let class = if sign == Sign::Distinct { Class::Opaque } else { classes[relation.index()] };
        self.to.literals.push(LiteralTemplate { sign, relation, class, first_arg, n_args });
        Some(())
    }

    fn reserve(&mut self, n: usize) -> usize {
        let first = self.to.args.len();
        self.to.args.extend(std::iter::repeat_n(Ref::Local(0), n));
        first - self.first_arg
    }

    fn args(&mut self, terms: &[Term], depth: usize) -> Option<usize> {
        let first = self.reserve(terms.len());
        for (at, term) in terms.iter().enumerate() {
            self.put(first + at, term, depth)?;
        }
        Some(first)
    }

    fn put(&mut self, place: usize, term: &Term, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let value = match &term.kind {
            TermKind::Variable(variable) => Ref::Local(variable.index() as u32),
            TermKind::Constant(symbol) => Ref::Constant(*symbol),
            TermKind::Function(name, terms) => {
                let first_arg = self.args(terms, depth + 1)? as u32;
                let at = (self.to.cells.len() - self.first_cell) as u32;
                self.to.cells.push(TemplateCell { name: Some(*name), first_arg, n_args: terms.len() as u32 });
                Ref::Local(at)
            }
        };
        self.to.args[self.first_arg + place] = value;
        Some(())
    }
}
