//! Strata, recursion and dependence of the rules of a program.

use crate::graph::{Components, Graph};
use crate::program::{Atom, Dependence, Literal, Rule, Stratification, clash};
use crate::relations::reserved;
use senet_gdl::Keyword;

/// A relation is split only if that takes at most this many comparisons of a literal with a head.
const MAX_COMPARISONS: usize = 4_000_000;

/// What the graph of the rules shows.
pub(crate) struct Strata {
    pub(crate) of_rule: Vec<usize>,
    pub(crate) of_relation: Vec<usize>,
    pub(crate) dependence: Vec<Dependence>,
    pub(crate) is_recursive: Vec<bool>,
    pub(crate) stratification: Stratification,
}

/// From a node to one it is derived from.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    is_negative: bool,
}

pub(crate) fn stratify(n_relations: usize, rules: &[Rule]) -> Strata {
    let mut edges: Vec<Edge> = Vec::with_capacity(rules.iter().map(|rule| rule.body.len()).sum());
    rules.iter().for_each(|rule| edges.extend(relation_edges(rule)));
    let graph = graph_of(n_relations, &edges);
    let components = graph.components();
    let is_tangled = tangled(&components, &edges);
    let (of_rule, of_relation, stratification) = if is_tangled.contains(&true) {
        refined_levels(n_relations, rules, &components, &is_tangled)
    } else {
        let levels = levels(&graph, &components, &edges);
        let of_rule = rules.iter().map(|rule| levels[rule.head.relation.index()]).collect();
        (of_rule, levels, Stratification::BetweenRelations)
    };
    Strata {
        of_rule,
        of_relation,
        dependence: dependence(&graph, &components),
        is_recursive: recursive(n_relations, &edges, &components),
        stratification,
    }
}

/// The levels of rules and relations where relations that depend on their own negation are split.
fn refined_levels(
    n_relations: usize,
    rules: &[Rule],
    components: &Components,
    is_tangled: &[bool],
) -> (Vec<usize>, Vec<usize>, Stratification) {
    let mut refined = Refined { edges: Vec::new(), node_of_rule: Vec::new(), n_nodes: n_relations };
    refined.node_of_rule = rules.iter().map(|rule| rule.head.relation.index()).collect();
    let mut stratification = Stratification::BySplitting;
    let mut is_split = vec![false; is_tangled.len()];
    let mut rules_of: Vec<Vec<usize>> = vec![Vec::new(); is_tangled.len()];
    for (rule_idx, rule) in rules.iter().enumerate() {
        rules_of[components.of(rule.head.relation.index())].push(rule_idx);
    }
    for component in (0..is_tangled.len()).filter(|&component| is_tangled[component]) {
        match split(rules, &rules_of[component], components) {
            Some(inner) => {
                is_split[component] = true;
                refined.split(rules, &rules_of[component], &inner);
            }
            None => stratification = Stratification::Unproved,
        }
    }
    for (rule_idx, rule) in rules.iter().enumerate() {
        let own = components.of(rule.head.relation.index());
        let from = refined.node_of_rule[rule_idx];
        for edge in relation_edges(rule) {
            if !(is_split[own] && components.of(edge.to) == own) {
                refined.edges.push(Edge { from, ..edge });
            }
        }
    }
    let graph = graph_of(refined.n_nodes, &refined.edges);
    let mut levels = levels(&graph, &graph.components(), &refined.edges);
    let of_rule = refined.node_of_rule.iter().map(|&node| levels[node]).collect();
    levels.truncate(n_relations);
    (of_rule, levels, stratification)
}

fn relation_edges(rule: &Rule) -> impl Iterator<Item = Edge> + '_ {
    let from = rule.head.relation.index();
    rule.body.iter().filter_map(move |literal| {
        let to = literal.atom()?.relation.index();
        Some(Edge { from, to, is_negative: matches!(literal, Literal::Negative(_)) })
    })
}

fn graph_of(n_nodes: usize, edges: &[Edge]) -> Graph {
    Graph::new(n_nodes, edges.iter().map(|edge| (edge.from, edge.to)))
}

/// The components in which something depends on its own negation.
fn tangled(components: &Components, edges: &[Edge]) -> Vec<bool> {
    let mut is_tangled = vec![false; components.len()];
    for edge in edges.iter().filter(|edge| edge.is_negative && components.are_together(edge.from, edge.to)) {
        is_tangled[components.of(edge.from)] = true;
    }
    is_tangled
}

