
/// Of a random sample: how many, their mean and their variance.
type Expected = (u64, f64, f64);

fn state_after(game: &mut Game, n_moves: usize) -> State {
    let mut state = game.initial();
    for &(moves, ..) in &MATCH[..n_moves] {
        let joint = joint(game, &state, moves);
        state = game.next(&state, joint).unwrap();
    }
    state
}

fn joint(game: &mut Game, state: &State, texts: [&str; N_ROLES]) -> [Move; N_ROLES] {
    std::array::from_fn(|role| {
        let legal = game.legal(state, role).unwrap();
        let found = legal.into_iter().find(|&choice| game.move_text(choice) == texts[role]);
        found.unwrap_or_else(|| panic!("{} cannot play {}", ROLE_NAMES[role], texts[role]))
    })
}

#[test]
fn the_recorded_match_is_legal_and_ends_the_same() {
    let mut game = Game::new();
    let mut state = game.initial();
    for &(moves, n_legal, n_fluents) in MATCH {
        assert_eq!(state.fluents().len(), n_fluents);
        assert!(!game.terminal(&state).unwrap());
        let counts = std::array::from_fn(|role| game.legal(&state, role).unwrap().len());
        assert_eq!(counts, n_legal);
        let joint = joint(&mut game, &state, moves);
        state = game.next(&state, joint).unwrap();
    }
    assert_eq!(game.terminal(&state).unwrap(), IS_OVER);
    if IS_OVER {
        assert_eq!(game.goals(&state).unwrap(), GOALS);
    }
}

#[test]
fn sequences_of_joint_moves_are_as_many_as_recorded() {
    let mut game = Game::new();
    let mut frontier = HashMap::from([(game.initial(), 1)]);
    for expected in PERFT {
        let mut reached: HashMap<State, u64> = HashMap::new();
        for (state, paths) in frontier {
            if !game.terminal(&state).unwrap() {
                let legal: [Vec<Move>; N_ROLES] =
                    std::array::from_fn(|role| game.legal(&state, role).unwrap());
                let n_joint: usize = legal.iter().map(Vec::len).product();
                for mut number in 0..n_joint {
                    let joint = std::array::from_fn(|role| {
                        let n_moves = legal[role].len();
                        let choice = legal[role][number % n_moves];
                        number /= n_moves;
                        choice
                    });
                    *reached.entry(game.next(&state, joint).unwrap()).or_default() += paths;
                }
            }
        }
        assert_eq!(reached.values().sum::<u64>(), expected);
        frontier = reached;
    }
}

#[test]
fn a_move_that_is_not_legal_is_refused() {
    let mut game = Game::new();
    let (Some(&(first, ..)), Some(&(last, ..))) = (MATCH.first(), MATCH.last()) else { return };
    let start = game.initial();
    let first = joint(&mut game, &start, first);
    let state = state_after(&mut game, MATCH.len() - 1);
    for (role, choice) in first.into_iter().enumerate() {
        let mut played = joint(&mut game, &state, last);
        played[role] = choice;
        let is_legal = game.legal(&state, role).unwrap().contains(&choice);
        assert_eq!(game.next(&state, played).is_ok(), is_legal);
    }
}

#[test]
fn random_matches_have_the_recorded_statistics() {
    let (mut game, mut rng, mut seen) = (Game::new(), SmallRng::seed_from_u64(1), Statistics::default());
    for _ in 0..N_PLAYOUTS {
        playout(&mut game, &mut rng, &mut seen).unwrap();
    }
    assert_eq!(seen.playouts + seen.cut, N_PLAYOUTS);
    agree(&seen.length, LENGTH);
    for (goals, expected) in seen.goals.iter().zip(EXPECTED_GOALS) {
        agree(goals, expected);
    }
}

/// The means of two samples differ by at most five standard errors.
fn agree(seen: &Sample, (count, mean, variance): Expected) {
    if count == 0 || seen.count == 0 {
        return;
    }
    // Either sample may have missed what is rare.
    let variance = variance.max(seen.variance());
    let error = (variance / count as f64 + variance / seen.count as f64).sqrt();
    let distance = (seen.mean() - mean).abs();
    assert!(distance <= 5.0 * error + 1e-6, "{} instead of {mean}, error {error}", seen.mean());
}
