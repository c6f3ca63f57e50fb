//! Lets `nested` solve puzzles, built-in ones or rulesheets in files:
//!
//!     solve SECONDS SEED GAME...

use senet_game::RoleId;
use senet_search::{Assignment, Limit, Rules, Spec};
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, seed, games @ ..] = &args[..] else { return Err("solve SECONDS SEED GAME...".into()) };
    let (seconds, seed): (f64, u64) = (seconds.parse()?, seed.parse()?);
    for game in games {
        let text = match senet_engines::library::find(game) {
            Some(found) => found.text.into_bytes(),
            None => std::fs::read(game)?,
        };
        let rules = Rules::new(senet_gdl::parse_bytes(&text))?;
        let mut player = "nested".parse::<Spec>()?.player(seed);
        player.start(Assignment { rules, role: RoleId::new(0) }, &Limit::default())?;
        let begun = Instant::now();
        let report = player.choose(&Limit::after(Duration::from_secs_f64(seconds)))?.report;
        eprintln!(
            "{game}: {:?} points in {:.2} s, {} moves, {} playouts and positions",
            report.value,
            begun.elapsed().as_secs_f64(),
            report.line.len(),
            report.playouts
        );
    }
    Ok(())
}
