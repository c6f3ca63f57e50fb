//! `terms.rs` and `tables.rs`: names of constants, and facts that never change.

use crate::code::Code;
use crate::gdl;
use crate::model::Model;

/// Constants with their names; functions and terms of functions that are known beforehand.
pub(crate) fn terms(model: &Model) -> String {
    let Model { outline, numbering, .. } = model;
    let mut code = Code::file(
        "Terms are numbers: constants first, in an order in which those of a column are neighbours.",
    );
    let is_wide = model.has_compounds() || numbering.constants.len() > usize::from(u16::MAX);
    code.line("/// A term.");
    code.line(if is_wide { "pub type Term = u32;" } else { "pub type Term = u16;" });
    code.blank();
    for (number, (name, &constant)) in model.constants.iter().zip(&numbering.constants).enumerate() {
        code.line(&format!("/// `{}`", gdl::term(outline, constant)));
        code.line(&format!("pub const {name}: Term = {number};"));
    }
    code.blank();
    code.line("/// The names of constants.");
    let names: Vec<String> =
        numbering.constants.iter().map(|&constant| format!("{:?}", gdl::term(outline, constant))).collect();
    table(&mut code, &format!("pub static NAMES: [&str; {}] = ", names.len()), &names);
    goal_values(model, &mut code);
    if model.has_compounds() {
        functions(model, &mut code);
    }
    code.finish()
}

/// A function from constants to the values that they have as goals.
fn goal_values(model: &Model, code: &mut Code) {
    let Model { outline, numbering, .. } = model;
    let value = |(name, &constant)| {
        let value = senet_gdl::goal_value(&gdl::term(outline, constant))?;
        Some(format!("{name} => Some({value}),"))
    };
    let values: Vec<String> = model.constants.iter().zip(&numbering.constants).filter_map(value).collect();
    code.blank();
    code.line("/// The value of a goal: an integer from 0 to 100 in digits.");
    if values.is_empty() {
        code.open("pub fn goal_value(_: Term) -> Option<u8> {");
        code.line("None");
        return code.close("}");
    }
    code.open("pub fn goal_value(term: Term) -> Option<u8> {");
    code.open("match term {");
    values.iter().for_each(|arm| code.line(arm));
    code.line("_ => None,");
    code.close("}");
    code.close("}");
}

fn functions(model: &Model, code: &mut Code) {
    let Model { outline, numbering, .. } = model;
    code.blank();
    for (number, (name, &functor)) in model.functions.iter().zip(&numbering.functors).enumerate() {
        code.line(&format!("/// The function `{}`", gdl::function(outline, functor)));
        code.line(&format!("pub const {name}: usize = {number};"));
    }
    code.blank();
    code.line("/// The names of functions.");
    let names: Vec<String> =
        numbering.functors.iter().map(|&functor| format!("{:?}", gdl::function(outline, functor))).collect();
    table(code, &format!("pub static FUNCTIONS: [&str; {}] = ", names.len()), &names);
    code.blank();
    code.line("/// Terms of the rules, numbered after the constants: a function and its arguments.");
    let compound = |&term: &u32| {
        let (functor, args) = outline.terms.compound(term).expect("a constant is not among them");
        let args: Vec<String> = args.iter().map(|&arg| numbering.of(arg).to_string()).collect();
        format!("({}, &[{}])", numbering.functor(functor), args.join(", "))
    };
    let compounds: Vec<String> = numbering.compounds.iter().map(compound).collect();
    table(code, "pub static COMPOUNDS: &[(usize, &[Term])] = &", &compounds);
}

/// Facts that never change.
pub(crate) fn tables(model: &Model) -> String {
    let mut code = Code::file("Facts that never change.");
    if !model.flat.permanent.is_empty() {
        code.line("use crate::terms::Term;");
    }
    for (relation, rows) in &model.flat.permanent {
        let names = &model.names[relation.index()];
        let own = &model.flat.relations[relation.index()];
        let text = |row: &Vec<u32>| {
            let row: Vec<String> = row.iter().map(|&term| model.numbering.of(term).to_string()).collect();
            format!("[{}]", row.join(", "))
        };
        let elements: Vec<String> = rows.iter().map(text).collect();
        code.blank();
        code.line(&format!("/// `{}`", gdl::relation(model.outline, own, "_")));
        let before =
            format!("pub static {}: [[Term; {}]; {}] = ", names.table, own.columns.len(), rows.len());
        table(&mut code, &before, &elements);
    }
    code.finish()
}

/// An array as compact as it goes.
pub(super) fn table(code: &mut Code, before: &str, elements: &[String]) {
    code.line("#[rustfmt::skip]");
    if elements.is_empty() {
        return code.line(&format!("{before}[];"));
    }
    code.open(&format!("{before}["));
    code.fill(elements);
    code.close("];");
}
