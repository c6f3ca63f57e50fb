//! `game.rs`: the game automaton.

use crate::code::Code;
use crate::domain::Shape;
use crate::flat::FlatId;
use crate::gdl;
use crate::model::Model;

/// Roles, fluents and moves; then what is the same in every game.
pub(crate) fn game(model: &Model) -> String {
    let mut code = Code::file("The game automaton.");
    code.line("use crate::facts::Facts;");
    code.line("use crate::rules;");
    code.line("use crate::terms::Term;");
    code.blank();
    let roles = model.outline.roles;
    code.line("/// How many roles there are.");
    code.line(&format!("pub const N_ROLES: usize = {};", roles.len()));
    code.blank();
    code.line("/// The roles in order.");
    let numbers: Vec<String> = roles.iter().map(|&role| model.numbering.of(role).to_string()).collect();
    code.array("pub const ROLES: [Term; N_ROLES] = ", &numbers, ";");
    code.blank();
    code.line("/// The names of the roles.");
    let names: Vec<String> =
        roles.iter().map(|&role| format!("{:?}", gdl::term(model.outline, role))).collect();
    super::terms::table(&mut code, "pub const ROLE_NAMES: [&str; N_ROLES] = ", &names);
    code.blank();
    terms(model, &mut code, "What can hold in a position.", "Fluent", &model.fluents, &model.flat.fluents, 0);
    code.blank();
    terms(model, &mut code, "What can be played.", "Move", &model.moves, &model.flat.moves, 1);
    code.blank();
    code.line("/// What holds in the initial position.");
    let fluent = |(id, row): &(FlatId, Vec<u32>)| {
        let at = model.flat.fluents.iter().position(|(fluent, _)| fluent == id);
        let name = &model.fluents[at.expect("a fluent that holds has a name")];
        let row: Vec<String> = row.iter().map(|&term| model.numbering.of(term).to_string()).collect();
        if row.is_empty() { format!("Fluent::{name}") } else { format!("Fluent::{name}({})", row.join(", ")) }
    };
    let initial: Vec<String> = model.flat.initial.iter().map(fluent).collect();
    super::terms::table(&mut code, &format!("pub static INITIAL: [Fluent; {}] = ", initial.len()), &initial);
    code.finish() + include_str!("../../template/game.rs")
}

/// An enumeration with a variant for each shape.
fn terms(
    model: &Model,
    code: &mut Code,
    about: &str,
    name: &str,
    variants: &[String],
    pairs: &[(FlatId, FlatId)],
    arg: usize,
) {
    code.line(&format!("/// {about}"));
    code.line("#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]");
    code.open(&format!("pub enum {name} {{"));
    if variants.is_empty() {
        code.line("/// There is none.");
        code.line("Nothing,");
    }
    for (variant, (id, _)) in variants.iter().zip(pairs) {
        let shape = &model.flat.relations[id.index()].shapes[arg];
        code.line(&format!("/// `{}`", gdl::shape(model.outline, shape, "_")));
        let columns = vec!["Term"; shape.n_leaves()];
        match columns.is_empty() {
            true => code.line(&format!("{variant},")),
            false => tuple(code, variant, &columns),
        }
    }
    code.close("}");
}

fn tuple(code: &mut Code, variant: &str, columns: &[&str]) {
    let line = format!("{variant}({}),", columns.join(", "));
    if code.fits(&line) {
        return code.line(&line);
    }
    code.open(&format!("{variant}("));
    columns.iter().for_each(|column| code.line(&format!("{column},")));
    code.close("),");
}

/// From columns to fluents and moves, and back.
pub(super) fn conversions(model: &Model, code: &mut Code) {
    adding(model, code);
    fluents(model, code);
    collecting(model, code);
    ends(model, code);
    texts(model, code);
}

fn columns(n_columns: usize) -> Vec<String> {
    (0..n_columns).map(|column| format!("c{column}")).collect()
}

/// `Cell(c0, c1)`
fn applied(name: &str, columns: &[String]) -> String {
    if columns.is_empty() { name.to_owned() } else { format!("{name}({})", columns.join(", ")) }
}

