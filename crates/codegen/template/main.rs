//! Plays random matches and prints their statistics.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::process::ExitCode;
use std::time::Instant;

use PACKAGE::game::{Game, ROLE_NAMES};
use PACKAGE::playout::{Statistics, playout};

const USAGE: &str = "Plays random matches and prints their statistics.
Usage: PROGRAM [--seconds S | --count N] [--seed N]
  --seconds S   play for so long (1 second unless told)
  --count N     play so many matches
  --seed N      which random moves (0 unless told)";

struct Options {
    seconds: f64,
    count: u64,
    seed: u64,
}

fn options() -> Result<Options, String> {
    let mut options = Options { seconds: 1.0, count: u64::MAX, seed: 0 };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| USAGE.to_owned())?;
        let wrong = || format!("{name}: `{value}` is not a number");
        match name.as_str() {
            "--seconds" => options.seconds = value.parse().map_err(|_| wrong())?,
            "--count" => {
                options.count = value.parse().map_err(|_| wrong())?;
                options.seconds = f64::INFINITY;
            }
            "--seed" => options.seed = value.parse().map_err(|_| wrong())?,
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(options)
}

fn run() -> Result<(), String> {
    let options = options()?;
    let (mut game, mut statistics) = (Game::new(), Statistics::default());
    let mut rng = SmallRng::seed_from_u64(options.seed);
    let start = Instant::now();
    let mut n_begun = 0;
    while n_begun < options.count && (n_begun == 0 || start.elapsed().as_secs_f64() < options.seconds) {
        playout(&mut game, &mut rng, &mut statistics).map_err(|stopped| stopped.to_string())?;
        n_begun += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("seconds      {seconds:.3}");
    println!("playouts     {}", statistics.playouts);
    println!("cut          {}", statistics.cut);
    println!("states       {}", statistics.states);
    println!("states/s     {:.0}", statistics.states as f64 / seconds);
    println!("playouts/s   {:.1}", n_begun as f64 / seconds);
    println!("mean length  {:.4}", statistics.length.mean());
    for (name, goals) in ROLE_NAMES.iter().zip(&statistics.goals) {
        println!("mean goal    {:.4} {name}", goals.mean());
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}
