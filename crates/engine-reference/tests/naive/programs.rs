//! Random small games: every rule safe, every term at most two deep, negation ordered between relations or
//! between ground atoms.

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A condition as numbers; what they mean depends on the rule it stands in.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    kind: u8,
    relation: u8,
    args: [u8; 2],
    parts: Vec<Condition>,
}

/// A rule as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    head: u8,
    args: [u8; 2],
    body: Vec<Condition>,
    /// Where conditions that make the rule safe are put.
    guards_first: bool,
}

fn condition() -> impl Strategy<Value = Condition> {
    let leaf = (0..10_u8, any::<u8>(), any::<[u8; 2]>()).prop_map(|(kind, relation, args)| Condition {
        kind,
        relation,
        args,
        parts: Vec::new(),
    });
    leaf.prop_recursive(2, 6, 3, |inner| {
        (10..13_u8, prop::collection::vec(inner, 0..3)).prop_map(|(kind, parts)| Condition {
            kind,
            relation: 0,
            args: [0; 2],
            parts,
        })
    })
}

pub(crate) fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let rule = (any::<u8>(), any::<[u8; 2]>(), prop::collection::vec(condition(), 0..4), any::<bool>())
        .prop_map(|(head, args, body, guards_first)| Rule { head, args, body, guards_first });
    prop::collection::vec(rule, 4..24)
}

/// Names and arities; a rule may negate only what stands on a lower level.
const RELATIONS: [(&str, usize, u8); 13] = [
    ("s", 1, 0),
    ("t", 2, 0),
    ("e", 1, 1),
    ("p", 2, 1),
    ("q", 1, 1),
    ("h", 0, 2),
    ("j", 2, 2),
    ("k", 1, 2),
    ("m", 2, 3),
    ("legal", 2, 4),
    ("goal", 2, 5),
    ("terminal", 0, 5),
    ("next", 1, 5),
];

/// What every game has: the constants, two roles, something to begin with and a move for each.
const FACTS: &str = "(role x) (role y) (dom a) (dom b) (dom 50) (t a b) (t b 50) (s (f a)) (s b)
(init u) (init (v a)) (init (v (f b))) (init (w a b)) (init (w (f a) 50))
(legal x stay) (legal y stay)
";

struct Text {
    text: String,
    variables: BTreeSet<u8>,
    /// Variables that must be constants.
    constants: BTreeSet<u8>,
    /// Whether a function may be put around a variable.
    functions: bool,
    /// How many variables stand below one `not` only.
    n_own: usize,
}

impl Text {
    fn term(&mut self, choice: u8) {
        let variable = choice / 16 % 3;
        match choice % 16 {
            0..=6 => {
                self.variables.insert(variable);
                write!(self.text, "?{variable}")
            }
            7 | 8 if self.functions => {
                self.constants.insert(variable);
                write!(self.text, "(f ?{variable})")
            }
            9 => write!(self.text, "(f {})", ["a", "b", "50"][usize::from(variable)]),
            _ => write!(self.text, "{}", ["a", "b", "50"][usize::from(variable)]),
        }
        .expect("a string takes text");
    }

    fn role(&mut self, choice: u8) {
        match choice % 3 {
            0 => self.text += "x",
            1 => self.text += "y",
            _ => {
                // A variable of its own: the role guard is added with it.
                self.text += "?r";
                self.variables.insert(u8::MAX);
            }
        }
    }

    fn fluent(&mut self, choice: u8, args: [u8; 2]) {
        match choice % 4 {
            0 => self.text += "u",
            1 | 2 => self.list("v", &args[..1]),
            _ => self.list("w", &args),
        }
    }

    fn list(&mut self, name: &str, args: &[u8]) {
        self.text += "(";
        self.text += name;
        for &arg in args {
            self.text += " ";
            self.term(arg);
        }
        self.text += ")";
    }

