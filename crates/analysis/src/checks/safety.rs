//! G201, G202, G203, G205: variables without a value.

use crate::bindings::{Binder, Bound};
use crate::condition::Condition;
use crate::report::Report;
use crate::scopes::Scope;
use crate::sheet::Sheet;
use senet_gdl::{Clause, Code, Diagnostic, Level, Span, VarId};

static HEAD: Code = Code {
    id: "G201",
    level: Level::Error,
    title: "a variable in the head is not bound by the body",
    explanation: "\
Every variable of the head must occur in a positive condition of the body: only those say which
values it takes. Conditions below `not` and in `distinct` only test values.

    (<= (next (cell ?x ?y b)) (does xplayer (mark ?x ?z)))

Nothing says what `?y` is, so the rule would conclude infinitely many facts. Often the variable is
misspelt; otherwise add a condition such as `(index ?y)`. Where the body has an `or`, every branch
must bind the variable. A fact cannot have variables at all.",
};

static NEGATION: Code = Code {
    id: "G202",
    level: Level::Error,
    title: "a variable occurs only below `not`",
    explanation: "\
A negated condition tests values; it cannot find any. A variable that stands in it and elsewhere in
the rule must also occur in a positive condition, in every branch of an `or` around it.

    (<= (lonely ?x) (person ?x) (not (friend ?x ?y)) (not (brother ?x ?y)))

Is `?y` the same person in both, and who may it be? Say which values it takes:

    (<= (stranger ?x ?y) (person ?x) (person ?y) (not (friend ?x ?y)) (not (brother ?x ?y)))

A variable that occurs below one `not` only is another matter, see G205.",
};

static NO_VALUE: Code = Code {
    id: "G205",
    level: Level::Strict,
    title: "a variable occurs below one `not` only",
    explanation: "\
The specification wants every variable of a negated condition in a positive condition of the same
rule too. Programs that evaluate rules in Prolog accept a variable that occurs below one `not` and
nowhere else, and so does Senet: the `not` holds if no value of the variable makes the condition
below it true.

    (<= (lonely ?x) (person ?x) (not (friend ?x ?y)))

Nobody is a friend of `?x`. Other programs refuse the rule or read it in another way. This means the
same everywhere:

    (<= (has_friend ?x) (friend ?x ?y))
    (<= (lonely ?x) (person ?x) (not (has_friend ?x)))",
};

static DISTINCT: Code = Code {
    id: "G203",
    level: Level::Error,
    title: "a variable occurs only in `distinct`",
    explanation: "\
`distinct` compares two values; it cannot find them. Every variable in it must also occur in a
positive condition of the same rule.

    (<= (busy ?x) (cell ?x ?y) (distinct ?z b))

Here `(distinct ?y b)` was meant.",
};

pub(crate) static CODES: [&Code; 4] = [&HEAD, &NEGATION, &DISTINCT, &NO_VALUE];

pub(crate) fn check(sheet: &mut Sheet, report: &mut Report) {
    for clause_idx in 0..sheet.description.clauses.len() {
        let clause = &sheet.description.clauses[clause_idx];
        if sheet.is_plain[clause_idx] || clause.variables.is_empty() {
            continue;
        }
        let mut binder = Binder::new(clause.variables.len());
        let body = sheet.body(clause_idx);
        let bound = binder.bind(&body, &|_| true);
        let mut unbound = unbound(clause, &bound, &mut binder);
        if clause.body.is_empty() {
            // Whoever writes a fact with variables misunderstands facts, not each variable.
            unbound.truncate(1);
        }
        for found in &unbound {
            report.add(found.code, || found.finding(sheet, clause, &bound));
        }
        for scope in sheet.scopes[clause_idx].own() {
            if !unbound.iter().any(|found| found.variable == scope.variable) {
                report.add(&NO_VALUE, || no_value_finding(sheet, clause, *scope));
            }
        }
        if !unbound.is_empty() {
            sheet.is_sound[clause_idx] = false;
        }
    }
}

/// A variable without a value and the first place that needs one.
struct Unbound {
    code: &'static Code,
    variable: VarId,
    span: Span,
}

fn unbound(clause: &Clause, bound: &Bound, binder: &mut Binder) -> Vec<Unbound> {
    let mut is_bound = vec![bound.is_never; clause.variables.len()];
    bound.variables.iter().for_each(|variable| is_bound[variable.index()] = true);
    let mut is_reported = vec![false; clause.variables.len()];
    let mut found = Vec::new();
    clause.head.for_each_variable(&mut |variable, span| {
        if !is_bound[variable.index()] && !std::mem::replace(&mut is_reported[variable.index()], true) {
            found.push(Unbound { code: &HEAD, variable, span });
        }
    });
    // Negations first: what is wrong below `not` is not said again of `distinct`.
    for code in [&NEGATION, &DISTINCT] {
        binder.for_each_test(bound, &mut |test, known| {
            if (code == &DISTINCT) == matches!(test, Condition::Differ(..)) {
                test.for_each_needed(&mut |variable, span| {
                    // A variable may be bound in one branch of an `or` and not in another.
                    if !known.has(variable) && !std::mem::replace(&mut is_reported[variable.index()], true) {
                        found.push(Unbound { code, variable, span });
                    }
                });
            }
        });
    }
    found
}

