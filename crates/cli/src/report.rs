//! Findings as people and programs read them.

use crate::excerpt::{clip, excerpts, shorten};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use senet_analysis::Analysis;
use senet_gdl::{Diagnostic, Label, LineIndex, Severity, Span};
use serde_json::{Value, json};
use std::collections::HashMap;

/// More findings than this are counted, not shown.
const MOST_SHOWN: usize = 50;

/// The same for those of one code: a file that is wrong in a thousand places is usually wrong in one way.
const MOST_OF_A_CODE: usize = 20;

/// A rulesheet with its findings.
pub(crate) struct Report<'a> {
    pub(crate) origin: &'a str,
    pub(crate) text: &'a str,
    pub(crate) analysis: &'a Analysis,
}

impl Report<'_> {
    fn severity(&self, found: &Diagnostic) -> Severity {
        found.severity(self.analysis.strict)
    }

    /// All findings of at least a severity, errors first, with their lines of source.
    pub(crate) fn render(&self, least: Severity, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        // A lone carriage return ends a line in GDL; the renderer knows only line feeds.
        let text = if self.text.contains('\r') { &self.text.replace('\r', "\n") } else { self.text };
        let lines = LineIndex::new(self.text);
        let mut findings: Vec<_> =
            self.analysis.diagnostics.iter().filter(|found| self.severity(found) <= least).collect();
        findings.sort_by_key(|found| self.severity(found));
        let mut counts = HashMap::new();
        findings.retain(|found| {
            let count = counts.entry(found.code.id).or_insert(0);
            *count += 1;
            *count <= MOST_OF_A_CODE
        });
        let mut out = String::new();
        for (at, found) in findings.iter().enumerate().take(MOST_SHOWN) {
            let is_last = findings[at + 1..].iter().all(|other| other.code != found.code);
            let n_more = self.analysis.count(found.code).saturating_sub(MOST_OF_A_CODE);
            let n_more = if is_last { n_more } else { 0 };
            out.push_str(&self.render_one(found, n_more, text, &lines, &renderer));
            out.push_str("\n\n");
        }
        if findings.len() > MOST_SHOWN {
            out.push_str(&format!("… and {} more\n\n", findings.len() - MOST_SHOWN));
        }
        out
    }

    /// One finding. `n_more` findings of its code are not shown.
    fn render_one(
        &self,
        found: &Diagnostic,
        n_more: usize,
        text: &str,
        lines: &LineIndex,
        renderer: &Renderer,
    ) -> String {
        let level = match self.severity(found) {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(shorten(&found.message)).id(found.code.id));
        for excerpt in excerpts(text, found.primary.span, found.labels.iter().map(|label| label.span)) {
            let (line, _) = lines.line_column(text, excerpt.start as u32);
            let annotations = std::iter::once((&found.primary, AnnotationKind::Primary))
                .chain(found.labels.iter().map(|label| (label, AnnotationKind::Context)))
                .filter(|(label, _)| (excerpt.start..=excerpt.end).contains(&(label.span.start as usize)))
                .map(|(label, kind)| {
                    let clipped = clip(label.span, &excerpt);
                    let annotation = kind.span(clipped);
                    if label.text.is_empty() { annotation } else { annotation.label(shorten(&label.text)) }
                });
            let snippet = Snippet::source(&text[excerpt.clone()])
                .line_start(line)
                .path(self.origin)
                .annotations(annotations);
            group = group.element(snippet);
        }
        for note in &found.notes {
            group = group.element(Level::NOTE.message(shorten(note)));
        }
        if n_more > 0 {
            group = group
                .element(Level::NOTE.message(format!("and {n_more} more findings of {}", found.code.id)));
        }
        if let Some(help) = &found.help {
            group = group.element(Level::HELP.message(shorten(help)));
        }
        renderer.render(&[group])
    }

    /// One object with everything a program needs.
    pub(crate) fn json(&self) -> Value {
        let lines = LineIndex::new(self.text);
        let place = |span: Span| {
            let (line, column) = lines.line_column(self.text, span.start);
            let (end_line, end_column) = lines.line_column(self.text, span.end);
            json!({
                "start": span.start, "end": span.end, "line": line, "column": column,
                "end_line": end_line, "end_column": end_column,
            })
        };
        let label = |label: &Label| json!({"place": place(label.span), "text": label.text});
        let diagnostics: Vec<_> = self
            .analysis
            .diagnostics
            .iter()
            .map(|found| {
                let fix = found.fix.as_ref();
                json!({
                    "code": found.code.id,
                    "severity": self.severity(found).word(),
                    "message": found.message,
                    "place": place(found.primary.span),
                    "label": found.primary.text,
                    "labels": found.labels.iter().map(label).collect::<Vec<_>>(),
                    "notes": found.notes,
                    "help": found.help,
                    "fix": fix.map(|fix| json!({"place": place(fix.span), "replacement": fix.replacement})),
                })
            })
            .collect();
        json!({
            "file": self.origin,
            "accepted": self.analysis.program.is_some(),
            "strict": self.analysis.strict,
            "errors": self.analysis.n_errors,
            "warnings": self.analysis.n_warnings,
            "diagnostics": diagnostics,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_findings_of_a_code_are_shown_and_the_rest_counted() {
        let text = format!("(role x) {} ()", "(<=) ".repeat(1_203));
        let description = senet_gdl::parse(&text);
        let analysis = senet_analysis::analyze(&description, false);
        let report = Report { origin: "many.kif", text: &text, analysis: &analysis };
        let shown = report.render(Severity::Error, false);
        assert_eq!(shown.matches("error[G006]").count(), 20);
        assert_eq!(shown.matches("and 1183 more findings of G006").count(), 1);
        assert_eq!(shown.matches("error[G005]").count(), 1);
    }
}