/// The graph in which the rules of split relations are nodes of their own. The node of a split
/// relation remains and stands for all of its rules together.
struct Refined {
    edges: Vec<Edge>,
    node_of_rule: Vec<usize>,
    n_nodes: usize,
}

impl Refined {
    fn split(&mut self, rules: &[Rule], members: &[usize], inner: &[Edge]) {
        let first = self.n_nodes;
        self.n_nodes += members.len();
        for (at, &rule) in members.iter().enumerate() {
            self.node_of_rule[rule] = first + at;
            let relation = rules[rule].head.relation.index();
            self.edges.push(Edge { from: relation, to: first + at, is_negative: false });
        }
        let shifted = inner.iter().map(|edge| Edge { from: first + edge.from, to: first + edge.to, ..*edge });
        self.edges.extend(shifted);
    }
}

/// The edges between the rules of a component, from a literal to the heads it may match, if they
/// put negation in order. Rules are numbered by their place in `members`.
fn split(rules: &[Rule], members: &[usize], components: &Components) -> Option<Vec<Edge>> {
    let component = components.of(rules[*members.first()?].head.relation.index());
    let inside = |atom: &Atom| components.of(atom.relation.index()) == component;
    let n_literals: usize = members.iter().map(|&rule| rules[rule].body.len()).sum();
    if n_literals.saturating_mul(members.len()) > MAX_COMPARISONS {
        return None;
    }
    let mut edges = Vec::new();
    for (from, &rule) in members.iter().enumerate() {
        for literal in &rules[rule].body {
            let Some(atom) = literal.atom().filter(|atom| inside(atom)) else { continue };
            for (to, &other) in members.iter().enumerate() {
                if may_match(atom, &rules[other].head) {
                    edges.push(Edge { from, to, is_negative: matches!(literal, Literal::Negative(_)) });
                }
            }
        }
    }
    let components = graph_of(members.len(), &edges).components();
    (!tangled(&components, &edges).contains(&true)).then_some(edges)
}

fn may_match(literal: &Atom, head: &Atom) -> bool {
    literal.relation == head.relation
        && !literal.args.iter().zip(&head.args).any(|(left, right)| clash(left, right))
}

/// The least number for each node such that an edge never leads up, and a negative edge leads down.
/// Negative edges inside a component, which make that impossible, are passed over.
fn levels(graph: &Graph, components: &Components, edges: &[Edge]) -> Vec<usize> {
    let mut levels = vec![0; graph.n_nodes()];
    for members in components.members() {
        let outgoing = members.iter().flat_map(|&member| graph.numbers(member)).map(|number| edges[number]);
        let leaving = outgoing.filter(|edge| !components.are_together(edge.from, edge.to));
        let level = leaving.map(|edge| levels[edge.to] + usize::from(edge.is_negative)).max().unwrap_or(0);
        members.iter().for_each(|&member| levels[member] = level);
    }
    levels
}

fn dependence(graph: &Graph, components: &Components) -> Vec<Dependence> {
    let mut dependence = vec![Dependence::Static; graph.n_nodes()];
    dependence[reserved(Keyword::True).index()] = Dependence::State;
    dependence[reserved(Keyword::Does).index()] = Dependence::Move;
    // The program derives these for each position, even if they are the same in all: so must what asks for them.
    let of_position =
        [Keyword::Legal, Keyword::Goal, Keyword::Terminal].map(|keyword| reserved(keyword).index());
    for members in components.members() {
        let own = members.iter().map(|&member| dependence[member]);
        let targets = members.iter().flat_map(|&member| graph.targets(member));
        let of_targets = targets.map(|target| match of_position.contains(&target) {
            true => dependence[target].max(Dependence::State),
            false => dependence[target],
        });
        let most = own.chain(of_targets).max().expect("a component has a member");
        members.iter().for_each(|&member| dependence[member] = most);
    }
    dependence
}

fn recursive(n_relations: usize, edges: &[Edge], components: &Components) -> Vec<bool> {
    let mut is_recursive = vec![false; n_relations];
    for edge in edges.iter().filter(|edge| components.are_together(edge.from, edge.to)) {
        is_recursive[edge.from] = true;
    }
    is_recursive
}

#[cfg(test)]
mod tests {
    use crate::{Dependence, Program, Stratification, analyze};

