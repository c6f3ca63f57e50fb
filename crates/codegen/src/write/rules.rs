//! `rules.rs`: a function for each rule, and for each stage one that runs its rules.

use super::relation::index_name;
use crate::code::Code;
use crate::flat::FlatId;
use crate::gdl;
use crate::model::{Model, Planned, PlannedGroup};
use crate::names::Names;
use crate::plan::{Source, Step, Value, Within, used_vars};

/// Rules and stages, and which stages answer which question.
pub(crate) fn rules(model: &Model) -> String {
    let mut body = Code::default();
    lists(model, &mut body);
    for (name, groups) in model.stage_names.iter().zip(&model.stages) {
        stage(model, &mut body, name, groups);
        for planned in groups.iter().flat_map(|group| group.once.iter().chain(&group.repeated)) {
            rule(model, &mut body, planned);
        }
    }
    let body = body.finish();
    let mut code = Code::file("The rules, each as loops over facts. Relations come after those they use.");
    code.line("use crate::facts::Facts;");
    if body.contains("terms::") {
        code.line("use crate::terms;");
    }
    if body.contains("Range<usize>") {
        code.line("use std::ops::Range;");
    }
    code.finish() + &body
}

/// Which stages answer which question.
fn lists(model: &Model, code: &mut Code) {
    code.blank();
    code.line("/// What runs the rules of a stage.");
    code.line("pub type Stage = fn(&mut Facts);");
    code.blank();
    code.line("/// Stages by their numbers.");
    let names: Vec<String> = model.stage_names.clone();
    super::terms::table(code, &format!("pub static STAGES: [Stage; {}] = ", names.len()), &names);
    let flat = &model.flat;
    let needed = |relations: Vec<FlatId>| model.needed_for(relations.into_iter());
    let questions: [(&str, &str, Vec<usize>); 5] = [
        ("START", "what never changes", model.needed_at_start()),
        ("TERMINAL", "whether the match is over", needed(flat.terminal.into_iter().collect())),
        ("LEGAL", "what is legal", needed(flat.moves.iter().map(|&(legal, _)| legal).collect())),
        ("GOAL", "what the goals are", needed(flat.goals.clone())),
        ("NEXT", "what holds next", needed(flat.fluents.iter().map(|&(_, next)| next).collect())),
    ];
    for (name, question, stages) in questions {
        let stages: Vec<String> = stages.iter().map(usize::to_string).collect();
        code.blank();
        code.line(&format!("/// The stages that tell {question}."));
        super::terms::table(code, &format!("pub static FOR_{name}: [usize; {}] = ", stages.len()), &stages);
    }
}

fn stage(model: &Model, code: &mut Code, name: &str, groups: &[PlannedGroup]) {
    code.blank();
    code.open(&format!("fn {name}(facts: &mut Facts) {{"));
    for group in groups {
        group.once.iter().for_each(|planned| code.line(&format!("{}(facts);", planned.name)));
        if group.repeated.is_empty() {
            continue;
        }
        code.line(&format!("let mut n_seen = [0; {}];", group.repeated.len()));
        code.line("let mut is_new = true;");
        code.open("while is_new {");
        code.line("is_new = false;");
        for (at, planned) in group.repeated.iter().enumerate() {
            let relation = planned.trigger.expect("a repeated rule has a trigger");
            let field = &model.names[relation.index()].field;
            code.line(&format!("let new = n_seen[{at}]..facts.{field}.rows.len();"));
            code.open("if !new.is_empty() {");
            code.line("is_new = true;");
            code.line(&format!("n_seen[{at}] = new.end;"));
            code.line(&format!("{}(facts, new);", planned.name));
            code.close("}");
        }
        code.close("}");
    }
    code.close("}");
}

fn rule(model: &Model, code: &mut Code, planned: &Planned) {
    let mut names = Names::default();
    let used = used_vars(&planned.plan.steps, planned.plan.vars.len());
    let n_loops = planned.plan.steps.iter().filter(|step| matches!(step, Step::Rows { .. })).count();
    for at in 1..=n_loops {
        for name in ["at", "next"] {
            names.take(format!("{name}_{at}"), "_");
        }
    }
    let vars = planned.plan.vars.iter().map(|name| names.snake(name)).collect();
    let until = planned.plan.steps.iter().find_map(|step| match step {
        Step::Conclude { until, .. } => Some(*until),
        _ => None,
    });
    let until = until.unwrap_or(n_loops);
    let source = &model.outline.rule_set().rules[planned.source];
    code.blank();
    code.line(&format!("// {}", gdl::rule(model.outline, source)));
    let mut function = Code::default();
    let mut writer = Writer { model, code: &mut function, vars, used, n_open: 0, n_loops, until };
    let new = if planned.trigger.is_some() { ", new: Range<usize>" } else { "" };
    writer.code.open(&format!("fn {}(facts: &mut Facts{new}) {{", planned.name));
    planned.plan.steps.iter().for_each(|step| writer.step(step));
    (0..=writer.n_open).for_each(|_| writer.code.close("}"));
    code.item(function);
}

