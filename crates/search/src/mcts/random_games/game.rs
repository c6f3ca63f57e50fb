//! Small random games, written as GDL.

use senet_game::MoveGenerator;
use std::fmt::Write;

/// What a generated game is like.
#[derive(Clone, Debug)]
pub(super) struct Traits {
    /// Roles that choose, 1 to 4.
    pub(super) n_free: usize,
    pub(super) chance: Chance,
    pub(super) is_simultaneous: bool,
    pub(super) goals: Goals,
    /// The match ends after so many steps; without, no position comes back.
    pub(super) n_steps: Option<usize>,
    n_places: usize,
    /// One place in so many is an end.
    places_an_end: usize,
}

/// The moves of the role `random`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chance {
    /// There is none.
    Absent,
    /// It never has a choice.
    Idle,
    /// It chooses somewhere.
    Draws,
}

/// What the scores at the ends are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goals {
    /// Two roles: always the same sum, and the rules show it.
    Mirrored,
    /// The same, but the rules do not show it.
    ConstantSum,
    /// The same, but for a few ends.
    AlmostConstantSum,
    /// Any scores: a few values, so that there are ties.
    Coarse,
    /// Any scores from 0 to 100.
    Fine,
}

/// A place: who chooses in it, and what follows. With a step counter it is a position in each step.
struct Place {
    /// By role, chance the last: how many moves it has.
    n_moves: Vec<usize>,
    /// By joint move, the first role's move changing first: the place that follows. Empty at an end.
    next: Vec<usize>,
    goals: Vec<u32>,
}

impl Traits {
    pub(super) fn random(draw: &mut MoveGenerator) -> Traits {
        let n_free = 1 + draw.below(4);
        let two = [Goals::Mirrored, Goals::ConstantSum, Goals::AlmostConstantSum, Goals::Coarse, Goals::Fine];
        let goals = if n_free == 2 { two[draw.below(5)] } else { two[3 + draw.below(2)] };
        let n_positions = 8 << draw.below(8);
        let n_steps = (draw.below(3) == 0).then(|| 2 + draw.below(14));
        Traits {
            n_free,
            chance: [
                Chance::Absent,
                Chance::Absent,
                Chance::Draws,
                Chance::Draws,
                Chance::Idle,
                Chance::Absent,
            ][draw.below(6)],
            is_simultaneous: n_free > 1 && draw.below(3) == 0,
            goals,
            n_steps,
            n_places: 3 + draw.below(n_positions) * 2 / (n_steps.unwrap_or(1) + 1),
            places_an_end: [3, 6, 12][draw.below(3)],
        }
    }

    pub(super) fn has_chance(&self) -> bool {
        self.chance != Chance::Absent
    }

    fn n_roles(&self) -> usize {
        self.n_free + usize::from(self.has_chance())
    }

    /// The rulesheet. A free role chooses among several moves in the first position.
    pub(super) fn rules(&self, draw: &mut MoveGenerator) -> String {
        let places: Vec<Place> = (0..self.n_places).map(|at| self.place(at, draw)).collect();
        self.text(&places)
    }

    fn place(&self, at: usize, draw: &mut MoveGenerator) -> Place {
        let is_cyclic = self.n_steps.is_some();
        let is_end = at > 0 && (at + 1 == self.n_places || draw.below(self.places_an_end) == 0);
        let mut n_moves = vec![1; self.n_roles()];
        if !is_end {
            let free = draw.below(self.n_free);
            let kind = draw.below(6);
            let draws = self.chance == Chance::Draws && at > 0;
            if draws && kind == 0 {
                n_moves[self.n_free] = 2 + draw.below(3);
            } else {
                n_moves[free] = if draw.below(10) > 0 || at == 0 { 2 + draw.below(3) } else { 1 };
                if draws && (kind == 1 || kind == 5) {
                    n_moves[self.n_free] = 2 + draw.below(2);
                }
                if self.is_simultaneous && kind >= 4 {
                    n_moves[(free + 1) % self.n_free] = 2 + draw.below(2);
                }
            }
        }
        let n_joint = if is_end { 0 } else { n_moves.iter().product() };
        let later = |draw: &mut MoveGenerator| match is_cyclic {
            true => draw.below(self.n_places),
            // Mostly near, so that games are deep; somewhere else at times.
            false => {
                let most = self.n_places - at - 1;
                let reach = if draw.below(4) == 0 { most } else { most.min(8) };
                at + 1 + draw.below(reach)
            }
        };
        let next = (0..n_joint).map(|_| later(draw)).collect();
        Place { n_moves, next, goals: self.scores(draw) }
    }

