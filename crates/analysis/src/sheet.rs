//! What several checks need to know about a rulesheet, computed once.

use crate::condition::Condition;
use crate::graph::{Components, Graph};
use crate::plain::PlainTest;
use crate::relations::{RelationId, RelationTable};
use crate::scopes::{Scopes, atoms_without_value};
use senet_gdl::{Atom, Description, Span};

/// A relation used in the body of a rule for another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) user: RelationId,
    pub(crate) used: RelationId,
    pub(crate) is_negated: bool,
    pub(crate) span: Span,
    pub(crate) clause: usize,
}

/// A rulesheet with its relations and how they depend on each other.
pub(crate) struct Sheet<'a> {
    pub(crate) description: &'a Description,
    pub(crate) relations: RelationTable,
    /// The relation that each clause defines.
    pub(crate) heads: Vec<RelationId>,
    /// The clauses in whose variables and conditions there is nothing to find, see [`PlainTest`].
    pub(crate) is_plain: Vec<bool>,
    /// The variables of each clause that say that no value fits.
    pub(crate) scopes: Vec<Scopes>,
    /// Every use in the order of the text.
    pub(crate) uses: Vec<Use>,
    /// From each relation to those that its rules use.
    pub(crate) graph: Graph,
    pub(crate) components: Components,
    /// The first clause that defines each relation.
    pub(crate) first_clause: Vec<Option<usize>>,
    /// The clauses in which no check found an error; others would only cause more findings.
    pub(crate) is_sound: Vec<bool>,
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(description: &'a Description) -> Self {
        let mut relations = RelationTable::new(description);
        let mut heads = Vec::with_capacity(description.clauses.len());
        let n_conditions = description.clauses.iter().map(|clause| clause.body.len()).sum();
        let mut uses = Vec::with_capacity(n_conditions);
        let mut test = PlainTest::default();
        let is_plain: Vec<bool> = description.clauses.iter().map(|clause| test.is_plain(clause)).collect();
        let mut scopes = vec![Scopes::default(); description.clauses.len()];
        for (clause_idx, clause) in description.clauses.iter().enumerate() {
            let head = relations.intern(clause.head.relation, clause.head.args.len());
            heads.push(head);
            if !is_plain[clause_idx] {
                scopes[clause_idx] = Scopes::of(clause);
            }
            let below_nots = atoms_without_value(clause, &scopes[clause_idx]);
            for formula in &clause.body {
                formula.for_each_atom(&mut |atom, is_negated| {
                    let used = relations.intern(atom.relation, atom.args.len());
                    let is_negated = is_negated || below_nots.contains(&atom.span);
                    uses.push(Use { user: head, used, is_negated, span: atom.span, clause: clause_idx });
                });
            }
        }
        let mut first_clause = vec![None; relations.len()];
        for (clause_idx, head) in heads.iter().enumerate().rev() {
            first_clause[head.index()] = Some(clause_idx);
        }
        let edges = uses.iter().map(|edge: &Use| (edge.user.index(), edge.used.index()));
        let graph = Graph::new(relations.len(), edges);
        Self {
            description,
            heads,
            is_plain,
            scopes,
            components: graph.components(),
            graph,
            uses,
            first_clause,
            is_sound: vec![true; description.clauses.len()],
            relations,
        }
    }

    /// The body of a clause.
    pub(crate) fn body(&self, clause_idx: usize) -> Condition<'a> {
        let clause = &self.description.clauses[clause_idx];
        Condition::of_body(&clause.body, clause.span, &self.scopes[clause_idx])
    }

    pub(crate) fn is_defined(&self, relation: RelationId) -> bool {
        self.first_clause[relation.index()].is_some()
    }

    pub(crate) fn name(&self, relation: RelationId) -> &'a str {
        self.description.name(self.relations.name(relation))
    }

    /// All relations in the order of their numbers.
    pub(crate) fn relation_ids(&self) -> impl Iterator<Item = RelationId> + use<> {
        (0..self.relations.len()).map(RelationId::new)
    }

    /// A shortest chain of uses that leads from one relation to another, by at least one step.
    pub(crate) fn path(&self, from: RelationId, to: RelationId) -> Option<Vec<Use>> {
        let mut reached_by: Vec<Option<usize>> = vec![None; self.relations.len()];
        let mut uses_of: Vec<Vec<usize>> = vec![Vec::new(); self.relations.len()];
        for (at, edge) in self.uses.iter().enumerate() {
            uses_of[edge.user.index()].push(at);
        }
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(relation) = queue.pop_front() {
            for &at in &uses_of[relation.index()] {
                let used = self.uses[at].used;
                if reached_by[used.index()].is_none() {
                    reached_by[used.index()] = Some(at);
                    queue.push_back(used);
                }
            }
            if reached_by[to.index()].is_some() {
                break;
            }
        }
        let mut path = Vec::new();
        let mut end = to;
        loop {
            let edge = self.uses[reached_by[end.index()]?];
            path.push(edge);
            end = edge.user;
            if end == from {
                path.reverse();
                return Some(path);
            }
        }
    }

    /// The place of the name in an atom, without parentheses and arguments.
    pub(crate) fn name_span(&self, atom: &Atom) -> Span {
        self.name_span_in(atom.span)
    }

    /// The place of the name that a list or word begins with.
    pub(crate) fn name_span_in(&self, span: Span) -> Span {
        let bytes = &self.description.text.as_bytes()[span.range()];
        let mut at = 0;
        let mut in_comment = false;
        while at < bytes.len() {
            let byte = bytes[at];
            in_comment = (in_comment && byte != b'\n' && byte != b'\r') || byte == b';';
            if !in_comment && byte != b'(' && !byte.is_ascii_whitespace() {
                break;
            }
            at += 1;
        }
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"();".contains(byte);
        let length = bytes[at..].iter().position(is_end).unwrap_or(bytes.len() - at);
        let start = span.range().start + at;
        Span::new(start, start + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_found_behind_comments() {
        let description = senet_gdl::parse("( ; no\n  cell a) terminal (p)");
        let sheet = Sheet::new(&description);
        let names = description.clauses.iter().map(|clause| sheet.name_span(&clause.head).range());
        let names: Vec<_> = names.map(|range| &description.text[range]).collect();
        assert_eq!(names, ["cell", "terminal", "p"]);
    }

    #[test]
    fn a_shortest_path_is_found() {
        let description = senet_gdl::parse("(<= a b) (<= b c) (<= c a) (<= c d) (<= a c)");
        let sheet = Sheet::new(&description);
        let [a, d] = ["a", "d"].map(|name| {
            let symbol = description.symbols.get(name).unwrap();
            sheet.relation_ids().find(|&id| sheet.relations.name(id) == symbol).unwrap()
        });
        let names = |from, to| {
            let path = sheet.path(from, to)?;
            Some(path.iter().map(|edge| sheet.name(edge.used)).collect::<Vec<_>>())
        };
        assert_eq!(names(a, d), Some(vec!["c", "d"]));
        assert_eq!(names(a, a), Some(vec!["c", "a"]));
        assert_eq!(names(d, a), None);
    }
}
