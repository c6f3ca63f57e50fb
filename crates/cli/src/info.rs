//! `senet info`

use crate::args::InfoArgs;
use crate::circuit_summary;
use crate::drawing_summary;
use crate::ground_summary;
use crate::load::load;
use crate::progress;
use crate::run::Answer;
use anyhow::Result;
use senet_analysis::{Dependence, Program, Relation, RelationId, Stratification, Temporal, Temporization};
use senet_boards::{Layout, Survey};
use senet_circuit::{BuildError, Circuit};
use senet_game::Observations;
use senet_gdl::Description;
use senet_ground::{GroundProgram, Stopped};
use serde_json::json;
use std::io::{BufWriter, Write};

pub(crate) fn run(args: &InfoArgs) -> Result<Answer> {
    let Ok(loaded) = load(&args.game.game)? else { return Ok(Answer::No) };
    if args.dot {
        let spinner = progress::spinner("grounding");
        let ground = ground_summary::ground_within_budget(loaded.program());
        spinner.finish_and_clear();
        circuit_summary::draw(&mut BufWriter::new(std::io::stdout().lock()), ground)?;
        return Ok(Answer::Yes);
    }
    let engine = loaded.engine(&args.engine.engine)?;
    let spinner = progress::spinner("looking at random play");
    let seen = engine.observe(args.positions, args.seed);
    let mut survey = Survey::new(&loaded.description, engine.role_names());
    survey.explore(&engine);
    let ground = ground_summary::ground_within_budget(loaded.program());
    let circuit = circuit_summary::circuit_of(&ground);
    spinner.finish_and_clear();
    let info = Info {
        name: &loaded.name,
        description: &loaded.description,
        program: loaded.program(),
        roles: engine.role_names(),
        engine: engine.name(),
        remarks: engine.remarks(),
        seen: seen?,
        layout: survey.layout(),
        ground,
        circuit,
    };
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", info.json())?;
    } else {
        info.write(&mut out)?;
    }
    Ok(Answer::Yes)
}

struct Info<'a> {
    name: &'a str,
    description: &'a Description,
    program: &'a Program,
    roles: &'a [String],
    engine: &'a str,
    remarks: Vec<String>,
    seen: Observations,
    layout: Layout,
    ground: Result<GroundProgram, Box<Stopped>>,
    /// Of a game that was grounded.
    circuit: Option<Result<Circuit, BuildError>>,
}

