use super::*;
use crate::Walk;

const TAKE: &str = "(Role Me) (role you) (init (Heap 3)) (successor 0 1) (successor 1 2) (successor 2 3)
    (<= (legal me (Take ?n)) (true (heap ?n))) (<= (legal me wait) (true (heap ?n))) (legal you noop)
    (<= (next (heap ?m)) (does me (take ?n)) (successor ?m ?n))
    (<= (next (heap ?n)) (does me wait) (true (heap ?n)))
    (<= terminal (true (heap 0))) (goal me 100) (goal you 0)";

fn settings(scramble: bool, most_steps: usize) -> Settings {
    Settings {
        match_id: "Match.1".into(),
        game: "take".into(),
        players: vec!["a".into(), "b".into()],
        addresses: vec![Some("127.0.0.1:9147".into()), None],
        start_clock: Duration::from_secs(4),
        start_grace: Duration::from_secs(1),
        play_clock: Duration::from_secs(2),
        grace: Duration::from_millis(200),
        scramble,
        seed: 7,
        most_steps,
    }
}

fn referee(rules: &str, settings: Settings) -> Referee {
    let description = senet_gdl::parse(rules);
    let engine = senet_engines::load("reference", &description).expect("it plays");
    Referee::new(&description, engine, settings, 1_000).expect("it begins")
}

fn heard(answer: Answer) -> Option<Heard> {
    let (sent_after, round_trip) = (Duration::from_millis(3), Duration::from_micros(1_500));
    Some(Heard { answer, sent: Some("sent".into()), sent_after, round_trip, thoughts: None })
}

fn say(text: &str) -> Option<Heard> {
    heard(Answer::Text(text.to_owned()))
}

fn message(referee: &Referee, role: usize) -> String {
    referee.message(RoleId::new(role)).expect("a message").to_string()
}

/// The record is whole, and the rules agree with it.
fn checked(referee: &Referee) -> Record {
    let description = senet_gdl::parse(&referee.record().rules);
    let engine = senet_engines::load("reference", &description).expect("it plays");
    let record = Record::from_json(referee.record().to_json().as_bytes()).expect("it is whole");
    assert_eq!(&record, referee.record());
    let mut walk = Walk::new(&record, engine).expect("it begins");
    while walk.go_on().expect("it is true") {}
    assert_eq!((record.state_times.len(), record.errors.len()), (record.states.len(), record.states.len()));
    record
}

#[test]
fn a_match_is_told_in_the_form_of_referees() {
    let mut referee = referee(TAKE, settings(false, 100));
    let start = message(&referee, 0);
    assert!(
        start.starts_with("( START Match.1 Me (( Role Me ) ( Role you ) ( init ( Heap 3 ) ) "),
        "{start}"
    );
    assert!(
        start.ends_with(" ( goal me 100 ) ( goal you 0 ) ) 4 2)".replace("me", "Me").as_str()),
        "{start}"
    );
    referee.take(&[say("READY"), say("ready")], 2_000);
    assert_eq!(message(&referee, 1), "( PLAY Match.1 NIL )");
    referee.take(&[say("(TAKE 3) (taunt ha)"), say("(noop)")], 3_000);
    assert_eq!(message(&referee, 1), "( PLAY Match.1 (( Take 3 ) noop ) )");
    referee.take(&[say("wait"), say("noop")], 4_000);
    referee.take(&[say("( take 2 )"), say("noop")], 5_000);
    referee.take(&[say("( take 1 )"), say("noop")], 6_000);
    assert_eq!(
        (referee.phase(), message(&referee, 0).as_str()),
        (Phase::Stop, "( STOP Match.1 (( Take 1 ) noop ) )")
    );
    referee.take(&[say("done"), say("done")], 7_000);
    assert_eq!((referee.phase(), referee.message(RoleId::new(0))), (Phase::Over, None));
    let record = checked(&referee);
    assert!(record.is_completed && !record.is_aborted);
    assert_eq!(record.goal_values, [100, 0]);
    assert_eq!(record.states[0], "( ( Heap 3 ) )");
    assert_eq!(record.moves[0], ["( Take 3 )", "noop"]);
    assert_eq!(record.state_times, [1_000, 3_000, 4_000, 5_000, 6_000]);
    assert!(record.errors.iter().flatten().all(String::is_empty));
    assert_eq!(record.exchanges.len(), 12);
    assert_eq!((record.exchanges[2].step, record.exchanges[2].round_trip), (0, 1.5));
}

