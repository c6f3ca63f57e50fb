//! Hash-consed terms: equal terms have equal ids.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use senet_gdl::{Interner, Symbol};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

senet_ids::define_id! {
    /// A term of one worker.
    pub(crate) struct TermId;
}

/// Stands for a variable without a value in an environment.
pub(crate) const UNBOUND: TermId = TermId(u32::MAX);

/// Names from here on are the variables of a call, counted downwards.
const FIRST_VARIABLE: u32 = u32::MAX;
const LAST_VARIABLE: u32 = FIRST_VARIABLE - Terms::MOST_VARIABLES as u32 - 1;

#[derive(Clone, Copy, Debug)]
struct Node {
    name: u32,
    first_arg: u32,
    arity: u32,
    depth: u32,
    written_size: u32,
    ground: bool,
}

/// The terms of one worker. Besides ground terms it holds the open terms of
/// calls, in which variables are numbered from zero by first occurrence, so
/// that two calls are variants of each other exactly when their ids are equal.
#[derive(Clone, Default)]
pub(crate) struct Terms {
    nodes: Vec<Node>,
    args: Vec<TermId>,
    ids: HashTable<TermId>,
}

fn hash_of(name: u32, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    (name, args).hash(&mut hasher);
    hasher.finish()
}

impl Terms {
    /// A call can have so many variables.
    pub(crate) const MOST_VARIABLES: usize = 1 << 20;

    /// Symbols and arguments together.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len() + self.args.len()
    }

    /// How many symbols a term has when it is written, up to 2^32. Shared parts count each time.
    pub(crate) fn written_size(&self, term: TermId) -> u32 {
        self.nodes[term.index()].written_size
    }

    /// The function and arguments of a ground term, or the constant.
    pub(crate) fn symbol(&self, term: TermId) -> Symbol {
        Symbol::new(self.nodes[term.index()].name as usize)
    }

    pub(crate) fn args(&self, term: TermId) -> &[TermId] {
        let node = self.nodes[term.index()];
        &self.args[node.first_arg as usize..][..node.arity as usize]
    }

    pub(crate) fn is_ground(&self, term: TermId) -> bool {
        self.nodes[term.index()].ground
    }

    /// How deep functions are nested; a constant has depth 1.
    pub(crate) fn depth(&self, term: TermId) -> u32 {
        self.nodes[term.index()].depth
    }

    /// The number of a variable of a call.
    pub(crate) fn as_variable(&self, term: TermId) -> Option<usize> {
        let name = self.nodes[term.index()].name;
        (name > LAST_VARIABLE).then(|| (FIRST_VARIABLE - name) as usize)
    }

    pub(crate) fn variable(&mut self, number: usize) -> TermId {
        let name = FIRST_VARIABLE - number as u32;
        assert!(name > LAST_VARIABLE, "calls with more variables are refused before");
        self.intern(name, &[])
    }

    pub(crate) fn apply(&mut self, symbol: Symbol, args: &[TermId]) -> TermId {
        self.intern(symbol.index() as u32, args)
    }

    fn intern(&mut self, name: u32, args: &[TermId]) -> TermId {
        let hash = hash_of(name, args);
        let Self { nodes, args: all_args, ids } = self;
        let args_of = |node: Node| &all_args[node.first_arg as usize..][..node.arity as usize];
        let known = ids.find(hash, |id| {
            let node = nodes[id.index()];
            node.name == name && args_of(node) == args
        });
        if let Some(&id) = known {
            return id;
        }
        let deepest = args.iter().map(|arg| nodes[arg.index()].depth).max().unwrap_or(0);
        let ground = name <= LAST_VARIABLE && args.iter().all(|arg| nodes[arg.index()].ground);
        let node = Node {
            name,
            first_arg: all_args.len() as u32,
            arity: args.len() as u32,
            depth: deepest + 1,
            written_size: args
                .iter()
                .fold(1, |size: u32, arg| size.saturating_add(nodes[arg.index()].written_size)),
            ground,
        };
        let id = TermId::new(nodes.len());
        all_args.extend_from_slice(args);
        nodes.push(node);
        let args_of = |node: Node| &all_args[node.first_arg as usize..][..node.arity as usize];
        ids.insert_unique(hash, id, |id| {
            let node = nodes[id.index()];
            hash_of(node.name, args_of(node))
        });
        id
    }

    /// The order of [`senet_gdl::source_order`].
    pub(crate) fn source_order(&self, left: TermId, right: TermId) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let (left_node, right_node) = (self.nodes[left.index()], self.nodes[right.index()]);
        let by_name = (left_node.name, left_node.arity).cmp(&(right_node.name, right_node.arity));
        let mut by_argument = self
            .args(left)
            .iter()
            .zip(self.args(right))
            .map(|(&left, &right)| self.source_order(left, right));
        by_name.then_with(|| by_argument.find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
    }

    /// Canonical text; variables of calls are shown as `?0`, `?1`, ….
    pub(crate) fn write(&self, out: &mut String, term: TermId, names: &Interner) {
        if let Some(number) = self.as_variable(term) {
            out.push_str(&format!("?{number}"));
            return;
        }
        let args = self.args(term);
        if args.is_empty() {
            out.push_str(names.name(self.symbol(term)));
            return;
        }
        out.push('(');
        out.push_str(names.name(self.symbol(term)));
        for &arg in args {
            out.push(' ');
            self.write(out, arg, names);
        }
        out.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one() {
        let mut terms = Terms::default();
        let (f, a) = (Symbol::new(0), Symbol::new(1));
        let constant = terms.apply(a, &[]);
        let twice = [terms.apply(f, &[constant]), terms.apply(f, &[constant])];
        assert_eq!(twice[0], twice[1]);
        assert_ne!(twice[0], constant);
        assert_eq!((terms.size(), terms.depth(twice[0])), (3, 2));
    }

    #[test]
    fn variables_make_a_term_open() {
        let mut terms = Terms::default();
        let variable = terms.variable(3);
        let open = terms.apply(Symbol::new(0), &[variable]);
        assert_eq!((terms.as_variable(variable), terms.as_variable(open)), (Some(3), None));
        assert!(!terms.is_ground(open));
    }
}
