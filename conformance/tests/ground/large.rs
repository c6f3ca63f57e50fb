//! Games with a relation that has too many facts, or seems to.

/// A game and how many ground rules are enough for it.
pub(crate) struct Game {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) most_rules: usize,
}

pub(crate) fn games() -> Vec<Game> {
    vec![
        Game { name: "asked with constants", text: asked_with_constants(), most_rules: 1_000 },
        Game { name: "asked with everything", text: asked_with_everything(), most_rules: 60_000 },
        Game { name: "asked in both stages", text: asked_in_both_stages(), most_rules: 2_000 },
        Game { name: "asked by the beginning", text: asked_by_the_beginning(), most_rules: 400 },
        Game { name: "asked by what a move forbids", text: asked_by_a_negation(), most_rules: 1_000 },
        Game { name: "asked by those that are asked", text: asked_in_turn(), most_rules: 1_000 },
        Game { name: "unfolded", text: unfolded(), most_rules: 1_000 },
        Game { name: "written where it is used", text: written_where_used(), most_rules: 8_000 },
        Game { name: "taken apart", text: taken_apart(), most_rules: 6_000 },
        Game { name: "walls", text: walls(), most_rules: 2_000 },
    ]
}

/// `(num 1)` to `(num n)`.
fn numbers(relation: &str, n: usize) -> String {
    (1..=n).map(|number| format!("({relation} {number}) ")).collect()
}

/// Stones are put on `n` cells, one each turn.
fn stones(n: usize) -> String {
    format!(
        "(role p) {}
        (<= (legal p (put ?c)) (cell ?c) (not (true (stone ?c))))
        (<= (next (stone ?c)) (does p (put ?c)))
        (<= (next (stone ?c)) (true (stone ?c)))",
        numbers("cell", n)
    )
}

/// 64,000 triples, of which two are asked for.
fn asked_with_constants() -> String {
    stones(40)
        + "(<= (three ?x ?y ?z) (true (stone ?x)) (true (stone ?y)) (true (stone ?z)))
        (<= line (three 1 2 3)) (<= line (three 4 5 6))
        (<= terminal line) (<= (goal p 100) line) (<= (goal p 0) (not line))"
}

/// 64,000 triples, of which legal moves ask for two, negated.
fn asked_by_a_negation() -> String {
    stones(40)
        + "(<= (three ?x ?y ?z) (true (stone ?x)) (true (stone ?y)) (true (stone ?z)))
        (<= (legal p (pass 1)) (not (three 1 1 1))) (<= (legal p (pass 2)) (not (three 2 2 2)))
        (<= (legal p (pass 3)) (not (three 3 4 5))) (legal p rest)
        (<= (next (passed ?n)) (does p (pass ?n))) (<= (next (passed ?n)) (true (passed ?n)))
        (<= terminal (true (passed 1))) (<= (goal p 100) (true (passed 1))) (<= (goal p 0) (not (true (passed 1))))"
}

/// 25,600 pairs, and all of them are asked for: demand has to be given up.
fn asked_with_everything() -> String {
    stones(160)
        + "(<= (pair ?x ?y) (true (stone ?x)) (true (stone ?y)))
        (<= (linked ?x) (cell ?x) (cell ?y) (distinct ?x ?y) (pair ?x ?y))
        (<= terminal (linked 1)) (<= (goal p 100) (linked 1)) (<= (goal p 0) (not (linked 1)))"
}

/// 31,375 sums, of which the initial state asks for one.
fn asked_by_the_beginning() -> String {
    let successors: String = (0..250).map(|number| format!("(succ {number} {}) ", number + 1)).collect();
    format!(
        "(role p) {successors} (<= (sum ?x 0 ?x) (succ ?x ?y))
        (<= (sum ?x ?y ?z) (sum ?x ?u ?v) (succ ?u ?y) (succ ?v ?z))
        (<= (init (at ?x)) (sum 70 30 ?x))
        (<= (legal p step) (true (at ?x)))
        (<= (next (at ?y)) (true (at ?x)) (does p step) (succ ?x ?y))
        (<= terminal (true (at 110))) (<= (goal p 100) (true (at 110)))"
    )
}