    fn program(text: &str) -> Program {
        let description = senet_gdl::parse(&format!("(role x) {text}"));
        analyze(&description, false).program.expect("an accepted rulesheet")
    }

    fn relation<'p>(program: &'p Program, name: &str) -> &'p crate::Relation {
        let mut all = program.relations().iter();
        all.find(|relation| program.symbols().name(relation.name) == name).expect("a relation of the program")
    }

    #[test]
    fn negation_leads_down() {
        let program = program("(<= a (not b)) (<= b c (not d)) (<= c b) (<= e a) d (<= f d)");
        let strata = ["d", "b", "c", "f", "a", "e"].map(|name| relation(&program, name).stratum);
        assert_eq!(strata, [0, 1, 1, 0, 2, 2]);
        assert_eq!(program.stratification(), Stratification::BetweenRelations);
        for (number, stratum) in program.strata().iter().enumerate() {
            assert!(stratum.iter().all(|&rule| program.rule(rule).stratum == number));
        }
    }

    #[test]
    fn relations_are_split_by_constants() {
        let program = program(
            "(<= (goal ?r 100) (true won) (role ?r)) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
             (<= done (goal x 0)) (<= open (not done))",
        );
        assert_eq!(program.stratification(), Stratification::BySplitting);
        let strata = ["goal", "done", "open"].map(|name| relation(&program, name).stratum);
        assert_eq!(strata, [1, 1, 2]);
        let goal = program.reserved(senet_gdl::Keyword::Goal).expect("a relation");
        assert_eq!(program.rules_of(goal).iter().map(|rule| rule.stratum).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_chain_of_constants_is_split() {
        let program = program("(<= (p 1) (not (p 2))) (<= (p 2) (not (p 3))) (p 3)");
        assert_eq!(program.stratification(), Stratification::BySplitting);
        assert_eq!(program.rules()[1..].iter().map(|rule| rule.stratum).collect::<Vec<_>>(), [2, 1, 0]);
    }

    #[test]
    fn what_cannot_be_split_is_unproved() {
        for text in
            ["(<= p (not p))", "(<= (p ?x) (next ?x ?y) (not (p ?y)))", "(<= a (not b)) (<= b (not a))"]
        {
            let text = text.replace("next", "after");
            assert_eq!(program(&text).stratification(), Stratification::Unproved, "{text}");
        }
        let mixed = program("(<= p (not p)) (<= (q 1) (not (q 2)))");
        assert_eq!(mixed.stratification(), Stratification::Unproved);
    }

    #[test]
    fn dependence_is_inherited() {
        let inheriting = program(
            "(<= a (true f)) (<= b a) (<= c (does x m) b) (<= d e (not e2)) e (<= r (or r2 e)) (<= r2 r (not c))",
        );
        for (name, expected) in [
            ("a", Dependence::State),
            ("b", Dependence::State),
            ("c", Dependence::Move),
            ("d", Dependence::Static),
            ("e", Dependence::Static),
            ("e2", Dependence::Static),
            ("r", Dependence::Move),
            ("r2", Dependence::Move),
            ("true", Dependence::State),
            ("does", Dependence::Move),
            ("role", Dependence::Static),
        ] {
            assert_eq!(relation(&inheriting, name).dependence, expected, "{name}");
        }
        let asking = program(
            "(legal x go) (goal x 50) (<= a (legal x go)) (<= b (not (goal x 50))) (<= c terminal) (<= d b) (<= e (role ?r))",
        );
        for (name, expected) in [
            ("a", Dependence::State),
            ("c", Dependence::State),
            ("d", Dependence::State),
            ("e", Dependence::Static),
            ("legal", Dependence::Static),
        ] {
            assert_eq!(relation(&asking, name).dependence, expected, "{name}");
        }
        let recursive: Vec<_> =
            ["r", "r2", "c", "d"].map(|name| relation(&inheriting, name).is_recursive).into();
        assert_eq!(recursive, [true, true, false, false]);
    }

    #[test]
    fn roles_keep_the_order_of_their_facts() {
        let program = program("(role b) (<= (role ?r) (more ?r)) (role a) (role b) (more c)");
        let names: Vec<_> = program
            .role_facts()
            .iter()
            .map(|role| {
                let mut text = String::new();
                senet_gdl::write_term(&mut text, role, program.symbols(), &[]);
                text
            })
            .collect();
        assert_eq!(names, ["x", "b", "a"]);
        assert!(program.has_role_rules());
    }
}