fn adding(model: &Model, code: &mut Code) {
    let field = |id: FlatId| &model.names[id.index()].field;
    code.blank();
    code.line("/// Makes a fluent hold.");
    code.open("pub fn add_fluent(&mut self, fluent: Fluent) {");
    open_match(code, "fluent", &model.fluents, "Fluent::Nothing => {}");
    for (name, (id, _)) in model.fluents.iter().zip(&model.flat.fluents) {
        let columns = columns(model.flat.relations[id.index()].columns.len());
        let pattern = applied(&format!("Fluent::{name}"), &columns);
        inserting(code, &pattern, field(*id), &columns);
    }
    code.close("}");
    code.close("}");
    code.blank();
    code.line("/// Plays a move.");
    let role = if model.moves.is_empty() { "_" } else { "role" };
    code.open(&format!("pub fn add_move(&mut self, {role}: Term, choice: Move) {{"));
    open_match(code, "choice", &model.moves, "Move::Nothing => {}");
    for (name, (legal, does)) in model.moves.iter().zip(&model.flat.moves) {
        let n_columns = model.flat.relations[legal.index()].columns.len();
        let columns = columns(n_columns.saturating_sub(1));
        let row: Vec<String> = std::iter::once("role".to_owned()).chain(columns.clone()).collect();
        let pattern = applied(&format!("Move::{name}"), &columns);
        inserting(code, &pattern, field(*does), &row);
    }
    code.close("}");
    code.close("}");
}

/// A match on a value. A kind without variants has one that stands for nothing.
fn open_match(code: &mut Code, value: &str, variants: &[String], nothing: &str) {
    code.open(&format!("match {value} {{"));
    if variants.is_empty() {
        code.line(nothing);
    }
}

/// An arm that adds a row.
fn inserting(code: &mut Code, pattern: &str, field: &str, row: &[String]) {
    let line = format!("{pattern} => self.{field}.insert([{}]),", row.join(", "));
    if code.fits(&line) {
        return code.line(&line);
    }
    code.open(&format!("{pattern} => {{"));
    code.array(&format!("self.{field}.insert("), row, ")");
    code.close("}");
}

fn fluents(model: &Model, code: &mut Code) {
    code.blank();
    code.line("/// The fluents that hold.");
    code.open("pub fn fluents(&self) -> Vec<Fluent> {");
    if model.fluents.is_empty() {
        code.line("Vec::new()");
        return code.close("}");
    }
    code.line("let mut fluents = Vec::new();");
    for (name, (id, _)) in model.fluents.iter().zip(&model.flat.fluents) {
        let columns = columns(model.flat.relations[id.index()].columns.len());
        code.open(&format!(
            "for &[{}] in &self.{}.rows {{",
            columns.join(", "),
            model.names[id.index()].field
        ));
        code.line(&format!("fluents.push({});", applied(&format!("Fluent::{name}"), &columns)));
        code.close("}");
    }
    code.line("fluents");
    code.close("}");
}

fn collecting(model: &Model, code: &mut Code) {
    code.blank();
    code.line("/// Adds the legal moves of each role.");
    if model.moves.is_empty() {
        return code.line("pub fn collect_moves(&self, _: &mut [Vec<Move>; N_ROLES]) {}");
    }
    code.open("pub fn collect_moves(&self, moves: &mut [Vec<Move>; N_ROLES]) {");
    for (name, (legal, _)) in model.moves.iter().zip(&model.flat.moves) {
        let columns = columns(model.flat.relations[legal.index()].columns.len().saturating_sub(1));
        let row: Vec<String> = std::iter::once("role".to_owned()).chain(columns.clone()).collect();
        let field = &model.names[legal.index()].field;
        code.open(&format!("for &[{}] in &self.{field}.rows {{", row.join(", ")));
        code.open("if let Some(role) = ROLES.iter().position(|&known| known == role) {");
        code.line(&format!("moves[role].push({});", applied(&format!("Move::{name}"), &columns)));
        code.close("}");
        code.close("}");
    }
    code.close("}");
}

