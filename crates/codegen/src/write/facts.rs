//! `facts.rs`: the knowledge base.

use super::relation::relation;
use crate::code::Code;
use crate::flat::FlatId;
use crate::model::Model;
use senet_rules::Lifetime;

/// The knowledge base: every relation, and what a game asks of them.
pub(crate) fn facts(model: &Model) -> String {
    let mut code = Code::file("The knowledge base: the facts of a position, and what follows from them.");
    uses(model, &mut code);
    number(&mut code, model);
    let ids = || (0..model.flat.relations.len()).map(FlatId::new);
    for id in ids().filter(|id| model.kind(*id) == model.names[id.index()].kind) {
        relation(&mut code, model, id);
    }
    code.blank();
    code.line("/// All facts.");
    code.line("#[derive(Clone, Debug)]");
    code.open("pub struct Facts {");
    if model.has_compounds() {
        code.line("pub terms: Compounds,");
    }
    for id in ids() {
        code.line(&format!("pub {}: {},", model.names[id.index()].field, model.kind(id)));
    }
    code.close("}");
    code.blank();
    code.open("impl Facts {");
    new(model, &mut code);
    forget(model, &mut code);
    super::game::conversions(model, &mut code);
    code.close("}");
    code.blank();
    code.open("impl Default for Facts {");
    code.open("fn default() -> Facts {");
    code.line("Facts::new()");
    code.close("}");
    code.close("}");
    code.finish()
}

fn uses(model: &Model, code: &mut Code) {
    let dense = |is_dense: bool| {
        model.layouts.iter().any(|layout| layout.indexes.iter().any(|index| index.is_dense == is_dense))
    };
    if model.has_compounds() {
        code.line("use crate::compound::Compounds;");
    }
    let roles = if model.moves.is_empty() { "" } else { ", ROLES" };
    code.line(&format!("use crate::game::{{Fluent, Move, N_ROLES{roles}}};"));
    let mut hashed = Vec::new();
    if dense(false) {
        hashed.push("HashedIndex");
    }
    if model.layouts.iter().any(|layout| !layout.is_dense) {
        hashed.push("Rows");
    }
    match hashed[..] {
        [] => {}
        [one] => code.line(&format!("use crate::hashed::{one};")),
        _ => code.line(&format!("use crate::hashed::{{{}}};", hashed.join(", "))),
    }
    match (dense(true), dense(false)) {
        (true, _) => code.line("use crate::index::{Chain, Index};"),
        (false, true) => code.line("use crate::index::Chain;"),
        (false, false) => {}
    }
    if !model.flat.permanent.is_empty() {
        code.line("use crate::tables;");
    }
    code.line(match (model.has_compounds(), super::game::looks_up_goals(model)) {
        (true, false) => "use crate::terms::Term;",
        (true, true) => "use crate::terms::{Term, goal_value};",
        (false, false) => "use crate::terms::{NAMES, Term};",
        (false, true) => "use crate::terms::{NAMES, Term, goal_value};",
    });
}

fn number(code: &mut Code, model: &Model) {
    let has_places = model.layouts.iter().any(|layout| {
        let is_wide = |column: &usize| layout.ranges[*column].is_some_and(|range| range.len() > 1);
        let mut keys = layout.indexes.iter().filter(|index| index.is_dense);
        layout.is_dense && (0..layout.ranges.len()).any(|column| is_wide(&column))
            || keys.any(|index| index.columns.iter().any(is_wide))
    });
    if has_places {
        code.blank();
        code.line("/// A term as a place.");
        code.line("#[inline]");
        code.open("fn number(term: Term) -> usize {");
        code.line("term as usize");
        code.close("}");
    }
}

fn new(model: &Model, code: &mut Code) {
    code.line("/// The facts that never change.");
    code.open("pub fn new() -> Facts {");
    let compounds = model.has_compounds().then(|| "terms: Compounds::new()".to_owned());
    let ids = (0..model.flat.relations.len()).map(FlatId::new);
    let fields = ids.map(|id| format!("{}: {}::new()", model.names[id.index()].field, model.kind(id)));
    let fields: Vec<String> = compounds.into_iter().chain(fields).collect();
    if model.flat.permanent.is_empty() {
        code.fields("Facts", &fields);
    } else {
        let line = format!("let mut facts = Facts {{ {} }};", fields.join(", "));
        if code.fits(&line) {
            code.line(&line);
        } else {
            code.open("let mut facts = Facts {");
            fields.iter().for_each(|field| code.line(&format!("{field},")));
            code.close("};");
        }
        for (id, _) in &model.flat.permanent {
            let names = &model.names[id.index()];
            let line =
                format!("tables::{}.iter().for_each(|&row| facts.{}.insert(row));", names.table, names.field);
            if code.fits(&line) {
                code.line(&line);
            } else {
                code.open(&format!("for &row in &tables::{} {{", names.table));
                code.line(&format!("facts.{}.insert(row);", names.field));
                code.close("}");
            }
        }
        code.line("facts");
    }
    code.close("}");
}

fn forget(model: &Model, code: &mut Code) {
    let field = |id: FlatId| &model.names[id.index()].field;
    let is_fluent = |id: FlatId| model.flat.fluents.iter().any(|(fluent, _)| *fluent == id);
    let is_next = |id: FlatId| model.flat.fluents.iter().any(|(_, next)| *next == id);
    code.blank();
    code.line("/// Forgets what does not hold in every position.");
    code.open("pub fn forget_position(&mut self) {");
    for (fluent, _) in &model.flat.fluents {
        code.line(&format!("self.{}.clear();", field(*fluent)));
    }
    code.line("self.forget_derived();");
    code.close("}");
    code.blank();
    code.line("/// What was derived to hold next holds now.");
    code.open("pub fn advance(&mut self) {");
    for (fluent, next) in &model.flat.fluents {
        code.line(&format!("std::mem::swap(&mut self.{}, &mut self.{});", field(*fluent), field(*next)));
    }
    code.line("self.forget_derived();");
    code.close("}");
    code.blank();
    code.line("/// Forgets what follows from a position and the moves in it.");
    code.open("fn forget_derived(&mut self) {");
    for id in model.relations(Lifetime::Position).chain(model.relations(Lifetime::Move)) {
        if !is_fluent(id) || is_next(id) {
            code.line(&format!("self.{}.clear();", field(id)));
        }
    }
    code.close("}");
}