impl Unbound {
    fn finding(&self, sheet: &Sheet, clause: &Clause, bound: &Bound) -> Diagnostic {
        let name = name(sheet, clause, self.variable);
        let branch = branch_without(bound, self.variable);
        let message = match (self.code.id, branch) {
            ("G201", _) if clause.body.is_empty() => format!("the variable `{name}` stands in a fact"),
            ("G201", None) => format!("variable `{name}` in the head is not bound by the body"),
            ("G201", Some(_)) => {
                format!("variable `{name}` in the head is not bound by every branch of the body")
            }
            ("G202", None) => format!("variable `{name}` occurs only below `not`"),
            ("G202", Some(_)) => format!("variable `{name}` below `not` is not bound in every branch"),
            (_, None) => format!("variable `{name}` occurs only in `distinct`"),
            (_, Some(_)) => format!("variable `{name}` in `distinct` is not bound in every branch"),
        };
        let here = match clause.body.is_empty() {
            true => "a fact must say which value".to_owned(),
            false => format!("no positive body literal binds `{name}`"),
        };
        let mut found = Diagnostic::new(self.code, self.span, message).here(here);
        if let Some(branch) = branch {
            found = found.label(branch, format!("this branch of the `or` does not bind `{name}`"));
        }
        match suggestion(sheet, clause, self.variable) {
            Some(other) => found.help(format!("did you mean `{other}`?")).replace_with(other),
            None if clause.body.is_empty() => found.help("write a rule with a condition that binds it"),
            None => found.help(format!("add a positive condition that says which values `{name}` takes")),
        }
    }
}

fn no_value_finding(sheet: &Sheet, clause: &Clause, scope: Scope) -> Diagnostic {
    let mut place = None;
    for formula in &clause.body {
        formula.for_each_variable(&mut |variable, span| {
            if variable == scope.variable {
                place.get_or_insert(span);
            }
        });
    }
    let name = name(sheet, clause, scope.variable);
    let message = format!("variable `{name}` occurs below one `not` only");
    let found = Diagnostic::new(&NO_VALUE, place.unwrap_or(scope.not), message)
        .here(format!("no other condition says which values `{name}` takes"))
        .label(scope.not, format!("taken as: for no value of `{name}`"));
    match suggestion(sheet, clause, scope.variable) {
        Some(other) => found.help(format!("did you mean `{other}`?")).replace_with(other),
        None => found.help("name what is negated by a relation that does not have the variable"),
    }
}

fn name<'a>(sheet: &Sheet<'a>, clause: &Clause, variable: VarId) -> &'a str {
    sheet.description.name(clause.variables[variable.index()])
}

/// A variable that occurs once in the clause, in a positive condition, was probably to be used
/// where this one stands; otherwise one with a similar name.
fn suggestion<'a>(sheet: &Sheet<'a>, clause: &Clause, missing: VarId) -> Option<&'a str> {
    let mut n_uses = vec![0; clause.variables.len()];
    let mut is_positive = vec![false; clause.variables.len()];
    clause.head.for_each_variable(&mut |variable, _| n_uses[variable.index()] += 1);
    for formula in &clause.body {
        formula.for_each_variable(&mut |variable, _| n_uses[variable.index()] += 1);
        formula.for_each_atom(&mut |atom, negated| {
            if !negated {
                atom.for_each_variable(&mut |variable, _| is_positive[variable.index()] = true);
            }
        });
    }
    let positive = (0..clause.variables.len()).map(VarId::new).filter(|at| is_positive[at.index()]);
    let positive: Vec<_> = positive.filter(|&at| at != missing).collect();
    let once: Vec<_> = positive.iter().copied().filter(|at| n_uses[at.index()] == 1).collect();
    if let [only] = once[..] {
        return Some(name(sheet, clause, only));
    }
    let own = name(sheet, clause, missing);
    let similar =
        |candidates: &[VarId]| senet_gdl::nearest(own, candidates.iter().map(|&at| name(sheet, clause, at)));
    // Names of one letter are all similar to each other.
    similar(&once).or_else(|| similar(&positive).filter(|_| own.len() > 2))
}

/// The first branch of an `or` that does not bind a variable while another branch does.
fn branch_without(bound: &Bound, variable: VarId) -> Option<Span> {
    let has = |part: &&Bound| part.variables.contains(&variable);
    if matches!(bound.condition, Condition::Any(..)) && bound.parts.iter().any(|part| has(&part)) {
        let lacking = bound.parts.iter().find(|part| !part.is_never && !has(part));
        if let Some(branch) = lacking {
            return Some(branch.condition.span());
        }
    }
    bound.parts.iter().find_map(|part| branch_without(part, variable))
}

#[cfg(test)]
mod tests {
    use crate::carets::{assert_findings, the_finding};

    const ALL: &[&str] = &["G201", "G202", "G203", "G205"];