fn ends(model: &Model, code: &mut Code) {
    code.blank();
    code.line("/// Whether the match is over.");
    code.open("pub fn is_terminal(&self) -> bool {");
    match model.flat.terminal {
        Some(id) => code.line(&format!("!self.{}.rows.is_empty()", model.names[id.index()].field)),
        None => code.line("false"),
    }
    code.close("}");
    code.blank();
    code.line("/// Roles and the values of their goals; `None` if a goal has no value.");
    code.open("pub fn goals(&self) -> Vec<(Term, Option<u8>)> {");
    let goals: Vec<FlatId> = goals_of_roles(model).collect();
    if goals.is_empty() {
        code.line("Vec::new()");
        return code.close("}");
    }
    code.line("let mut goals = Vec::new();");
    for id in goals {
        let rows = format!("self.{}.rows.iter()", model.names[id.index()].field);
        code.line(&match has_value(model, id) {
            true => format!("goals.extend({rows}.map(|&[role, value]| (role, goal_value(value))));"),
            false => format!("goals.extend({rows}.map(|row| (row[0], None)));"),
        });
    }
    code.line("goals");
    code.close("}");
}

/// The relations of goals whose role is not a compound term.
fn goals_of_roles(model: &Model) -> impl Iterator<Item = FlatId> {
    let is_function =
        |id: &FlatId| matches!(model.flat.relations[id.index()].shapes.first(), Some(Shape::Function(..)));
    model.flat.goals.iter().copied().filter(move |id| !is_function(id))
}

/// Whether the goals of a relation may have a value: compound terms have none.
fn has_value(model: &Model, id: FlatId) -> bool {
    !matches!(model.flat.relations[id.index()].shapes.last(), Some(Shape::Function(..)))
}

/// Whether the values of some goals are looked up.
pub(super) fn looks_up_goals(model: &Model) -> bool {
    goals_of_roles(model).any(|id| has_value(model, id))
}

fn texts(model: &Model, code: &mut Code) {
    code.blank();
    code.line("/// Whether a term grows without end.");
    code.open("pub fn is_unbounded(&self) -> bool {");
    code.line(if model.has_compounds() { "self.terms.is_too_deep()" } else { "false" });
    code.close("}");
    code.blank();
    code.line("/// The text of a term.");
    code.open("pub fn text(&self, term: Term) -> String {");
    code.line(if model.has_compounds() {
        "self.terms.text(term)"
    } else {
        "NAMES[term as usize].to_owned()"
    });
    code.close("}");
    for (about, function, kind, variants, pairs, arg) in [
        ("a fluent", "fluent_text", "Fluent", &model.fluents, &model.flat.fluents, 0),
        ("a move", "move_text", "Move", &model.moves, &model.flat.moves, 1),
    ] {
        code.blank();
        code.line(&format!("/// The text of {about}."));
        code.open(&format!("pub fn {function}(&self, term: {kind}) -> String {{"));
        open_match(code, "term", variants, &format!("{kind}::Nothing => String::new(),"));
        for (name, (id, _)) in variants.iter().zip(pairs) {
            let shape = &model.flat.relations[id.index()].shapes[arg];
            let columns = columns(shape.n_leaves());
            let pattern = applied(&format!("{kind}::{name}"), &columns);
            let text = gdl::shape(model.outline, shape, "{}").replace("{{", "{").replace("}}", "}");
            let texts: Vec<String> = columns.iter().map(|column| format!("self.text({column})")).collect();
            let value = match (shape, columns.is_empty()) {
                (_, true) => format!("{text:?}.to_owned()"),
                (Shape::Constant | Shape::Open, _) => texts[0].clone(),
                (Shape::Function(..), false) => format!("format!({text:?}, {})", texts.join(", ")),
            };
            let line = format!("{pattern} => {value},");
            if code.fits(&line) {
                code.line(&line);
                continue;
            }
            code.open(&format!("{pattern} => {{"));
            if code.fits(&value) {
                code.line(&value);
            } else {
                code.open("format!(");
                code.line(&format!("{text:?},"));
                texts.iter().for_each(|text| code.line(&format!("{text},")));
                code.close(")");
            }
            code.close("}");
        }
        code.close("}");
        code.close("}");
    }
}
