//! The tree of lists and words to a [`Description`].

use crate::diagnostic::Findings;
use crate::keyword::Keyword;
use crate::syntax::{Atom, Clause, Description, Formula, Term, TermKind, VarId};
use crate::tree::{self, Elements, NodeId, Tree};
use crate::{Code, Diagnostic, Interner, Level, Span, Symbol};

/// How deep parentheses may be nested. Published rulesheets reach 25.
pub const MAX_DEPTH: usize = 1_000;

static NOT_UTF8: Code = Code {
    id: "G003",
    level: Level::Error,
    title: "a name is not valid UTF-8",
    explanation: "\
The file contains bytes that are not text in UTF-8 outside of a comment. Either it is not a
rulesheet at all (an archive, a program, an image), or it was saved in an old encoding such as
Latin-1. Save it as UTF-8; inside comments such bytes are passed over.",
};

static TOO_DEEP: Code = Code {
    id: "G004",
    level: Level::Error,
    title: "parentheses are nested too deeply",
    explanation: "\
Parentheses may be nested 1,000 deep; the deepest published rulesheet needs 25. Usually this is
a file that is not a rulesheet, or a program that wrote one and went wrong.",
};

static EMPTY_LIST: Code = Code {
    id: "G005",
    level: Level::Error,
    title: "empty parentheses",
    explanation: "\
`()` means nothing in GDL: a list begins with the name of a relation, a function or a keyword.
Remove it, or write the name that is missing.",
};

static MALFORMED_RULE: Code = Code {
    id: "G006",
    level: Level::Error,
    title: "a rule without a head",
    explanation: "\
A rule is written `(<= HEAD CONDITION …)`: what is concluded, then what it is concluded from.
`(<=)` has no head. A rule without conditions, `(<= HEAD)`, is a fact.",
};

static NOT_A_NAME: Code = Code {
    id: "G007",
    level: Level::Error,
    title: "a list that does not begin with a name",
    explanation: "\
The first element of a list is the name of a relation or function. It can be neither a variable
nor another list:

    (?relation a b)      ((p a) b)

GDL is first-order: to speak about relations in general, write one rule for each.",
};

static CONNECTIVE_ARGUMENTS: Code = Code {
    id: "G008",
    level: Level::Error,
    title: "a connective with the wrong number of arguments",
    explanation: "\
`not` takes one formula, `distinct` two terms. To negate several conditions at once, write
`(not (or a b))` for none of them, `(not (and a b))` for not all of them.",
};

static VARIABLE_AS_SENTENCE: Code = Code {
    id: "G009",
    level: Level::Error,
    title: "a variable where a relation is needed",
    explanation: "\
A fact, a head or a condition must name a relation: a bare variable such as `?x` is a term. For
a fluent, write `(true ?x)`.",
};

static MISPLACED_CONNECTIVE: Code = Code {
    id: "G010",
    level: Level::Error,
    title: "a connective in the wrong place",
    explanation: "\
`not`, `or`, `and` and `distinct` form conditions in the body of a rule. They cannot be facts or
heads, and rules cannot be nested. `(<= (or a b) c)` is not a rule; a disjunction in the head
has no meaning in GDL. A conjunction there can be written as one rule for each part.",
};

static INFIX: Code = Code {
    id: "G011",
    level: Level::Error,
    title: "infix notation instead of KIF",
    explanation: "\
The file is written in the infix form of GDL, `legal(x, mark(1)) :- true(control(x))`. Senet
reads the prefix form (KIF), which all game servers exchange:

    (<= (legal x (mark 1)) (true (control x)))",
};

/// The codes of the findings of [`parse`].
pub fn codes() -> [&'static Code; 11] {
    [
        &tree::UNCLOSED,
        &tree::UNOPENED,
        &NOT_UTF8,
        &TOO_DEEP,
        &EMPTY_LIST,
        &MALFORMED_RULE,
        &NOT_A_NAME,
        &CONNECTIVE_ARGUMENTS,
        &VARIABLE_AS_SENTENCE,
        &MISPLACED_CONNECTIVE,
        &INFIX,
    ]
}

