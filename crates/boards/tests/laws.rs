//! What holds for every drawing.

use proptest::prelude::*;
use senet_boards::{Scene, Survey};
use senet_game::{AnyEngine, MoveGenerator, Position, RoleId};
use senet_gdl::{Description, parse, scramble};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The facts of a random match after each of some moves.
fn positions(engine: &Arc<dyn AnyEngine>, n_moves: usize) -> Vec<Position> {
    let roles = engine.role_names().to_vec();
    let mut game = engine.clone().start().expect("it begins");
    let mut generator = MoveGenerator::new(5);
    let mut found = vec![game.position()];
    while found.len() <= n_moves && !found.last().is_some_and(|position| position.terminal) {
        let mut moves = BTreeMap::new();
        for (role, name) in roles.iter().enumerate() {
            let text = game.random_move(RoleId::new(role), &mut generator).expect("a move");
            moves.insert(name.clone(), text);
        }
        game.play(&moves).expect("legal moves");
        found.push(game.position());
    }
    found
}

fn engine_of(description: &Description) -> Arc<dyn AnyEngine> {
    senet_engines::load("reference", description).expect("the rules are good")
}

fn survey_of(description: &Description, engine: &Arc<dyn AnyEngine>) -> Survey {
    let mut survey = Survey::new(description, engine.role_names());
    survey.explore(engine);
    survey
}

/// A scene without short names, in other names.
fn renamed(scene: &Scene, names: &BTreeMap<String, String>) -> Scene {
    let rename = |text: &str| -> String {
        let is_end = |c: char| " (),".contains(c);
        text.split_inclusive(is_end)
            .map(|part| {
                let word = part.trim_end_matches(is_end);
                format!("{}{}", names.get(word).map_or(word, String::as_str), &part[word.len()..])
            })
            .collect()
    };
    let mut scene = scene.clone();
    scene.legend.clear();
    scene.facts = scene.facts.iter().map(|fact| rename(fact)).collect();
    scene.facts.sort();
    scene.to_move = scene.to_move.iter().map(|role| rename(role)).collect();
    for board in &mut scene.boards {
        board.title = rename(&board.title);
        for name in board.columns.iter_mut().chain(&mut board.rows) {
            *name = rename(name);
        }
        let pieces = board.squares.iter_mut().flat_map(|square| &mut square.pieces);
        for piece in pieces.chain(board.edges.iter_mut().map(|edge| &mut edge.piece)) {
            piece.text = rename(&piece.text);
            piece.token.clear();
        }
        for square in &mut board.squares {
            square.name.clear();
            square.pieces.sort_by(|left, right| left.text.cmp(&right.text));
        }
        board.edges.sort_by_key(|edge| (edge.from, edge.to));
    }
    scene
}

#[test]
fn other_names_change_nothing() {
    let games = [
        "tic-tac-toe",
        "connect-four",
        "breakthrough-6x6",
        "eight-puzzle",
        "english-draughts",
        "reversi-8x8",
        "dots-and-boxes-5x5",
        "pentago",
        "ultimate-tic-tac-toe",
        "skirmish",
        "kalah",
        "peg-solitaire-33",
        "lights-out-5x5",
        "rock-paper-scissors",
    ];
    for game in games {
        let original = parse(&senet_engines::library::find(game).expect("a built-in game").text);
        let engine = engine_of(&original);
        let layout = survey_of(&original, &engine).layout();
        let scrambled = scramble(&original, 11);
        let names: BTreeMap<String, String> =
            scrambled.names.into_iter().map(|(name, new_name)| (new_name, name)).collect();
        let other = parse(&scrambled.text);
        let other_engine = engine_of(&other);
        let other_layout = survey_of(&other, &other_engine).layout();
        assert_eq!(layout.class(), other_layout.class(), "{game}");
        let (positions, others) = (positions(&engine, 9), positions(&other_engine, 9));
        for (position, other) in positions.windows(2).zip(others.windows(2)) {
            let scene = renamed(&layout.scene(&position[1].state, &position[0].state), &BTreeMap::new());
            let other_scene = renamed(&other_layout.scene(&other[1].state, &other[0].state), &names);
            assert_eq!(scene, other_scene, "{game}");
        }
    }
}

/// A fact of some relation with arguments that look like coordinates, names or both.
fn facts() -> impl Strategy<Value = Vec<String>> {
    let argument = prop_oneof![
        (1..6_u32).prop_map(|n| n.to_string()),
        (0..4_usize).prop_map(|n| "abcd"[n..=n].to_owned()),
        (0..3_usize).prop_map(|n| ["red", "(f 1)", "(f b)"][n].to_owned()),
    ];
    let fact = (0..3_usize, prop::collection::vec(argument, 0..5))
        .prop_map(|(relation, arguments)| format!("(r{relation} {})", arguments.join(" ")).replace(" )", ")"));
    prop::collection::btree_set(fact, 0..40).prop_map(|facts| facts.into_iter().collect())
}

proptest! {
    /// Facts like those of boards and facts like no other: each is drawn or listed, and what is drawn is on its board.
    #[test]
    fn every_fact_has_its_place(positions in prop::collection::vec(facts(), 1..5)) {
        let mut survey = Survey::new(&parse("(role x)"), &["x".to_owned()]);
        for state in &positions {
            survey.observe(&Position { state: state.clone(), terminal: false, goals: vec![], legal: vec![] });
        }
        let layout = survey.layout();
        let shapes = layout.shapes();
        for state in &positions {
            let scene = layout.scene(state, &positions[0]);
            prop_assert_eq!(scene.boards.len(), shapes.iter().map(|shape| shape.boards).sum::<usize>());
            let mut n_drawn = 0;
            for board in &scene.boards {
                prop_assert_eq!(board.squares.len(), board.columns.len() * board.rows.len());
                n_drawn += board.squares.iter().map(|square| square.pieces.len()).sum::<usize>() + board.edges.len();
                for edge in &board.edges {
                    let inside = |(column, row): (i32, i32)| {
                        (-1..=board.columns.len() as i32).contains(&column) && (-1..=board.rows.len() as i32).contains(&row)
                    };
                    prop_assert!(inside(edge.from) && inside(edge.to));
                }
            }
            prop_assert!(n_drawn + scene.facts.len() <= state.len(), "{:?}", scene);
            prop_assert!(senet_boards::svg(&scene).ends_with("</svg>\n"));
        }
    }
}

#[test]
fn nothing_seen_is_nothing_drawn() {
    let survey = Survey::new(&parse(""), &[]);
    let scene = survey.layout().scene(&["(cell 1 1 x)".to_owned()], &[]);
    assert_eq!((scene.boards.len(), scene.facts.len()), (0, 1));
}
