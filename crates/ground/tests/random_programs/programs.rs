//! Random small games: every rule safe, every term at most two deep, negation ordered between relations.
//!
//! A rule is numbers; what they mean is decided where the text is written, so that every choice gives a rule
//! and smaller numbers give simpler ones.

use crate::ordinary::{ORDINARY, RARE};
use proptest::prelude::*;
use std::fmt::{self, Write};

/// An atom of a body or a head.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    relation: u8,
    args: [u8; 2],
}

/// A condition on variables that are bound.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    kind: u8,
    atoms: [Atom; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    head: Atom,
    /// What binds the variables; the second atom, if there is one, is the other way to bind the same ones.
    binders: Vec<(Atom, bool)>,
    tests: Vec<Test>,
    /// Whether the tests are written before what binds their variables.
    tests_first: bool,
}

/// A whole game as numbers.
#[derive(Clone)]
pub(crate) struct Sheet {
    has_two_roles: bool,
    n_more_names: u8,
    ordinary: Vec<bool>,
    rare: Vec<bool>,
    rules: Vec<Rule>,
}

fn atom() -> impl Strategy<Value = Atom> {
    (any::<u8>(), any::<[u8; 2]>()).prop_map(|(relation, args)| Atom { relation, args })
}

pub(crate) fn sheets() -> impl Strategy<Value = Sheet> {
    let test = (0..9_u8, atom(), atom()).prop_map(|(kind, one, two)| Test { kind, atoms: [one, two] });
    let binder = (atom(), prop::bool::weighted(0.15));
    let rule = (
        atom(),
        prop::collection::vec(binder, 1..4),
        prop::collection::vec(test, 0..3),
        prop::bool::weighted(0.3),
    )
        .prop_map(|(head, binders, tests, tests_first)| Rule { head, binders, tests, tests_first });
    let some_of = |n_rules: usize, share: f64| prop::collection::vec(prop::bool::weighted(share), n_rules);
    let (ordinary, rare) = (some_of(ORDINARY.len(), 0.75), some_of(RARE.len(), 0.25));
    (any::<bool>(), 0..4_u8, ordinary, rare, prop::collection::vec(rule, 0..14)).prop_map(
        |(has_two_roles, n_more_names, ordinary, rare, rules)| Sheet {
            has_two_roles,
            n_more_names,
            ordinary,
            rare,
            rules,
        },
    )
}

/// The sort of an argument. Places hold constants and nothing else, or terms would grow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Name,
    Place,
}

use Sort::{Name, Place};

struct Relation {
    /// What stands around the arguments.
    before: &'static str,
    after: &'static str,
    sorts: &'static [Sort],
    /// Rules use relations of their own or lower levels, and negate those of lower ones.
    level: u8,
    is_head: bool,
}

const fn relation(before: &'static str, after: &'static str, sorts: &'static [Sort], level: u8) -> Relation {
    Relation { before, after, sorts, level, is_head: true }
}

const fn given(before: &'static str, after: &'static str, sorts: &'static [Sort], level: u8) -> Relation {
    Relation { before, after, sorts, level, is_head: false }
}

/// The lowest level whose relations depend on the state.
const STATE: u8 = 4;

const RELATIONS: [Relation; 40] = [
    given("(dom", ")", &[Name], 0),
    given("(step", ")", &[Name, Name], 0),
    given("(spot", ")", &[Place], 0),
    relation("(near", ")", &[Name, Name], 1),
    relation("(lone", ")", &[Name], 2),
    relation("(room", ")", &[Place], 2),
    relation("calm", "", &[], 2),
    relation("(init (q", "))", &[Name], 3),
    relation("(init (at", "))", &[Name, Place], 3),
    given("(true p)", "", &[], STATE),
    given("(true (q", "))", &[Name], STATE),
    given("(true (r", "))", &[Name, Name], STATE),
    given("(true (at", "))", &[Name, Place], STATE),
    given("(true (at", " (box b a)))", &[Name], STATE),
    relation("(open", ")", &[Name], STATE),
    relation("(path", ")", &[Name, Name], STATE),
    relation("(held", ")", &[Place], STATE),
    relation("(free", ")", &[Name], STATE + 1),
    relation("(both", ")", &[Name, Name], STATE + 1),
    relation("stuck", "", &[], STATE + 2),
    relation("(kept", ")", &[Name, Place], STATE + 2),
    given("(does x noop)", "", &[], STATE),
    given("(does ?r (go", "))", &[Name], STATE),
    given("(does x (go", "))", &[Name], STATE),
    given("(does x (put", "))", &[Name, Name], STATE),
    given("(does ?r (drop", "))", &[Place], STATE),
    relation("(legal x (go", "))", &[Name], STATE + 3),
    relation("(legal ?r (go", "))", &[Name], STATE + 3),
    relation("(legal x (put", "))", &[Name, Name], STATE + 3),
    relation("(legal ?r (drop", "))", &[Place], STATE + 3),
    relation("(moving", ")", &[Name], STATE + 4),
    relation("(goal x 100)", "", &[], STATE + 4),
    relation("(goal ?r 0)", "", &[], STATE + 5),
    relation("terminal", "", &[], STATE + 5),
    relation("(next p)", "", &[], STATE + 6),
    relation("(next (q", "))", &[Name], STATE + 6),
    relation("(next (r", "))", &[Name, Name], STATE + 6),
    relation("(next (at", "))", &[Name, Place], STATE + 6),
    relation("(next (at", " (box b a)))", &[Name], STATE + 6),
    relation("(next (at a", "))", &[Place], STATE + 6),
];

