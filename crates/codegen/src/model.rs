//! Everything about a game that the writers write down.

use crate::domain::Shape;
use crate::flat::{Flat, FlatId, Literal, Rule, Stage};
use crate::flatten::flatten;
use crate::gdl;
use crate::layout::{Layout, layouts};
use crate::names::{Names, variants};
use crate::number::Numbering;
use crate::plan::{Plan, plan};
use senet_engine_forward::Outline;
use senet_rules::Lifetime;

/// A rule that is planned.
#[derive(Debug)]
pub(crate) struct Planned {
    /// The function that runs it.
    pub(crate) name: String,
    /// The rule of MINI-GDL it comes from.
    pub(crate) source: usize,
    /// The relation whose new facts it goes through.
    pub(crate) trigger: Option<FlatId>,
    pub(crate) plan: Plan,
}

/// The planned rules of a stratum of a stage.
#[derive(Debug)]
pub(crate) struct PlannedGroup {
    pub(crate) once: Vec<Planned>,
    pub(crate) repeated: Vec<Planned>,
}

/// What a relation is called.
#[derive(Debug)]
pub(crate) struct RelationNames {
    pub(crate) field: String,
    pub(crate) kind: String,
    pub(crate) table: String,
}

/// A game made ready to be written.
#[derive(Debug)]
pub(crate) struct Model<'a> {
    pub(crate) outline: &'a Outline<'a>,
    pub(crate) flat: Flat,
    pub(crate) numbering: Numbering,
    pub(crate) layouts: Vec<Layout>,
    pub(crate) names: Vec<RelationNames>,
    /// By stage: the name of the function that runs it.
    pub(crate) stage_names: Vec<String>,
    pub(crate) stages: Vec<Vec<PlannedGroup>>,
    /// Names of constants, by number.
    pub(crate) constants: Vec<String>,
    /// Names of functions of terms kept whole, by number.
    pub(crate) functions: Vec<String>,
    /// Names of the fluents and moves of each shape.
    pub(crate) fluents: Vec<String>,
    pub(crate) moves: Vec<String>,
}

impl<'a> Model<'a> {
    pub(crate) fn new(outline: &'a mut Outline<'_>) -> Model<'a> {
        let flat = flatten(outline);
        let numbering = Numbering::new(&flat, outline.terms, outline.roles);
        let mut layouts = layouts(&flat, &numbering);
        let names = relation_names(outline, &flat);
        let mut functions = Names::default();
        let mut stages = Vec::new();
        let mut stage_names = Vec::new();
        for stage in &flat.stages {
            let head = &outline.rule_set().relations[stage.heads[0].index()].name;
            stage_names.push(functions.snake(&format!("derive {head}")));
            let mut planner = StagePlanner {
                outline,
                numbering: &numbering,
                layouts: &mut layouts,
                names: &names,
                functions: &mut functions,
            };
            stages.push(planner.stage(stage));
        }
        // What holds next becomes what holds: both have the same indexes.
        for &(fluent, next) in &flat.fluents {
            layouts[next.index()] = layouts[fluent.index()].clone();
        }
        let mut taken = Names::default();
        let constants = numbering.constants.iter().map(|&it| taken.shout(&gdl::term(outline, it))).collect();
        let functors = numbering.functors.iter();
        let functions =
            functors.map(|&it| taken.shout(&format!("{} of", gdl::function(outline, it)))).collect();
        let variants = |pairs: &[(FlatId, FlatId)], arg: usize| {
            let shapes = pairs.iter().map(|(id, _)| &flat.relations[id.index()].shapes[arg]);
            variants(shapes.map(|shape| shape_name(outline, shape)))
        };
        let (fluents, moves) = (variants(&flat.fluents, 0), variants(&flat.moves, 1));
        Model {
            outline,
            names,
            stage_names,
            stages,
            constants,
            functions,
            fluents,
            moves,
            numbering,
            layouts,
            flat,
        }
    }

    /// Whether terms are put together or taken apart while the game is played.
    pub(crate) fn has_compounds(&self) -> bool {
        !self.numbering.functors.is_empty()
    }

    /// The type of the facts of a relation.
    pub(crate) fn kind(&self, relation: FlatId) -> &str {
        let twin = self.flat.fluents.iter().find(|(_, next)| *next == relation);
        &self.names[twin.map_or(relation, |(fluent, _)| *fluent).index()].kind
    }

    /// Relations of a lifetime.
    pub(crate) fn relations(&self, lifetime: Lifetime) -> impl Iterator<Item = FlatId> {
        let ids = (0..self.flat.relations.len()).map(FlatId::new);
        ids.filter(move |id| self.flat.relations[id.index()].lifetime == lifetime)
    }

    /// Every rule.
    pub(crate) fn planned(&self) -> impl Iterator<Item = &Planned> {
        self.stages.iter().flatten().flat_map(|group| group.once.iter().chain(&group.repeated))
    }

    /// The stages that run when the program starts.
    pub(crate) fn needed_at_start(&self) -> Vec<usize> {
        (0..self.flat.stages.len()).filter(|&at| self.flat.stages[at].is_permanent).collect()
    }

    /// The other stages that some relations need, in order.
    pub(crate) fn needed_for(&self, relations: impl Iterator<Item = FlatId>) -> Vec<usize> {
        let mut is_needed = vec![false; self.flat.relations.len()];
        relations.for_each(|relation| is_needed[relation.index()] = true);
        let mut needed = Vec::new();
        for (at, stage) in self.flat.stages.iter().enumerate().rev() {
            if !stage.rules().any(|rule| is_needed[rule.head.relation.index()]) {
                continue;
            }
            for literal in stage.rules().flat_map(|rule| &rule.body) {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                    is_needed[atom.relation.index()] = true;
                }
            }
            if !stage.is_permanent {
                needed.push(at);
            }
        }
        needed.reverse();
        needed
    }
}

