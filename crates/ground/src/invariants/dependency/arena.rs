//! Terms with variables for one chase: bound variables lead to their values, and all can be undone.

use super::template::{RuleRange, Templates};
use senet_ids::Symbol;
use senet_terms::Terms;
use std::ops::Range;

/// A term: ground terms keep the numbers they have in [`Terms`], others come after them.
pub(super) type Node = u32;

/// Two terms that must be equal are not: the facts at hand cannot all hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contradiction;

/// A term that is not known to [`Terms`].
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The value of a bound variable, otherwise the cell itself.
    link: Node,
    /// `None` for a variable.
    name: Option<Symbol>,
    args: Span,
}

/// A moment to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    n_cells: usize,
    n_args: usize,
    n_bound: usize,
}

/// The terms of a chase.
#[derive(Debug)]
pub(super) struct Arena<'t> {
    terms: &'t Terms,
    n_ground: u32,
    cells: Vec<Cell>,
    pub(super) args: Vec<Node>,
    bound: Vec<Node>,
    /// How many more comparisons are allowed. Shared subterms can make them exponential.
    pub(super) fuel: u64,
}

/// What stands at the top of a term.
pub(super) enum Top<'t> {
    Variable,
    Application(Symbol, Args<'t>),
}

/// The arguments of a term.
#[derive(Clone, Copy, Debug)]
pub(super) enum Args<'t> {
    /// Of a term of [`Terms`].
    Known(&'t [Node]),
    /// Among those of the arena.
    Own(Span),
}

impl Args<'_> {
    #[inline]
    pub(super) fn len(self) -> usize {
        match self {
            Args::Known(args) => args.len(),
            Args::Own(span) => span.len as usize,
        }
    }
}

/// Neighbours among the arguments of the arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) len: u32,
}

impl Span {
    /// Where they are.
    #[inline]
    pub(super) fn places(self) -> Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
}

impl<'t> Arena<'t> {
    pub(super) fn new(terms: &'t Terms) -> Self {
        let n_ground = terms.n_terms() as u32;
        Self { terms, n_ground, cells: Vec::new(), args: Vec::new(), bound: Vec::new(), fuel: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.args.clear();
        self.bound.clear();
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { n_cells: self.cells.len(), n_args: self.args.len(), n_bound: self.bound.len() }
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        for node in self.bound.drain(mark.n_bound..) {
            self.cells[(node - self.n_ground) as usize].link = node;
        }
        self.cells.truncate(mark.n_cells);
        self.args.truncate(mark.n_args);
    }

    /// The first term that will be made after this moment.
    pub(super) fn next_node(&self) -> Node {
        self.n_ground + self.cells.len() as u32
    }

    /// Whether the term is one of [`Terms`].
    #[inline]
    pub(super) fn is_known(&self, node: Node) -> bool {
        node < self.n_ground
    }

    #[inline]
    pub(super) fn find(&self, mut node: Node) -> Node {
        while node >= self.n_ground {
            let link = self.cells[(node - self.n_ground) as usize].link;
            if link == node {
                break;
            }
            node = link;
        }
        node
    }

    /// The top of a term that [`find`](Self::find) gave.
    #[inline]
    pub(super) fn top(&self, node: Node) -> Top<'t> {
        match node.checked_sub(self.n_ground) {
            None => match self.terms.application(node) {
                Some((name, args)) => Top::Application(name, Args::Known(args)),
                None => Top::Application(Symbol::new(node as usize), Args::Known(&[])),
            },
            Some(at) => {
                let cell = &self.cells[at as usize];
                cell.name.map_or(Top::Variable, |name| Top::Application(name, Args::Own(cell.args)))
            }
        }
    }

    /// Whether a term that [`find`](Self::find) gave is a variable.
    #[inline]
    pub(super) fn is_variable(&self, node: Node) -> bool {
        node >= self.n_ground && self.cells[(node - self.n_ground) as usize].name.is_none()
    }

    /// One of some arguments.
    #[inline]
    pub(super) fn arg(&self, args: Args<'t>, at: usize) -> Node {
        match args {
            Args::Known(args) => args[at],
            Args::Own(span) => self.args[span.first as usize + at],
        }
    }

    /// A new term: the name applied to new variables, which are the result. The term comes before them.
    pub(super) fn pattern(&mut self, name: Symbol, arity: usize) -> Span {
        let node = self.next_node();
        let first_arg = self.args.len() as u32;
        let args = Span { first: first_arg, len: arity as u32 };
        self.cells.push(Cell { link: node, name: Some(name), args });
        let variables = node + 1..node + 1 + arity as u32;
        let no_args = Span { first: 0, len: 0 };
        self.cells.extend(variables.clone().map(|link| Cell { link, name: None, args: no_args }));
        self.args.extend(variables);
        args
    }

    /// Adds the terms of a rule with variables of its own. Its arguments begin at the result.
    pub(super) fn instantiate(&mut self, templates: &Templates, rule: &RuleRange) -> u32 {
        let first_node = self.next_node();
        let first_arg = self.args.len() as u32;
        self.burn(rule.args.len());
        let cells = templates.cells[rule.cells.clone()].iter().zip(first_node..);
        self.cells.extend(cells.map(|(cell, link)| Cell {
            link,
            name: cell.name,
            args: Span { first: first_arg + cell.first_arg, len: cell.n_args },
        }));
        self.args.extend(templates.args[rule.args.clone()].iter().map(|arg| arg.node(first_node)));
        first_arg
    }

    fn bind(&mut self, variable: Node, value: Node) {
        self.cells[(variable - self.n_ground) as usize].link = value;
        self.bound.push(variable);
    }