    #[test]
    fn the_head_needs_values() {
        assert_findings(
            ALL,
            "\
(<= (next (cell ?x ?y b)) (does xplayer (mark ?x ?z)))
;                  ^^ G201 variable `?y` in the head is not bound by the body
(p ?a b ?a ?b)
;  ^^ G201 the variable `?a` stands in a fact
(<= (q ?x) (not (r ?x)) (distinct ?x a))
;      ^^ G201
",
        );
        let found = the_finding("G201", "(<= (next (cell ?x ?y b)) (does xplayer (mark ?x ?z)))");
        assert_eq!(found.primary.text, "no positive body literal binds `?y`");
        assert_eq!(found.help.as_deref(), Some("did you mean `?z`?"));
    }

    #[test]
    fn every_branch_of_an_or_binds() {
        assert_findings(
            ALL,
            "\
(<= (p ?x) (or (q ?x) (r ?y)))
;      ^^ G201 variable `?x` in the head is not bound by every branch of the body
(<= (p ?x) (or (q ?x) (and (r ?x) (s ?y))))
(<= (p ?x) (or (q ?x) (and (r ?y) (or (s ?x) (not (s ?y))))))
;      ^^ G201
(<= (p ?x) (or))
(<= (p ?x) (not (and (not (q ?x)) (not (r ?x)))))
",
        );
        let text = "(<= (p ?x) (or (q ?x) (r ?y)))";
        let found = the_finding("G201", text);
        assert_eq!(&text[found.labels[0].span.range()], "(r ?y)");
    }

    #[test]
    fn tests_need_values() {
        assert_findings(
            ALL,
            "\
(<= (p ?x) (q ?x) (not (r ?y)) (not (s ?y)))
;                         ^^ G202 variable `?y` occurs only below `not`
(<= (p ?x) (q ?x) (distinct ?y b))
;                           ^^ G203 variable `?y` occurs only in `distinct`
(<= (p ?x) (distinct ?x a) (not (r ?x)) (q ?x))
(<= p (distinct ?x a) (not (r ?x)))
;                             ^^ G202
(<= p (or (and (q ?x) (not (r ?x))) (not (r ?x))))
;                                           ^^ G202 variable `?x` below `not` is not bound in every branch
(<= p (q ?x) (or (q a) (not (r ?x))))
(<= p (not (r ?x ?y)) (not (s ?x)))
;             ^^ G202 variable `?x` occurs only below `not`
;                ^^ G205
(<= p (not (and (q ?x) (distinct ?y ?x))))
;                                ^^ G203
;                  ^^ G205
",
        );
    }

    #[test]
    fn a_variable_of_one_not_is_for_no_value() {
        assert_findings(
            ALL,
            "\
(<= (p ?x) (q ?x) (not (r ?y)))
;                         ^^ G205 variable `?y` occurs below one `not` only
(<= p (not (r ?x ?y)))
;             ^^ G205
;                ^^ G205
(<= p (or a (not (and (q ?x) (not (r ?x ?y))))))
;                        ^^ G205
;                                       ^^ G205
(<= p (not (or (q ?x) (r ?x))))
;                 ^^ G205
(<= p (not (and (q ?x) (distinct ?x a))))
;                  ^^ G205
(<= p (not (not (q ?x))) (not (distinct ?y a)) (not (or (r ?z) (not (q ?z)))))
",
        );
        let text = "(<= (p ?x) (q ?x) (not (r ?x ?y)))";
        let found = the_finding("G205", text);
        assert_eq!(&text[found.labels[0].span.range()], "(not (r ?x ?y))");
        assert!(analyze(text, false) && !analyze(text, true));
    }

    /// Whether a rulesheet with these clauses is accepted.
    fn analyze(clauses: &str, strict: bool) -> bool {
        let description =
            senet_gdl::parse(&format!("(role x) (legal x a) (goal x 100) terminal (q a) (r a a) {clauses}"));
        crate::analyze(&description, strict).program.is_some()
    }

    #[test]
    fn equalities_bind_by_substitution() {
        assert_findings(
            ALL,
            "\
(<= (p ?x) (not (distinct ?x ?y)) (q ?y))
(<= (p ?x) (not (distinct (f ?x) ?y)) (q ?y))
(<= (p ?x) (not (distinct ?x a)))
(<= (p ?x) (not (distinct ?x ?y)))
;      ^^ G201
",
        );
    }

    #[test]
    fn a_similar_name_is_suggested() {
        let found = the_finding("G201", "(<= (p ?colum) (q ?column ?row) (r ?column ?row))");
        assert_eq!(found.help.as_deref(), Some("did you mean `?column`?"));
        let found = the_finding("G202", "(<= (p ?x) (q ?x) (not (r ?y)) (not (s ?y)))");
        assert_eq!(found.help.as_deref(), Some("add a positive condition that says which values `?y` takes"));
        let found = the_finding("G205", "(<= (p ?colum) (q ?colum ?row) (not (r ?column ?row)))");
        assert_eq!(found.help.as_deref(), Some("did you mean `?colum`?"));
    }
}