struct Writer<'a> {
    model: &'a Model<'a>,
    code: &'a mut Code,
    vars: Vec<String>,
    used: Vec<bool>,
    /// Loops that are open.
    n_open: usize,
    n_loops: usize,
    /// One fact is enough for all loops inside this one.
    until: usize,
}

impl Writer<'_> {
    fn step(&mut self, step: &Step) {
        match step {
            Step::Rows { relation, key, bind, source } => self.rows(*relation, key, bind, *source),
            Step::Exists { relation, key } => {
                let field = self.field(*relation);
                if key.is_empty() {
                    return self.leave_if(&format!("facts.{field}.rows.is_empty()"));
                }
                let (index, key) = self.key(key);
                self.leave_if(&format!("facts.{field}.{index}({key}).next().is_none()"));
            }
            Step::Within(within) => {
                within.iter().for_each(|it| {
                    let within = self.within(it);
                    self.leave_if(&format!("!{within}"));
                });
            }
            Step::Holds { relation, row } => {
                let (field, row) = (self.field(*relation), self.row(row));
                self.leave_if(&format!("!facts.{field}.holds({row})"));
            }
            Step::HoldsNot { relation, row, within } => {
                let (field, row) = (self.field(*relation), self.row(row));
                let mut condition: Vec<String> = within.iter().map(|it| self.within(it)).collect();
                condition.push(format!("facts.{field}.holds({row})"));
                self.leave_if_all(&condition);
            }
            Step::Differ(pairs) => {
                let same = |(left, right): &(Value, Value)| {
                    format!("{} == {}", self.value(*left), self.value(*right))
                };
                let condition: Vec<String> = pairs.iter().map(same).collect();
                self.leave_if_all(&condition);
            }
            Step::Same(left, right) => {
                let condition = format!("{} != {}", self.value(*left), self.value(*right));
                self.leave_if(&condition);
            }
            Step::Build { var, functor, args } => {
                let args: Vec<String> = args.iter().map(|&arg| self.value(arg)).collect();
                let (name, function) = (&self.vars[*var as usize], &self.model.functions[*functor]);
                self.code.array(&format!("let {name} = facts.terms.build(terms::{function}, &"), &args, ");");
            }
            Step::TakeApart { term, functor, bind } => {
                let parts: Vec<String> = bind.iter().map(|&var| self.bound(var)).collect();
                let (parts, term) = (parts.join(", "), self.value(*term));
                let function = &self.model.functions[*functor];
                let leave = self.leave();
                self.code.open(&format!(
                    "let Some([{parts}]) = facts.terms.parts({term}, terms::{function}) else {{"
                ));
                self.code.line(&leave);
                self.code.close("};");
            }
            Step::Conclude { relation, row, .. } => self.conclude(*relation, row),
        }
    }

    fn field(&self, relation: FlatId) -> String {
        self.model.names[relation.index()].field.clone()
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Var(var) => self.vars[var as usize].clone(),
            Value::Term(term) => match self.model.constants.get(term as usize) {
                Some(name) => format!("terms::{name}"),
                None => term.to_string(),
            },
        }
    }

    /// A variable that gets a value.
    fn bound(&self, var: u32) -> String {
        if self.used[var as usize] { self.vars[var as usize].clone() } else { "_".to_owned() }
    }

    fn within(&self, &(var, range): &Within) -> String {
        format!("({}..{}).contains(&{})", range.low, range.end, self.vars[var as usize])
    }

    /// Values as an array, named beforehand if there are many.
    fn row(&mut self, row: &[Value]) -> String {
        let values: Vec<String> = row.iter().map(|&value| self.value(value)).collect();
        let text = format!("[{}]", values.join(", "));
        if text.len() <= 50 {
            return text;
        }
        self.code.array("let row = ", &values, ";");
        "row".to_owned()
    }

    /// The name of an index and what to look up.
    fn key(&mut self, key: &[(usize, Value)]) -> (String, String) {
        let columns: Vec<usize> = key.iter().map(|&(column, _)| column).collect();
        let values: Vec<Value> = key.iter().map(|&(_, value)| value).collect();
        (index_name(&columns), self.row(&values))
    }

    /// How to go on with the next row.
    fn leave(&self) -> String {
        if self.n_open == 0 { "return;".to_owned() } else { "continue;".to_owned() }
    }

    fn leave_if(&mut self, condition: &str) {
        let leave = self.leave();
        self.code.when(condition, &leave);
    }

    fn leave_if_all(&mut self, conditions: &[String]) {
        let condition = conditions.join(" && ");
        let leave = self.leave();
        if self.code.fits(&format!("if {condition} {{")) {
            return self.code.when(&condition, &leave);
        }
        // The brace stands alone where the condition leaves no room for it.
        let is_one_line = self.code.fits(&format!("if {condition}"));
        let lines = if is_one_line { &[condition][..] } else { conditions };
        for (at, condition) in lines.iter().enumerate() {
            self.code.line(&if at == 0 { format!("if {condition}") } else { format!("    && {condition}") });
        }
        self.code.open("{");
        self.code.line(&leave);
        self.code.close("}");
    }

    fn rows(&mut self, relation: FlatId, key: &[(usize, Value)], bind: &[(usize, u32)], source: Source) {
        let field = self.field(relation);
        let width = self.model.flat.relations[relation.index()].columns.len();
        let mut columns = vec!["_".to_owned(); width];
        for &(column, var) in bind {
            columns[column] = self.bound(var);
        }
        let pattern = format!("[{}]", columns.join(", "));
        let label = if self.until == self.n_open + 1 && self.until < self.n_loops { "'row: " } else { "" };
        match (source, key.is_empty()) {
            (Source::Complete, true) => {
                self.for_each(
                    label,
                    &format!("&{pattern}"),
                    &format!("&facts.{field}.rows"),
                    "&row",
                    &columns,
                );
            }
            (Source::Complete, false) => {
                let (index, key) = self.key(key);
                let rows = format!("facts.{field}.{index}({key})");
                self.for_each(label, &pattern, &rows, "row", &columns);
            }
            (Source::Growing, false) => {
                let (index, key) = self.key(key);
                let next = format!("next_{}", self.n_open + 1);
                self.code.line(&format!("let mut {next} = facts.{field}.newest_{index}({key});"));
                self.code.open(&format!("{label}while {next} != 0 {{"));
                self.code.line(&format!("let (row, older) = facts.{field}.at_{index}({next});"));
                self.code.line(&format!("{next} = older;"));
                self.take_columns(&pattern, "row", &columns);
            }
            (Source::Growing, true) | (Source::New, _) => {
                let range = match source {
                    Source::New => "new".to_owned(),
                    Source::Growing | Source::Complete => format!("0..facts.{field}.rows.len()"),
                };
                let at = format!("at_{}", self.n_open + 1);
                self.code.open(&format!("{label}for {at} in {range} {{"));
                self.take_columns(&pattern, &format!("facts.{field}.rows[{at}]"), &columns);
            }
        }
        self.n_open += 1;
    }

    fn for_each(&mut self, label: &str, pattern: &str, rows: &str, row: &str, columns: &[String]) {
        let line = format!("{label}for {pattern} in {rows} {{");
        if self.code.fits(&line) {
            return self.code.open(&line);
        }
        self.code.open(&format!("{label}for {row} in {rows} {{"));
        self.take_columns("", "row", columns);
    }

    /// Names the columns of a row.
    fn take_columns(&mut self, pattern: &str, row: &str, columns: &[String]) {
        let line = format!("let {pattern} = {row};");
        if !pattern.is_empty() && self.code.fits(&line) {
            return self.code.line(&line);
        }
        for (column, name) in columns.iter().enumerate().filter(|(_, name)| *name != "_") {
            self.code.line(&format!("let {name} = {row}[{column}];"));
        }
    }

    fn conclude(&mut self, relation: FlatId, row: &[Value]) {
        let (field, row) = (self.field(relation), self.row(row));
        self.code.line(&format!("facts.{field}.insert({row});"));
        if self.until < self.n_loops {
            match self.until {
                0 => self.code.line("return;"),
                _ => self.code.line("continue 'row;"),
            }
        }
    }
}