#[test]
fn bad_answers_are_replaced_and_recorded() {
    let mut referee = referee(TAKE, settings(false, 100));
    referee.take(&[heard(Answer::Late), say("busy")], 0);
    let bad = [
        Answer::Late,
        Answer::Broken("refused".into()),
        Answer::Text("( take 9 )".into()),
        Answer::Text("noop".into()),
        Answer::Text("((".into()),
        Answer::Text(String::new()),
        Answer::Text("busy".into()),
    ];
    for (at, answer) in bad.iter().cycle().enumerate() {
        if referee.phase() != Phase::Play {
            break;
        }
        let other = if at == 0 { None } else { say("noop") };
        referee.take(&[heard(answer.clone()), other], 0);
    }
    let record = checked(&referee);
    assert_eq!(record.errors[0], ["TO", "IL busy"]);
    let expected = ["TO", "CE", "IL ( take 9 )", "IL noop", "IL ( (", "IL", "IL busy"];
    for (errors, expected) in record.errors[1..].iter().zip(expected.iter().cycle()) {
        assert_eq!(errors[0], *expected);
    }
    assert_eq!(record.errors[1][1], "CE", "who was not heard at all was not there");
    assert!(record.moves.len() >= 3 && record.is_completed);
}

#[test]
fn replacements_are_drawn_uniformly_and_by_the_seed() {
    let count = |seed| {
        let mut referee = referee(TAKE, Settings { seed, ..settings(false, 100) });
        referee.take(&[say("ready"), say("ready")], 0);
        referee.take(&[heard(Answer::Late), say("noop")], 0);
        referee.record().moves[0][0].clone()
    };
    let waits = (0..200).filter(|&seed| count(seed) == "wait").count();
    assert!((70..130).contains(&waits), "{waits} of 200");
    assert_eq!(count(3), count(3));
}

#[test]
fn a_scrambled_match_is_recorded_in_clear_names() {
    let mut referee = referee(TAKE, settings(true, 100));
    let start = message(&referee, 0);
    assert!(!start.to_lowercase().contains("take") && !start.contains("Me"), "{start}");
    let sent = referee.sent_rules().clone();
    let engine = senet_engines::load("reference", &sent).expect("it plays");
    referee.take(&[say("ready"), say("ready")], 0);
    referee.take(&[say("(take 3)"), say("noop")], 0);
    assert_eq!(referee.record().errors[1], ["IL ( take 3 )", "IL noop"], "clear names are not the players'");
    let mut game = engine.clone().start().expect("it begins");
    while let Some(Message::Play { moves, .. }) = referee.message(RoleId::new(0)) {
        let moves = moves.expect("a move was played");
        let moves = moves.iter().map(|text| senet_gdl::canonical(text).expect("a move"));
        let named = engine.role_names().iter().cloned().zip(moves).collect();
        game.play(&named).expect("it is legal in their names");
        let legal = game.position().legal;
        referee.take(&[say(&legal[0][0]), say(&legal[1][0])], 0);
        assert_eq!(referee.record().errors.last().expect("a row"), &["", ""]);
        if referee.record().moves.len() > 50 {
            referee.abort();
        }
    }
    assert!(checked(&referee).scrambled);
}

