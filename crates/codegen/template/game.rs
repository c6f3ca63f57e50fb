
/// Why a game cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// A role has no legal move, and the match is not over.
    NoMove {
        /// The role, by its number.
        role: usize,
    },
    /// A move that is not legal.
    Illegal {
        /// The role, by its number.
        role: usize,
    },
    /// A term grows without end.
    Unbounded,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Stopped::NoMove { role } => write!(out, "{} has no legal move", ROLE_NAMES[*role]),
            Stopped::Illegal { role } => write!(out, "the move of {} is not legal", ROLE_NAMES[*role]),
            Stopped::Unbounded => write!(out, "a term grows without end"),
        }
    }
}

impl std::error::Error for Stopped {}

/// A position: the fluents that hold, sorted.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct State(Vec<Fluent>);

impl State {
    fn new(mut fluents: Vec<Fluent>) -> State {
        fluents.sort_unstable();
        State(fluents)
    }

    /// What holds.
    pub fn fluents(&self) -> &[Fluent] {
        &self.0
    }
}

/// The game automaton, with the memory it works in.
///
/// `initial`, `legal`, `next`, `terminal` and `goals` are about any position. `start`, `is_over`, `moves`, `play` and
/// `outcome` go from position to position in place, which is faster.
#[derive(Clone, Debug)]
pub struct Game {
    facts: Facts,
    /// By stage: whether its facts are there.
    is_derived: [bool; rules::STAGES.len()],
    legal: [Vec<Move>; N_ROLES],
}

impl Game {
    /// A game in its initial position.
    pub fn new() -> Game {
        let legal = std::array::from_fn(|_| Vec::new());
        let mut game = Game { facts: Facts::new(), is_derived: [false; rules::STAGES.len()], legal };
        for stage in rules::FOR_START {
            rules::STAGES[stage](&mut game.facts);
        }
        game.start();
        game
    }

    /// The initial position.
    pub fn initial(&self) -> State {
        State::new(INITIAL.to_vec())
    }

    /// The legal moves of a role, by its number.
    pub fn legal(&mut self, state: &State, role: usize) -> Result<Vec<Move>, Stopped> {
        self.enter(&state.0);
        Ok(self.moves()?[role].clone())
    }

    /// The position after a move of each role.
    pub fn next(&mut self, state: &State, joint: [Move; N_ROLES]) -> Result<State, Stopped> {
        self.enter(&state.0);
        let legal = self.moves()?;
        if let Some(role) = (0..N_ROLES).find(|&role| !legal[role].contains(&joint[role])) {
            return Err(Stopped::Illegal { role });
        }
        self.play(joint.map(Some))?;
        Ok(State::new(self.facts.fluents()))
    }

    /// Whether a position is the end of a match.
    pub fn terminal(&mut self, state: &State) -> Result<bool, Stopped> {
        self.enter(&state.0);
        self.is_over()
    }

    /// The goals of the roles in a position; `None` if one is not defined.
    pub fn goals(&mut self, state: &State) -> Result<[Option<u8>; N_ROLES], Stopped> {
        self.enter(&state.0);
        self.outcome()
    }

    /// Goes to the initial position.
    pub fn start(&mut self) {
        self.enter(&INITIAL);
    }

    fn enter(&mut self, fluents: &[Fluent]) {
        self.facts.forget_position();
        self.is_derived.fill(false);
        fluents.iter().for_each(|&fluent| self.facts.add_fluent(fluent));
    }

    /// Whether the match is over.
    pub fn is_over(&mut self) -> Result<bool, Stopped> {
        self.derive(&rules::FOR_TERMINAL)?;
        Ok(self.facts.is_terminal())
    }

    /// The legal moves of each role.
    pub fn moves(&mut self) -> Result<&[Vec<Move>; N_ROLES], Stopped> {
        self.derive(&rules::FOR_LEGAL)?;
        self.legal.iter_mut().for_each(Vec::clear);
        self.facts.collect_moves(&mut self.legal);
        Ok(&self.legal)
    }

    /// Plays a legal move of each role.
    pub fn play(&mut self, joint: [Option<Move>; N_ROLES]) -> Result<(), Stopped> {
        for (role, choice) in joint.into_iter().enumerate() {
            self.facts.add_move(ROLES[role], choice.ok_or(Stopped::NoMove { role })?);
        }
        self.derive(&rules::FOR_NEXT)?;
        self.facts.advance();
        self.is_derived.fill(false);
        Ok(())
    }

    /// The goals of the roles; `None` if one is not defined.
    pub fn outcome(&mut self) -> Result<[Option<u8>; N_ROLES], Stopped> {
        self.derive(&rules::FOR_GOAL)?;
        let goals = self.facts.goals();
        Ok(ROLES.map(|role| {
            let mut values = goals.iter().filter(|(of, _)| *of == role).map(|(_, value)| *value);
            values.next().filter(|_| values.next().is_none())?
        }))
    }

    fn derive(&mut self, stages: &[usize]) -> Result<(), Stopped> {
        for &stage in stages {
            if !std::mem::replace(&mut self.is_derived[stage], true) {
                rules::STAGES[stage](&mut self.facts);
            }
        }
        if self.facts.is_unbounded() { Err(Stopped::Unbounded) } else { Ok(()) }
    }

    /// The text of a fluent.
    pub fn fluent_text(&self, fluent: Fluent) -> String {
        self.facts.fluent_text(fluent)
    }

    /// The text of a move.
    pub fn move_text(&self, choice: Move) -> String {
        self.facts.move_text(choice)
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}
