//! The pretty form: layout made uniform, words and comments kept as written.

use crate::tree::{self, NodeId, Tree};
use crate::{MAX_DEPTH, Span};

const WIDTH: usize = 100;

/// Lays out a rulesheet. Forms that stand on one line stay together where
/// they fit; a rule written over several lines gets a condition a line; comments
/// and paragraphs are kept. Only KIF that is well parenthesised can be laid
/// out: `None` otherwise.
///
/// ```
/// let text = "(<= (p   ?x)\n (q ?x) ) ; why\n\n\n\n(q  a) (q b)";
/// assert_eq!(senet_gdl::format(text).unwrap(), "(<= (p ?x)\n    (q ?x)) ; why\n\n(q a) (q b)\n");
/// ```
pub fn format(text: &str) -> Option<String> {
    let (tree, findings) = tree::read(text);
    let too_deep = || tree.roots.iter().any(|&root| depth(&tree, root) > MAX_DEPTH);
    if !findings.kept().is_empty() || tree.infix_operator(text).is_some() || too_deep() {
        return None;
    }
    let mut layout = Layout { text, tree: &tree, next_comment: 0, out: String::new(), at_line_start: true };
    let mut end_of_last = 0;
    for &root in &tree.roots {
        let span = tree.span(root);
        if layout.fits_behind_last(root, end_of_last) {
            layout.push(" ");
        } else {
            layout.new_line();
            end_of_last = layout.comments_until(span.start as usize, end_of_last, 0);
            layout.keep_paragraph(end_of_last, span.start as usize);
        }
        layout.form(root, 0);
        end_of_last = layout.trailing_comment(span.end as usize);
    }
    layout.new_line();
    layout.comments_until(text.len(), end_of_last, 0);
    Some(layout.out)
}

/// Depth of nesting, without recursion, so that it can be asked of any tree.
fn depth(tree: &Tree, root: NodeId) -> usize {
    let mut deepest = 0;
    let mut pending = vec![(root, 1)];
    while let Some((node, depth)) = pending.pop() {
        deepest = deepest.max(depth);
        if depth <= MAX_DEPTH {
            pending.extend(tree.list(node).into_iter().flatten().map(|child| (child, depth + 1)));
        }
    }
    deepest
}

fn is_space_in_line(c: char) -> bool {
    c.is_whitespace() && c != '\n' && c != '\r'
}

struct Layout<'a> {
    text: &'a str,
    tree: &'a Tree,
    next_comment: usize,
    out: String,
    at_line_start: bool,
}