impl Relation {
    fn is(&self, word: &str) -> bool {
        self.before.trim_start_matches('(').starts_with(word)
    }

    /// Whether a rule may have this in its body. Who moves is asked below `next`, and by `moving`.
    fn is_allowed_below(&self, head: &Relation, is_negated: bool) -> bool {
        let is_lower = if is_negated { self.level < head.level } else { self.level <= head.level };
        let may_ask_moves = head.level >= STATE + 6 || head.is("moving");
        let is_never = self.is("next") || self.is("init");
        let depends_on_moves = self.is("does") || self.is("moving");
        is_lower && !is_never && (!depends_on_moves || may_ask_moves)
    }
}

/// The relations that a rule may use in its body.
fn usable(head: &Relation, is_negated: bool) -> Vec<&'static Relation> {
    RELATIONS.iter().filter(|relation| relation.is_allowed_below(head, is_negated)).collect()
}

const NAMES: [&str; 3] = ["a", "b", "c"];
const MORE_NAMES: [&str; 3] = [
    "(dom d)\n(step c d)\n(init (q d))\n",
    "(dom e)\n(step d e)\n(init (r d e))\n",
    "(dom f)\n(step e f)\n(step f b)\n(init (at f (box e f)))\n",
];
const PLACES: [&str; 3] = ["hand", "(box a b)", "(box b a)"];

/// The variables of a rule and the text so far.
#[derive(Default)]
struct Writer {
    names: Vec<u8>,
    places: Vec<u8>,
    has_role: bool,
    /// How many variables stand below one `not` only.
    n_own: usize,
}

impl Writer {
    fn binding_name(&mut self, choice: u8) -> String {
        match choice % 8 {
            7 => NAMES[usize::from(choice / 8 % 3)].to_owned(),
            _ => {
                let variable = choice % 8 % 4;
                if !self.names.contains(&variable) {
                    self.names.push(variable);
                }
                format!("?n{variable}")
            }
        }
    }

    fn binding_place(&mut self, choice: u8) -> String {
        match choice % 8 {
            0..4 => {
                let variable = choice % 2;
                if !self.places.contains(&variable) {
                    self.places.push(variable);
                }
                format!("?p{variable}")
            }
            4..6 => {
                let (left, right) = (self.binding_name(choice / 8), self.binding_name(choice / 8 + 1));
                format!("(box {left} {right})")
            }
            _ => PLACES[usize::from(choice / 8 % 3)].to_owned(),
        }
    }

    fn bound_name(&self, choice: u8) -> String {
        match self.names.len() {
            0 => NAMES[usize::from(choice % 3)].to_owned(),
            _ if choice % 8 == 7 => NAMES[usize::from(choice / 8 % 3)].to_owned(),
            len => format!("?n{}", self.names[usize::from(choice) % len]),
        }
    }

    fn bound_place(&self, choice: u8) -> String {
        match choice % 4 {
            0 | 1 if !self.places.is_empty() => {
                format!("?p{}", self.places[usize::from(choice / 4) % self.places.len()])
            }
            2 => format!("(box {} {})", self.bound_name(choice / 4), self.bound_name(choice / 16)),
            _ => PLACES[usize::from(choice / 4 % 3)].to_owned(),
        }
    }

    /// An atom; `binds` says whether its variables may be new.
    fn atom(&mut self, relation: &Relation, args: [u8; 2], binds: bool) -> String {
        let mut text = relation.before.to_owned();
        self.has_role |= text.contains("?r");
        for (sort, choice) in relation.sorts.iter().zip(args) {
            let arg = match (sort, binds) {
                (Name, true) => self.binding_name(choice),
                (Place, true) => self.binding_place(choice),
                (Name, false) => self.bound_name(choice),
                (Place, false) => self.bound_place(choice),
            };
            text += " ";
            text += &arg;
        }
        text + relation.after
    }