/// Reads a rulesheet from bytes that may or may not be UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Description {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(_) => parse(&String::from_utf8_lossy(bytes)),
    }
}

/// Reads a rulesheet: everything that can be understood, with [findings](Description::findings) for the rest.
pub fn parse(text: &str) -> Description {
    let (tree, findings) = tree::read(text);
    // A name is new every fifty characters or so.
    let symbols = Interner::with_capacity(text.len() / 50);
    let mut parser = Parser::new(text, &tree, symbols, findings);
    let clauses = match tree.infix_operator(text) {
        Some(span) => {
            parser.report(&INFIX, span, "this is the infix form of GDL", "`:-` is not part of KIF");
            Vec::new()
        }
        None => {
            let mut clauses = Vec::with_capacity(tree.roots.len());
            clauses.extend(tree.roots.iter().filter_map(|&root| parser.clause(root)));
            clauses
        }
    };
    let Parser { symbols, findings, .. } = parser;
    Description::new(text.to_owned(), symbols, clauses, findings)
}

/// Why a text is not one ground term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermError(String);

impl std::fmt::Display for TermError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TermError {}

/// Reads one ground term, such as a move on the wire, in any spacing and case.
///
/// ```
/// let mut names = senet_gdl::Interner::default();
/// let term = senet_gdl::parse_term("(mark 1  2)", &mut names)?;
/// let mut text = String::new();
/// senet_gdl::write_term(&mut text, &term, &names, &[]);
/// assert_eq!(text, "(mark 1 2)");
/// # Ok::<(), senet_gdl::TermError>(())
/// ```
pub fn parse_term(text: &str, symbols: &mut Interner) -> Result<Term, TermError> {
    let (tree, findings) = tree::read(text);
    let mut parser = Parser::new(text, &tree, std::mem::take(symbols), findings);
    let term = match tree.roots[..] {
        [root] => parser.term(root, 1),
        _ => None,
    };
    *symbols = parser.symbols;
    if let Some(found) = parser.findings.sorted().kept().first() {
        return Err(TermError(found.message.clone()));
    }
    match term {
        Some(term) if term.is_ground() => Ok(term),
        Some(_) => Err(TermError(format!("`{text}` has a variable in it"))),
        None => Err(TermError(format!("`{text}` is not one term"))),
    }
}

/// The canonical text of one ground term: lower case, single spaces, `(p)` as `p`.
///
/// ```
/// assert_eq!(senet_gdl::canonical("( MARK 2   2 )").unwrap(), "(mark 2 2)");
/// assert_eq!(senet_gdl::canonical("(noop)").unwrap(), "noop");
/// assert!(senet_gdl::canonical("(mark ?x 2)").is_err());
/// ```
pub fn canonical(text: &str) -> Result<String, TermError> {
    let mut symbols = Interner::default();
    let term = parse_term(text, &mut symbols)?;
    let mut out = String::new();
    crate::write_term(&mut out, &term, &symbols, &[]);
    Ok(out)
}