    fn atom(&mut self, (name, arity): (&str, usize), choice: u8, args: [u8; 2]) {
        match name {
            "legal" => {
                self.text += "(legal ";
                self.role(args[0]);
                self.text += " ";
                if choice.is_multiple_of(4) {
                    self.text += "stay"
                } else {
                    self.list("go", &args[1..])
                }
                self.text += ")";
            }
            "goal" => {
                self.text += "(goal ";
                self.role(args[0]);
                self.text += " ";
                self.term(args[1]);
                self.text += ")";
            }
            "next" => {
                self.text += "(next ";
                self.fluent(choice, args);
                self.text += ")";
            }
            _ if arity == 0 => self.text += name,
            _ => self.list(name, &args[..arity]),
        }
    }

    fn condition(&mut self, condition: &Condition, level: u8, guards_first: bool) {
        let Condition { kind, relation, args, parts } = condition;
        let pick = |highest: u8| {
            let usable = RELATIONS.iter().filter(|(name, _, level)| *level <= highest && *name != "next");
            let usable: Vec<_> = usable.collect();
            *usable[usize::from(*relation) % usable.len()]
        };
        match kind {
            0..=2 => {
                let (name, arity, its_level) = pick(level);
                // The recursion restriction: a rule does not ask for ever larger terms.
                self.functions = its_level < level || guards_first;
                self.atom((name, arity), relation / 16, *args);
                self.functions = true;
            }
            3 if relation.is_multiple_of(2) && level > 0 => self.for_no_value(*relation, args[1], level),
            3 | 4 => {
                self.text += "(not ";
                let (name, arity, _) = pick(level.saturating_sub(1));
                self.atom((name, arity), relation / 16, *args);
                self.text += ")";
            }
            5 | 6 => {
                self.text += if *kind == 5 { "(true " } else { "(not (true " };
                self.fluent(*relation, *args);
                self.text += if *kind == 5 { ")" } else { "))" };
            }
            7 => {
                self.text += "(does ";
                self.role(args[0]);
                self.text += " ";
                if relation.is_multiple_of(4) {
                    self.text += "stay"
                } else {
                    self.list("go", &args[1..])
                }
                self.text += ")";
            }
            8 => self.list("distinct", args),
            9 => {
                self.text += "(not ";
                self.list("distinct", args);
                self.text += ")";
            }
            _ => {
                self.text += if *kind == 12 { "(and" } else { "(or" };
                for part in parts {
                    self.text += " ";
                    self.condition(part, level, guards_first);
                }
                self.text += ")";
            }
        }
    }
}

impl Text {
    /// A `not` with a variable that occurs nowhere else.
    fn for_no_value(&mut self, choice: u8, arg: u8, level: u8) {
        let usable = RELATIONS.iter().filter(|(name, arity, its_level)| {
            *its_level < level && *arity == 2 && !matches!(*name, "legal" | "goal")
        });
        let usable: Vec<_> = usable.collect();
        let (name, ..) = usable[usize::from(choice / 4) % usable.len()];
        self.n_own += 1;
        let own = format!("?own{}", self.n_own);
        let mut atom = format!("({name} {own} ");
        std::mem::swap(&mut self.text, &mut atom);
        self.term(arg);
        std::mem::swap(&mut self.text, &mut atom);
        atom += ")";
        match choice / 2 % 5 {
            0 | 1 => write!(self.text, "(not {atom})"),
            2 => write!(self.text, "(not (and {atom} (not (s {own}))))"),
            3 => write!(self.text, "(not (or {atom} (t b {own})))"),
            _ => {
                self.text += "(not (and (distinct ";
                self.text += &own;
                self.text += " ";
                self.term(arg / 3);
                write!(self.text, ") {atom}))")
            }
        }
        .expect("a string takes text");
    }
}

