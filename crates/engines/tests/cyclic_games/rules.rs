//! Random games whose rules go in circles: what depends on the state or on moves depends on itself.
//!
//! Places on a ring with chords are on or off, and linked or not; players change that, and a counter ends the match.

use senet_game::MoveGenerator;

/// Where rules may go in circles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Circle {
    State,
    StateBelowNegation,
    Moves,
    Legal,
    Next,
    Goal,
    Terminal,
}

pub(crate) const CIRCLES: [Circle; 7] = [
    Circle::State,
    Circle::StateBelowNegation,
    Circle::Moves,
    Circle::Legal,
    Circle::Next,
    Circle::Goal,
    Circle::Terminal,
];

const ROLES: [&str; 2] = ["white", "black"];

/// Levels of rules: what is of a lower level may be negated. Those from `MOVES` on may ask what was done.
const STATE: usize = 1;
const NEGATING: usize = 2;
const ANSWERS: usize = 3;
const MOVES: usize = 4;
const NEXT: usize = 5;

struct Relation {
    name: String,
    arity: usize,
    level: usize,
}

impl Relation {
    fn atom(&self, args: [&str; 2]) -> String {
        match self.arity {
            0 => self.name.clone(),
            1 => format!("({} {})", self.name, args[1]),
            _ => format!("({} {} {})", self.name, args[0], args[1]),
        }
    }
}

/// A random game. One of the circles, chosen by the seed, is there in any case.
pub(crate) fn game(seed: u64) -> String {
    let mut dice = MoveGenerator::new(seed);
    let certain = CIRCLES[seed as usize % CIRCLES.len()];
    let circles = CIRCLES.into_iter().filter(|&circle| circle == certain || dice.below(2) == 0).collect();
    let mut writer = Writer {
        n_places: 4 + dice.below(3),
        n_roles: 1 + dice.below(2),
        takes_turns: dice.below(2) == 0,
        circles,
        relations: Vec::new(),
        rules: Vec::new(),
        dice,
    };
    writer.board();
    writer.recursion(Circle::State, STATE, "a");
    writer.recursion(Circle::StateBelowNegation, NEGATING, "b");
    writer.recursion(Circle::Moves, MOVES, "m");
    writer.legal();
    writer.next();
    writer.end();
    writer.rules.join("\n")
}

struct Writer {
    dice: MoveGenerator,
    n_places: usize,
    n_roles: usize,
    takes_turns: bool,
    circles: Vec<Circle>,
    relations: Vec<Relation>,
    rules: Vec<String>,
}

impl Writer {
    fn say(&mut self, rule: impl Into<String>) {
        self.rules.push(rule.into());
    }

    fn happens(&mut self, one_in: usize) -> bool {
        self.dice.below(one_in) == 0
    }

    fn has(&self, circle: Circle) -> bool {
        self.circles.contains(&circle)
    }