    #[inline]
    fn step(&mut self) {
        self.burn(1);
    }

    /// Counts work, in units of about a comparison of two terms.
    #[inline]
    pub(super) fn burn(&mut self, work: usize) {
        self.fuel = self.fuel.saturating_sub(work as u64);
    }

    /// Makes two terms equal. Says whether they were not yet.
    pub(super) fn unify(&mut self, left: Node, right: Node) -> Result<bool, Contradiction> {
        self.step();
        let (left, right) = (self.find(left), self.find(right));
        if left == right || self.fuel == 0 {
            return Ok(false);
        }
        if self.is_known(left) && self.is_known(right) {
            return Err(Contradiction);
        }
        let (args, others) = match (self.top(left), self.top(right)) {
            (Top::Variable, _) => return self.assign(left, right),
            (_, Top::Variable) => return self.assign(right, left),
            (Top::Application(name, args), Top::Application(other, others)) => {
                if name != other || args.len() != others.len() {
                    return Err(Contradiction);
                }
                (args, others)
            }
        };
        let mut changed = false;
        for at in 0..args.len() {
            changed |= self.unify(self.arg(args, at), self.arg(others, at))?;
        }
        Ok(changed)
    }

    /// Binds a variable unless its value would contain it: no finite term does.
    fn assign(&mut self, variable: Node, value: Node) -> Result<bool, Contradiction> {
        if self.occurs(variable, value) {
            return Err(Contradiction);
        }
        self.bind(variable, value);
        Ok(true)
    }

    fn occurs(&mut self, variable: Node, node: Node) -> bool {
        let node = self.find(node);
        if self.is_known(node) || self.fuel == 0 {
            return false;
        }
        self.step();
        match self.top(node) {
            Top::Variable => node == variable,
            Top::Application(_, args) => (0..args.len()).any(|at| self.occurs(variable, self.arg(args, at))),
        }
    }

    /// Whether the terms are known to be equal.
    #[inline]
    pub(super) fn equal(&mut self, left: Node, right: Node) -> bool {
        self.matches(left, right, Node::MAX)
    }

    /// Whether a pattern becomes the term when variables from `fresh` on are bound, and binds them.
    #[inline]
    pub(super) fn matches(&mut self, pattern: Node, node: Node, fresh: Node) -> bool {
        self.step();
        let (pattern, node) = (self.find(pattern), self.find(node));
        if pattern == node {
            return true;
        }
        if (self.is_known(pattern) && self.is_known(node)) || self.fuel == 0 {
            return false;
        }
        self.matches_inside(pattern, node, fresh)
    }

    fn matches_inside(&mut self, pattern: Node, node: Node, fresh: Node) -> bool {
        let (args, others) = match (self.top(pattern), self.top(node)) {
            (Top::Variable, _) if pattern >= fresh => {
                self.bind(pattern, node);
                return true;
            }
            (Top::Application(name, args), Top::Application(other, others))
                if name == other && args.len() == others.len() =>
            {
                (args, others)
            }
            _ => return false,
        };
        (0..args.len()).all(|at| self.matches(self.arg(args, at), self.arg(others, at), fresh))
    }

    /// Whether no values of their variables make the terms equal, seen from the names alone.
    pub(super) fn apart(&mut self, left: Node, right: Node) -> bool {
        self.step();
        let (left, right) = (self.find(left), self.find(right));
        if left == right || self.fuel == 0 {
            return false;
        }
        if self.is_known(left) && self.is_known(right) {
            return true;
        }
        let (args, others) = match (self.top(left), self.top(right)) {
            (Top::Application(name, args), Top::Application(other, others)) => {
                if name != other || args.len() != others.len() {
                    return true;
                }
                (args, others)
            }
            _ => return false,
        };
        (0..args.len()).any(|at| self.apart(self.arg(args, at), self.arg(others, at)))
    }

    /// Whether the term has no variable from `fresh` on that is still free.
    pub(super) fn is_settled(&mut self, node: Node, fresh: Node) -> bool {
        self.step();
        let node = self.find(node);
        if self.is_known(node) {
            return true;
        }
        if self.fuel == 0 {
            return false;
        }
        match self.top(node) {
            Top::Variable => node < fresh,
            Top::Application(_, args) => (0..args.len()).all(|at| self.is_settled(self.arg(args, at), fresh)),
        }
    }

    /// Whether all of some terms of the arena are settled, as [`is_settled`](Self::is_settled) says.
    pub(super) fn are_settled(&mut self, args: Span, fresh: Node) -> bool {
        args.places().all(|at| self.is_settled(self.args[at], fresh))
    }

    /// Whether as many patterns, which begin there, become the terms, as [`matches`](Self::matches) says.
    pub(super) fn all_match(&mut self, first_pattern: u32, nodes: Span, fresh: Node) -> bool {
        let mut pairs = (first_pattern as usize..).zip(nodes.places());
        pairs.all(|(pattern, node)| self.matches(self.args[pattern], self.args[node], fresh))
    }

    /// Whether as many terms, which begin there, are known to be equal to these.
    #[inline]
    pub(super) fn all_equal(&mut self, first: u32, nodes: Span) -> bool {
        self.all_match(first, nodes, Node::MAX)
    }

    /// Makes as many terms, which begin there, equal to these.
    pub(super) fn unify_all(&mut self, first: u32, nodes: Span) -> Result<(), Contradiction> {
        let mut pairs = (first as usize..).zip(nodes.places());
        pairs.try_for_each(|(left, right)| self.unify(self.args[left], self.args[right]).map(|_| ()))
    }
}
