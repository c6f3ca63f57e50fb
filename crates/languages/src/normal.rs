//! NORMAL-GDL: rules with at most two literals in a body.
//!
//! The decomposition of Liu and Stoller: `c <= t1 t2 t3 ... tn` becomes `new <= t1 t2` and `c <= new t3 ... tn`, until two
//! literals are left. The intermediate relation `new` carries exactly the variables that occur in `t1` or `t2` and again
//! in `c` or one of `t3 ... tn`.

use senet_gdl::Symbol;
use senet_rules::{Atom, Lifetime, Literal, Pattern, RelId, Relation, Rule, RuleSet};
use std::collections::BTreeSet;

/// All intermediate relations together may carry so many variables.
///
/// A rule of n literals with as many variables in its head carries n²/2.
const MOST_CARRIED: usize = 1_000_000;

/// A program whose rules have at most two literals.
#[derive(Clone, Debug)]
pub struct Normal {
    /// The rules, which are MINI-GDL too: those of one relation together, each after those of its intermediate relations.
    pub rule_set: RuleSet,
    /// Relations from here on are intermediate: one rule concludes each, and one uses it.
    pub first_intermediate: RelId,
}

/// Intermediate relations would carry too many variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The relation that a rule concludes where the bound was reached.
    pub relation: String,
}

/// The order of literals as they are written.
pub fn source_order(rule: &Rule) -> Vec<usize> {
    (0..rule.body.len()).collect()
}

impl Normal {
    /// Decomposes the rules, each in an order of its literals. Tests that come before their variables are bound are put
    /// off until they are.
    pub fn new(rule_set: RuleSet, mut order: impl FnMut(&Rule) -> Vec<usize>) -> Result<Normal, TooLarge> {
        let RuleSet { terms, relations, mut rules, keywords } = rule_set;
        rules.sort_by_key(|rule| rule.head.relation);
        let first_intermediate = RelId::new(relations.len());
        let mut decomposition = Decomposition {
            n_intermediate: vec![0; relations.len()],
            relations,
            rules: Vec::with_capacity(rules.len()),
            n_carried: 0,
        };
        for rule in rules {
            let order = with_tests_put_off(&rule, order(&rule));
            decomposition.add(rule, &order)?;
        }
        let Decomposition { relations, rules, .. } = decomposition;
        Ok(Normal { rule_set: RuleSet { terms, relations, rules, keywords }, first_intermediate })
    }

    /// Says what is wrong if a body has more than two literals, a test stands before its variables are bound, or an
    /// intermediate relation does not carry exactly the variables that are needed.
    pub fn check_form(&self) -> Result<(), String> {
        let mut users: Vec<Vec<&Rule>> = vec![Vec::new(); self.rule_set.relations.len()];
        for rule in &self.rule_set.rules {
            if rule.body.len() > 2 {
                return Err(format!("a rule for `{}` has {} literals", self.name(rule), rule.body.len()));
            }
            let mut bound = BTreeSet::new();
            for literal in &rule.body {
                let names = variables(rule, [literal], None);
                if literal.is_test() && !names.is_subset(&bound) {
                    return Err(format!("a rule for `{}` tests what is not bound", self.name(rule)));
                }
                bound.extend(names);
            }
            rule.body
                .iter()
                .filter_map(Literal::atom)
                .for_each(|atom| users[atom.relation.index()].push(rule));
        }
        for rule in self.rule_set.rules.iter().filter(|rule| self.is_intermediate(rule.head.relation)) {
            let own = rule.head.relation;
            let [user] = users[own.index()][..] else {
                return Err(format!("`{}` is not used once", self.name(rule)));
            };
            let others =
                user.body.iter().filter(|literal| literal.atom().is_none_or(|atom| atom.relation != own));
            let needed = variables(user, others, Some(&user.head));
            let carried = variables(rule, [], Some(&rule.head));
            let available = variables(rule, &rule.body, None);
            if carried.len() != rule.head.args.len() || carried != &available & &needed {
                return Err(format!("`{}` does not carry the variables that are needed", self.name(rule)));
            }
        }
        Ok(())
    }

