//! A logic program for answer set solvers such as clingo.

use super::atom_texts::AtomTexts;
use crate::program::{AtomId, Block, GroundProgram, Kind};
use senet_terms::TermId;
use std::io::{self, Write};

/// Writes a logic program for answer set solvers such as clingo.
///
/// Each answer set is one position with one choice of moves and all that follows from them. Any set of
/// fluents is a position and any set of moves a choice; what else is wanted is asked with constraints, such
/// as one legal move for each role:
///
/// ```text
/// :- p_role(R), not 1 { d(R,M) } 1.
/// :- d(R,M), not p_legal(R,M).
/// ```
///
/// | GDL | here |
/// |---|---|
/// | a fluent that can hold, a move that can be legal | `{t(f)}.` and `{d(r,m)}.` |
/// | `(role r)`, `(init f)`, what holds in every state | facts `p_role(r).`, `p_init(f).` and so on |
/// | `(true f)`, `(does r m)` | `t(f)`, `d(r,m)` |
/// | any other relation, `(line x)` | `p_line(x)` |
/// | a relation whose name solvers do not read, `(1+ x)` | `p("1+",x)` |
/// | a constant | itself if it is a number of at most nine digits or a name, otherwise the string `"1+"` |
/// | a compound term | itself if its name can be read, otherwise the tuple `("1+",x)` |
///
/// No two atoms of GDL become the same.
pub fn write_asp(program: &GroundProgram, out: &mut impl Write) -> io::Result<()> {
    let texts = AtomTexts::new(program, |out, atom| push_atom(out, program, atom));
    let mut line = String::new();
    for block in program.blocks() {
        // Solvers warn of relations that are asked for and have no rules: here they are no mistake.
        let (name, arity) = signature(program, block);
        writeln!(out, "#defined {name}/{arity}.")?;
    }
    for atom in program.base().chain(program.input()) {
        line.clear();
        line.push('{');
        texts.push(&mut line, atom);
        line.push_str("}.\n");
        out.write_all(line.as_bytes())?;
    }
    for &role in program.roles() {
        line.clear();
        line.push_str("p_role");
        push_args(&mut line, program, [role]);
        line.push_str(".\n");
        out.write_all(line.as_bytes())?;
    }
    for &fluent in program.init() {
        line.clear();
        line.push_str("p_init");
        push_args(&mut line, program, program.args(fluent));
        line.push_str(".\n");
        out.write_all(line.as_bytes())?;
    }
    for &fact in program.facts() {
        line.clear();
        texts.push(&mut line, fact);
        line.push_str(".\n");
        out.write_all(line.as_bytes())?;
    }
    for rule in program.rules() {
        line.clear();
        texts.push(&mut line, rule.head);
        for (at, literal) in rule.body.iter().enumerate() {
            line.push_str(if at == 0 { ":-" } else { "," });
            if literal.is_negative() {
                line.push_str("not ");
            }
            texts.push(&mut line, literal.atom());
        }
        line.push_str(".\n");
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// What a relation is called and how many arguments it has.
fn signature(program: &GroundProgram, block: &Block) -> (String, usize) {
    let name = program.symbols().name(block.name);
    match block.kind {
        Kind::True => ("t".to_owned(), block.arity),
        Kind::Does => ("d".to_owned(), block.arity),
        _ if is_readable(name) => (format!("p_{name}"), block.arity),
        _ => ("p".to_owned(), block.arity + 1),
    }
}

fn push_atom(out: &mut String, program: &GroundProgram, atom: AtomId) {
    let block = program.block_of(atom);
    let name = program.symbols().name(block.name);
    match block.kind {
        Kind::True => out.push('t'),
        Kind::Does => out.push('d'),
        _ if is_readable(name) => {
            out.push_str("p_");
            out.push_str(name);
        }
        _ => {
            out.push('p');
            push_quoted_with_args(out, program, name, program.args(atom));
            return;
        }
    }
    push_args(out, program, program.args(atom));
}

fn push_term(out: &mut String, program: &GroundProgram, term: TermId) {
    let (name, args) = program.terms().parts(term);
    let name = program.symbols().name(name);
    if args.len() > 0 && !is_name(name) {
        push_quoted_with_args(out, program, name, args);
        return;
    }
    if is_name(name) || is_number(name) {
        out.push_str(name);
    } else {
        push_quoted(out, name);
    }
    push_args(out, program, args);
}

fn push_args(out: &mut String, program: &GroundProgram, args: impl IntoIterator<Item = TermId>) {
    let mut before = '(';
    for arg in args {
        out.push(before);
        push_term(out, program, arg);
        before = ',';
    }
    if before == ',' {
        out.push(')');
    }
}

fn push_quoted_with_args(
    out: &mut String,
    program: &GroundProgram,
    name: &str,
    args: impl Iterator<Item = TermId>,
) {
    out.push('(');
    push_quoted(out, name);
    for arg in args {
        out.push(',');
        push_term(out, program, arg);
    }
    out.push(')');
}

/// Names have no spaces, so quotes and backslashes are all there is to escape.
fn push_quoted(out: &mut String, name: &str) {
    out.push('"');
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}

/// Whether a name can follow a letter in an identifier.
fn is_readable(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Whether a name is an identifier and not a word of the language.
fn is_name(name: &str) -> bool {
    is_readable(name) && name.starts_with(|c: char| c.is_ascii_lowercase()) && name != "not"
}

/// Whether a name is a number as solvers print it, in 32 bits.
fn is_number(name: &str) -> bool {
    let is_canonical = name == "0" || !name.starts_with('0');
    (1..=9).contains(&name.len()) && is_canonical && name.bytes().all(|byte| byte.is_ascii_digit())
}
