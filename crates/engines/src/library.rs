//! The built-in games: the rulesheets of `games/`, part of the program.

use rust_embed::Embed;

#[derive(Embed)]
#[folder = "../../games"]
struct Files;

/// A rulesheet with what its header says.
#[derive(Clone, Debug)]
pub struct BuiltIn {
    /// The name to ask for: the file's, without its ending.
    pub name: String,
    /// The folder it stands in.
    pub family: String,
    /// `; Name:` of the header.
    pub title: String,
    /// `; Players:` of the header.
    pub players: String,
    /// `; Summary:` of the header.
    pub summary: String,
    /// `; Rules:` of the header: where the rules come from.
    pub source: String,
    /// The rulesheet.
    pub text: String,
}

/// All built-in games, by name.
pub fn all() -> Vec<BuiltIn> {
    let mut games: Vec<_> = Files::iter().filter_map(|path| built_in(&path)).collect();
    games.sort_by(|left, right| left.name.cmp(&right.name));
    games
}

/// The built-in game of that name, in any letter case.
pub fn find(name: &str) -> Option<BuiltIn> {
    let path =
        Files::iter().find(|path| name_of(path).is_some_and(|(_, stem)| stem.eq_ignore_ascii_case(name)))?;
    built_in(&path)
}

/// The names of all built-in games.
pub fn names() -> Vec<String> {
    all().into_iter().map(|game| game.name).collect()
}

fn name_of(path: &str) -> Option<(&str, &str)> {
    let (family, file) = path.rsplit_once('/').unwrap_or(("", path));
    Some((family, file.strip_suffix(".kif")?))
}

fn built_in(path: &str) -> Option<BuiltIn> {
    let (family, name) = name_of(path)?;
    let text = String::from_utf8(Files::get(path)?.data.into_owned()).ok()?;
    let header = |key: &str| {
        let line = text
            .lines()
            .take_while(|line| line.starts_with(';'))
            .find_map(|line| line.trim_start_matches([';', ' ']).strip_prefix(key));
        line.unwrap_or_default().trim().to_owned()
    };
    Some(BuiltIn {
        name: name.to_owned(),
        family: family.to_owned(),
        title: header("Name:"),
        players: header("Players:"),
        summary: header("Summary:"),
        source: header("Rules:"),
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_whole_header_and_a_name_of_its_own() {
        let games = all();
        assert!(games.len() >= 30, "only {} built-in games", games.len());
        for game in &games {
            let fields = [&game.family, &game.title, &game.players, &game.summary, &game.source];
            assert!(fields.iter().all(|field| !field.is_empty()), "{}: {fields:?}", game.name);
            assert_eq!(games.iter().filter(|other| other.name == game.name).count(), 1, "{}", game.name);
        }
    }

    #[test]
    fn names_ignore_case() {
        assert_eq!(find("Tic-Tac-Toe").unwrap().name, "tic-tac-toe");
        assert!(find("no-such-game").is_none());
    }
}