    /// That two terms differ, different ones if there are any.
    fn distinct(&self, bound: impl Fn(&Self, u8) -> String, args: [u8; 2]) -> String {
        let left = bound(self, args[0]);
        let others = (0..8).map(|turn| bound(self, args[1].wrapping_add(turn)));
        let right = others.max_by_key(|right| *right != left).expect("there are eight");
        format!("(distinct {left} {right})")
    }

    /// A `not` with a variable that occurs nowhere else.
    fn for_no_value(&mut self, head: &Relation, atom: &Atom, and: Option<&Atom>) -> String {
        let mut relations = usable(head, true);
        relations.retain(|relation| relation.sorts.first() == Some(&Name));
        let [one, two] = [Some(atom), and].map(|atom| {
            atom.filter(|_| !relations.is_empty())
                .map(|atom| (relations[usize::from(atom.relation) % relations.len()], atom))
        });
        self.n_own += 1;
        let own = format!("?own{}", self.n_own);
        let mut part = |(relation, atom): (&Relation, &Atom)| {
            let with_names = self.atom(relation, atom.args, false);
            let first = with_names[relation.before.len() + 1..].split([' ', ')']).next().unwrap_or_default();
            with_names.replacen(&format!(" {first}"), &format!(" {own}"), 1)
        };
        match (one.map(&mut part), two.map(&mut part)) {
            (Some(one), None) => format!("(not {one})"),
            (Some(one), Some(two)) if atom.args[0].is_multiple_of(3) => {
                format!("(not (and {one} (not {two})))")
            }
            (Some(one), Some(two)) if atom.args[0] % 3 == 1 => format!("(not (or {one} {two}))"),
            (Some(one), Some(two)) => format!("(not (and {two} (distinct {own} a) {one}))"),
            (None, _) => "(distinct a b)".to_owned(),
        }
    }

    fn test(&mut self, head: &Relation, test: &Test) -> String {
        let [one, two] = &test.atoms;
        match test.kind {
            7 => return self.for_no_value(head, one, None),
            8 => return self.for_no_value(head, one, Some(two)),
            _ => {}
        }
        let mut literal = |atom: &Atom, is_negated: bool| {
            let relations = usable(head, is_negated);
            let relation = relations[usize::from(atom.relation) % relations.len()];
            self.atom(relation, atom.args, false)
        };
        match test.kind {
            0 | 1 if usable(head, true).is_empty() => "(distinct a b)".to_owned(),
            0 | 1 => format!("(not {})", literal(one, true)),
            2 => self.distinct(Self::bound_name, one.args),
            3 => self.distinct(Self::bound_place, one.args),
            4 => format!("(or {} {})", literal(one, false), literal(two, false)),
            5 => format!("(or {} (not {}))", literal(one, false), literal(two, true)),
            _ => format!("(not (and {} {}))", literal(one, true), literal(two, true)),
        }
    }
}

fn write_rule(rule: &Rule) -> String {
    let heads: Vec<&Relation> = RELATIONS.iter().filter(|relation| relation.is_head).collect();
    let head = heads[usize::from(rule.head.relation) % heads.len()];
    let mut writer = Writer::default();
    let mut binders = Vec::new();
    for (atom, is_either) in &rule.binders {
        let relations = usable(head, false);
        let relation = relations[usize::from(atom.relation) % relations.len()];
        let text = writer.atom(relation, atom.args, true);
        binders.push(match relation.sorts {
            [Name, Name] if *is_either => {
                let swapped = writer.atom(relation, [atom.args[1], atom.args[0]], true);
                format!("(or {text} {swapped})")
            }
            _ => text,
        });
    }
    let tests: Vec<String> = rule.tests.iter().map(|test| writer.test(head, test)).collect();
    let head = writer.atom(head, rule.head.args, false);
    if writer.has_role {
        binders.push("(role ?r)".to_owned());
    }
    let body = if rule.tests_first { [tests, binders] } else { [binders, tests] }.concat();
    match &body[..] {
        [] => head,
        body => format!("(<= {head} {})", body.join(" ")),
    }
}

impl fmt::Debug for Sheet {
    /// What is shown when a test fails.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\n{}", self.text())
    }
}

impl Sheet {
    /// The rulesheet.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("(role x)\n");
        if self.has_two_roles {
            text += "(role y)\n";
        }
        text += "(<= (legal ?r noop) (role ?r))\n(dom a)\n(dom b)\n(dom c)\n";
        text += &MORE_NAMES[..usize::from(self.n_more_names)].concat();
        for (rule, is_chosen) in ORDINARY.iter().zip(&self.ordinary).chain(RARE.iter().zip(&self.rare)) {
            if *is_chosen {
                writeln!(text, "{rule}").expect("a string takes text");
            }
        }
        for rule in &self.rules {
            writeln!(text, "{}", write_rule(rule)).expect("a string takes text");
        }
        text
    }
}
