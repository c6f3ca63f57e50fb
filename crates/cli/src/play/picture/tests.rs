use super::*;
use senet_game::{MoveGenerator, RoleId};
use senet_gdl::parse;

/// The picture of a built-in game after some random moves.
fn picture(game: &str, n_moves: usize) -> String {
    picture_of_rules(&senet_engines::library::find(game).expect("a built-in game").text, n_moves)
}

/// The picture of a game after some random moves.
fn picture_of_rules(rules: &str, n_moves: usize) -> String {
    let description = parse(rules);
    let engine = senet_engines::load("reference", &description).expect("the rules are good");
    let roles = engine.role_names().to_vec();
    let mut painter = Painter::new(&description, &roles);
    painter.scout(&engine);
    let mut game = engine.start().unwrap();
    let mut generator = MoveGenerator::new(1);
    for _ in 0..n_moves {
        let draw = |(role, name): (usize, &String)| {
            (name.clone(), game.random_move(RoleId::new(role), &mut generator).unwrap())
        };
        let moves = roles.iter().enumerate().map(draw).collect();
        game.play(&moves).unwrap();
    }
    let position = game.position();
    painter.observe(&position);
    picture_by(&painter, &position.state)
}

/// The picture at the end of a game in which facts become true one after the other, and others always are.
fn picture_of_growth(always: &str, growing: &str) -> String {
    let of = |keyword: &str, text: &str| -> String {
        facts(text).iter().map(|fact| format!("({keyword} {fact})\n")).collect()
    };
    let rules = "(role one) (<= (legal one (put ?fact)) (can ?fact) (not (true ?fact)))
        (<= (next ?fact) (does one (put ?fact))) (<= (next ?fact) (true ?fact))
        (<= open (can ?fact) (not (true ?fact))) (<= terminal (not open)) (goal one 100)";
    picture_of_rules(&[rules, &of("init", always), &of("can", growing)].concat(), facts(growing).len())
}

/// The picture of facts that are all that was ever seen.
fn picture_of(facts: &[String]) -> String {
    picture_by(&painter_of(facts), facts)
}

fn painter_of(facts: &[String]) -> Painter {
    let mut painter = Painter::new(&parse(""), &["white".to_owned(), "black".to_owned()]);
    painter.observe(&Position { state: facts.to_vec(), terminal: false, goals: vec![], legal: vec![] });
    painter
}

fn picture_by(painter: &Painter, facts: &[String]) -> String {
    painter.draw(&painter.scene(facts, &[]), Ink::PLAIN, 80).join("\n")
}

fn facts(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn built_in_games() {
    let games = [
        ("tic-tac-toe", 4),
        ("connect-four", 12),
        ("breakthrough-6x6", 7),
        ("english-draughts", 20),
        ("nine-mens-morris", 12),
        ("eight-puzzle", 3),
        ("lights-out-5x5", 2),
        ("kalah", 5),
        ("dots-and-boxes-5x5", 15),
        ("skirmish", 10),
        ("chinese-checkers-2", 10),
        ("hanoi-6", 5),
        ("rock-paper-scissors", 2),
        ("peg-solitaire-33", 6),
        ("ultimate-tic-tac-toe", 9),
        ("tron-10x10", 4),
        ("hex-7x7", 8),
        ("sheep-and-wolf", 6),
        ("pentago", 8),
        ("amazons-6x6", 6),
        ("lines-of-action-8x8", 6),
        ("knights-tour-8x8", 8),
    ];
    for (game, n_moves) in games {
        insta::assert_snapshot!(game, picture(game, n_moves));
    }
}

#[test]
fn boards_on_a_board_are_drawn_in_their_places() {
    let mark = |(place, mark): (usize, &str)| {
        let digit = |power: u32| place / 3_usize.pow(power) % 3 + 1;
        format!("(mark {} {} {} {} {mark})", digit(3), digit(2), digit(1), digit(0))
    };
    let marks = ["x", "blank", "blank", "o", "blank", "o"];
    let facts: Vec<String> = (0..81).map(|place| mark((place, marks[place * place % 6]))).collect();
    insta::assert_snapshot!(picture_of(&facts));
}

#[test]
fn squares_in_one_word_are_taken_apart() {
    let facts = facts("(cell a1 red)\n(cell a2 blank)\n(cell b1 blank)\n(cell b2 red)\n(cell c1 blank)");
    assert_eq!(picture_of(&facts), "  2 | . r .\n  1 | r . .\n    +------\n      a b c\n  r red");
}

#[test]
fn facts_without_contents_are_marked() {
    let picture = picture_of_growth("(wall 1 1)", "(wall 1 2)\n(wall 3 1)\n(wall 2 3)\n(wall 3 3)");
    assert_eq!(picture, "  3 | . # #\n  2 | # . .\n  1 | # . #\n    +------\n      1 2 3");
}

#[test]
fn squares_that_are_always_there_are_not_drawn() {
    let picture = picture_of_growth("(cell 1 1)\n(cell 1 2)\n(cell 2 1)\n(cell 2 2)", "(step 3)");
    assert_eq!(picture, "  step 3");
}

#[test]
fn heaps_are_no_boards() {
    let heaps = facts("(heap 1 5)\n(heap 2 4)\n(heap 3 3)\n(heap 4 1)");
    assert_eq!(picture_of(&heaps), "  heap 1 5, 2 4, 3 3, 4 1");
}

#[test]
fn rows_and_columns_keep_their_names() {
    let facts = facts(
        "(cell r1 c1 x)\n(cell r1 c2 o)\n(cell r2 c1 o)\n(cell r2 c2 x)\n(cell r1 c3 x)\n(cell r2 c3 o)",
    );
    let picture = picture_of(&facts);
    assert_eq!(picture, "  r2 | o x o\n  r1 | x o x\n     +------\n       c c c\n       1 2 3");
}

#[test]
fn flipping_turns_rows_only() {
    let facts = facts("(cell 1 1 x)\n(cell 1 2 o)\n(cell 2 1 o)\n(cell 2 2 z)");
    let mut painter = painter_of(&facts);
    painter.flipped = true;
    assert_eq!(picture_by(&painter, &facts), "  1 | x o\n  2 | o z\n    +----\n      1 2");
}
