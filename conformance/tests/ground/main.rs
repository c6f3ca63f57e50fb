//! Every built-in game grounded: well-formed, and it plays as its rulesheet does. And so are games with relations
//! that are too large to be derived as they are written.

mod large;

use libtest_mimic::{Arguments, Failed, Trial};
use senet_analysis::Stratification;
use senet_conformance::{Grounded, METHODS, MODES, Sheet};
use senet_engines::library::BuiltIn;
use senet_game::{AnyEngine, AnyMatch, MoveGenerator, PerftOptions, PerftRow, Position, RoleId};
use senet_ground::{Kind, Method, Mode};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// A ground game with more rules is not played: the reference engine reads and runs it too slowly.
const MOST_RULES_PLAYED: usize = 20_000;

/// Counts of more sequences than this are left out.
const MOST_NODES: u64 = 400;
const DEPTH: u32 = 4;

/// The more rules there are, the fewer moves are played.
const RULES_TIMES_MOVES: usize = 400_000;
const MOST_MOVES: usize = 120;
const SEEDS: u64 = 2;

fn main() {
    let trial = |game: BuiltIn| Trial::test(format!("ground/{}", game.name), move || check(&game.text));
    let mut trials: Vec<Trial> = senet_engines::library::all().into_iter().map(trial).collect();
    trials.extend(
        large::games()
            .into_iter()
            .map(|game| Trial::test(format!("ground/large/{}", game.name), move || check_large(&game))),
    );
    trials.extend(
        senet_conformance::peculiar_sheets()
            .map(|(name, text)| Trial::test(format!("ground/peculiar/{name}"), move || check(&text))),
    );
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn check(rulesheet: &str) -> Result<(), Failed> {
    let mut of_modes = Vec::new();
    for mode in MODES {
        let in_mode =
            |error: Failed| -> Failed { format!("{mode:?}: {}", error.message().unwrap_or_default()).into() };
        let [one_step, iterative] = METHODS.map(|method| Grounded::new(rulesheet, mode, method));
        let (one_step, iterative) = (one_step.map_err(in_mode)?, iterative.map_err(in_mode)?);
        one_step.check_sets_within(&iterative).map_err(in_mode)?;
        iterative.check_sets_within(&one_step).map_err(in_mode)?;
        is_well_formed(&one_step).map_err(in_mode)?;
        plays_as(rulesheet, &one_step).map_err(in_mode)?;
        of_modes.push(one_step);
    }
    of_modes[0].check_sets_within(&of_modes[1])
}

fn check_large(game: &large::Game) -> Result<(), Failed> {
    let grounded = Grounded::new(&game.text, Mode::Full, Method::OneStep)?;
    let n_rules = grounded.grounding.program.n_rules();
    if n_rules > game.most_rules {
        return Err(format!("{n_rules} rules, {} are enough", game.most_rules).into());
    }
    is_well_formed(&grounded)?;
    plays_as(&game.text, &grounded)
}

fn plays_as(rulesheet: &str, grounded: &Grounded) -> Result<(), Failed> {
    let original = Sheet::read(rulesheet)?.engine("reference")?;
    let n_rules = grounded.grounding.program.n_rules();
    if n_rules > MOST_RULES_PLAYED {
        return play(&original, None, grounded, 1, MOST_MOVES / 4);
    }
    let ground_engine = Sheet::read(&grounded.gdl()?)?.engine("reference")?;
    if original.role_names() != ground_engine.role_names() {
        return Err(format!("the roles are {:?}", ground_engine.role_names()).into());
    }
    let (expected, found) = (count(&original)?, count(&ground_engine)?);
    if expected != found {
        return Err(format!("counts of the rulesheet {expected:?}\n of the ground game {found:?}").into());
    }
    let n_moves = (RULES_TIMES_MOVES / n_rules.max(1)).min(MOST_MOVES);
    for seed in 0..SEEDS {
        play(&original, Some(&ground_engine), grounded, seed, n_moves)?;
    }
    Ok(())
}

fn count(engine: &Arc<dyn AnyEngine>) -> Result<Vec<PerftRow>, Failed> {
    let mut rows = Vec::new();
    engine.perft(PerftOptions { depth: DEPTH, node_limit: MOST_NODES }, &mut |row| rows.push(row))?;
    Ok(rows)
}

/// Plays random moves of the rulesheet, in the ground game too if it is there.
fn play(
    original: &Arc<dyn AnyEngine>,
    ground_engine: Option<&Arc<dyn AnyEngine>>,
    grounded: &Grounded,
    seed: u64,
    n_moves: usize,
) -> Result<(), Failed> {
    let mut game = original.clone().start()?;
    let mut ground_game = ground_engine.map(|engine| engine.clone().start()).transpose()?;
    let mut generator = MoveGenerator::new(seed);
    for turn in 0..n_moves {
        let place = |error: Failed| -> Failed {
            format!("seed {seed}, move {turn}: {}", error.message().unwrap_or_default()).into()
        };
        let position = game.position();
        has_room_for(grounded, original.role_names(), &position).map_err(place)?;
        if let Some(ground_game) = &mut ground_game {
            is_same(&position, &ground_game.position()).map_err(place)?;
        }
        if position.terminal {
            break;
        }
        let moves = random_moves(&mut *game, original.role_names(), &mut generator)?;
        game.play(&moves)?;
        if let Some(ground_game) = &mut ground_game {
            ground_game.play(&moves)?;
        }
    }
    Ok(())
}

fn random_moves(
    game: &mut dyn AnyMatch,
    roles: &[String],
    generator: &mut MoveGenerator,
) -> Result<BTreeMap<String, String>, Failed> {
    let mut moves = BTreeMap::new();
    for (at, role) in roles.iter().enumerate() {
        moves.insert(role.clone(), game.random_move(RoleId::new(at), generator)?);
    }
    Ok(moves)
}

fn has_room_for(grounded: &Grounded, roles: &[String], position: &Position) -> Result<(), Failed> {
    grounded.check_facts(position.state.iter().map(String::as_str))?;
    for (role, moves) in roles.iter().zip(&position.legal) {
        grounded.check_moves(role, moves.iter().map(String::as_str))?;
    }
    Ok(())
}

fn is_same(expected: &Position, found: &Position) -> Result<(), Failed> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("by the rulesheet {expected:?}\n by the ground game {found:?}").into()),
    }
}

