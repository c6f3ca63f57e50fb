//! Tests of findings, written into the rulesheet they are about.

/// Checks that the findings with one of these codes are exactly those marked in the text. A mark
/// is a comment below the line it is about:
///
/// ```text
/// (<= (p ?x) (q ?y))
/// ;      ^^ G201 the beginning of the message
/// ```
///
/// A comment with a code and no carets, `; G401`, marks a finding about the sheet as a whole.
pub(crate) fn assert_findings(codes: &[&str], text: &str) {
    let description = senet_gdl::parse(text);
    let analysis = crate::analyze(&description, false);
    let mut found: Vec<_> =
        analysis.diagnostics.iter().filter(|found| codes.contains(&found.code.id)).collect();
    let mut wrong = Vec::new();
    for mark in marks(text) {
        let matching = found.iter().position(|found| {
            let span = found.primary.span.range();
            let end_of_line = text[span.start..].find('\n').map_or(text.len(), |at| span.start + at);
            found.code.id == mark.code
                && (span.start, span.end.min(end_of_line)) == (mark.start, mark.end)
                && found.message.starts_with(mark.message)
        });
        match matching {
            Some(at) => {
                found.remove(at);
            }
            None => wrong.push(format!("missing {} at `{}`", mark.code, &text[mark.start..mark.end])),
        }
    }
    wrong.extend(found.into_iter().map(|found| {
        format!("unexpected {} at `{}`: {}", found.code.id, &text[found.primary.span.range()], found.message)
    }));
    assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
}

/// The only finding with this code.
pub(crate) fn the_finding(code: &str, text: &str) -> senet_gdl::Diagnostic {
    let description = senet_gdl::parse(text);
    let found = crate::analyze(&description, false).diagnostics;
    let mut found = found.into_iter().filter(|found| found.code.id == code);
    let first = found.next().unwrap_or_else(|| panic!("no {code} in {text}"));
    assert_eq!(found.next(), None, "one {code} only");
    first
}

struct Mark<'t> {
    start: usize,
    end: usize,
    code: &'t str,
    message: &'t str,
}

fn marks(text: &str) -> impl Iterator<Item = Mark<'_>> {
    let mut line_start = 0;
    let mut marked_line = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = line_start;
        line_start += line.len();
        let Some(comment) = line.trim_end().strip_prefix(';') else {
            marked_line = start;
            return None;
        };
        let words = comment.trim_start_matches([' ', '^']);
        let (code, message) = words.split_once(' ').unwrap_or((words, ""));
        let is_code = code.len() == 4 && code[1..].bytes().all(|byte| byte.is_ascii_digit());
        let Some(first) = line.find('^').filter(|_| is_code) else {
            return is_code.then_some(Mark { start: 0, end: 0, code, message });
        };
        let width = line[first..].bytes().take_while(|&byte| byte == b'^').count();
        Some(Mark { start: marked_line + first, end: marked_line + first + width, code, message })
    })
}
