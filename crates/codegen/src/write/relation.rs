//! A relation as a type: its facts, a place for each that is possible, and chains of those with the same key.

use crate::code::Code;
use crate::flat::FlatId;
use crate::gdl;
use crate::layout::{Index, Layout};
use crate::model::Model;
use crate::plan::{Source, Step};

/// The name of an index.
pub(super) fn index_name(columns: &[usize]) -> String {
    columns.iter().fold("by".to_owned(), |name, column| format!("{name}_{column}"))
}

/// The type of the facts of a relation.
pub(super) fn relation(code: &mut Code, model: &Model, id: FlatId) {
    let own = &model.flat.relations[id.index()];
    let writer = Writer {
        kind: &model.names[id.index()].kind,
        layout: &model.layouts[id.index()],
        width: own.columns.len(),
        is_grown: model.planned().any(|rule| grows(&rule.plan.steps, id)),
    };
    code.blank();
    code.line(&format!("/// `{}`", gdl::relation(model.outline, own, "_")));
    writer.declare(code);
    code.blank();
    code.open(&format!("impl {} {{", writer.kind));
    writer.constructor(code);
    writer.place(code);
    writer.holds_and_insert(code);
    writer.lookups(code);
    writer.clear(code);
    code.close("}");
}

/// Whether a relation is looked through while it grows.
fn grows(steps: &[Step], id: FlatId) -> bool {
    steps.iter().any(|step| {
        matches!(step, Step::Rows { relation, source: Source::Growing, key, .. } if *relation == id && !key.is_empty())
    })
}

struct Writer<'a> {
    kind: &'a str,
    layout: &'a Layout,
    width: usize,
    is_grown: bool,
}

