//! The languages as text. MINI-GDL and NORMAL-GDL are printed as rulesheets that mean the same game.

use crate::inverted::{Inverted, Trigger};
use crate::names::unique_names;
use crate::normal::Normal;
use crate::strata::Strata;
use senet_gdl::Interner;
use senet_rules::{Atom, Literal, Pattern, Rule, RuleSet};
use std::fmt::Write;

/// The rules as a rulesheet in MINI-GDL; `symbols` are those of the analysed program.
pub fn mini_text(rule_set: &RuleSet, symbols: &Interner) -> String {
    let mut printer = Printer::new(
        rule_set,
        symbols,
        "; MINI-GDL: the rules that the game needs, without `or` and equality.\n\
         ; A relation that is derived in several contexts has a name in each.\n",
    );
    let mut rules: Vec<&Rule> = rule_set.rules.iter().collect();
    rules.sort_by_key(|rule| rule.head.relation);
    printer.rules(rules.into_iter());
    printer.out
}

impl Normal {
    /// A rulesheet by stratum; `symbols` are those of the analysed program.
    pub fn to_text(&self, symbols: &Interner) -> String {
        let mut printer = Printer::new(
            &self.rule_set,
            symbols,
            "; NORMAL-GDL: a body has at most two literals, names ending in a number are intermediate relations.\n\
             ; What a rule negates is complete in the strata before its own.\n",
        );
        for (number, rules) in Strata::new(self).rules.iter().enumerate() {
            printer.heading(format_args!("stratum {number}"));
            printer.rules(rules.iter().map(|&rule| &self.rule_set.rules[rule]));
        }
        printer.out
    }
}

impl Inverted {
    /// For each stratum, what begins it, and for each relation what its facts trigger; `symbols` are those of the analysed
    /// program.
    pub fn to_text(&self, symbols: &Interner) -> String {
        let mut printer = Printer::new(
            &self.normal.rule_set,
            symbols,
            "; INVERTED-GDL: for each relation the rules that its facts trigger.\n\
             ; (on FACT (<= HEAD REST)): when the fact comes, this is what remains of a rule.\n",
        );
        for (number, stratum) in self.strata.iter().enumerate() {
            printer.heading(format_args!("stratum {number}"));
            printer.rules(stratum.begin.iter().map(|&rule| self.rule(rule)));
            for triggered in &stratum.triggered {
                let name = printer.names[triggered.by.index()].clone();
                printer.heading(format_args!("facts of {name}"));
                triggered.triggers.iter().for_each(|&trigger| printer.trigger(self, trigger));
            }
        }
        printer.out
    }
}

struct Printer<'a> {
    rule_set: &'a RuleSet,
    symbols: &'a Interner,
    names: Vec<String>,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(rule_set: &'a RuleSet, symbols: &'a Interner, header: &str) -> Printer<'a> {
        Printer { rule_set, symbols, names: unique_names(&rule_set.relations), out: header.to_owned() }
    }

    fn heading(&mut self, words: std::fmt::Arguments) {
        writeln!(self.out, "\n; --- {words} ---").expect("a string takes text");
    }

    /// A paragraph for each rule, and one for the facts of a relation that stand together.
    fn rules<'r>(&mut self, rules: impl Iterator<Item = &'r Rule>) {
        let mut facts_of = None;
        for rule in rules {
            let is_fact_of = rule.body.is_empty().then_some(rule.head.relation);
            if is_fact_of.is_none() || is_fact_of != facts_of {
                self.out.push('\n');
            }
            facts_of = is_fact_of;
            self.rule(rule, &rule.head, rule.body.iter(), "    ");
            self.out.push('\n');
        }
    }

    fn trigger(&mut self, inverted: &Inverted, trigger: Trigger) {
        let rule = inverted.rule(trigger.rule);
        self.out.push_str("\n(on ");
        self.atom(rule, inverted.fact(trigger));
        self.out.push_str("\n    ");
        self.rule(rule, inverted.head(trigger), inverted.rest(trigger).into_iter(), "        ");
        self.out.push_str(")\n");
    }

    fn rule<'r>(
        &mut self,
        rule: &Rule,
        head: &Atom,
        body: impl ExactSizeIterator<Item = &'r Literal>,
        indent: &str,
    ) {
        if body.len() == 0 {
            return self.atom(rule, head);
        }
        self.out.push_str("(<= ");
        self.atom(rule, head);
        for literal in body {
            self.out.push('\n');
            self.out.push_str(indent);
            self.literal(rule, literal);
        }
        self.out.push(')');
    }

    fn literal(&mut self, rule: &Rule, literal: &Literal) {
        match literal {
            Literal::Positive(atom) => self.atom(rule, atom),
            Literal::Negative(atom) => {
                self.out.push_str("(not ");
                self.atom(rule, atom);
                self.out.push(')');
            }
            Literal::Distinct(left, right) => {
                self.out.push_str("(distinct ");
                self.pattern(rule, left);
                self.out.push(' ');
                self.pattern(rule, right);
                self.out.push(')');
            }
        }
    }

    fn atom(&mut self, rule: &Rule, atom: &Atom) {
        let Printer { names, out, .. } = self;
        let name = &names[atom.relation.index()];
        if atom.args.is_empty() {
            out.push_str(name);
            return;
        }
        out.push('(');
        out.push_str(name);
        self.args(rule, &atom.args);
    }

    fn args(&mut self, rule: &Rule, args: &[Pattern]) {
        for arg in args {
            self.out.push(' ');
            self.pattern(rule, arg);
        }
        self.out.push(')');
    }

    fn pattern(&mut self, rule: &Rule, pattern: &Pattern) {
        match pattern {
            Pattern::Var(var) => self.out.push_str(self.symbols.name(rule.variables[*var as usize])),
            Pattern::Ground(term) => {
                let text = self.rule_set.terms.text(self.symbols, *term);
                // A value that the analysis made up may have a space in its name.
                let is_made_up = self.rule_set.terms.compound(*term).is_none() && text.contains(' ');
                self.out.push_str(&if is_made_up { text.replace(' ', "-") } else { text });
            }
            Pattern::App(functor, args) => {
                self.out.push('(');
                self.out.push_str(self.symbols.name(self.rule_set.terms.name_and_arity(*functor).0));
                self.args(rule, args);
            }
        }
    }
}