impl Info<'_> {
    fn facts_and_rules(&self) -> (usize, usize) {
        let facts = self.description.clauses.iter().filter(|clause| clause.body.is_empty()).count();
        (facts, self.description.clauses.len() - facts)
    }

    /// The relations that clauses define, as `name/arity`.
    fn relations(&self, is_chosen: impl Fn(RelationId, &Relation) -> bool) -> Vec<String> {
        let relations = self.program.relations().iter().enumerate();
        let chosen = relations.filter(|(at, relation)| {
            relation.is_defined && !relation.is_auxiliary && is_chosen(RelationId::new(*at), relation)
        });
        let mut names: Vec<_> = chosen
            .map(|(_, relation)| format!("{}/{}", self.program.symbols().name(relation.name), relation.arity))
            .collect();
        names.sort();
        names
    }

    fn dependent(&self, dependence: Dependence) -> Vec<String> {
        self.relations(|_, relation| relation.dependence == dependence)
    }

    /// What stays true once it is: relations, and fluents.
    fn persistent(&self) -> (Vec<String>, Vec<String>) {
        let labels = Temporization::new(self.program);
        let fluents = labels.kept().iter().map(|kept| {
            let mut text = String::new();
            senet_gdl::write_term(&mut text, &kept.fluent, self.program.symbols(), &kept.variables);
            text
        });
        (self.relations(|id, _| labels.of(id) == Temporal::Persistent), fluents.collect())
    }

    fn stratification(&self) -> &'static str {
        match self.program.stratification() {
            Stratification::BetweenRelations => "stratified between relations",
            Stratification::BySplitting => "stratified when relations are split by constants",
            Stratification::Unproved => "stratified between ground atoms at best",
        }
    }

    fn mean_length(&self) -> Option<f64> {
        (self.seen.finished > 0).then(|| self.seen.finished_length as f64 / self.seen.finished as f64)
    }

    fn mean_moves(&self, role: usize) -> f64 {
        self.seen.total_moves[role] as f64 / self.seen.positions.max(1) as f64
    }

    fn json(&self) -> serde_json::Value {
        let (facts, rules) = self.facts_and_rules();
        let roles: Vec<_> = self
            .roles
            .iter()
            .enumerate()
            .map(|(at, role)| {
                json!({"name": role, "mean_moves": self.mean_moves(at), "most_moves": self.seen.most_moves[at]})
            })
            .collect();
        let (persistent, kept) = self.persistent();
        json!({
            "name": self.name,
            "roles": roles,
            "kind": self.seen.kind(),
            "engine": self.engine,
            "engine_remarks": self.remarks,
            "facts": facts,
            "rules": rules,
            "lowered_clauses": self.program.rules().len(),
            "strata": self.program.strata().len(),
            "stratification": self.stratification(),
            "relations": {
                "static": self.dependent(Dependence::Static),
                "state": self.dependent(Dependence::State),
                "move": self.dependent(Dependence::Move),
                "persistent": persistent,
            },
            "kept_fluents": kept,
            "random_play": {
                "positions": self.seen.positions,
                "finished_playouts": self.seen.finished,
                "mean_length": self.mean_length(),
                "most_facts": self.seen.most_facts,
                "positions_by_choosers": self.seen.choosers,
            },
            "drawing": drawing_summary::json(&self.layout),
            "ground": ground_summary::json(&self.ground),
            "circuit": circuit_summary::json(&self.circuit),
        })
    }

    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let (facts, rules) = self.facts_and_rules();
        writeln!(out, "{}", self.name)?;
        writeln!(out, "  roles       {}", self.roles.join(", "))?;
        writeln!(out, "  kind        {}, as seen in {} positions", self.seen.kind(), self.seen.positions)?;
        match self.mean_length() {
            Some(length) => {
                let finished = self.seen.finished;
                writeln!(out, "  length      {length:.1} moves, mean of {finished} random matches")?;
            }
            None => {
                writeln!(out, "  length      no random match ended within {} positions", self.seen.positions)?
            }
        }
        for (at, role) in self.roles.iter().enumerate() {
            let (mean, most) = (self.mean_moves(at), self.seen.most_moves[at]);
            writeln!(out, "  moves       {role}: {mean:.1} on average, {most} at most")?;
        }
        let most_facts = self.seen.most_facts;
        writeln!(out, "  state       {most_facts} fact{} at most", if most_facts == 1 { "" } else { "s" })?;
        let lowered = self.program.rules().len();
        writeln!(out, "  rulesheet   {facts} facts and {rules} rules, {lowered} in all when lowered")?;
        writeln!(out, "  strata      {}, {}", self.program.strata().len(), self.stratification())?;
        writeln!(out, "  engine      {}", self.engine)?;
        for remark in &self.remarks {
            writeln!(out, "              {remark}")?;
        }
        for (title, dependence) in
            [("static", Dependence::Static), ("state", Dependence::State), ("move", Dependence::Move)]
        {
            write_list(out, title, &self.dependent(dependence))?;
        }
        let (persistent, kept) = self.persistent();
        for (title, names) in [("persistent", persistent), ("kept", kept)] {
            if !names.is_empty() {
                write_list(out, title, &names)?;
            }
        }
        drawing_summary::write(out, &self.layout)?;
        ground_summary::write(out, &self.ground)?;
        circuit_summary::write(out, &self.circuit)
    }
}

/// Names after a title, in lines of a readable width.
fn write_list(out: &mut impl Write, title: &str, names: &[String]) -> std::io::Result<()> {
    const WIDTH: usize = 88;
    let mut line = format!("  {title:<11}");
    for (at, name) in names.iter().enumerate() {
        if at > 0 && line.len() + name.len() >= WIDTH {
            writeln!(out, "{line}")?;
            line = " ".repeat(13);
        }
        line.push(' ');
        line.push_str(name);
    }
    writeln!(out, "{}", line.trim_end())
}
