//! Terms with variables for one chase: bound variables lead to their values, and all can be undone.

use super::template::{RuleRange, Templates};
use crate::terms::{TermId, Terms};
use senet_ids::Symbol;

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
    first_arg: u32,
    n_args: u32,
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
pub(super) enum Top<'a> {
    Variable,
    Application(Symbol, &'a [Node]),
}

impl<'t> Arena<'t> {
    pub(super) fn new(terms: &'t Terms) -> Self {
        let n_ground = terms.len() as u32;
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
    pub(super) fn top(&self, node: Node) -> Top<'_> {
        match node.checked_sub(self.n_ground) {
            None => match self.terms.compound(node) {
                Some((_, args)) => Top::Application(self.terms.parts(TermId::new(node as usize)).0, args),
                None => Top::Application(Symbol::new(node as usize), &[]),
            },
            Some(at) => {
                let cell = &self.cells[at as usize];
                match cell.name {
                    None => Top::Variable,
                    Some(name) => {
                        Top::Application(name, &self.args[cell.first_arg as usize..][..cell.n_args as usize])
                    }
                }
            }
        }
    }

    /// A new term: the name applied to new variables. The variables follow it.
    pub(super) fn pattern(&mut self, name: Symbol, arity: usize) -> Node {
        let node = self.next_node();
        let first_arg = self.args.len() as u32;
        self.cells.push(Cell { link: node, name: Some(name), first_arg, n_args: arity as u32 });
        for variable in node + 1..node + 1 + arity as u32 {
            self.cells.push(Cell { link: variable, name: None, first_arg: 0, n_args: 0 });
            self.args.push(variable);
        }
        node
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
            first_arg: first_arg + cell.first_arg,
            n_args: cell.n_args,
        }));
        self.args.extend(templates.args[rule.args.clone()].iter().map(|arg| arg.node(first_node)));
        first_arg
    }

    fn bind(&mut self, variable: Node, value: Node) {
        self.cells[(variable - self.n_ground) as usize].link = value;
        self.bound.push(variable);
    }

    fn step(&mut self) {
        self.burn(1);
    }

    /// Counts work, in units of about a comparison of two terms.
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
        let (n_left, n_right) = match (self.top(left), self.top(right)) {
            (Top::Variable, _) => return self.assign(left, right),
            (_, Top::Variable) => return self.assign(right, left),
            (Top::Application(name, args), Top::Application(other, others)) => {
                if name != other {
                    return Err(Contradiction);
                }
                (args.len(), others.len())
            }
        };
        if n_left != n_right {
            return Err(Contradiction);
        }
        let mut changed = false;
        for at in 0..n_left {
            changed |= self.unify(self.arg(left, at), self.arg(right, at))?;
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
        node == variable || (0..self.n_args(node)).any(|at| self.occurs(variable, self.arg(node, at)))
    }

    /// How many arguments a term has that [`find`](Self::find) gave.
    pub(super) fn n_args(&self, node: Node) -> usize {
        match self.top(node) {
            Top::Variable => 0,
            Top::Application(_, args) => args.len(),
        }
    }

    /// An argument of an application that [`find`](Self::find) gave.
    pub(super) fn arg(&self, node: Node, at: usize) -> Node {
        match self.top(node) {
            Top::Variable => node,
            Top::Application(_, args) => args[at],
        }
    }

    /// Whether the terms are known to be equal.
    pub(super) fn equal(&mut self, left: Node, right: Node) -> bool {
        self.matches(left, right, Node::MAX)
    }

    /// Whether a pattern becomes the term when variables from `fresh` on are bound, and binds them.
    pub(super) fn matches(&mut self, pattern: Node, node: Node, fresh: Node) -> bool {
        self.step();
        let (pattern, node) = (self.find(pattern), self.find(node));
        if pattern == node {
            return true;
        }
        if (self.is_known(pattern) && self.is_known(node)) || self.fuel == 0 {
            return false;
        }
        let n_args = match (self.top(pattern), self.top(node)) {
            (Top::Variable, _) if pattern >= fresh => {
                self.bind(pattern, node);
                return true;
            }
            (Top::Application(name, args), Top::Application(other, others))
                if name == other && args.len() == others.len() =>
            {
                args.len()
            }
            _ => return false,
        };
        (0..n_args).all(|at| self.matches(self.arg(pattern, at), self.arg(node, at), fresh))
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
        let n_args = match (self.top(left), self.top(right)) {
            (Top::Application(name, args), Top::Application(other, others)) => {
                if name != other || args.len() != others.len() {
                    return true;
                }
                args.len()
            }
            _ => return false,
        };
        (0..n_args).any(|at| self.apart(self.arg(left, at), self.arg(right, at)))
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
            Top::Application(..) => {
                (0..self.n_args(node)).all(|at| self.is_settled(self.arg(node, at), fresh))
            }
        }
    }
}
