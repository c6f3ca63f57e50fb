//! Inputs made to exhaust the stack, the memory or patience.

use senet_analysis::analyze;

fn check(text: &str) -> Vec<&'static str> {
    let description = senet_gdl::parse(text);
    let [lenient, strict] = [false, true].map(|strict| analyze(&description, strict));
    for analysis in [&lenient, &strict] {
        assert_eq!(analysis.program.is_none(), analysis.errors().next().is_some());
        assert!(analysis.diagnostics.len() < 5_000);
    }
    lenient.errors().map(|found| found.code.id).collect()
}

fn many(n: usize, each: impl Fn(usize) -> String) -> String {
    (0..n).map(each).collect()
}

#[test]
fn deep_nesting() {
    let depth = 900;
    let nots = format!("(role x) (<= p {}q{})", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(check(&nots), [""; 0]);
    let ors = format!("(role x) (<= p {}q{})", "(or a (and b ".repeat(depth / 2), "))".repeat(depth / 2));
    assert_eq!(check(&ors), [""; 0]);
    let terms = format!("(role x) (p {}a{})", "(f ".repeat(depth), ")".repeat(depth));
    assert_eq!(check(&terms), [""; 0]);
}

#[test]
fn wide_clauses() {
    let args = many(1_000, |at| format!(" ?x{at}"));
    assert_eq!(check(&format!("(role x) (<= (p{args}) (q{args}) (not (r{args})))")), [""; 0]);
    let branches = many(20_000, |at| format!(" (a{at} ?x)"));
    assert_eq!(check(&format!("(role x) (<= (p ?x) (or{branches}))")), [""; 0]);
    assert_eq!(check(&format!("(role x) (<= (p ?x) (q ?x) (or{branches}) (or{branches}))")), [""; 0]);
    let ors = many(2_000, |at| format!(" (or (not (a{at} ?x)) (and (b{at} ?y{at}) (distinct ?x ?y{at})))"));
    assert_eq!(check(&format!("(role x) (<= (p ?x) (q ?x){ors})")), [""; 0]);
}

#[test]
fn shared_variables_in_many_branches() {
    // Each `or` shares its variables with its neighbours only: its relation has few of them.
    let ors = many(1_500, |at| format!(" (or (a ?x{at} ?x{}) (b ?x{} ?y))", at + 1, at + 2));
    assert_eq!(check(&format!("(role x) (<= p{ors})")), [""; 0]);
    // The one literal that binds all variables guards each branch, so a rule of n words becomes n squared.
    let around = |n: usize| {
        let args = many(n, |at| format!(" ?x{at}"));
        let ors = many(n, |at| format!(" (or (not (a ?x{at})) (not (b ?x{})))", (at + 1) % n));
        check(&format!("(role x) (<= p{ors} (q{args}))"))
    };
    assert_eq!(around(200), [""; 0]);
    assert_eq!(around(1_000), ["G204"]);
}

#[test]
fn long_chains() {
    let rules = many(20_000, |at| format!("(<= (p{at} ?x) (p{} ?x) (not (q{at} ?x)))", at + 1));
    assert_eq!(check(&format!("(role x) {rules}")), [""; 0]);
    let equalities = many(2_000, |at| format!(" (not (distinct ?x{at} ?x{}))", at + 1));
    assert_eq!(check(&format!("(role x) (<= (p ?x2000) (q ?x0){equalities})")), [""; 0]);
    let backward = many(2_000, |at| format!(" (not (distinct ?y{at} ?y{}))", at + 1));
    assert_eq!(check(&format!("(role x) (<= (p ?y0) (q ?y2000){backward})")), [""; 0]);
    let nested = many(2_000, |at| format!(" (not (distinct ?x{} (s ?x{at})))", at + 1));
    assert_eq!(check(&format!("(role x) (<= (p ?x2000) (q ?x0){nested})")), ["G204"]);
}

#[test]
fn large_cycles_through_negation() {
    let rules = many(3_000, |at| format!("(<= (p {at}) (not (p {})))", (at + 1) % 3_000));
    assert_eq!(check(&format!("(role x) {rules}")), [""; 0]);
    let ring = many(20_000, |at| format!("(<= p{at} (not p{}))", (at + 1) % 20_000));
    assert_eq!(check(&format!("(role x) {ring}")), [""; 0]);
}

#[test]
fn every_clause_is_wrong() {
    let clauses = many(20_000, |at| {
        format!(
            "(<= (p ?a{at}) (r{at} ?y) (not (q ?z)) (distinct ?w w)) (legal {at}) (<= (s) (or) (next {at}))"
        )
    });
    let errors = check(&clauses);
    assert_eq!(errors.iter().filter(|&&code| code == "G201").count(), (100 << 20) / clauses.len());
}

#[test]
fn many_nots_with_variables_of_their_own() {
    let side_by_side = many(10_000, |at| format!(" (not (r ?x ?y{at}))"));
    assert_eq!(check(&format!("(role x) (<= (p ?x) (q ?x){side_by_side})")), [""; 0]);
    let in_one = many(20_000, |at| format!(" (r ?y{at} ?y{})", at + 1));
    assert_eq!(check(&format!("(role x) (<= (p ?x) (q ?x) (not (and{in_one})))")), [""; 0]);
    let below_an_or = many(5_000, |at| format!(" (or a{at} (not (r ?x ?y{at})))"));
    assert_eq!(check(&format!("(role x) (<= (p ?x) (q ?x){below_an_or})")), [""; 0]);
    let nested = |depth: usize| {
        let nots = many(depth, |at| format!("(not (and (r ?y{at} ?y{}) ", at + 1));
        check(&format!("(role x) (<= p {nots} a {})", "))".repeat(depth)))
    };
    assert_eq!(nested(10), [""; 0]);
    let deep = nested(400);
    assert!(!deep.is_empty() && deep.iter().all(|&code| code == "G202"), "{deep:?}");
}