    fn scores(&self, draw: &mut MoveGenerator) -> Vec<u32> {
        const COARSE: [u32; 4] = [0, 100, 50, 30];
        let mut scores: Vec<u32> = match self.goals {
            Goals::Fine => (0..self.n_free).map(|_| draw.below(101) as u32).collect(),
            _ => (0..self.n_free).map(|_| COARSE[draw.below(4)]).collect(),
        };
        let is_odd = self.goals == Goals::AlmostConstantSum && draw.below(20) == 0;
        if matches!(self.goals, Goals::Mirrored | Goals::ConstantSum | Goals::AlmostConstantSum) && !is_odd {
            scores[1] = 100 - scores[0];
        }
        scores
    }

    fn text(&self, places: &[Place]) -> String {
        let role = |role: usize| match role == self.n_free {
            true => "random".to_owned(),
            false => format!("role{role}"),
        };
        let n_roles = self.n_roles();
        let mut text = String::new();
        (0..n_roles).for_each(|at| text += &format!("(role {})\n", role(at)));
        text += "(init (at p0))
            (<= (legal ?r ?m) (true (at ?p)) (choice ?p ?r ?m))
            (<= terminal (true (at ?p)) (end ?p))
\n";
        text += "(<= (goal ?r ?v) (true (at ?p)) (score ?p ?r ?v) (distinct ?r role1))\n";
        // Two cases that are one hide that the goals are mirror images.
        text += match self.goals {
            Goals::ConstantSum => {
                "(<= (goal role1 ?v) (true (at ?p)) (score ?p role1 ?v) (not (true (at p0))))
                (<= (goal role1 ?v) (true (at p0)) (score p0 role1 ?v))\n"
            }
            _ => "(<= (goal role1 ?v) (true (at ?p)) (score ?p role1 ?v))\n",
        };
        let does = |at: usize| format!(" (does {} ?m{at})", role(at));
        let variable = |at: usize| format!(" ?m{at}");
        let (moves, variables): (String, String) =
            ((0..n_roles).map(does).collect(), (0..n_roles).map(variable).collect());
        let _ = writeln!(text, "(<= (next (at ?q)) (true (at ?p)){moves} (leads ?p{variables} ?q))");
        if let Some(n_steps) = self.n_steps {
            text += "(init (step 0)) (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n";
            (0..n_steps).for_each(|at| text += &format!("(after {at} {})", at + 1));
            let _ = writeln!(text, "(<= terminal (true (step {n_steps})))");
        }
        for (at, place) in places.iter().enumerate() {
            if place.next.is_empty() {
                let _ = writeln!(text, "(end p{at})");
            }
            for (of, n_moves) in place.n_moves.iter().enumerate() {
                (0..*n_moves).for_each(|n| text += &format!("(choice p{at} {} m{n})", role(of)));
            }
            for (joint, next) in place.next.iter().enumerate() {
                let (mut rest, mut moves) = (joint, String::new());
                for n_moves in &place.n_moves {
                    let _ = write!(moves, " m{}", rest % n_moves);
                    rest /= n_moves;
                }
                let _ = writeln!(text, "(leads p{at}{moves} p{next})");
            }
            for (of, goal) in place.goals.iter().enumerate() {
                let _ = writeln!(text, "(score p{at} {} {goal})", role(of));
            }
            if self.has_chance() {
                let _ = writeln!(text, "(score p{at} random 0)");
            }
        }
        text
    }
}
