//! A built-in game and its tests.

use crate::{Sheet, engines};
use libtest_mimic::{Failed, Trial};
use senet_engines::library::{BuiltIn, all};
use senet_gdl::Scrambled;
use std::sync::Arc;

/// A built-in game, as it is and with other words.
pub struct Game {
    /// Its name and rulesheet.
    pub built_in: BuiltIn,
    /// Its engines.
    pub sheet: Sheet,
    /// What the names were replaced by.
    pub scrambled: Scrambled,
    /// Engines of the scrambled rulesheet.
    pub scrambled_sheet: Sheet,
}

/// Every built-in game.
pub fn games() -> Vec<Arc<Game>> {
    let game = |built_in: BuiltIn| {
        let sheet = Sheet::read(&built_in.text).expect("built-in games have no syntax errors");
        let scrambled = senet_gdl::scramble(sheet.description, 7);
        let scrambled_sheet = Sheet::read(&scrambled.text).expect("scrambled games have no syntax errors");
        Arc::new(Game { built_in, sheet, scrambled, scrambled_sheet })
    };
    all().into_iter().map(game).collect()
}

/// One test for each engine and game, named `KIND/GAME/ENGINE`. Tests of a game stand apart: they would wait for each other
/// while its engines are made.
pub fn trials(
    kind: &str,
    games: &[Arc<Game>],
    test: impl Fn(&Game, &'static str) -> Result<(), Failed> + Clone + Send + 'static,
) -> Vec<Trial> {
    let pairs = engines().flat_map(|engine| games.iter().map(move |game| (game.clone(), engine)));
    let trial = |(game, engine): (Arc<Game>, &'static str)| {
        let (test, name) = (test.clone(), format!("{kind}/{}/{engine}", game.built_in.name));
        Trial::test(name, move || test(&game, engine))
    };
    pairs.map(trial).collect()
}
