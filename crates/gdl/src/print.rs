//! Canonical text: one line, lower case, single spaces, `(p)` as `p`.

use crate::{Atom, Clause, Description, Formula, Interner, Symbol, Term, TermKind};

/// Appends the canonical text of a term whose variables are named `variables`.
pub fn write_term(out: &mut String, term: &Term, symbols: &Interner, variables: &[Symbol]) {
    match &term.kind {
        TermKind::Variable(variable) => out.push_str(symbols.name(variables[variable.index()])),
        TermKind::Constant(symbol) => out.push_str(symbols.name(*symbol)),
        TermKind::Function(symbol, args) => write_list(out, symbols.name(*symbol), args, symbols, variables),
    }
}

fn write_list(out: &mut String, name: &str, args: &[Term], symbols: &Interner, variables: &[Symbol]) {
    out.push('(');
    out.push_str(name);
    for arg in args {
        out.push(' ');
        write_term(out, arg, symbols, variables);
    }
    out.push(')');
}

impl Description {
    /// The canonical text of a term of `clause`.
    pub fn show_term(&self, clause: &Clause, term: &Term) -> String {
        let mut out = String::new();
        write_term(&mut out, term, &self.symbols, &clause.variables);
        out
    }

    /// The canonical text of an atom of `clause`.
    pub fn show_atom(&self, clause: &Clause, atom: &Atom) -> String {
        let mut out = String::new();
        self.write_atom(&mut out, clause, atom);
        out
    }

    /// The canonical text of a clause.
    pub fn show_clause(&self, clause: &Clause) -> String {
        let mut out = String::new();
        if clause.body.is_empty() {
            self.write_atom(&mut out, clause, &clause.head);
            return out;
        }
        out.push_str("(<= ");
        self.write_atom(&mut out, clause, &clause.head);
        for formula in &clause.body {
            out.push(' ');
            self.write_formula(&mut out, clause, formula);
        }
        out.push(')');
        out
    }

    /// The canonical text of the whole rulesheet, a clause a line.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for clause in &self.clauses {
            out.push_str(&self.show_clause(clause));
            out.push('\n');
        }
        out
    }

    fn write_atom(&self, out: &mut String, clause: &Clause, atom: &Atom) {
        let name = self.name(atom.relation);
        if atom.args.is_empty() {
            out.push_str(name);
        } else {
            write_list(out, name, &atom.args, &self.symbols, &clause.variables);
        }
    }

    fn write_formula(&self, out: &mut String, clause: &Clause, formula: &Formula) {
        let (name, parts) = match formula {
            Formula::Atom(atom) => return self.write_atom(out, clause, atom),
            Formula::Distinct(left, right, _) => {
                out.push_str("(distinct ");
                write_term(out, left, &self.symbols, &clause.variables);
                out.push(' ');
                write_term(out, right, &self.symbols, &clause.variables);
                out.push(')');
                return;
            }
            Formula::Not(inner, _) => ("(not", std::slice::from_ref(&**inner)),
            Formula::Or(parts, _) => ("(or", &parts[..]),
            Formula::And(parts, _) => ("(and", &parts[..]),
        };
        out.push_str(name);
        for part in parts {
            out.push(' ');
            self.write_formula(out, clause, part);
        }
        out.push(')');
    }
}
