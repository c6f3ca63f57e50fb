use super::*;
use senet_game::PlayError;

const NO_MOVE: &str = "
(role x) (init (step 1))
(<= (legal x go) (true (step 1))) (<= (legal x stay) (true (step 1)))
(<= (next (step 2)) (does x go)) (<= (next (step 1)) (does x stay))
(<= terminal (true (step 3))) (goal x 100)";

fn terminal_match<'a>(
    rules: &str,
    person: Option<usize>,
    input: &'a str,
    out: &'a mut Vec<u8>,
) -> TerminalMatch<&'a [u8], &'a mut Vec<u8>> {
    let description = senet_gdl::parse(rules);
    let engine = senet_engines::load("reference", &description).expect("the rules are good");
    let screen = Screen { ink: Ink::PLAIN, width: 80, echo: true, delay: Duration::ZERO };
    TerminalMatch::new(engine, &description, person, 3, screen, input.as_bytes(), out).unwrap()
}

fn play(game: &str, person: Option<usize>, input: &str) -> String {
    let mut out = Vec::new();
    let rules = senet_engines::library::find(game).expect("a built-in game").text;
    terminal_match(&rules, person, input, &mut out).play(game).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_whole_match() {
    insta::assert_snapshot!(play("tic-tac-toe", Some(0), "mark 2 2\n(MARK 1 3)\nmark33\n5\n1\n1\nr\nr\n"));
}

#[test]
fn a_match_without_a_person() {
    let text = play("tic-tac-toe", None, "");
    assert!(text.starts_with("tic-tac-toe: x, o play at random. Seed 3.\n"));
    assert!(!text.contains("> "));
    insta::assert_snapshot!(text);
}

#[test]
fn random_moves_are_those_of_a_match_without_a_person() {
    let moves = |text: &str| -> Vec<String> {
        let steps = text.lines().filter(|line| line.contains(". x: "));
        steps.map(|line| line.replace(" (only move)", "")).collect()
    };
    let with_person = play("tic-tac-toe", Some(1), &"r\n".repeat(9));
    assert_eq!(moves(&with_person), moves(&play("tic-tac-toe", None, "")));
}

#[test]
fn text_that_is_no_move_is_refused() {
    let text = play("tic-tac-toe", Some(0), "mark 9 9\n0\n");
    assert!(text.contains("x> mark 9 9\n`mark 9 9` is no legal move here"));
    assert!(text.contains("`0` is no legal move here"));
}

#[test]
fn a_part_of_several_moves_lists_them() {
    let text = play("tic-tac-toe", Some(0), "mark 2\n6\nq\n");
    assert!(
        text.contains("3 of 9 moves:\n  4) mark 2 1   5) mark 2 2   6) mark 2 3\nx> 6\n  1. x: mark 2 3")
    );
}

#[test]
fn undo_goes_back_to_the_previous_choice_and_its_answer() {
    let text = play("tic-tac-toe", Some(0), "u\nmark 2 2\nu\nmark 2 2\nq\n");
    assert!(text.contains("x> u\nThis is your first choice: there is nothing to take back."));
    assert!(text.contains("x> u\n2 moves taken back."));
    let answers: Vec<&str> = text.lines().filter(|line| line.starts_with("  2.")).collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_person_can_leave() {
    assert!(
        play("tic-tac-toe", Some(0), "quit\n").ends_with("x> quit\nYou leave the match after 0 moves.\n")
    );
    assert!(
        play("tic-tac-toe", Some(0), "5\n").ends_with("x> \nThe input has ended, and so does the match.\n")
    );
}

#[test]
fn help_state_and_flip() {
    let text = play("tic-tac-toe", Some(0), "help\ns\nflip\n");
    assert!(text.contains("take back to your previous choice"));
    assert!(text.contains("\n  (cell 1 1 b)\n"));
    assert!(text.contains("  1 | . . .\n  2 |"));
}

#[test]
fn a_game_that_leaves_a_role_without_a_move_ends_the_match() {
    let mut out = Vec::new();
    let error = terminal_match(NO_MOVE, Some(0), "stay\ngo\n", &mut out).play("broken").unwrap_err();
    assert!(error.is::<PlayError>());
    let message = format!("{error:#}");
    assert!(message.starts_with("the match cannot go on: x has no legal move"), "{message}");
}

/// A match of tic-tac-toe as x against a strategy.
fn play_against(spec: &str, input: &str) -> String {
    let mut out = Vec::new();
    let text = senet_engines::library::find("tic-tac-toe").expect("a built-in game").text;
    let rules = senet_search::Rules::new(senet_gdl::parse(&text)).expect("it plays");
    let spec = spec.parse().expect("a strategy");
    let opponents = Opponents::new(rules, &[1], spec, Duration::from_secs(60), 3).expect("it starts");
    let game = terminal_match(&text, Some(0), input, &mut out).against(Some(opponents));
    game.play("tic-tac-toe").unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn an_opponent_thinks_and_says_what() {
    let text = play_against("uct:playouts=2000", "mark 1 1\nmark 1 2\nq\n");
    assert!(
        text.starts_with("tic-tac-toe: you are x; o is played by uct:playouts=2000. Seed 3.\n"),
        "{text}"
    );
    // The corner is answered in the middle, and two in a row with the third.
    assert!(text.contains("o: mark 2 2\n") && text.contains("o: mark 1 3\n"), "{text}");
    assert!(text.contains("     o expects ") && text.contains(" of 100 after 2000 playouts: "), "{text}");
}

#[test]
fn an_opponent_follows_what_is_taken_back() {
    let text = play_against("legal", "mark 2 2\nundo\nmark 1 1\nq\n");
    assert!(text.contains("2 moves taken back."), "{text}");
    assert!(text.ends_with("You leave the match after 2 moves.\n"), "{text}");
    assert!(text.contains("o: mark 1 1\n") && text.contains("o: mark 1 2\n"), "{text}");
}
