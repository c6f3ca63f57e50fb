//! One small program in every format.

use super::*;
use crate::program::{
    AtomId, Block, GroundProgram, Kind, Lit, MutexGroup, RuleStore, Run, base_facts, input_facts,
};
use senet_analysis::{RuleId, analyze};
use senet_ids::Interner;
use senet_terms::{TermId, Terms};

/// A lamp with a switch whose names try every escape: two fluents, two moves.
pub(super) fn lamp() -> GroundProgram {
    let mut symbols = Interner::default();
    let mut name = |text: &str| symbols.intern(text);
    let [robot, lamp, off, press, not, number] =
        ["robot", "lamp", "o\"f\\f", "press+", "not", "100"].map(&mut name);
    let [truth, does, next, legal, goal, terminal, odd] =
        ["true", "does", "next", "legal", "goal", "terminal", "1+"].map(&mut name);
    let mut terms = Terms::new(symbols.len());
    let [lamp_of, press_of] = [terms.functor(lamp, 1), terms.functor(press, 1)];
    let lamp_off = terms.intern(lamp_of, &[off.index() as u32]);
    let press_number = terms.intern(press_of, &[number.index() as u32]);
    let [robot, not, number] = [robot, not, number].map(|symbol| symbol.index() as u32);

    let mut n_atoms = 0;
    let mut block = |kind, name, arity, len, rows: &[u32]| {
        n_atoms += len;
        Block { kind, name, arity, first: n_atoms - len, n_possible: len, len, rows: rows.to_vec() }
    };
    let blocks = vec![
        block(Kind::True, truth, 1, 2, &[lamp_off, not]),
        block(Kind::Does, does, 2, 2, &[robot, press_number, robot, not]),
        block(Kind::Next, next, 1, 2, &[]),
        block(Kind::Legal, legal, 2, 2, &[]),
        block(Kind::Goal, goal, 2, 1, &[robot, number]),
        block(Kind::Terminal, terminal, 0, 1, &[]),
        block(Kind::Derived, odd, 1, 1, &[lamp_off]),
    ];

    let atom = AtomId::new;
    let (holds, fails) = (|at| Lit::positive(atom(at)), |at| Lit::negative(atom(at)));
    let clauses: [(u32, Vec<Lit>); 5] = [
        (10, vec![holds(1), fails(0)]),
        (4, vec![holds(3), holds(0)]),
        (5, vec![holds(2), fails(10)]),
        (8, vec![fails(10)]),
        (9, vec![holds(10)]),
    ];
    let mut rules = RuleStore { first_literal: vec![0], ..RuleStore::default() };
    for (head, body) in clauses {
        rules.heads.push(head);
        rules.literals.extend(body);
        rules.first_literal.push(rules.literals.len() as u32);
    }
    let run = |first, origin, stratum| Run { first, origin: RuleId::new(origin), stratum };
    rules.runs = vec![run(0, 3, 0), run(1, 0, 1), run(2, 1, 1)];

    GroundProgram {
        symbols,
        terms,
        blocks,
        roles: vec![TermId::new(robot as usize)],
        init: vec![atom(0)],
        facts: vec![atom(6), atom(7)],
        rules,
        mutex_groups: vec![MutexGroup { fluents: vec![atom(0), atom(1)], is_exactly_one: true }],
    }
}

fn written(write: impl Fn(&GroundProgram, &mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&lamp(), &mut out).expect("memory can be written");
    String::from_utf8(out).expect("the formats are text")
}

