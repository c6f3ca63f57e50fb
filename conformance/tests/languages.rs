//! GaDeLaC's languages mean the game they were made of: the rulesheets that MINI-GDL and NORMAL-GDL are printed as, played by
//! the reference engine, and INVERTED-GDL, run from facts to facts, agree with it in positions of random matches.

use libtest_mimic::{Arguments, Failed, Trial};
use senet_analysis::{Program, analyze};
use senet_conformance::{Chaining, Sheet};
use senet_engine_forward::SizeOrder;
use senet_game::{AnyMatch, MoveGenerator, Position, RoleId};
use senet_languages::inverted::Inverted;
use senet_languages::mini_text;
use senet_languages::normal::{Normal, source_order};
use senet_rules::{Keywords, RuleSet};
use std::collections::BTreeMap;
use std::time::Duration;

/// The positions that are looked at, by the moves before them; the last one of a match that ends is looked at too.
const LOOK_AFTER: [usize; 4] = [0, 1, 6, 21];
const LONGEST_PLAY: usize = 400;
const TIME_FOR_SIZES: Duration = Duration::from_secs(60);

fn main() {
    let mut trials = Vec::new();
    for game in senet_engines::library::all() {
        for order in ["source", "sizes"] {
            let game = game.clone();
            let name = format!("languages/{}/{order}", game.name);
            trials.push(Trial::test(name, move || means_the_same(&game.text, order)));
        }
    }
    for (name, text) in senet_conformance::peculiar_sheets() {
        let name = format!("peculiar/{name}");
        trials.push(Trial::test(name, move || means_the_same(&text, "source")));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn means_the_same(rulesheet: &str, order: &str) -> Result<(), Failed> {
    let description = senet_gdl::parse(rulesheet);
    let program = analyze(&description, false).program.ok_or("the rulesheet is refused")?;
    let rule_set = RuleSet::new(&program);
    let normal = in_order(&program, rule_set.clone(), order)?;
    let symbols = program.symbols();
    let texts = [mini_text(&rule_set, symbols), normal.to_text(symbols)];
    normal.check_form()?;
    if texts[1] != in_order(&program, RuleSet::new(&program), order)?.to_text(symbols) {
        return Err("NORMAL-GDL is printed in two ways".into());
    }
    let inverted = Inverted::new(normal);
    let keywords = inverted.normal.rule_set.keywords;
    let mut chaining = Chaining::new(&inverted, symbols);

    let engine = Sheet::read(rulesheet)?.engine("reference")?;
    let roles = engine.role_names().to_vec();
    let mut played = engine.start()?;
    let mut printed: Vec<Box<dyn AnyMatch>> = Vec::new();
    for text in &texts {
        printed.push(Sheet::read(text)?.engine("reference")?.start()?);
    }
    for (language, printed) in ["MINI-GDL", "NORMAL-GDL"].into_iter().zip(&mut printed) {
        same(language, 0, &printed.position(), &played.position())?;
    }
    let mut generator = MoveGenerator::new(5);
    for n_moves in 0..=LONGEST_PLAY {
        let position = played.position();
        let is_looked_at = position.terminal || LOOK_AFTER.contains(&n_moves);
        let mut joint: BTreeMap<String, String> = BTreeMap::new();
        if !position.terminal {
            for (at, role) in roles.iter().enumerate() {
                joint.insert(role.clone(), played.random_move(RoleId::new(at), &mut generator)?);
            }
            played.play(&joint)?;
        }
        if is_looked_at {
            for (language, text) in ["MINI-GDL", "NORMAL-GDL"].into_iter().zip(&mut printed) {
                text.set(&position.state)?;
                same(language, n_moves, &text.position(), &position)?;
                if !position.terminal {
                    text.play(&joint)?;
                    same(language, n_moves + 1, &text.position(), &played.position())?;
                }
            }
            let moves: Vec<(&str, &str)> = joint.iter().map(|(role, text)| (&role[..], &text[..])).collect();
            chaining.run(&position.state, &moves);
            same("INVERTED-GDL", n_moves, &derived(&chaining, keywords, &roles, &position), &position)?;
            let next: Vec<String> = chaining.facts(keywords.next).concat();
            let expected = played.position().state;
            if !position.terminal && next != expected {
                return Err(
                    format!("INVERTED-GDL after {n_moves} moves: `next` {next:?}, not {expected:?}").into()
                );
            }
        }
        if position.terminal {
            break;
        }
    }
    Ok(())
}

fn in_order(program: &Program, rule_set: RuleSet, order: &str) -> Result<Normal, Failed> {
    let normal = if order == "source" {
        Normal::new(rule_set, source_order)
    } else {
        let mut sizes =
            SizeOrder::new(program, TIME_FOR_SIZES).map_err(|declined| format!("{declined:?}"))?;
        Normal::new(rule_set, |rule| sizes.of(rule))
    };
    normal.map_err(|too_large| format!("{too_large:?}").into())
}

fn same(language: &str, n_moves: usize, found: &Position, expected: &Position) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{language} after {n_moves} moves:\n{found:?}, not\n{expected:?}").into())
}

/// The position as the facts tell it.
fn derived(chaining: &Chaining, keywords: Keywords, roles: &[String], position: &Position) -> Position {
    let of_role = |relation, role: &String| -> Vec<String> {
        let facts = chaining.facts(relation).into_iter().filter(|fact| fact[0] == *role);
        facts.map(|mut fact| fact.remove(1)).collect()
    };
    let terminal = !chaining.facts(keywords.terminal).is_empty();
    let goals = roles.iter().map(|role| match &of_role(keywords.goal, role)[..] {
        [value] => senet_gdl::goal_value(value),
        _ => None,
    });
    let legal = roles.iter().map(|role| if terminal { Vec::new() } else { of_role(keywords.legal, role) });
    Position { state: position.state.clone(), terminal, goals: goals.collect(), legal: legal.collect() }
}
