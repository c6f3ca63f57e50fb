use super::*;
use senet_gdl::parse;

/// The picture of a built-in game after some random moves.
fn picture(game: &str, n_moves: usize) -> String {
    let game = senet_engines::library::find(game).expect("a built-in game");
    let engine = senet_engines::load("reference", &parse(&game.text)).expect("the rules are good");
    let roles = engine.role_names().to_vec();
    let mut painter = Painter::new(&roles);
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
    let facts = game.position().state;
    painter.observe(&facts);
    painter.draw(&facts, &[], Ink::PLAIN, 80).join("\n")
}

/// The picture of facts that are all that was ever seen.
fn picture_of(facts: &[String]) -> String {
    let mut painter = Painter::new(&["white".to_owned(), "black".to_owned()]);
    painter.observe(facts);
    painter.draw(facts, &[], Ink::PLAIN, 80).join("\n")
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
    let marks = ["x", "o", "x", "blank", "blank", "o"];
    let facts: Vec<String> = (0..81).map(|place| mark((place, marks[place * place % 6]))).collect();
    insta::assert_snapshot!(picture_of(&facts));
}

#[test]
fn squares_in_one_word_are_taken_apart() {
    let facts = facts("(cell a1 red)\n(cell a2 blank)\n(cell b1 blank)\n(cell b2 red)\n(cell c1 red)");
    assert_eq!(picture_of(&facts), "  2 | . r\n  1 | r . r\n    +------\n      a b c\n  r red");
}

#[test]
fn facts_without_contents_are_marked() {
    let facts = facts("(wall 1 1)\n(wall 1 2)\n(wall 3 1)\n(wall 2 3)\n(wall 3 3)");
    assert_eq!(picture_of(&facts), "  3 | . # #\n  2 | # . .\n  1 | # . #\n    +------\n      1 2 3");
}

#[test]
fn squares_that_are_always_there_are_not_drawn() {
    let facts = facts("(cell 1 1)\n(cell 1 2)\n(cell 2 1)\n(cell 2 2)\n(step 3)");
    assert_eq!(picture_of(&facts), "  step 3");
}

#[test]
fn heaps_and_links_are_no_boards() {
    let heaps = facts("(heap 1 5)\n(heap 2 4)\n(heap 3 3)\n(heap 4 1)");
    assert_eq!(picture_of(&heaps), "  heap 1 5, 2 4, 3 3, 4 1");
    let links = facts("(link 1 1 1 2)\n(link 1 2 2 2)\n(link 2 2 2 1)\n(link 2 1 1 1)\n(link 3 2 3 3)");
    assert_eq!(picture_of(&links), "  link 1 1 1 2, 1 2 2 2, 2 1 1 1, 2 2 2 1, 3 2 3 3");
}

#[test]
fn rows_and_columns_keep_their_names() {
    let facts = facts("(cell r1 c1 x)\n(cell r1 c2 o)\n(cell r2 c1 o)\n(cell r2 c2 x)\n(cell r1 c3 x)");
    let picture = picture_of(&facts);
    assert_eq!(picture, "  r2 | o x .\n  r1 | x o x\n     +------\n       c c c\n       1 2 3");
}

#[test]
fn flipping_turns_rows_only() {
    let facts = facts("(cell 1 1 x)\n(cell 1 2 o)\n(cell 2 1 o)\n(cell 2 2 blank)");
    let mut painter = Painter::new(&[]);
    painter.observe(&facts);
    painter.flipped = true;
    let picture = painter.draw(&facts, &[], Ink::PLAIN, 80).join("\n");
    assert_eq!(picture, "  1 | x o\n  2 | o .\n    +----\n      1 2");
}
