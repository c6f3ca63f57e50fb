//! Tokens to a tree of lists and words, kept flat so that no nesting of the
//! input can exhaust the stack, not even when the tree is dropped.

use crate::diagnostic::Findings;
use crate::lex::{TokenKind, tokens};
use crate::{Code, Diagnostic, Level, Span};

pub(crate) static UNCLOSED: Code = Code {
    id: "G001",
    level: Level::Error,
    title: "a parenthesis is never closed",
    explanation: "\
An opening parenthesis has no closing one. The file may be cut off, or one `)` is missing
somewhere after the place shown. The rule it begins is left out.

    (<= (legal x (mark ?n)
        (true (cell ?n blank)))

Here `(legal` is closed too late: write `(legal x (mark ?n))`. Because `<=` can only begin a
rule, a `(<=` inside another form also shows that the form before it was left open.",
};

pub(crate) static UNOPENED: Code = Code {
    id: "G002",
    level: Level::Error,
    title: "a closing parenthesis has nothing to close",
    explanation: "\
There is one `)` more than there are `(`. The rule before it is read up to its own end, which
may be earlier than its author meant: nothing after that end belongs to it any more.

    (<= terminal (true (step 10))))

Remove the parenthesis, or find the one that closes too early.",
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    span: Span,
    is_list: bool,
    /// One past its last descendant: what comes next at its level, if anything does.
    end: NodeId,
}

/// The lists and words of a text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// In the order of the text: each list is followed by what is in it.
    nodes: Vec<Node>,
    /// The top-level forms in order.
    pub(crate) roots: Vec<NodeId>,
    /// The comments in order.
    pub(crate) comments: Vec<Span>,
}

/// The elements of a list that are still to come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elements<'t> {
    nodes: &'t [Node],
    next: u32,
    end: u32,
}

impl Iterator for Elements<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let element = NodeId(self.next);
        (self.next < self.end).then(|| {
            self.next = self.nodes[element.index()].end.0;
            element
        })
    }
}

impl Tree {
    pub(crate) fn span(&self, node: NodeId) -> Span {
        self.nodes[node.index()].span
    }

    /// The elements of a list; `None` for a word.
    pub(crate) fn list(&self, node: NodeId) -> Option<Elements<'_>> {
        let Node { is_list, end, .. } = self.nodes[node.index()];
        is_list.then_some(Elements { nodes: &self.nodes, next: node.0 + 1, end: end.0 })
    }

    /// The text of a word; `None` for a list.
    pub(crate) fn word<'text>(&self, text: &'text str, node: NodeId) -> Option<&'text str> {
        let Node { is_list, span, .. } = self.nodes[node.index()];
        (!is_list).then(|| &text[span.range()])
    }

    /// A `:-` behind something on its line: the text is no KIF. Alone it is a proposition with an odd name.
    pub(crate) fn infix_operator(&self, text: &str) -> Option<Span> {
        let is_infix = |pair: &&[NodeId]| {
            let between = self.span(pair[0]).range().end..self.span(pair[1]).range().start;
            self.word(text, pair[1]) == Some(":-") && !text[between].contains(['\n', '\r'])
        };
        self.roots.windows(2).find(is_infix).map(|pair| self.span(pair[1]))
    }

    fn add(&mut self, span: Span, is_list: bool) -> NodeId {
        // There are fewer nodes than bytes, whose places fit as well.
        let id = self.next();
        self.nodes.push(Node { span, is_list, end: NodeId(id.0 + 1) });
        id
    }

    /// The node that will be added next.
    fn next(&self) -> NodeId {
        NodeId(self.nodes.len() as u32)
    }
}

