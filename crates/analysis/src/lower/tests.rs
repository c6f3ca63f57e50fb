use crate::{Program, analyze};

fn program(text: &str) -> Program {
    let description = senet_gdl::parse(&format!("(role x) {text}"));
    let analysis = analyze(&description, false);
    let errors: Vec<_> = analysis.errors().map(|found| found.message.clone()).collect();
    analysis.program.unwrap_or_else(|| panic!("{errors:?} in {text}"))
}

/// The rules but `(role x)`, as text.
fn lowered(text: &str) -> Vec<String> {
    let program = program(text);
    program.rules().iter().map(|rule| program.show_rule(rule)).skip(1).collect()
}

#[test]
fn or_is_split() {
    assert_eq!(
        lowered("(<= (p ?x) (q ?x) (or a (and b (or c d))))"),
        ["(<= (p ?x) (q ?x) a)", "(<= (p ?x) (q ?x) b c)", "(<= (p ?x) (q ?x) b d)",]
    );
    for clause in ["(<= p a (or))", "(<= p (or) a)", "(<= p (or a b) (or) c)"] {
        assert_eq!(lowered(clause), [""; 0]);
    }
    assert_eq!(lowered("(<= p (or a (or)) (and))"), ["(<= p a)"]);
}

#[test]
fn negation_stands_only_on_atoms() {
    assert_eq!(lowered("(<= p (not (or a (not b))))"), ["(<= p (not a) b)"]);
    assert_eq!(lowered("(<= p (not (and a (not (not b)))))"), ["(<= p (not a))", "(<= p (not b))"]);
}

#[test]
fn equalities_are_eliminated() {
    for (clause, expected) in [
        ("(<= (p ?x ?y) (not (distinct ?x ?y)) (q ?y))", &["(<= (p ?y ?y) (q ?y))"][..]),
        ("(<= (p ?x) (q ?y) (not (distinct (f ?x a) ?y)))", &["(<= (p ?x) (q (f ?x a)))"]),
        ("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))", &[]),
        ("(<= (p ?x) (q ?x) (not (distinct a b)))", &[]),
        ("(<= (p ?x) (q ?x) (not (distinct ?x a)) (not (distinct ?x b)))", &[]),
        (
            "(<= (p ?x) (q ?x) (or (not (distinct ?x a)) (r ?x)))",
            &["(<= (p a) (q a))", "(<= (p ?x) (q ?x) (r ?x))"],
        ),
    ] {
        assert_eq!(lowered(clause), expected, "{clause}");
    }
}

#[test]
fn distinct_is_decided_where_names_decide_it() {
    for (clause, expected) in [
        ("(<= p (q ?x) (distinct a b))", &["(<= p (q ?x))"][..]),
        ("(<= p (q ?x) (distinct (f ?x a) (f ?x b)))", &["(<= p (q ?x))"]),
        ("(<= p (q ?x) (distinct ?x ?x))", &[]),
        ("(<= p (q ?x) (not (distinct ?x a)) (distinct ?x a))", &[]),
        ("(<= p (q ?x) (distinct (f ?x) (f a)))", &["(<= p (q ?x) (distinct (f ?x) (f a)))"]),
    ] {
        assert_eq!(lowered(clause), expected, "{clause}");
    }
}

#[test]
fn tests_move_behind_the_literals_that_bind_them() {
    assert_eq!(
        lowered("(<= (p ?x ?y) (distinct ?x ?y) (not (r ?x)) (not s) (q ?x) (q ?y) t)"),
        ["(<= (p ?x ?y) (not s) (q ?x) (not (r ?x)) (q ?y) (distinct ?x ?y) t)"]
    );
}

#[test]
fn a_rule_is_stored_once() {
    assert_eq!(
        lowered("(p a) (p a) (<= (q ?x) (or (p ?x) (p ?x))) (<= (q ?y) (p ?y))"),
        ["(p a)", "(<= (q ?x) (p ?x))"]
    );
}

#[test]
fn conditions_on_other_positions_are_false() {
    assert_eq!(lowered("(<= (p ?x) (next ?x)) (<= (q ?x) (r ?x) (not (init ?x)))"), ["(<= (q ?x) (r ?x))"]);
}

#[test]
fn other_relations_of_the_same_name_are_conditions() {
    assert_eq!(
        lowered("(<= (p ?x) (next ?x ?y)) (<= (q ?x) (r ?x) (not (init ?x ?x)) (not (next ?x)))"),
        ["(<= (p ?x) (next ?x ?y))", "(<= (q ?x) (r ?x) (not (init ?x ?x)))"]
    );
}