struct Parser<'a> {
    text: &'a str,
    tree: &'a Tree,
    symbols: Interner,
    /// The variables of the clause being read.
    variables: Vec<Symbol>,
    /// The number that each variable had in the last clause with it.
    variable_ids: Vec<VarId>,
    findings: Findings,
    has_unreadable_bytes: bool,
    said_too_deep: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tree: &'a Tree, symbols: Interner, findings: Findings) -> Self {
        Self {
            text,
            tree,
            symbols,
            variables: Vec::new(),
            variable_ids: Vec::new(),
            findings,
            has_unreadable_bytes: text.contains(char::REPLACEMENT_CHARACTER),
            said_too_deep: false,
        }
    }

    fn report(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        here: impl Into<String>,
    ) {
        self.findings.add(code, || Diagnostic::new(code, span, message).here(here));
    }

    fn clause(&mut self, node: NodeId) -> Option<Clause> {
        self.variables.clear();
        let span = self.tree.span(node);
        let rule = self.tree.list(node).and_then(|mut elements| {
            let first = elements.next()?;
            (self.tree.word(self.text, first) == Some("<=")).then_some(elements)
        });
        let (head, body) = if let Some(mut elements) = rule {
            let Some(head) = elements.next() else {
                self.report(
                    &MALFORMED_RULE,
                    span,
                    "this rule has no head",
                    "expected `(<= HEAD CONDITION …)`",
                );
                return None;
            };
            let head = self.atom(head, 1);
            let body = self.read_all(elements, |parser, condition| parser.formula(condition, 1));
            (head?, body?)
        } else {
            (self.atom(node, 0)?, Vec::new())
        };
        Some(Clause { head, body, variables: self.variables.clone(), span })
    }

    fn formula(&mut self, node: NodeId, depth: usize) -> Option<Formula> {
        let span = self.tree.span(node);
        let Some(mut args) = self.tree.list(node) else {
            return self.atom(node, depth).map(Formula::Atom);
        };
        let connective = args
            .next()
            .and_then(|first| self.tree.word(self.text, first))
            .and_then(Keyword::connective)
            .filter(|&keyword| keyword != Keyword::If);
        let Some(connective) = connective else {
            return self.atom(node, depth).map(Formula::Atom);
        };
        if depth >= MAX_DEPTH {
            self.too_deep(span);
            return None;
        }
        let mut rest = args.clone();
        match (connective, rest.next(), rest.next(), rest.next()) {
            (Keyword::Not, Some(inner), None, _) => {
                Some(Formula::Not(Box::new(self.formula(inner, depth + 1)?), span))
            }
            (Keyword::Distinct, Some(left), Some(right), None) => {
                let (left, right) = (self.term(left, depth + 1), self.term(right, depth + 1));
                Some(Formula::Distinct(left?, right?, span))
            }
            (Keyword::Not | Keyword::Distinct, ..) => {
                let (name, needs) = match connective {
                    Keyword::Not => ("not", "one formula"),
                    _ => ("distinct", "two terms"),
                };
                let message = format!("`{name}` takes {needs}, not {}", args.count());
                self.report(&CONNECTIVE_ARGUMENTS, span, message, format!("expected {needs}"));
                None
            }
            _ => {
                let parts = self.read_all(args, |parser, part| parser.formula(part, depth + 1))?;
                Some(if connective == Keyword::Or {
                    Formula::Or(parts, span)
                } else {
                    Formula::And(parts, span)
                })
            }
        }
    }

    fn atom(&mut self, node: NodeId, depth: usize) -> Option<Atom> {
        let span = self.tree.span(node);
        let (name_node, args) = match self.tree.list(node) {
            None => (node, Elements::default()),
            Some(mut elements) => match elements.next() {
                Some(first) => (first, elements),
                None => {
                    self.report(&EMPTY_LIST, span, "empty parentheses", "a relation is needed here");
                    return None;
                }
            },
        };
        let name_span = self.tree.span(name_node);
        let name = self.tree.word(self.text, name_node);
        let word = match name {
            Some(word) if word.starts_with('?') && name_node == node => {
                let message = format!("the variable `{word}` stands where a relation is needed");
                self.report(&VARIABLE_AS_SENTENCE, span, message, "not a relation");
                return None;
            }
            Some(word) if !word.starts_with('?') => word,
            _ => return self.not_a_name(name_node),
        };
        if let Some(keyword) = Keyword::connective(word) {
            let message = format!("`{}` cannot stand here", keyword.text());
            self.report(&MISPLACED_CONNECTIVE, name_span, message, "a relation is needed here");
            return None;
        }
        let relation = self.symbol(name_node, word)?;
        let args = self.terms(args, depth + 1)?;
        Some(Atom { relation, args, span })
    }

    fn terms(&mut self, nodes: Elements, depth: usize) -> Option<Vec<Term>> {
        self.read_all(nodes, |parser, node| parser.term(node, depth))
    }

    /// Reads every node even when one is wrong, so that all errors show at once.
    fn read_all<T>(
        &mut self,
        nodes: Elements,
        read: impl Fn(&mut Self, NodeId) -> Option<T>,
    ) -> Option<Vec<T>> {
        let n_nodes = nodes.clone().count();
        let mut all = Vec::with_capacity(n_nodes);
        for node in nodes {
            if let Some(read) = read(self, node) {
                all.push(read);
            }
        }
        (all.len() == n_nodes).then_some(all)
    }

    fn term(&mut self, node: NodeId, depth: usize) -> Option<Term> {
        let span = self.tree.span(node);
        if depth > MAX_DEPTH {
            self.too_deep(span);
            return None;
        }
        let kind = match self.tree.list(node) {
            None => {
                let word = self.tree.word(self.text, node).expect("what is no list is a word");
                let symbol = self.symbol(node, word)?;
                if word.starts_with('?') {
                    TermKind::Variable(self.variable(symbol))
                } else {
                    TermKind::Constant(symbol)
                }
            }
            Some(mut elements) => {
                let Some(first) = elements.next() else {
                    self.report(&EMPTY_LIST, span, "empty parentheses", "a term is needed here");
                    return None;
                };
                let name = self.tree.word(self.text, first).filter(|word| !word.starts_with('?'));
                let Some(name) = name else { return self.not_a_name(first) };
                let function = self.symbol(first, name)?;
                let args = self.terms(elements, depth + 1)?;
                if args.is_empty() {
                    TermKind::Constant(function)
                } else {
                    TermKind::Function(function, args)
                }
            }
        };
        Some(Term { kind, span })
    }

    fn symbol(&mut self, node: NodeId, word: &str) -> Option<Symbol> {
        if self.has_unreadable_bytes && word.contains(char::REPLACEMENT_CHARACTER) {
            self.report(&NOT_UTF8, self.tree.span(node), "this is not text in UTF-8", "unreadable bytes");
            return None;
        }
        Some(self.symbols.intern(word))
    }

    fn variable(&mut self, name: Symbol) -> VarId {
        if self.variable_ids.len() <= name.index() {
            self.variable_ids.resize(name.index() + 1, VarId::new(0));
        }
        let id = &mut self.variable_ids[name.index()];
        // A number from another clause does not lead back to the name.
        if self.variables.get(id.index()) != Some(&name) {
            *id = VarId::new(self.variables.len());
            self.variables.push(name);
        }
        *id
    }

    fn not_a_name<T>(&mut self, node: NodeId) -> Option<T> {
        let message = "a list begins with a name";
        self.report(
            &NOT_A_NAME,
            self.tree.span(node),
            message,
            "expected the name of a relation or function",
        );
        None
    }

    fn too_deep(&mut self, span: Span) {
        // One finding is enough: what is nested so deep once is a file gone wrong.
        if !std::mem::replace(&mut self.said_too_deep, true) {
            let message = format!("parentheses are nested more than {MAX_DEPTH} deep");
            self.report(
                &TOO_DEEP,
                Span { start: span.start, end: span.start + 1 },
                message,
                "too deep from here",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Vec<String> {
        let description = parse(text);
        assert_eq!(description.findings(), [], "{text}");
        description.clauses.iter().map(|clause| description.show_clause(clause)).collect()
    }

    fn found(text: &str) -> Vec<(&'static str, String)> {
        let shown = |found: &Diagnostic| (found.code.id, text[found.primary.span.range()].to_owned());
        parse(text).findings().iter().map(shown).collect()
    }

    #[test]
    fn facts_rules_and_propositions() {
        assert_eq!(
            printed("(Role X) (TERMINAL) terminal (<= (p)) (<= (p a) (NOT (q b)) (DISTINCT a ?X))"),
            ["(role x)", "terminal", "terminal", "p", "(<= (p a) (not (q b)) (distinct a ?x))"]
        );
    }

    #[test]
    fn connectives_nest() {
        let rule = "(<= p (or) (or q) (and (or q (not (not r))) (not (or a b))))";
        assert_eq!(printed(rule), [rule]);
    }

    #[test]
    fn not_is_a_constant_inside_terms() {
        assert_eq!(printed("(gate not a (not b))"), ["(gate not a (not b))"]);
    }

    #[test]
    fn numbers_are_names() {
        let description = parse("(p 01 1)");
        assert_ne!(description.symbols.get("01"), description.symbols.get("1"));
    }

    #[test]
    fn every_error_of_a_file_is_found() {
        assert_eq!(
            found(
                "(<= ?x) (p ()) (<=) ((q) a) (?r a) (<= (or a b) c) (<= p (not a b) (distinct a)) (not p) (ok)"
            ),
            [
                ("G009", "?x"),
                ("G005", "()"),
                ("G006", "(<=)"),
                ("G007", "(q)"),
                ("G007", "?r"),
                ("G010", "or"),
                ("G008", "(not a b)"),
                ("G008", "(distinct a)"),
                ("G010", "not"),
            ]
            .map(|(code, text)| (code, text.to_owned()))
        );
    }

    #[test]
    fn nesting_is_bounded_and_said_once() {
        let nest = |depth: usize| format!("(p {}a{})", "(s ".repeat(depth), ")".repeat(depth));
        assert_eq!(found(&nest(MAX_DEPTH - 1)), []);
        let codes: Vec<_> = found(&nest(100_000)).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["G004"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_allowed_in_comments_only() {
        assert_eq!(parse_bytes(b"(p) ; caf\xe9\n(q)").findings(), []);
        let description = parse_bytes(b"(p caf\xe9) (q)");
        let codes: Vec<_> = description.findings().iter().map(|found| found.code.id).collect();
        assert_eq!(codes, ["G003"]);
        assert_eq!(description.clauses.len(), 1);
    }

    #[test]
    fn infix_notation_is_recognised() {
        assert_eq!(found("role(x)\nterminal :- true(step(4))"), [("G011", ":-".to_owned())]);
    }

    #[test]
    fn findings_beyond_a_thousand_are_counted() {
        let description = parse(&"() (<=) ".repeat(1_200));
        assert_eq!(description.findings().len(), 2_000);
        let mut counts: Vec<_> =
            description.finding_counts().iter().map(|(code, count)| (code.id, *count)).collect();
        counts.sort_unstable();
        assert_eq!(counts, [("G005", 1_200), ("G006", 1_200)]);
    }

    #[test]
    fn a_selection_of_clauses_has_no_findings() {
        let description = parse("(p a) (q ()) (r b) (s c) (t");
        assert_eq!((description.findings().len(), description.clauses.len()), (2, 3));
        let selected = description.select(|clause_idx| clause_idx != 1);
        let clauses: Vec<_> = selected.clauses.iter().map(|clause| selected.show_clause(clause)).collect();
        assert_eq!((selected.findings(), clauses), (&[][..], vec!["(p a)".to_owned(), "(s c)".to_owned()]));
    }

    #[test]
    fn terms_from_the_wire() {
        assert_eq!(canonical(" (Mark 1 (F  x)) ; c").as_deref(), Ok("(mark 1 (f x))"));
        for bad in ["", "(", "a b", "()", "?x", "(f ?x)", ")"] {
            assert!(canonical(bad).is_err(), "{bad}");
        }
    }
}