impl Layout<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.at_line_start = false;
    }

    fn new_line(&mut self) {
        if !self.at_line_start {
            self.out.push('\n');
            self.at_line_start = true;
        }
    }

    fn indent(&mut self, columns: usize) {
        self.new_line();
        self.out.extend(std::iter::repeat_n(' ', columns));
        self.at_line_start = false;
    }

    /// An empty line in the source between two places stays one empty line.
    fn keep_paragraph(&mut self, from: usize, to: usize) {
        let between = &self.text[from..to];
        let lines = between.bytes().filter(|&byte| byte == b'\n').count().max(between.matches('\r').count());
        let needed = if self.at_line_start && from > 0 && !self.out.is_empty() { 2 } else { usize::MAX };
        if lines >= needed {
            self.out.push('\n');
        }
    }

    /// Whether a form stood on the line of the one before it and still has room there.
    fn fits_behind_last(&self, root: NodeId, end_of_last: usize) -> bool {
        let start = self.tree.span(root).start as usize;
        let same_line = end_of_last > 0 && self.text[end_of_last..start].chars().all(is_space_in_line);
        let column = self.out.len() - self.out.rfind('\n').map_or(0, |at| at + 1);
        let is_whole = !self.at_line_start && !self.has_comment(root) && !self.is_spread_rule(root);
        same_line && is_whole && self.flat(root, WIDTH.saturating_sub(column + 1)).is_some()
    }

    fn has_comment(&self, node: NodeId) -> bool {
        self.comment().is_some_and(|comment| comment.start < self.tree.span(node).end)
    }

    /// A rule that its author wrote over several lines.
    fn is_spread_rule(&self, node: NodeId) -> bool {
        let name = self.tree.list(node).and_then(|mut elements| elements.next());
        let is_rule = name.is_some_and(|name| self.tree.word(self.text, name) == Some("<="));
        is_rule && self.text[self.tree.span(node).range()].contains(['\n', '\r'])
    }

    fn comment(&self) -> Option<Span> {
        self.tree.comments.get(self.next_comment).copied()
    }

    /// Prints the comments before `until`, each on its own line; returns where the last one ended.
    fn comments_until(&mut self, until: usize, mut from: usize, indent: usize) -> usize {
        while let Some(comment) = self.comment().filter(|comment| (comment.start as usize) < until) {
            self.new_line();
            self.keep_paragraph(from, comment.start as usize);
            self.indent(indent);
            let text = self.text[comment.range()].trim_end();
            self.push(text);
            self.new_line();
            from = comment.end as usize;
            self.next_comment += 1;
        }
        from
    }

    /// A comment on the line where a form ends stays there.
    fn trailing_comment(&mut self, end: usize) -> usize {
        let Some(comment) = self.comment() else { return end };
        let between = self.text.get(end..comment.start as usize);
        if between.is_some_and(|between| between.chars().all(is_space_in_line)) {
            self.push(" ");
            let text = self.text[comment.range()].trim_end();
            self.push(text);
            self.next_comment += 1;
            return comment.end as usize;
        }
        end
    }

    fn form(&mut self, node: NodeId, column: usize) {
        let span = self.tree.span(node);
        let is_broken = self.has_comment(node) || self.is_spread_rule(node);
        let flat = if is_broken { None } else { self.flat(node, WIDTH.saturating_sub(column)) };
        if let Some(flat) = flat {
            self.push(&flat);
            return;
        }
        let Some(elements) = self.tree.list(node) else {
            self.push(&self.text[span.range()]);
            return;
        };
        self.push("(");
        // The name and, where it fits, the head of a rule stand on the first line.
        let name_length = elements.clone().next().map_or(0, |name| {
            let length = self.tree.span(name).range().len();
            if self.tree.word(self.text, name).is_some() { length } else { WIDTH }
        });
        // Nested beyond reading, forms no longer move to the right: indentation must not outgrow the text.
        let inner = (column + if name_length <= 8 { name_length + 2 } else { 2 }).min(WIDTH / 2);
        let mut last_end = span.start as usize + 1;
        let mut after_comment = false;
        for (index, element) in elements.enumerate() {
            let start = self.tree.span(element).start as usize;
            let comments = self.next_comment;
            self.comments_until(start, last_end, inner);
            after_comment |= self.next_comment > comments;
            match index {
                0 if !after_comment => {}
                1 if !after_comment && name_length <= 8 => self.push(" "),
                _ => self.indent(inner),
            }
            self.form(element, inner);
            let comments = self.next_comment;
            last_end = self.trailing_comment(self.tree.span(element).end as usize);
            after_comment = self.next_comment > comments;
        }
        let comments = self.next_comment;
        self.comments_until(span.end as usize, last_end, inner);
        if after_comment || self.next_comment > comments {
            self.indent(column);
        }
        self.push(")");
    }

    /// The form on one line, if it is not wider than `width`.
    fn flat(&self, node: NodeId, width: usize) -> Option<String> {
        let mut out = String::new();
        self.write_flat(node, width, &mut out)?;
        Some(out)
    }

    fn write_flat(&self, node: NodeId, width: usize, out: &mut String) -> Option<()> {
        match self.tree.list(node) {
            None => out.push_str(&self.text[self.tree.span(node).range()]),
            Some(elements) => {
                out.push('(');
                for (index, element) in elements.enumerate() {
                    if index > 0 {
                        out.push(' ');
                    }
                    self.write_flat(element, width, out)?;
                }
                out.push(')');
            }
        }
        (out.len() <= width).then_some(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_rules_get_a_condition_a_line() {
        let condition = "(true (cell ?some_column ?some_row ?some_content))";
        let text = format!("(<= (legal x (mark ?a)) {condition} {condition})");
        let expected = format!("(<= (legal x (mark ?a))\n    {condition}\n    {condition})\n");
        assert_eq!(super::format(&text).unwrap(), expected);
    }

    #[test]
    fn comments_stay_with_what_they_speak_of() {
        let text =
            "; top\n\n(p) ; after p\n; before q\n(<= q ; head\n  ; first\n  (a)\n (b)\n ; end\n)\n; last";
        let expected = "; top\n\n(p) ; after p\n; before q\n(<= q ; head\n    ; first\n    (a)\n    (b)\n    ; end\n)\n; last\n";
        assert_eq!(super::format(text).unwrap(), expected);
    }

    #[test]
    fn formatting_twice_changes_nothing() {
        for text in [
            "(<= a\n(b)) (<= c (d)) (e)",
            "(a) (b)\n\n\n(c);x\n;y",
            "(p ;1\n;2\n)",
            "word",
            "",
            "; only",
            "(()((a) b))",
        ] {
            let once = super::format(text).unwrap();
            assert_eq!(super::format(&once).unwrap(), once, "{text}");
        }
    }

    #[test]
    fn broken_parentheses_are_left_alone() {
        assert_eq!(super::format("(p"), None);
        assert_eq!(super::format(&("(".repeat(5000) + &")".repeat(5000))), None);
    }
}