#[test]
fn a_not_with_variables_of_its_own_gets_a_relation() {
    for (clause, expected) in [
        (
            "(<= (p ?x) (q ?x) (not (r ?x ?y)))",
            &["(<= (p ?x) (q ?x) (not (some_1 in p ?x)))", "(<= (some_1 in p ?x) (r ?x ?y))"][..],
        ),
        (
            "(<= (p ?x) (not (and (true ?y) (distinct ?x ?y))) (q ?x))",
            &[
                "(<= (p ?x) (q ?x) (not (some_1 in p ?x)))",
                "(<= (some_1 in p ?x) (true ?y) (q ?x) (distinct ?x ?y))",
            ],
        ),
        (
            "(<= p (not (and (q ?x) (not (r ?x ?y)))))",
            &[
                "(<= p (not some_1 in p))",
                "(<= some_1 in p (q ?x) (not (some_2 in p ?x)))",
                "(<= (some_2 in p ?x) (r ?x ?y))",
            ],
        ),
        (
            "(<= (p ?x) (q ?x) (or s (not (r ?x ?y))))",
            &[
                "(<= (p ?x) (q ?x) (or_1 in p ?x))",
                "(<= (or_1 in p ?x) s (q ?x))",
                "(<= (or_1 in p ?x) (q ?x) (not (some_2 in p ?x)))",
                "(<= (some_2 in p ?x) (r ?x ?y))",
            ],
        ),
        (
            "(<= p (not (or (q ?x) (r ?x ?y))))",
            &["(<= p (not some_1 in p))", "(<= some_1 in p (q ?x))", "(<= some_1 in p (r ?x ?y))"],
        ),
        ("(<= p (not (next ?x)))", &["(<= p (not some_1 in p))"]),
    ] {
        let mut found = lowered(clause);
        found.retain(|rule| !rule.is_empty());
        assert_eq!(found, expected, "{clause}");
        assert_every_rule_is_safe(&program(clause));
    }
}