#[test]
fn gdl_is_a_rulesheet() {
    let text = written(write_gdl);
    assert_eq!(
        text,
        r#"(role robot)
(base (lamp o"f\f))
(base not)
(input robot (press+ 100))
(input robot not)
(init (lamp o"f\f))
(legal robot (press+ 100))
(legal robot not)
(<= (1+ (lamp o"f\f)) (true not) (not (true (lamp o"f\f))))
(<= (next (lamp o"f\f)) (does robot not) (true (lamp o"f\f)))
(<= (next not) (does robot (press+ 100)) (not (1+ (lamp o"f\f))))
(<= (goal robot 100) (not (1+ (lamp o"f\f))))
(<= terminal (1+ (lamp o"f\f)))
"#
    );
    let description = senet_gdl::parse(&text);
    let analysis = analyze(&description, false);
    assert!(analysis.program.is_some(), "{:?}", analysis.diagnostics);
}

#[test]
fn json_names_everything_by_number() {
    let text = written(write_json);
    let value: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    let expected = serde_json::json!({
        "roles": ["robot"],
        "atoms": [
            "(true (lamp o\"f\\f))", "(true not)", "(does robot (press+ 100))", "(does robot not)",
            "(next (lamp o\"f\\f))", "(next not)", "(legal robot (press+ 100))", "(legal robot not)",
            "(goal robot 100)", "terminal", "(1+ (lamp o\"f\\f))",
        ],
        "base": [0, 1],
        "input": [2, 3],
        "init": [0],
        "facts": [6, 7],
        "strata": [[0, 1], [1, 5]],
        "rules": [[10, 1, -1], [4, 3, 0], [5, 2, -11], [8, -11], [9, 10]],
        "mutex_groups": [{"exactly_one": true, "fluents": [0, 1]}],
    });
    assert_eq!(value, expected);
}

#[test]
fn asp_quotes_what_solvers_do_not_read() {
    assert_eq!(
        written(write_asp),
        r#"#defined t/1.
#defined d/2.
#defined p_next/1.
#defined p_legal/2.
#defined p_goal/2.
#defined p_terminal/0.
#defined p/2.
{t(lamp("o\"f\\f"))}.
{t("not")}.
{d(robot,("press+",100))}.
{d(robot,"not")}.
p_role(robot).
p_init(lamp("o\"f\\f")).
p_legal(robot,("press+",100)).
p_legal(robot,"not").
p("1+",lamp("o\"f\\f")):-t("not"),not t(lamp("o\"f\\f")).
p_next(lamp("o\"f\\f")):-d(robot,"not"),t(lamp("o\"f\\f")).
p_next("not"):-d(robot,("press+",100)),not p("1+",lamp("o\"f\\f")).
p_goal(robot,100):-not p("1+",lamp("o\"f\\f")).
p_terminal:-p("1+",lamp("o\"f\\f")).
"#
    );
}

#[test]
fn dot_tells_kinds_and_signs() {
    assert_eq!(
        written(write_dot),
        r#"digraph ground {
rankdir=LR;
a0 [label="(true (lamp o\"f\\f))",shape=box];
a1 [label="(true not)",shape=box];
a2 [label="(does robot (press+ 100))",shape=house];
a3 [label="(does robot not)",shape=house];
a4 [label="(next (lamp o\"f\\f))",shape=box,peripheries=2];
a5 [label="(next not)",shape=box,peripheries=2];
a6 [label="(legal robot (press+ 100))",shape=house,peripheries=2,style=filled];
a7 [label="(legal robot not)",shape=house,peripheries=2,style=filled];
a8 [label="(goal robot 100)",shape=diamond];
a9 [label="terminal",shape=octagon];
a10 [label="(1+ (lamp o\"f\\f))",shape=ellipse];
node [shape=point];
a1 -> r0;
a0 -> r0 [style=dashed,arrowhead=odot];
r0 -> a10;
a3 -> r1;
a0 -> r1;
r1 -> a4;
a2 -> r2;
a10 -> r2 [style=dashed,arrowhead=odot];
r2 -> a5;
a10 -> r3 [style=dashed,arrowhead=odot];
r3 -> a8;
a10 -> r4;
r4 -> a9;
}
"#
    );
}

#[test]
fn sets_are_sorted_facts() {
    assert_eq!(base_facts(&lamp()), ["(base (lamp o\"f\\f))", "(base not)"]);
    assert_eq!(input_facts(&lamp()), ["(input robot (press+ 100))", "(input robot not)"]);
}