/// Reads the tree of `text`. A form left open is reported once and left out.
pub(crate) fn read(text: &str) -> (Tree, Findings) {
    // About what rulesheets need: names have four letters, and there is a list to two names.
    let mut tree = Tree { nodes: Vec::with_capacity(text.len() / 6), ..Tree::default() };
    let mut findings = Findings::default();
    // The lists whose end has not been seen. Until then their place is that of the parenthesis.
    let mut open: Vec<NodeId> = Vec::new();
    for token in tokens(text) {
        match token.kind {
            TokenKind::Comment => tree.comments.push(token.span),
            TokenKind::Open => open.push(tree.add(token.span, true)),
            TokenKind::Word => {
                let word = tree.add(token.span, false);
                let begins_rule = &text.as_bytes()[token.span.range()] == b"<="
                    && open.len() > 1
                    && open.last().is_some_and(|list| list.0 + 1 == word.0);
                if begins_rule {
                    let rule = open.pop().expect("the list that `<=` begins");
                    findings.add(&UNCLOSED, || {
                        unclosed(&tree, &open).label(tree.span(rule), "the next rule begins here")
                    });
                    open.clear();
                    open.push(rule);
                }
                if open.is_empty() {
                    tree.roots.push(word);
                }
            }
            TokenKind::Close => {
                let Some(list) = open.pop() else {
                    findings.add(&UNOPENED, || unopened(text, &tree, token.span));
                    continue;
                };
                let end = tree.next();
                let node = &mut tree.nodes[list.index()];
                node.span.end = token.span.end;
                node.end = end;
                if open.is_empty() {
                    tree.roots.push(list);
                }
            }
        }
    }
    if !open.is_empty() {
        findings.add(&UNCLOSED, || unclosed(&tree, &open));
    }
    (tree, findings)
}

fn unclosed(tree: &Tree, open: &[NodeId]) -> Diagnostic {
    let (&outermost, inner) = open.split_first().expect("called when a list is open");
    let mut diagnostic = Diagnostic::new(&UNCLOSED, tree.span(outermost), "this parenthesis is never closed")
        .here("opened here")
        .help("add the missing `)`, or restore the end of the file if it was cut off");
    // The innermost few are where a person would look; a megabyte of `(` must not print a megabyte.
    for &list in inner.iter().rev().take(3).rev() {
        diagnostic = diagnostic.label(tree.span(list), "open as well");
    }
    diagnostic
}

fn unopened(text: &str, tree: &Tree, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(&UNOPENED, span, "this parenthesis closes nothing")
        .here("nothing is open here")
        .help("remove it, or look for a parenthesis that closes too early");
    match tree.roots.last() {
        Some(&form) => {
            let end = tree.span(form).range().end;
            let last_character = Span::new(text.floor_char_boundary(end - 1), end);
            diagnostic.label(last_character, "the form before it ended here")
        }
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<(&'static str, u32)> {
        read(text).1.sorted().kept().iter().map(|found| (found.code.id, found.primary.span.start)).collect()
    }

    #[test]
    fn a_cut_off_file_has_one_error_at_the_form_left_open() {
        assert_eq!(codes("(p) (<= (q ?x) (r (s"), [("G001", 4)]);
    }

    #[test]
    fn a_rule_left_open_does_not_swallow_the_next() {
        let text = "(<= (p ?x) (q ?x) (<= (r ?x) (q ?x)) (s)";
        assert_eq!(codes(text), [("G001", 0)]);
        assert_eq!(read(text).0.roots.len(), 2);
    }

    #[test]
    fn an_extra_parenthesis_is_reported_and_passed_over() {
        assert_eq!(codes("(p)) (q)"), [("G002", 3)]);
        assert_eq!(read("(p)) (q)").0.roots.len(), 2);
    }

    #[test]
    fn places_are_whole_characters() {
        let text = "é) (p";
        for found in read(text).1.sorted().kept() {
            for label in found.labels.iter().chain([&found.primary]) {
                assert!(text.get(label.span.range()).is_some(), "{label:?}");
            }
        }
    }

    #[test]
    fn a_megabyte_of_parentheses_is_one_error() {
        assert_eq!(codes(&"(".repeat(1 << 20)), [("G001", 0)]);
        let (tree, found) = read(&("(".repeat(1 << 20) + &")".repeat(1 << 20)));
        assert!(found.kept().is_empty() && tree.roots.len() == 1);
    }
}