#[test]
fn variables_are_numbered_and_named() {
    let program = program("(<= (p ?b) (or (q ?a ?b) (r ?b ?c)))");
    for rule in program.rules() {
        let names: Vec<_> = rule.variables.iter().map(|&name| program.symbols().name(name)).collect();
        match &program.show_rule(rule)[..] {
            "(role x)" => assert_eq!((names, rule.clause), (vec![], 0)),
            "(<= (p ?b) (q ?a ?b))" => assert_eq!((names, rule.clause), (vec!["?b", "?a"], 1)),
            "(<= (p ?b) (r ?b ?c))" => assert_eq!((names, rule.clause), (vec!["?b", "?c"], 1)),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn many_ors_get_relations_of_their_own() {
    let ors: String = (0..20).map(|at| format!(" (or (a{at} ?x ?y{at}) (b{at} ?x ?z{at}))")).collect();
    let rules = lowered(&format!("(<= (p ?x) (q ?x){ors})"));
    assert_eq!(rules.len(), 41, "{rules:#?}");
    assert!(rules[0].starts_with("(<= (p ?x) (q ?x) (or_1 in p ?x) (or_2 in p ?x)"), "{}", rules[0]);
    assert_eq!(rules[1..3], ["(<= (or_1 in p ?x) (a0 ?x ?y0))", "(<= (or_1 in p ?x) (b0 ?x ?z0))"]);
}

#[test]
fn a_variable_that_only_some_branches_bind_gets_a_relation_of_its_values() {
    let ors: String = (0..20).map(|at| format!(" (or (a{at} ?x ?y) (b{at} ?x))")).collect();
    let text = format!("(<= (p ?x) (q ?x){ors})");
    let rules = lowered(&text);
    assert_eq!(rules.len(), 1 + 20 * 2 + 20 + 1, "{rules:#?}");
    assert_every_rule_is_safe(&program(&text));
    for rule in ["(<= (or_2 in p ?x ?y) (a0 ?x ?y))", "(<= (or_2 in p ?x ?y) (b0 ?x) (value_1 in p ?y))"] {
        assert!(rules.iter().any(|other| other == rule), "{rule} not in {rules:#?}");
    }
}

#[test]
fn the_values_of_a_variable_are_also_those_it_is_equal_to() {
    let ors: String = (0..20)
        .map(|at| {
            format!(" (or (not (distinct ?x ?z)) (b{at} ?x)) (or (not (distinct ?z (f ?y))) (c{at} ?y))")
        })
        .collect();
    let text = format!("(<= (p ?x) (q ?x) (r ?y){ors})");
    assert_every_rule_is_safe(&program(&text));
    let rules = lowered(&text);
    for rule in ["(<= (value_1 in p ?z) (q ?z))", "(<= (value_1 in p (f ?y)) (r ?y))"] {
        assert!(rules.iter().any(|other| other == rule), "{rule} not in {rules:#?}");
    }
}

#[test]
fn an_auxiliary_rule_repeats_what_it_needs_to_be_safe() {
    let ors: String = (0..7).map(|at| format!(" (or (not (a{at} ?x)) (b{at} ?x))")).collect();
    let rules = lowered(&format!("(<= (p ?x) (q ?x){ors})"));
    assert_eq!(rules.len(), 15, "{rules:#?}");
    assert!(rules.contains(&"(<= (or_1 in p ?x) (q ?x) (not (a0 ?x)))".to_owned()), "{rules:#?}");
    assert!(rules.contains(&"(<= (or_1 in p ?x) (b0 ?x))".to_owned()), "{rules:#?}");
}

#[test]
fn an_auxiliary_rule_may_need_another_or() {
    let ors: String = (0..7).map(|at| format!(" (or (not (a{at} ?x)) (b{at} ?x ?y))")).collect();
    let rules = lowered(&format!("(<= (p ?y) (c ?y){ors} (or (q ?x) (r ?x)))"));
    assert_eq!(rules.len(), 17, "{rules:#?}");
    assert_every_rule_is_safe(&program(&format!("(<= (p ?y) (c ?y){ors} (or (q ?x) (r ?x)))")));
}

#[test]
fn equalities_around_an_or_reach_into_it() {
    let ors: String = (0..7).map(|at| format!(" (or (not (a{at} ?x)) (b{at} ?x))")).collect();
    let program = program(&format!("(<= (p ?x) (not (distinct ?x (f ?y))) (q ?y){ors})"));
    assert_every_rule_is_safe(&program);
    assert!(
        program.to_text().contains("(<= (or_1 in p (f ?y)) (q ?y) (not (a0 (f ?y))))"),
        "{}",
        program.to_text()
    );
}

#[test]
fn a_long_or_alone_needs_no_relation() {
    let branches: String = (0..200).map(|at| format!(" (a{at} ?x)")).collect();
    let rules = lowered(&format!("(<= (p ?x) (or{branches}))"));
    assert_eq!((rules.len(), &rules[199][..]), (200, "(<= (p ?x) (a199 ?x))"));
}

#[test]
fn nested_ors_do_not_explode() {
    let mut body = "(q ?x)".to_owned();
    for at in 0..200 {
        body = format!("(and (or (a{at} ?x) (not (b{at} ?x))) (or {body} (c{at} ?x)))");
    }
    let program = program(&format!("(<= (p ?x) (r ?x) {body})"));
    assert!(program.rules().len() < 2_000);
    assert_every_rule_is_safe(&program);
}

#[test]
fn doubling_equalities_are_refused() {
    let equalities: String =
        (0..60).map(|at| format!(" (not (distinct ?x{} (f ?x{at} ?x{at})))", at + 1)).collect();
    let description = senet_gdl::parse(&format!("(role x) (<= (p ?x60) (q ?x0){equalities})"));
    let analysis = analyze(&description, false);
    assert_eq!(analysis.errors().map(|found| found.code.id).collect::<Vec<_>>(), ["G204"]);
    assert!(analysis.program.is_none());
}

fn assert_every_rule_is_safe(program: &Program) {
    for rule in program.rules() {
        let mut is_bound = vec![false; rule.variables.len()];
        for literal in &rule.body {
            let is_positive = matches!(literal, crate::Literal::Positive(_));
            literal.for_each_variable(&mut |variable, _| {
                assert!(is_positive || is_bound[variable.index()], "{}", program.show_rule(rule));
                is_bound[variable.index()] = true;
            });
        }
        let all_bound = &mut |variable: senet_gdl::VarId, _| {
            assert!(is_bound[variable.index()], "{}", program.show_rule(rule));
        };
        rule.head.for_each_variable(all_bound);
    }
}
