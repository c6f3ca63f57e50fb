//! G405: roles for which no rule applies.

use crate::HashSet;
use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Code, Diagnostic, Keyword, Level, Symbol, TermKind};

static ROLE_WITHOUT: Code = Code {
    id: "G405",
    level: Level::Strict,
    title: "a role without legal moves or goals",
    explanation: "\
No head of a `legal` or `goal` rule fits this role, so it never has a move, or never a result:

    (role white)
    (role black)
    (<= (legal white noop) (true (control black)))
    (<= (legal blck noop) (true (control white)))

Often the name is misspelt. A role that has nothing to decide still needs a legal move, usually
`noop`. The role `random` needs no goal.",
};

pub(crate) static CODES: [&Code; 1] = [&ROLE_WITHOUT];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    let description = sheet.description;
    let role = description.symbol_of(Keyword::Role);
    let mut roles = Vec::new();
    for clause in description.clauses.iter().filter(|clause| clause.head.relation == role) {
        match (&clause.body[..], &clause.head.args[..]) {
            ([], [arg]) if let TermKind::Constant(symbol) = arg.kind => roles.push((symbol, arg.span)),
            // Roles given in another way are not known here.
            _ => return,
        }
    }
    let mut known = HashSet::default();
    roles.retain(|&(symbol, _)| known.insert(symbol));
    for keyword in [Keyword::Legal, Keyword::Goal] {
        let Some(fitting) = fitting(sheet, keyword) else { continue };
        for &(symbol, span) in &roles {
            let name = description.name(symbol);
            if fitting.contains(&symbol) || (keyword == Keyword::Goal && name == "random") {
                continue;
            }
            report.add(&ROLE_WITHOUT, || {
                let relation = keyword.text();
                Diagnostic::new(
                    &ROLE_WITHOUT,
                    span,
                    format!("no `{relation}` rule applies to the role `{name}`"),
                )
                .here(format!("no head has the form `({relation} {name} …)`"))
                .help(format!("add a rule for `({relation} {name} …)`, or correct the name of the role"))
            });
        }
    }
}

/// The roles named in heads; `None` if some head fits every role or none exists.
fn fitting(sheet: &Sheet, keyword: Keyword) -> Option<HashSet<Symbol>> {
    let symbol = sheet.description.symbol_of(keyword);
    let mut named = HashSet::default();
    let mut is_defined = false;
    for clause in sheet.description.clauses.iter().filter(|clause| clause.head.relation == symbol) {
        is_defined = true;
        match clause.head.args.first().map(|arg| &arg.kind) {
            Some(TermKind::Constant(role)) => {
                named.insert(*role);
            }
            Some(TermKind::Function(..)) => {}
            Some(TermKind::Variable(_)) | None => return None,
        }
    }
    is_defined.then_some(named)
}

#[cfg(test)]
mod tests {
    use crate::carets::assert_findings;

    #[test]
    fn every_role_needs_a_head_that_fits() {
        assert_findings(
            &["G405"],
            "\
(role white) (role black) (role random)
;                  ^^^^^ G405 no `legal` rule applies to the role `black`
;                               ^^^^^^ G405 no `legal` rule applies to the role `random`
(legal white noop) (legal blck noop) (goal white 0) (goal black 0)
",
        );
    }

    #[test]
    fn a_variable_fits_every_role() {
        assert_findings(
            &["G405"],
            "(role a) (role b) (<= (legal ?r x) (role ?r)) (goal a 1) (<= (goal ?r 0) (role ?r))",
        );
    }

    #[test]
    fn derived_roles_are_not_known() {
        assert_findings(&["G405"], "(role a) (<= (role ?r) (player ?r)) (legal b x)");
    }
}
