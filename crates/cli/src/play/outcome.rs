//! The end of a match in words.

/// Who won, from the goals by role. `person` is the role of the reader, if there is one.
pub(super) fn outcome(roles: &[String], goals: &[Option<u8>], person: Option<usize>) -> String {
    // The role `random` stands for dice and the like: nobody wins against it.
    let players: Vec<usize> =
        (0..roles.len()).filter(|&role| roles[role] != "random" || person == Some(role)).collect();
    let Some(values) = players.iter().map(|&role| goals[role]).collect::<Option<Vec<u8>>>() else {
        return "The rules do not give every role a result.".to_owned();
    };
    let best = values.iter().copied().max().unwrap_or(0);
    let winners: Vec<usize> =
        players.iter().zip(&values).filter(|&(_, &value)| value == best).map(|(&role, _)| role).collect();
    let first = person.filter(|person| players.contains(person)).or(winners.first().copied());
    let others = players.iter().zip(&values).filter(|&(&role, _)| Some(role) != first);
    let own = first.and_then(|role| goals[role]).unwrap_or(0);
    let score: Vec<String> =
        std::iter::once(own).chain(others.map(|(_, &value)| value)).map(|value| value.to_string()).collect();
    let score = score.join(" : ");
    let you_won = person.is_some_and(|person| winners.contains(&person));
    match (players.len(), winners.len()) {
        (1, _) if person.is_some() => format!("You have {own} of 100 points."),
        (1, _) => format!("{} has {own} of 100 points.", roles[players[0]]),
        (n_players, n_winners) if n_players == n_winners => format!("A draw, {score}."),
        (_, 1) if you_won => format!("You win {score}."),
        _ if you_won => format!("You share the first place, {score}."),
        _ if person.is_some() => format!("You lose {score}."),
        _ => {
            let names: Vec<&str> = winners.iter().map(|&role| roles[role].as_str()).collect();
            format!("{} win{} {score}.", names.join(" and "), if names.len() == 1 { "s" } else { "" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(goals: &[u8], person: Option<usize>) -> String {
        let roles: Vec<String> =
            ["x", "o", "z"].iter().take(goals.len()).map(|&name| name.to_owned()).collect();
        outcome(&roles, &goals.iter().map(|&goal| Some(goal)).collect::<Vec<_>>(), person)
    }

    #[test]
    fn the_reader_comes_first() {
        assert_eq!(text(&[100, 0], Some(0)), "You win 100 : 0.");
        assert_eq!(text(&[100, 0], Some(1)), "You lose 0 : 100.");
        assert_eq!(text(&[50, 50], Some(1)), "A draw, 50 : 50.");
        assert_eq!(text(&[50, 0, 50], Some(0)), "You share the first place, 50 : 0 : 50.");
        assert_eq!(text(&[70], Some(0)), "You have 70 of 100 points.");
    }

    #[test]
    fn onlookers_are_told_who_won() {
        assert_eq!(text(&[0, 100], None), "o wins 100 : 0.");
        assert_eq!(text(&[50, 0, 50], None), "x and z win 50 : 0 : 50.");
    }

    #[test]
    fn dice_do_not_win() {
        let roles = ["random".to_owned(), "robot".to_owned()];
        assert_eq!(outcome(&roles, &[Some(100), Some(40)], Some(1)), "You have 40 of 100 points.");
        assert_eq!(outcome(&roles, &[None, None], Some(1)), "The rules do not give every role a result.");
    }
}