    fn roles(&self) -> &'static [&'static str] {
        &ROLES[..self.n_roles]
    }

    fn role(&mut self) -> &'static str {
        self.roles()[self.dice.below(self.n_roles)]
    }

    fn place(&mut self) -> String {
        format!("p{}", self.dice.below(self.n_places))
    }

    /// The condition that it is a role's turn.
    fn turn(&self, role: &str) -> String {
        if self.takes_turns && self.n_roles > 1 { format!("(true (control {role}))") } else { String::new() }
    }

    fn board(&mut self) {
        for role in self.roles() {
            let place = self.place();
            self.say(format!("(role {role}) (init (owner {role} {place}))"));
        }
        for at in 0..self.n_places {
            let next = (at + 1) % self.n_places;
            self.say(format!("(place p{at}) (edge p{at} p{next})"));
            if self.happens(2) {
                self.say(format!("(init (on p{at}))"));
            }
            if self.happens(2) {
                self.say(format!("(init (link p{at} p{next}))"));
            }
        }
        for _ in 0..self.n_places / 2 {
            let (from, to) = (self.place(), self.place());
            self.say(format!("(edge {from} {to})"));
        }
        let last = 4 + self.dice.below(4);
        for at in 0..last {
            self.say(format!("(succ {at} {})", at + 1));
        }
        // Not over before something happened.
        (3..=last).for_each(|at| self.say(format!("(late {at})")));
        self.say("(init (step 0)) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))");
        self.say(format!("(<= terminal (true (step {last})))"));
        if self.takes_turns && self.n_roles > 1 {
            self.say("(init (control white))");
            self.say("(<= (next (control white)) (true (control black)))");
            self.say("(<= (next (control black)) (true (control white)))");
        }
    }

    /// A condition on a place.
    fn test(&mut self, level: usize, place: &str) -> String {
        let role = self.role();
        match self.dice.below(if level >= MOVES { 8 } else { 6 }) {
            0 => format!("(true (on {place}))"),
            1 => format!("(not (true (on {place})))"),
            2 => format!("(not (true (owner {role} {place})))"),
            3 | 4 => {
                let Some(below) = self.relation_below(level) else { return String::new() };
                let atom = self.relations[below].atom([place, place]);
                if self.happens(2) { atom } else { format!("(not {atom})") }
            }
            5 => String::new(),
            6 => format!("(not (does {role} (toggle {place})))"),
            _ => format!("(not (does {role} (visit {place})))"),
        }
    }

    fn relation_below(&mut self, level: usize) -> Option<usize> {
        let below: Vec<usize> =
            (0..self.relations.len()).filter(|&at| self.relations[at].level < level).collect();
        (!below.is_empty()).then(|| below[self.dice.below(below.len())])
    }

    /// A condition that leads from one place to others. All of the ring are among them.
    fn way(&mut self, level: usize, from: &str, to: &str) -> String {
        let role = self.role();
        match self.dice.below(if level >= MOVES { 5 } else { 4 }) {
            0 => format!("(edge {from} {to})"),
            1 => format!("(true (link {from} {to}))"),
            2 => format!("(edge {from} {to}) (true (on {to}))"),
            3 => format!("(edge {from} {to}) (not (true (link {from} {to})))"),
            _ => format!("(does {role} (join {from} {to}))"),
        }
    }

    /// Relations that need each other, around a circle.
    fn recursion(&mut self, circle: Circle, level: usize, prefix: &str) {
        if !self.has(circle) {
            return;
        }
        let first = self.relations.len();
        let n_relations = 1 + self.dice.below(3);
        for at in 0..n_relations {
            // A relation of one atom makes no circle with itself.
            let arity = if at == 0 { 1 + self.dice.below(2) } else { self.dice.below(3) };
            self.relations.push(Relation { name: format!("{prefix}{at}"), arity, level });
        }
        for at in 0..n_relations {
            self.beginning(first + at, level);
            self.inference(first + at, first + (at + 1) % n_relations, level);
            while self.happens(2) {
                let from = first + self.dice.below(n_relations);
                self.inference(first + at, from, level);
            }
        }
    }

    /// A rule that needs no atom of its own level.
    fn beginning(&mut self, head: usize, level: usize) {
        let place = self.place();
        let (role, test) = (self.role(), self.test(level, "?y"));
        let way = self.way(level, "?x", "?y");
        let arity = self.relations[head].arity;
        let body = match arity {
            2 => format!("{way} {test}"),
            _ if level >= MOVES && self.happens(2) => format!("(does {role} (toggle ?y)) {test}"),
            _ if self.happens(2) => format!("(true (owner {role} ?y)) {test}"),
            _ => format!("(true (on ?y)) (edge {place} ?y) {test}"),
        };
        let head = self.relations[head].atom(["?x", "?y"]);
        self.say(format!("(<= {head} {body})"));
    }

    /// A rule from one atom to another of the same level.
    fn inference(&mut self, head: usize, from: usize, level: usize) {
        let (to_arity, from_arity) = (self.relations[head].arity, self.relations[from].arity);
        let known = self.relations[from].atom(["?x", "?y"]);
        let place = self.place();
        let start = if from_arity == 0 { place.as_str() } else { "?y" };
        let (way, test) = (self.way(level, start, "?z"), self.test(level, "?z"));
        let is_turned = to_arity == 2 && from_arity == 2 && self.happens(3);
        let is_squared = to_arity == 2 && from_arity == 2 && self.happens(3);
        let known_further = self.relations[from].atom(["?y", "?z"]);
        let (args, body) = match (to_arity, from_arity) {
            (0, 0) => (["", ""], format!("{known} (true (on {place}))")),
            (0, _) => (["", ""], format!("{known} {}", self.test(level, "?y"))),
            (1, _) => (["", "?z"], format!("{known} {way} {test}")),
            (_, 0) => ([start, "?z"], format!("{known} {way} {test}")),
            (_, 1) => (["?y", "?z"], format!("{known} {way} {test}")),
            _ if is_turned => (["?y", "?x"], format!("{known} {}", self.test(level, "?y"))),
            _ if is_squared => (["?x", "?z"], format!("{known} {known_further} {test}")),
            _ => (["?x", "?z"], format!("{known} {way} {test}")),
        };
        let head = self.relations[head].atom(args);
        self.say(format!("(<= {head} {body})"));
    }

    fn legal(&mut self) {
        for role in self.roles() {
            let turn = self.turn(role);
            let (visit, join) = (self.test(ANSWERS, "?x"), self.test(ANSWERS, "?y"));
            self.say(format!("(legal {role} pass)"));
            self.say(format!("(<= (legal {role} (toggle ?x)) (place ?x) {turn})"));
            self.say(format!("(<= (legal {role} (visit ?x)) (true (on ?x)) {turn} {visit})"));
            self.say(format!(
                "(<= (legal {role} (join ?x ?y)) (edge ?x ?y) (not (true (link ?x ?y))) {turn} {join})"
            ));
            self.say(format!("(<= (legal {role} (cut ?x ?y)) (true (link ?x ?y)) {turn})"));
            if self.has(Circle::Legal) {
                let (way, test) = (self.way(STATE, "?x", "?y"), self.test(ANSWERS, "?y"));
                self.say(format!("(<= (legal {role} (visit ?y)) (legal {role} (visit ?x)) {way} {test})"));
            }
        }
    }

    fn next(&mut self) {
        self.say("(<= (hit ?x) (does ?r (toggle ?x)))");
        for at in 0..self.relations.len() {
            if self.relations[at].level == MOVES {
                let atom = self.relations[at].atom(["?y", "?x"]);
                self.say(format!("(<= (hit ?x) (place ?x) {atom})"));
            }
        }
        self.say("(<= (next (on ?x)) (true (on ?x)) (not (hit ?x)))");
        self.say("(<= (next (on ?x)) (hit ?x) (not (true (on ?x))))");
        self.say("(<= (next (link ?x ?y)) (true (link ?x ?y)) (not (broken ?x ?y)))");
        self.say("(<= (next (link ?x ?y)) (does ?r (join ?x ?y)))");
        self.say("(<= (broken ?x ?y) (does ?r (cut ?x ?y)))");
        let test = self.test(NEXT, "?x");
        self.say(format!("(<= (broken ?x ?y) (does ?r (toggle ?x)) (edge ?x ?y) {test})"));
        self.say("(<= (next (owner ?r ?x)) (does ?r (visit ?x)))");
        let test = self.test(NEXT, "?x");
        self.say(format!("(<= (next (owner ?r ?x)) (true (owner ?r ?x)) {test})"));
        if self.has(Circle::Next) {
            let (role, way, test) = (self.role(), self.way(STATE, "?x", "?y"), self.test(NEXT, "?y"));
            self.say(format!(
                "(<= (next (owner {role} ?y)) (next (owner {role} ?x)) {way} (not (hit ?x)) {test})"
            ));
        }
    }

    /// Goals, and what ends the match beside the counter. Where two goals hold there is none, which is an answer too.
    fn end(&mut self) {
        for role in self.roles() {
            let (one, other) = (self.place(), self.place());
            let test = self.test(ANSWERS, &one);
            self.say(format!("(<= (won {role}) (true (owner {role} {one})) {test})"));
            self.say(format!("(<= (won {role}) (true (on {one})) (not (true (on {other}))))"));
            self.say(format!("(<= (goal {role} 100) (won {role}))"));
            self.say(format!("(<= (goal {role} 30) (not (won {role})) (not (true (on {one}))))"));
            self.say(format!("(<= (goal {role} 10) (not (won {role})) (true (on {one})))"));
        }
        for at in 0..self.relations.len() {
            if self.relations[at].level < MOVES {
                let (role, [one, other]) = (self.role(), [self.place(), self.place()]);
                let atom = self.relations[at].atom([&one, &other]);
                self.say(format!("(<= (won {role}) {atom} (not (true (on {one}))))"));
                self.say(format!("(<= doom {atom} (true (on {one})))"));
            }
        }
        let (one, other) = (self.place(), self.place());
        self.say(format!("(<= doom (true (on {one})) (true (link ?x {one})) (not (true (on {other}))))"));
        self.say("(<= terminal doom (true (step ?n)) (late ?n))");
        if self.has(Circle::Terminal) {
            let test = self.test(ANSWERS, &one);
            self.say(format!("(<= doom terminal (true (on {one})) {test})"));
            self.say(format!("(<= (goal {} 50) doom (not (true (on {other}))))", self.roles()[0]));
        }
        if self.has(Circle::Goal) {
            let (first, last) = (self.roles()[0], self.roles()[self.n_roles - 1]);
            let (one, other) = (self.place(), self.place());
            self.say(format!("(<= (shines {first}) (goal {last} 100) (true (on {one})))"));
            self.say(format!("(<= (shines {last}) (shines {first}) (not (true (on {other}))))"));
            self.say(format!("(<= (goal {last} 100) (shines {last}))"));
            self.say(format!("(<= (shines {last}) (true (owner {first} {other})))"));
        }
    }
}
