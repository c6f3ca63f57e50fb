//! `senet play`: a match in the terminal.

mod args;
mod ink;
mod natural_order;
mod picture;
mod move_list;
mod menu;
mod request;
mod outcome;
mod opponents;
mod terminal_match;
mod person;

pub(crate) use args::PlayArgs;
pub(crate) use person::Person;
pub(crate) use picture::Painter;
pub(crate) use terminal_match::count_moves;

use crate::load::load;
use crate::run::Answer;
use anyhow::{Result, bail};
use ink::Ink;
use opponents::Opponents;
use senet_engines::Purpose;
use senet_search::Rules;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use terminal_match::{Screen, TerminalMatch};

pub(crate) fn run(args: &PlayArgs) -> Result<Answer> {
    let Ok(loaded) = load(&args.game.game)? else { return Ok(Answer::No) };
    let engine = loaded.engine_for(&args.engine.engine, Purpose::Match)?;
    let person = match args.auto {
        true => None,
        false => Some(role_of_person(engine.role_names(), args.role.as_deref())?),
    };
    let stdout = io::stdout();
    let screen = Screen {
        ink: Ink::of_stdout(),
        width: terminal_width(),
        echo: !io::stdin().is_terminal(),
        delay: if stdout.is_terminal() { Duration::from_millis(args.delay) } else { Duration::ZERO },
    };
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let opponents = match &args.against {
        None => None,
        Some(spec) => {
            let is_other = |role: &usize| Some(*role) != person && engine.role_names()[*role] != "random";
            let others: Vec<usize> = (0..engine.role_names().len()).filter(is_other).collect();
            if others.is_empty() {
                // A note that nobody reads is no reason not to play.
                let _ = writeln!(
                    io::stderr(),
                    "note: nobody else plays {}: `--against` changes nothing",
                    loaded.name
                );
            }
            let rules = Rules::new(loaded.description.clone())?;
            Some(Opponents::new(rules, &others, spec.clone(), args.seconds, seed)?)
        }
    };
    let (stdin, stdout) = (io::stdin().lock(), stdout.lock());
    let game = TerminalMatch::new(engine, &loaded.description, person, seed, screen, stdin, stdout)?;
    game.against(opponents).drawing_to(args.svg.clone()).play(&loaded.name)?;
    Ok(Answer::Yes)
}

fn role_of_person(roles: &[String], wanted: Option<&str>) -> Result<usize> {
    let Some(wanted) = wanted else {
        return Ok(roles.iter().position(|role| role != "random").unwrap_or(0));
    };
    match roles.iter().position(|role| role.eq_ignore_ascii_case(wanted)) {
        Some(role) => Ok(role),
        None => bail!("there is no role `{wanted}`: choose one of {}", roles.join(", ")),
    }
}

/// Short enough to be typed again.
pub(crate) fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_micros() as u64 % 1_000_000
}

fn terminal_width() -> usize {
    let width = io::stdout().is_terminal().then(|| comfy_table::Table::new().width()).flatten();
    usize::from(width.unwrap_or(80)).max(20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_does_not_play_the_dice() {
        let roles = ["random".to_owned(), "robot".to_owned()];
        assert_eq!(role_of_person(&roles, None).unwrap(), 1);
        assert_eq!(role_of_person(&roles, Some("Random")).unwrap(), 0);
        let error = role_of_person(&roles, Some("black")).unwrap_err();
        assert_eq!(error.to_string(), "there is no role `black`: choose one of random, robot");
    }
}