/// What the parts of a ground program owe to each other.
fn is_well_formed(grounded: &Grounded) -> Result<(), Failed> {
    let program = &grounded.grounding.program;
    for (name, set) in [("base", &grounded.base), ("input", &grounded.input)] {
        if let Some(pair) = set.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("{} is in {name} twice", pair[0]).into());
        }
    }
    let base: HashSet<_> = program.base().collect();
    if let Some(&fluent) = program.init().iter().find(|fluent| !base.contains(fluent)) {
        return Err(format!("{} holds first and is not in base", grounded.atom_text(fluent)).into());
    }
    let mut known = HashSet::new();
    for rule in program.rules() {
        let mut body = rule.body.to_vec();
        body.sort_unstable();
        if body.is_empty() || body.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(format!("{} has the body {body:?}", grounded.atom_text(rule.head)).into());
        }
        if !known.insert((rule.head, body)) {
            return Err(format!("a rule for {} is stored twice", grounded.atom_text(rule.head)).into());
        }
        let kind = program.block_of(rule.head).kind;
        if matches!(kind, Kind::True | Kind::Does) {
            return Err(format!("{} is given, not concluded", grounded.atom_text(rule.head)).into());
        }
    }
    if known.len() != program.n_rules() {
        return Err(format!("{} rules are shown of {}", known.len(), program.n_rules()).into());
    }
    match grounded.program.stratification() {
        Stratification::Unproved => Ok(()),
        _ => negates_only_what_is_known(grounded),
    }
}

/// A rule negates only what earlier strata conclude, or what nothing concludes.
fn negates_only_what_is_known(grounded: &Grounded) -> Result<(), Failed> {
    let program = &grounded.grounding.program;
    let n_strata = program.strata().len();
    let mut last_stratum = vec![None; program.n_atoms()];
    for stratum in 0..n_strata {
        for rule in program.rules_of_stratum(stratum) {
            last_stratum[rule.head.index()] = Some(stratum);
        }
    }
    for stratum in 0..n_strata {
        for rule in program.rules_of_stratum(stratum) {
            let negated = rule.body.iter().filter(|lit| lit.is_negative()).map(|lit| lit.atom());
            if let Some(late) = negated.into_iter().find(|atom| last_stratum[atom.index()] >= Some(stratum)) {
                let [head, late] = [rule.head, late].map(|atom| grounded.atom_text(atom));
                return Err(format!(
                    "a rule for {head} negates {late}, concluded in stratum {stratum} or later"
                )
                .into());
            }
        }
    }
    Ok(())
}