/// `apart` has 65,280 facts and is asked first by `next`, then by a goal; `three` has many and is found after that.
fn asked_in_both_stages() -> String {
    "(role p) (<= (square ?x ?y) (small ?x) (small ?y)) ".to_owned()
        + &numbers("small", 3)
        + &numbers("number", 16)
        + "(<= (apart ?x ?y ?u ?v) (distinct ?x ?u) (number ?x) (number ?y) (number ?u) (number ?v))
        (<= (apart ?x ?y ?u ?v) (distinct ?y ?v) (number ?x) (number ?y) (number ?u) (number ?v))
        (<= (init (cell ?x ?y open)) (square ?x ?y))
        (<= (legal p (mark ?x ?y)) (true (cell ?x ?y open)))
        (<= (next (cell ?x ?y marked)) (does p (mark ?x ?y)))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does p (mark ?u ?v)) (apart ?x ?y ?u ?v))
        (<= is_open (true (cell ?x ?y open))) (<= terminal (not is_open))
        (<= (three ?x ?y ?z ?a ?b ?c) (number ?a) (number ?b) (number ?c)
            (true (cell ?x ?x marked)) (true (cell ?y ?y marked)) (true (cell ?z ?z marked)))
        (<= spread (true (cell 1 1 marked)) (true (cell ?x ?y marked)) (apart ?x ?y 1 1))
        (<= (goal p 100) (three 1 2 3 1 1 1) spread) (<= (goal p 50) spread (not (three 1 2 3 1 1 1)))
        (<= (goal p 0) (not spread))"
}

/// A sum over cells that is begun at a thousand numbers where one would do: each step asks the next.
fn asked_in_turn() -> String {
    let after: String =
        (0..2_000).map(|number| format!("(after {number} {}) (number {number}) ", number + 1)).collect();
    stones(12)
        + &after
        + "(<= (sum ?c ?n ?n) (cell ?c) (number ?n) (not (true (stone ?c))) (last ?c))
        (<= (sum ?c ?n ?m) (true (stone ?c)) (last ?c) (after ?n ?m))
        (<= (sum ?c ?n ?m) (true (stone ?c)) (after ?n ?k) (after ?c ?d) (cell ?d) (sum ?d ?k ?m))
        (<= (sum ?c ?n ?m) (cell ?c) (number ?n) (not (true (stone ?c))) (after ?c ?d) (cell ?d) (sum ?d ?n ?m))
        (last 12)
        (<= terminal (sum 1 0 4)) (<= (goal p ?n) (sum 1 0 ?n))"
}

/// Seven cells get numbers from one to eight; some numbers have to be there once. `one` has six million facts.
fn unfolded() -> String {
    let xs: Vec<String> = (1..=7).map(|at| format!("?x{at}")).collect();
    let rest: String = xs[1..].iter().map(|x| format!("(num {x}) (not (same ?z {x})) ")).collect();
    let mut text = format!("(<= (first ?z {}) (same ?z ?x1) {rest})", xs.join(" "));
    for at in 0..7 {
        let mut turned = vec![xs[at].clone()];
        turned.extend(xs.iter().enumerate().filter(|&(other, _)| other != at).map(|(_, x)| x.clone()));
        text += &format!("(<= (one ?z {}) (first ?z {}))", xs.join(" "), turned.join(" "));
    }
    let same: String = (1..=8).map(|number| format!("(same {number} {number}) ")).collect();
    let marks: String = (1..=7).map(|at| format!("(true (at {at} ?x{at})) ")).collect();
    let ones: String = (1..=3).map(|number| format!("(one {number} {}) ", xs.join(" "))).collect();
    text + &format!(
        "(role p) {} {} {same}
        (<= (filled ?c) (true (at ?c ?n)))
        (<= (open ?c) (cell ?c) (not (filled ?c)))
        (<= (legal p (put ?c ?n)) (open ?c) (num ?n))
        (<= (next (at ?c ?n)) (does p (put ?c ?n)))
        (<= (next (at ?c ?n)) (true (at ?c ?n)))
        (<= (is_open) (open ?c)) (<= terminal (not (is_open)))
        (<= good {marks} {ones})
        (<= (goal p 100) good) (<= (goal p 0) (not good))",
        numbers("cell", 7),
        numbers("num", 8)
    )
}