/// The text of a game whose negation is ordered between relations.
pub(crate) fn stratified(rules: &[Rule]) -> String {
    let mut game = String::from(FACTS);
    for rule in rules {
        // Level 0 has facts only.
        let (name, arity, level) = RELATIONS[2 + usize::from(rule.head) % (RELATIONS.len() - 2)];
        let mut text = Text {
            text: String::new(),
            variables: BTreeSet::new(),
            constants: BTreeSet::new(),
            functions: true,
            n_own: 0,
        };
        text.atom((name, arity), rule.head / 16, rule.args);
        let head = std::mem::take(&mut text.text);
        let mut conditions = Vec::new();
        for condition in &rule.body {
            text.condition(condition, level, rule.guards_first);
            conditions.push(std::mem::take(&mut text.text));
        }
        let mut guards = Vec::new();
        for variable in &text.variables | &text.constants {
            guards.push(match variable {
                u8::MAX => "(role ?r)".to_owned(),
                // A function may only be put around a constant, or terms would grow.
                _ if text.constants.contains(&variable) => format!("(dom ?{variable})"),
                _ => format!("(or (dom ?{variable}) (s ?{variable}))"),
            });
        }
        let at = if rule.guards_first { 0 } else { conditions.len() };
        conditions.splice(at..at, guards);
        writeln!(game, "(<= {head} {})", conditions.join(" ")).expect("a string takes text");
    }
    game
}

/// A rule of a game in which a relation negates itself at lower numbers.
#[derive(Clone, Debug)]
pub(crate) struct Countdown {
    head: u8,
    value: u8,
    body: Vec<(bool, u8, u8)>,
    /// Which condition is written first.
    turn: u8,
}

pub(crate) fn countdowns() -> impl Strategy<Value = Vec<Countdown>> {
    let body = prop::collection::vec((any::<bool>(), any::<u8>(), any::<u8>()), 0..4);
    let rule = (any::<u8>(), any::<u8>(), body, any::<u8>())
        .prop_map(|(head, value, body, turn)| Countdown { head, value, body, turn });
    prop::collection::vec(rule, 2..16)
}

/// The text of a game whose negation is ordered only between ground atoms: `(n K V)` depends, negated or
/// not, on `(n L W)` with a lower number, or not negated on the same number.
pub(crate) fn stratified_by_atoms(rules: &[Countdown]) -> String {
    let mut game = String::from(
        "(role x) (legal x stay) (init u) (below 0 1) (below 0 2) (below 1 2) (dom a) (dom b)\n",
    );
    game += "(<= (goal x 50) (n 2 a) (not (goal x 100)))\n(<= (goal x 100) (n 1 b))\n";
    game += "(<= (goal x 0) (not (goal x 50)) (not (goal x 100)))\n";
    game += "(<= (next (v ?k ?v)) (n ?k ?v))\n(<= terminal (not (n 2 ?v)) (dom ?v))\n";
    for Countdown { head, value, body, turn } in rules {
        let value_text = |choice: u8| ["a", "b", "?v", "?w"][usize::from(choice % 4)];
        let number = head % 4;
        let head_number = if number == 3 { "?k".to_owned() } else { number.to_string() };
        let mut conditions = Vec::new();
        for (at, &(negated, lower, value)) in body.iter().enumerate() {
            let atom = if !negated && lower % 3 == 0 {
                format!("(n {head_number} {})", value_text(value))
            } else if lower % 3 == 1 {
                conditions.push(format!("(true (v ?l{at} {}))", value_text(value)));
                conditions.push(format!("(below ?l{at} {head_number})"));
                format!("(n ?l{at} {})", value_text(value))
            } else {
                conditions.push(format!("(below ?l{at} {head_number})"));
                format!("(n ?l{at} {})", value_text(value))
            };
            conditions.push(if negated { format!("(not {atom})") } else { atom });
        }
        conditions.extend(["(dom ?v)", "(dom ?w)"].map(str::to_owned));
        if number == 3 {
            conditions.push("(or (below ?k 2) (below 1 ?k))".to_owned());
        }
        let first = usize::from(*turn) % conditions.len();
        conditions.rotate_left(first);
        let conditions = conditions.join(" ");
        writeln!(game, "(<= (n {head_number} {}) {conditions})", value_text(*value))
            .expect("a string takes text");
    }
    game
}