    fn name(&self, rule: &Rule) -> &str {
        &self.rule_set.relations[rule.head.relation.index()].name
    }

    /// Whether a relation was made by the decomposition.
    pub fn is_intermediate(&self, relation: RelId) -> bool {
        relation >= self.first_intermediate
    }
}

/// Variables by their names, which are the same in all rules that were one.
fn variables<'r>(
    rule: &Rule,
    literals: impl IntoIterator<Item = &'r Literal>,
    head: Option<&Atom>,
) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    let mut note = |var: u32| {
        found.insert(rule.variables[var as usize]);
    };
    literals.into_iter().for_each(|literal| literal.for_each_var(&mut note));
    head.into_iter().for_each(|head| head.for_each_var(&mut note));
    found
}

/// The order with each test after the literals that bind its variables.
fn with_tests_put_off(rule: &Rule, order: Vec<usize>) -> Vec<usize> {
    let mut is_bound = vec![false; rule.n_vars];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); rule.n_vars];
    let mut n_unbound = vec![0; rule.body.len()];
    let mut safe = Vec::with_capacity(order.len());
    for at in order {
        let literal = &rule.body[at];
        if literal.is_test() {
            literal.for_each_var(&mut |var| {
                if !is_bound[var as usize] {
                    n_unbound[at] += 1;
                    waiting[var as usize].push(at);
                }
            });
            if n_unbound[at] == 0 {
                safe.push(at);
            }
            continue;
        }
        safe.push(at);
        literal.for_each_var(&mut |var| {
            is_bound[var as usize] = true;
            for test in waiting[var as usize].drain(..) {
                n_unbound[test] -= 1;
                if n_unbound[test] == 0 {
                    safe.push(test);
                }
            }
        });
    }
    debug_assert_eq!(safe.len(), rule.body.len(), "rules are safe");
    safe
}

struct Decomposition {
    relations: Vec<Relation>,
    rules: Vec<Rule>,
    /// By relation: how many intermediate relations its rules have.
    n_intermediate: Vec<usize>,
    n_carried: usize,
}

impl Decomposition {
    fn add(&mut self, mut rule: Rule, order: &[usize]) -> Result<(), TooLarge> {
        let mut body: Vec<Option<Literal>> = std::mem::take(&mut rule.body).into_iter().map(Some).collect();
        let ordered = order.iter().map(|&at| body[at].take().expect("an order has each literal once"));
        let ordered: Vec<Literal> = ordered.collect();
        if ordered.len() > 2 {
            rule.body = self.decompose(&rule, ordered)?;
            let names = std::mem::take(&mut rule.variables);
            rule.renumber_variables(&names);
        } else {
            rule.body = ordered;
        }
        self.rules.push(rule);
        Ok(())
    }

    /// Gives intermediate relations to the body of a rule until two literals are left.
    fn decompose(&mut self, rule: &Rule, body: Vec<Literal>) -> Result<Vec<Literal>, TooLarge> {
        let n_literals = body.len();
        // By variable: the last literal it occurs in; the head comes after all.
        let mut last_use = vec![0; rule.n_vars];
        for (at, literal) in body.iter().enumerate() {
            literal.for_each_var(&mut |var| last_use[var as usize] = at);
        }
        rule.head.for_each_var(&mut |var| last_use[var as usize] = n_literals);
        let mut carried_by = vec![0; rule.n_vars];
        let mut rest = body.into_iter();
        let mut done = rest.next().expect("a body of three has a first literal");
        for at in 1..n_literals - 1 {
            let pair = [done, rest.next().expect("a body has all its literals")];
            let mut carried = Vec::new();
            for literal in &pair {
                literal.for_each_var(&mut |var| {
                    if last_use[var as usize] > at && carried_by[var as usize] != at {
                        carried_by[var as usize] = at;
                        carried.push(Pattern::Var(var));
                    }
                });
            }
            done = Literal::Positive(self.intermediate(rule, pair, carried)?);
        }
        Ok([done].into_iter().chain(rest).collect())
    }

