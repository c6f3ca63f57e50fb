//! W102: relations that nothing needs.

use crate::relations::keyword_of;
use crate::report::Report;
use crate::sheet::Sheet;
use senet_gdl::{Code, Diagnostic, Level};

static UNUSED: Code = Code {
    id: "W102",
    level: Level::Lint,
    title: "a relation that nothing needs",
    explanation: "\
The relation is defined, but no rule for `role`, `init`, `next`, `legal`, `goal`, `terminal`, `base`,
`input` or `sees` uses it, neither directly nor through other relations. The game is the same
without it:

    (<= (draw ?r) (role ?r) (not (line x)) (not (line o)))
    (<= (goal ?r 50) (role ?r) (not open))

Remove it, or look for the rule that was meant to use it.",
};

pub(crate) static CODES: [&Code; 1] = [&UNUSED];

pub(crate) fn check(sheet: &Sheet, report: &mut Report) {
    // By name: a reserved word with a wrong number of arguments was meant as one all the same.
    let is_reserved = |id| sheet.description.keyword(sheet.relations.name(id)).is_some();
    let roots = sheet.relation_ids().filter(|&id| keyword_of(id).is_some() || is_reserved(id));
    let is_needed = sheet.graph.reachable(roots.map(|id| id.index()));
    for (clause_idx, clause) in sheet.description.clauses.iter().enumerate() {
        let relation = sheet.heads[clause_idx];
        if !is_needed[relation.index()] && sheet.first_clause[relation.index()] == Some(clause_idx) {
            report.add(&UNUSED, || {
                let message = format!("nothing needs the relation `{}`", sheet.name(relation));
                Diagnostic::new(&UNUSED, sheet.name_span(&clause.head), message)
                    .here("no rule of the game uses it, directly or through others")
                    .help("remove it, or use it")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::carets::assert_findings;

    #[test]
    fn what_nothing_needs_is_reported_once() {
        assert_findings(
            &["W102"],
            "\
(<= (draw ?r) (role ?r) (not (line x)))
;    ^^^^ W102 nothing needs the relation `draw`
(<= (goal ?r 50) (role ?r) (not open))
(<= open (cell ?x))
(cell 1) (cell 2)
(line x)
;^^^^ W102
(line y)
(<= loop (not loop))
;   ^^^^ W102
",
        );
    }
}