impl Writer<'_> {
    fn declare(&self, code: &mut Code) {
        code.line("#[derive(Clone, Debug)]");
        code.open(&format!("pub struct {} {{", self.kind));
        code.line("/// In the order in which they were derived.");
        code.line(&format!("pub rows: Vec<[Term; {}]>,", self.width));
        let is_there =
            if self.layout.is_dense { "Vec<bool>".to_owned() } else { format!("Rows<{}>", self.width) };
        code.line(&format!("is_there: {is_there},"));
        for index in &self.layout.indexes {
            let kind = if index.is_dense {
                "Index".to_owned()
            } else {
                format!("HashedIndex<{}>", index.columns.len())
            };
            code.line(&format!("{}: {kind},", index_name(&index.columns)));
        }
        code.close("}");
    }

    fn constructor(&self, code: &mut Code) {
        let is_there = if self.layout.is_dense {
            format!("vec![false; {}]", self.layout.n_places())
        } else {
            "Rows::default()".to_owned()
        };
        let mut fields = vec!["rows: Vec::new()".to_owned(), format!("is_there: {is_there}")];
        for index in &self.layout.indexes {
            let made = if index.is_dense {
                format!("Index::new({})", self.layout.n_keys(&index.columns))
            } else {
                "HashedIndex::default()".to_owned()
            };
            fields.push(format!("{}: {made}", index_name(&index.columns)));
        }
        code.open(&format!("fn new() -> {} {{", self.kind));
        code.fields(self.kind, &fields);
        code.close("}");
    }

    /// Where a fact is, and where the keys of indexes are.
    fn place(&self, code: &mut Code) {
        if self.layout.is_dense {
            let columns: Vec<usize> = (0..self.width).collect();
            self.place_of(code, "place", &columns);
        }
        for index in self.layout.indexes.iter().filter(|index| index.is_dense) {
            self.place_of(code, &index_name(&index.columns).replace("by", "key"), &index.columns);
        }
    }

    /// Mixed radix: each column counts from the lowest of its constants.
    fn place_of(&self, code: &mut Code, name: &str, columns: &[usize]) {
        let mut digits = Vec::new();
        for (at, &column) in columns.iter().enumerate() {
            let range = self.layout.ranges[column].expect("a place needs ranges");
            match range.low {
                _ if range.len() <= 1 => {}
                0 => digits.push((range.len(), format!("number(key[{at}])"))),
                low => digits.push((range.len(), format!("number(key[{at}] - {low})"))),
            }
        }
        code.blank();
        code.line("#[inline]");
        let parameter = if digits.is_empty() { "_" } else { "key" };
        code.open(&format!("fn {name}({parameter}: [Term; {}]) -> usize {{", columns.len()));
        let n_digits = digits.len();
        for (at, (n_values, digit)) in digits.into_iter().enumerate() {
            let place = if at == 0 { digit } else { format!("place * {n_values} + {digit}") };
            code.line(&if at + 1 == n_digits { place } else { format!("let place = {place};") });
        }
        if n_digits == 0 {
            code.line("0");
        }
        code.close("}");
    }

    /// Names the key of a row.
    fn key(&self, code: &mut Code, index: &Index) {
        let row: Vec<String> = index.columns.iter().map(|column| format!("row[{column}]")).collect();
        if !index.is_dense {
            return code.array("let key = ", &row, ";");
        }
        let key = format!("{}::{}", self.kind, index_name(&index.columns).replace("by", "key"));
        let line = format!("let key = {key}([{}]);", row.join(", "));
        if code.fits(&line) {
            return code.line(&line);
        }
        code.array("let key = ", &row, ";");
        code.line(&format!("let key = {key}(key);"));
    }

    fn holds_and_insert(&self, code: &mut Code) {
        let Writer { kind, width, .. } = self;
        code.blank();
        code.line("/// Whether a fact is there.");
        code.line("#[inline]");
        code.open(&format!("pub fn holds(&self, row: [Term; {width}]) -> bool {{"));
        match self.layout.is_dense {
            true => code.line(&format!("self.is_there[{kind}::place(row)]")),
            false => code.line("self.is_there.contains(&row)"),
        }
        code.close("}");
        code.blank();
        code.line("/// Adds a fact unless it is there.");
        code.line("#[inline]");
        code.open(&format!("pub fn insert(&mut self, row: [Term; {width}]) {{"));
        match self.layout.is_dense {
            true => {
                code.line(&format!("let is_there = &mut self.is_there[{kind}::place(row)];"));
                code.open("if !std::mem::replace(is_there, true) {");
            }
            false => code.open("if self.is_there.insert(row) {"),
        }
        code.line("self.rows.push(row);");
        for index in &self.layout.indexes {
            self.key(code, index);
            code.line(&format!("self.{}.add(key);", index_name(&index.columns)));
        }
        code.close("}");
        code.close("}");
    }

    fn lookups(&self, code: &mut Code) {
        let Writer { kind, width, .. } = self;
        for index in &self.layout.indexes {
            let name = index_name(&index.columns);
            let key = match index.is_dense {
                true => format!("{kind}::{}(key)", name.replace("by", "key")),
                false => "key".to_owned(),
            };
            let n_columns = index.columns.len();
            code.blank();
            code.line(&format!("/// The facts with certain values in columns {:?}.", index.columns));
            code.line("#[inline]");
            code.open(&format!("pub fn {name}(&self, key: [Term; {n_columns}]) -> Chain<'_, {width}> {{"));
            code.line(&format!("let next = self.{name}.newest({key});"));
            code.line(&format!("Chain {{ next, older: self.{name}.older(), rows: &self.rows }}"));
            code.close("}");
            if self.is_grown {
                code.blank();
                code.line("/// The newest such fact, counted from one.");
                code.open(&format!("pub fn newest_{name}(&self, key: [Term; {n_columns}]) -> u32 {{"));
                code.line(&format!("self.{name}.newest({key})"));
                code.close("}");
                code.blank();
                code.line("/// A fact, and the next older one of the same key.");
                code.open(&format!("pub fn at_{name}(&self, at: u32) -> ([Term; {width}], u32) {{"));
                code.line(&format!("(self.rows[at as usize - 1], self.{name}.older()[at as usize - 1])"));
                code.close("}");
            }
        }
    }

    fn clear(&self, code: &mut Code) {
        code.blank();
        code.line("/// Forgets every fact.");
        code.open("pub fn clear(&mut self) {");
        let dense: Vec<&Index> = self.layout.indexes.iter().filter(|index| index.is_dense).collect();
        if self.layout.is_dense || !dense.is_empty() {
            code.open("for &row in &self.rows {");
            if self.layout.is_dense {
                code.line(&format!("self.is_there[{}::place(row)] = false;", self.kind));
            }
            for index in dense {
                self.key(code, index);
                code.line(&format!("self.{}.forget(key);", index_name(&index.columns)));
            }
            code.close("}");
        }
        if !self.layout.is_dense {
            code.line("self.is_there.clear();");
        }
        for index in &self.layout.indexes {
            code.line(&format!("self.{}.clear();", index_name(&index.columns)));
        }
        code.line("self.rows.clear();");
        code.close("}");
    }
}