#[test]
fn whoever_gets_no_message_speaks_in_clear_names() {
    let mut referee = referee(TAKE, settings(true, 100));
    let here = |text: &str| Some(Heard { sent: None, ..say(text).expect("it is said") });
    let sent = senet_engines::load("reference", referee.sent_rules()).expect("it plays");
    let noop = sent.start().expect("it begins").position().legal[1][0].clone();
    referee.take(&[here("ready"), say("ready")], 0);
    let thoughts = Thoughts { line: vec![vec!["(take 3)".into(), "noop".into()]], ..Thoughts::default() };
    let taken = Heard { thoughts: Some(thoughts.clone()), ..here("(take 3)").expect("it is said") };
    referee.take(&[Some(taken), say(&noop)], 0);
    let record = checked(&referee);
    assert_eq!(record.errors[1], ["", ""]);
    assert_eq!((&record.moves[0][0], &record.thoughts[0][0]), (&"( Take 3 )".to_owned(), &Some(thoughts)));
    assert_eq!(referee.last_moves(), Some(&["(take 3)".to_owned(), "noop".to_owned()][..]));
}

#[test]
fn faults_of_the_rules_end_the_match() {
    let play = |rules: &str| {
        let mut referee = referee(rules, settings(false, 5));
        referee.take(&[say("ready"), say("ready")], 0);
        while referee.phase() == Phase::Play {
            referee.take(&[say("a"), say("a")], 0);
        }
        let phase = referee.phase();
        referee.take(&[say("aborted"), say("aborted")], 0);
        assert_eq!(referee.phase(), Phase::Over);
        let record = checked(&referee);
        assert!(record.is_aborted && !record.is_completed);
        (record.game_error.expect("an error"), record.moves.len(), phase)
    };
    let base = "(role x) (role y) (legal y a) (init p) (<= (next q) (true p))";
    let (error, n_moves, phase) = play(&format!("{base} (<= (legal x a) (true p)) (<= terminal (true r))"));
    assert_eq!((error.as_str(), n_moves), ("x has no legal move and the match is not over", 1));
    assert_eq!(phase, Phase::Abort);
    let rules = format!("{base} (legal x a) (<= terminal (true q)) (goal x 1) (goal x 2)");
    let (error, n_moves, phase) = play(&rules);
    assert_eq!((error.as_str(), n_moves), ("the match is over, and x, y has no goal or more than one", 1));
    assert_eq!(phase, Phase::Stop);
    let (error, n_moves, _) = play(&format!("{base} (legal x a) (<= terminal (true r))"));
    assert_eq!((error.as_str(), n_moves), ("the match did not end in 5 moves", 5));
    let rules = format!(
        "{base} (legal x a) (<= terminal (true q) (not (s 1))) (<= (s ?n) (true q) (t ?n) (not (s ?n))) (t 1)"
    );
    let (error, n_moves, _) = play(&rules);
    assert!(error.starts_with("after a a: the rules contradict themselves"), "{error}");
    assert_eq!(n_moves, 0);
}

#[test]
fn the_referee_throws_the_dice() {
    let rules = "(role random) (role x) (legal random (roll 1)) (legal random (roll 2)) (legal x noop)
        (<= (next (rolled ?n)) (does random (roll ?n))) (<= terminal (true (rolled ?n)))
        (goal random 0) (<= (goal x 100) (true (rolled 1))) (<= (goal x 0) (true (rolled 2)))";
    let mut referee = referee(rules, settings(true, 10));
    assert_eq!(referee.message(RoleId::new(0)), None);
    referee.take(&[None, say("ready")], 0);
    let noop = referee.sent_rules().clone();
    let engine = senet_engines::load("reference", &noop).expect("it plays");
    let noop = engine.clone().start().expect("it begins").position().legal[1][0].clone();
    referee.take(&[None, say(&noop)], 0);
    assert_eq!(referee.record().errors, [["", ""], ["", ""]]);
    assert!(checked(&referee).is_completed);
}

#[test]
fn a_game_that_is_over_before_it_begins() {
    let mut referee = referee(
        "(role x) (role y) (legal x a) (legal y a) terminal (goal x 1) (goal y 2)",
        settings(false, 9),
    );
    referee.take(&[say("ready"), say("ready")], 0);
    assert_eq!(message(&referee, 1), "( STOP Match.1 NIL )");
    assert_eq!(checked(&referee).goal_values, [1, 2]);
}