struct StagePlanner<'m, 'a> {
    outline: &'m mut Outline<'a>,
    numbering: &'m Numbering,
    layouts: &'m mut [Layout],
    names: &'m [RelationNames],
    functions: &'m mut Names,
}

impl StagePlanner<'_, '_> {
    fn stage(&mut self, stage: &Stage) -> Vec<PlannedGroup> {
        let mut groups = Vec::new();
        for group in &stage.groups {
            let once = group.once.iter().map(|rule| self.rule(rule, None)).collect();
            let mut repeated = Vec::new();
            for (rule, triggers) in &group.repeated {
                repeated.extend(triggers.iter().map(|&trigger| self.rule(rule, Some(trigger))));
            }
            groups.push(PlannedGroup { once, repeated });
        }
        groups
    }

    fn rule(&mut self, rule: &Rule, trigger: Option<usize>) -> Planned {
        let order = self.outline.order(rule.source, trigger);
        let plan = plan(rule, trigger, &order, self.numbering, self.layouts);
        let name = self.functions.snake(&self.names[rule.head.relation.index()].field);
        let relation = |literal: usize| match &rule.body[literal] {
            Literal::Positive(atom) => Some(atom.relation),
            Literal::Negative(_) | Literal::Differ(_) | Literal::Always => None,
        };
        Planned { name, source: rule.source, trigger: trigger.and_then(relation), plan }
    }
}

fn relation_names(outline: &Outline, flat: &Flat) -> Vec<RelationNames> {
    let (mut fields, mut kinds, mut tables) = (Names::default(), Names::default(), Names::default());
    let mut names = Vec::new();
    for relation in &flat.relations {
        let own = &outline.rule_set().relations[relation.source.index()];
        let shapes = relation.shapes.iter().map(|shape| function_names(outline, shape));
        let mut name = std::iter::once(own.name.clone()).chain(shapes).collect::<Vec<_>>().join(" ");
        let is_there_twice = flat.relations.iter().any(|other| {
            let twin = &outline.rule_set().relations[other.source.index()];
            other.source != relation.source && (&twin.name, twin.arity) == (&own.name, own.arity)
        });
        if is_there_twice && own.lifetime == Lifetime::Move {
            name += " after moves";
        }
        let (field, kind) = (fields.snake(&name), kinds.camel(&name));
        names.push(RelationNames { field, kind, table: tables.shout(&name) });
    }
    names
}

/// What terms of a shape are called.
fn shape_name(outline: &Outline, shape: &Shape) -> String {
    match shape {
        Shape::Constant => "constant".to_owned(),
        Shape::Open => "term".to_owned(),
        Shape::Function(..) => function_names(outline, shape),
    }
}

fn function_names(outline: &Outline, shape: &Shape) -> String {
    match shape {
        Shape::Constant | Shape::Open => String::new(),
        Shape::Function(functor, args) => {
            let args = args.iter().map(|arg| function_names(outline, arg));
            std::iter::once(gdl::function(outline, *functor)).chain(args).collect::<Vec<_>>().join(" ")
        }
    }
}