    /// A new relation that holds where two literals do.
    fn intermediate(
        &mut self,
        rule: &Rule,
        pair: [Literal; 2],
        carried: Vec<Pattern>,
    ) -> Result<Atom, TooLarge> {
        let of = rule.head.relation.index();
        self.n_carried += carried.len();
        if self.n_carried > MOST_CARRIED {
            return Err(TooLarge { relation: self.relations[of].name.clone() });
        }
        self.n_intermediate[of] += 1;
        let lifetimes =
            pair.iter().filter_map(Literal::atom).map(|atom| self.relations[atom.relation.index()].lifetime);
        let lifetime = lifetimes.max().unwrap_or(Lifetime::Match);
        let name = format!("{}.{}", self.relations[of].name, self.n_intermediate[of]);
        let relation = RelId::new(self.relations.len());
        self.relations.push(Relation { name, arity: carried.len(), lifetime });
        let atom = Atom { relation, args: carried };
        let mut own = Rule {
            head: atom.clone(),
            body: pair.into(),
            n_vars: rule.n_vars,
            variables: Vec::new(),
            origin: rule.origin,
            stratum: rule.stratum,
        };
        own.renumber_variables(&rule.variables);
        self.rules.push(own);
        Ok(atom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use senet_gdl::Interner;

    fn rule_set(text: &str) -> (RuleSet, Interner) {
        let description = senet_gdl::parse(text);
        let program = senet_analysis::analyze(&description, false).program;
        let program = program.unwrap_or_else(|| panic!("refused: {text}"));
        (RuleSet::new(&program), program.symbols().clone())
    }

    /// The rules for `legal` and its intermediate relations.
    fn legal_rules(text: &str, order: impl FnMut(&Rule) -> Vec<usize>) -> Vec<String> {
        let facts = "(role r) (p 1 2) (q 1 2) (s 1)";
        let (rule_set, symbols) = rule_set(&format!("{facts} {text}"));
        let normal = Normal::new(rule_set, order).expect("a small program");
        normal.check_form().expect("normal form");
        let text = normal.to_text(&symbols);
        let description = senet_gdl::parse(&text);
        let rules = description.to_text();
        rules.lines().filter(|line| line.contains("(legal")).map(str::to_owned).collect()
    }

    #[test]
    fn intermediate_relations_carry_what_is_needed() {
        let text = "(<= (legal r ?d) (p ?a ?b) (q ?b ?c) (q ?c ?d) (not (s ?a)) (p ?d ?e))";
        assert_eq!(
            legal_rules(text, source_order),
            [
                "(<= (legal.1 ?a ?c) (p ?a ?b) (q ?b ?c))",
                "(<= (legal.2 ?a ?d) (legal.1 ?a ?c) (q ?c ?d))",
                "(<= (legal.3 ?d) (legal.2 ?a ?d) (not (s ?a)))",
                "(<= (legal r ?d) (legal.3 ?d) (p ?d ?e))",
            ]
        );
    }

    #[test]
    fn tests_wait_for_their_variables() {
        let text = "(<= (legal r ?a) (p ?a ?b) (q ?b ?c) (distinct ?a ?c) (not (s ?b)))";
        let tests_first = |rule: &Rule| (0..rule.body.len()).rev().collect();
        assert_eq!(
            legal_rules(text, tests_first),
            [
                "(<= (legal.1 ?b ?c) (q ?b ?c) (not (s ?b)))",
                "(<= (legal.2 ?c ?a) (legal.1 ?b ?c) (p ?a ?b))",
                "(<= (legal r ?a) (legal.2 ?c ?a) (distinct ?a ?c))",
            ]
        );
    }

    #[test]
    fn two_literals_stay_as_they_are() {
        let rule = "(<= (legal r ?a) (p ?a ?b) (not (s ?b)))";
        assert_eq!(legal_rules(rule, source_order), [rule]);
    }

    #[test]
    fn an_intermediate_relation_lives_as_long_as_what_it_is_made_of() {
        let (rule_set, _) = rule_set(
            "(role r) (p 1 2) (legal r 1)
             (<= (next ?c) (p ?a ?b) (p ?b ?c) (true ?a) (does r ?b))",
        );
        let normal = Normal::new(rule_set, source_order).expect("a small program");
        let intermediate = &normal.rule_set.relations[normal.first_intermediate.index()..];
        let lifetimes: Vec<Lifetime> = intermediate.iter().map(|relation| relation.lifetime).collect();
        assert_eq!(lifetimes, [Lifetime::Match, Lifetime::Position]);
    }

    #[test]
    fn what_would_fill_memory_is_refused() {
        let n_literals = 3_000;
        let vars: String = (0..n_literals).map(|at| format!(" ?v{at}")).collect();
        let body: String = (0..n_literals).map(|at| format!(" (s ?v{at})")).collect();
        let (rule_set, _) = rule_set(&format!("(role r) (s 1) (<= (legal r (m{vars})){body})"));
        let refused =
            Normal::new(rule_set, source_order).expect_err("a rule that carries four million variables");
        assert_eq!(refused, TooLarge { relation: "legal".to_owned() });
    }

    /// A positive literal of three variables, and a kind of test with two.
    type Part = ([usize; 3], Option<(bool, usize, usize)>);

    fn text_of(parts: &[Part], head: [usize; 2]) -> String {
        let bound: Vec<usize> = parts.iter().flat_map(|(vars, _)| *vars).collect();
        let bound = |at: usize| bound[at % bound.len()];
        let mut body = String::new();
        for ([a, b, c], test) in parts {
            match test {
                Some((true, d, e)) => body += &format!(" (not (q ?v{} ?v{}))", bound(*d), bound(*e)),
                Some((false, d, e)) => body += &format!(" (distinct ?v{} (f ?v{}))", bound(*d), bound(*e)),
                None => {}
            }
            body += &format!(" (p ?v{a} ?v{b} (f ?v{c}))");
        }
        let [d, e] = head.map(bound);
        format!("(role r) (p 1 1 1) (q 1 1) (<= (legal r (m ?v{d} ?v{e})){body})")
    }

    proptest! {
        #[test]
        fn every_order_gives_normal_form(
            parts in vec(([0usize..9, 0..9, 0..9], proptest::option::of((any::<bool>(), 0usize..30, 0usize..30))), 1..8),
            head in [0usize..30, 0..30],
            priorities in vec(any::<u32>(), 16),
        ) {
            let text = text_of(&parts, head);
            let (rule_set, symbols) = rule_set(&text);
            let order = |rule: &Rule| {
                let mut order = source_order(rule);
                order.sort_by_key(|&at| priorities[at]);
                order
            };
            let n_literals: usize = rule_set.rules.iter().map(|rule| rule.body.len()).sum();
            let normal = Normal::new(rule_set.clone(), order).expect("a small program");
            prop_assert_eq!(normal.check_form(), Ok(()));
            let n_intermediate = normal.rule_set.relations.len() - normal.first_intermediate.index();
            let n_left: usize = normal.rule_set.rules.iter().map(|rule| rule.body.len()).sum();
            prop_assert_eq!(n_left, n_literals + n_intermediate);
            let again = Normal::new(rule_set, order).expect("a small program");
            prop_assert_eq!(normal.to_text(&symbols), again.to_text(&symbols));
        }
    }
}