/// Which way leads from each of 40 × 40 cells to each other: 2.5 million facts, of which the diagonal asks for some.
fn written_where_used() -> String {
    let after: String = (1..40).map(|number| format!("(after {number} {}) ", number + 1)).collect();
    format!(
        "(role p) {} {after}
        (<= (less ?x ?y) (after ?x ?y)) (<= (less ?x ?z) (after ?x ?y) (less ?y ?z))
        (<= (side ?x ?y up) (less ?x ?y)) (<= (side ?x ?y down) (less ?y ?x)) (<= (side ?x ?x none) (number ?x))
        (<= (ways ?a ?b ?c ?d ?v ?w) (side ?a ?c ?v) (side ?b ?d ?w))
        (init (at 1 40))
        (<= (legal p (go ?v ?w)) (true (at ?x ?y)) (goal_at ?g ?h) (ways ?x ?y ?g ?h ?v ?w))
        (goal_at 20 20)
        (<= (next (at ?u ?z)) (true (at ?x ?y)) (does p (go ?v ?w)) (move ?v ?x ?u) (move ?w ?y ?z))
        (<= (move up ?x ?y) (after ?x ?y)) (<= (move down ?x ?y) (after ?y ?x)) (<= (move none ?x ?x) (number ?x))
        (<= terminal (true (at 20 20))) (<= (goal p 100) (true (at 20 20)))",
        numbers("number", 40)
    )
}

/// A position and a speed with two coordinates each: 38,000 instances, or some for each coordinate.
fn taken_apart() -> String {
    let sum = |x: usize, y: usize| format!("(sum {x} {y} {}) ", (x + y) % 14);
    let sums: String = (0..14).flat_map(|x| (0..14).map(move |y| sum(x, y))).collect();
    format!(
        "(role p) {sums} (push 0) (push 1) (push 13)
        (init (pos 0 0)) (init (speed 0 0))
        (<= (legal p (push ?a ?b)) (push ?a) (push ?b))
        (<= (new_speed ?x ?y) (true (speed ?a ?b)) (does p (push ?c ?d)) (sum ?a ?c ?x) (sum ?b ?d ?y))
        (<= (new_pos ?x ?y) (true (pos ?a ?b)) (new_speed ?c ?d) (sum ?a ?c ?x) (sum ?b ?d ?y))
        (<= (next (speed ?x ?y)) (new_speed ?x ?y))
        (<= (next (pos ?x ?y)) (new_pos ?x ?y))
        (<= terminal (true (pos 5 7))) (<= (goal p 100) (true (pos 5 7)))"
    )
}

/// Walls are fluents that never change, and whether a cell is free is asked by a negation.
fn walls() -> String {
    let after: String = (1..12).map(|number| format!("(after {number} {}) ", number + 1)).collect();
    let walls: String = (2..12).map(|at| format!("(init (wall {at} {})) ", at * at % 11 + 1)).collect();
    format!(
        "(role p) {} {after} {walls} (init (at 1 1)) (init lamp)
        (<= (free ?x ?y) (number ?x) (number ?y) (not (true (wall ?x ?y))))
        (<= (step ?x ?y ?u ?y) (after ?x ?u) (free ?u ?y) (free ?x ?y))
        (<= (step ?x ?y ?x ?v) (after ?y ?v) (free ?x ?v) (free ?x ?y))
        (<= (legal p (go ?u ?v)) (true (at ?x ?y)) (step ?x ?y ?u ?v))
        (<= (legal p wait) (true (at ?x ?y)) (true lamp) (true (wall ?x ?z)))
        (<= (next (at ?u ?v)) (does p (go ?u ?v)))
        (<= (next (at ?x ?y)) (does p wait) (true (at ?x ?y)))
        (<= (next (wall ?x ?y)) (true (wall ?x ?y)))
        (<= (next lamp) (true lamp))
        (<= stuck (true (at ?x ?y)) (not (leads ?x ?y)))
        (<= (leads ?x ?y) (step ?x ?y ?u ?v))
        (<= terminal stuck) (<= (goal p 100) (true (at 12 12))) (<= (goal p 0) (not (true (at 12 12))))",
        numbers("number", 12)
    )
}
