//! Small rulesheets with what published ones have and the specification does not allow.

/// Names and rules; each lacks the step counter and the end of [`peculiar_sheets`].
const RULES: [(&str, &str); 18] = [
    (
        "other-arities",
        "(next 0 1) (next 1 2) (next 2 3) (next 3 0) (next) (init first) (init corner 3) (base cell 0 a) (base)
         (input noop) (input robot go now) (init (at 0)) (init (mark 0 0))
         (<= (legal robot (go ?y)) (true (at ?x)) (next ?x ?y)) (<= (legal robot (back ?y)) (true (at ?x)) (next ?y ?x))
         (<= (legal robot ?m) (input ?m) (not (true (mark 3 ?x)))) (<= (legal robot corner) (true (at ?x)) (init corner ?x))
         (<= (next (at ?x)) (does robot (go ?x))) (<= (next (at ?x)) (does robot (back ?x)))
         (<= (next (at ?x)) (true (at ?x)) (does robot noop)) (<= (next (at ?x)) (true (at ?x)) (does robot corner))
         (<= (next (mark ?x ?y)) (true (at ?x)) (next ?x ?y) next base)
         (<= (goal robot 100) (true (at ?x)) (next ?x ?y ?y)) (<= (next ?x ?y ?y) (next ?y ?x) (true (mark ?x ?y)))
         (<= (goal robot 0) (not (next ?x ?y ?z)))",
    ),
    (
        "other-arities-negated",
        "(next a b) (next b c) (init (on a)) (dom a) (dom b) (dom c)
         (<= (init ?x ?y) (next ?y ?x)) (<= (base ?x ?y) (init ?x ?y)) (<= (base ?x ?z) (base ?x ?y) (init ?y ?z))
         (<= (input ?x ?y ?z) (does robot (put ?x)) (dom ?y) (dom ?z) (not (base ?y ?z)))
         (<= (legal robot (put ?x)) (dom ?x) (not (true (on ?x)))) (legal robot rest)
         (<= (next (on ?x)) (true (on ?x)) (not (input ?x ?y ?z)))
         (<= (next (on ?z)) (input ?x ?y ?z) (not (next ?x ?z)) (not (next ?z)) (not (init (on ?y))))
         (<= (goal robot 100) (true (on ?x)) (not (base ?x ?y))) (<= (goal robot 50) (not (true (on a))))",
    ),
    (
        "no-value",
        "(dom 1) (dom 2) (dom 3) (init (cell 1 x)) (init (cell 2 b)) (edge 1 2) (edge 2 3)
         (<= (legal robot (fill ?n)) (dom ?n) (not (true (cell ?n x)))) (legal robot clear)
         (<= (next (cell ?n x)) (does robot (fill ?n)))
         (<= (next (cell ?n ?c)) (true (cell ?n ?c)) (not (does robot ?m)))
         (<= (next (cell ?n ?c)) (true (cell ?n ?c)) (not (does ?r clear)))
         (<= empty (not (true (cell ?n ?c)))) (<= (next (cell 3 b)) empty)
         (<= (sink ?n) (dom ?n) (not (edge ?n ?m))) (<= (goal robot 100) (sink ?n) (true (cell ?n x)))
         (<= (goal robot 0) (not (and (sink ?n) (true (cell ?n x)))))",
    ),
    (
        "no-value-of-parts",
        "(dom 1) (dom 2) (dom 3) (init (lit 1)) (after 1 2) (after 2 3) (bad 3)
         (<= (legal robot (press ?n)) (dom ?n) (not (and (after ?m ?n) (not (true (lit ?m))))))
         (<= (legal robot (undo ?n)) (true (lit ?n)) (not (or (and (after ?n ?m) (true (lit ?m))) (bad ?n))))
         (legal robot rest)
         (<= (next (lit ?n)) (does robot (press ?n)))
         (<= (next (lit ?n)) (true (lit ?n)) (not (and (does robot (undo ?m)) (not (distinct ?m ?n)))))
         (<= (whole ?n) (dom ?n) (or (true (lit ?n)) (not (after ?n ?m))) (or (bad ?n) (not (after ?k ?n))))
         (<= all (not (and (dom ?n) (not (true (lit ?n))))))
         (<= odd (not (and (true (lit ?n)) (after ?n ?m) (distinct ?n 2) (not (and (true (lit ?m)) (dom ?k) (distinct ?k ?n))))))
         (<= (goal robot 100) all) (<= (goal robot 60) (not all) odd) (<= (goal robot 30) (not all) (not odd) (whole 1))
         (<= (goal robot 10) (not all) (not odd) (not (whole 1)))",
    ),
    (
        "no-value-of-keywords",
        "(role other) (<= (legal other stay) (role other)) (init (n 0)) (succ 0 1) (succ 1 2)
         (<= (legal robot up) (not (and (true (n ?x)) (not (succ ?x ?y))))) (<= (legal robot wait) (true (n ?x)))
         (<= stuck (not (legal robot ?m))) (<= idle (not (does robot up)))
         (<= quiet (not (and (does ?r ?m) (distinct ?m stay) (distinct ?m wait))))
         (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (not quiet)) (<= (next (n ?x)) (true (n ?x)) quiet idle)
         (<= (next (calm ?r)) (role ?r) (not (and (does ?r ?m) (not (legal other ?m)))))
         (<= (goal ?r 100) (role ?r) (true (calm ?r))) (<= (goal ?r 20) (role ?r) (not (goal ?r 100)))
         (<= (next worth) (not (goal robot ?v))) (<= (next over) (not (and (role ?r) (goal ?r 20)))) (<= (next q) stuck)",
    ),
    (
        "no-value-recursive",
        "(dom a) (dom b) (dom c) (dom d) (init (link a b)) (init (link b c)) (init (link c d))
         (<= (reach ?x ?y) (true (link ?x ?y))) (<= (reach ?x ?z) (reach ?x ?y) (true (link ?y ?z)))
         (<= (last ?x) (dom ?x) (not (reach ?x ?y))) (<= (lost ?x) (dom ?x) (not (and (reach ?x ?y) (last ?y))))
         (<= (legal robot (cut ?x ?y)) (true (link ?x ?y))) (<= (legal robot (join ?x a)) (last ?x)) (legal robot rest)
         (<= (next (link ?x ?y)) (true (link ?x ?y)) (not (does robot (cut ?x ?z))))
         (<= (next (link ?x ?y)) (does robot (join ?x ?y)))
         (<= (goal robot 100) (not (last ?x))) (<= (goal robot 50) (last ?x) (lost ?x))
         (<= (goal robot 0) (last ?y) (not (and (last ?x) (lost ?x))))",
    ),
    (
        "no-value-of-terms",
        "(init (stack (s (s z)))) (init (hand nil)) (small z) (small (s z))
         (<= (legal robot (pop ?x)) (true (stack (s ?x)))) (<= (legal robot push) (not (true (stack (s (s ?x))))))
         (legal robot rest)
         (<= (next (stack ?x)) (does robot (pop ?x))) (<= (next (stack (s ?x))) (true (stack ?x)) (small ?x) (does robot push))
         (<= (next (stack ?x)) (true (stack ?x)) (does robot rest)) (<= (next (hand ?m)) (does robot ?m))
         (<= (next low) (not (true (stack (s ?x))))) (<= (next (t ?x)) (true (stack (s ?x))) (not (true (t ?y))))
         (<= (next full) (not (and (true ?f) (distinct ?f low) (not (true (stack ?f))))))
         (<= (goal robot 100) (true (hand (pop ?x))) (small ?x) (not (and (small ?y) (true (hand (pop (s ?y)))))))
         (<= (goal robot 0) (not (true (hand (pop ?x)))))",
    ),
    (
        "no-value-of-nothing",
        "(init a) (dom 1) (legal robot go) (<= (legal robot stay) (not (nothing ?x))) (<= (legal robot never) (not (dom ?x)))
         (<= (legal robot odd) (not (and (dom ?x) (or)))) (<= (legal robot no) (not (or (dom ?x) (and))))
         (<= (legal robot equal) (not (distinct ?x ?y)) (not (distinct ?z (f ?w))))
         (<= (legal robot next) (not (next ?x))) (<= (legal robot init) (not (init ?x)) (not (next ?y ?z)))
         (<= (legal robot two) (not (and (dom ?x) (nothing ?y))))
         (<= (next a) (true a)) (<= (next b) (not (does ?r (f ?x)))) (<= (goal robot 1) (not (does ?r ?m)))",
    ),
    (
        "or-of-equalities",
        "(dom a) (dom b) (dom c) (init (at a)) (init (to b))
         (<= (legal robot (go ?x)) (dom ?x) (not (true (from ?x ?y))) (or (not (distinct ?x ?z)) (true (at ?x))) (or (not (distinct ?z ?w)) (dom ?z))
             (true (to ?w)))
         (legal robot rest)
         (<= (next (at ?x)) (does robot (go ?x))) (<= (next (from ?x ?y)) (does robot (go ?y)) (true (at ?x)))
         (<= (next (to ?y)) (true (to ?x)) (dom ?y) (distinct ?x ?y) (or (not (true (from ?y ?z))) (not (true (at ?y)))))
         (<= (goal robot 100) (true (at c))) (<= (goal robot 0) (not (true (at c))))",
    ),
    (
        "several-at-once",
        "(true (always 1)) (next 1 2) (init 1 1) (init (p 1)) (legal robot go)
         (<= (legal robot (set ?x)) (next ?y ?x) (not (true (p ?x ?z))) (or (init ?x ?x) (not (init ?x ?w))))
         (<= (next (p ?x ?x)) (does robot (set ?x))) (<= (next (p 1)) (not (true (p ?x ?y)))) (<= (next not) (true (p 1)))
         (<= (sometimes ?x) (true (p ?x)) (not (and (next ?x ?y) (true (p ?y ?y)))))
         (<= (goal robot 100) (sometimes ?x) (true (always ?x)) (not (goal robot 0)))
         (<= (goal robot 0) (not (sometimes ?x)))",
    ),
    (
        "same-place-twice",
        "(dom 1) (dom 2) (init (f 1 2)) (legal robot go) (<= (legal robot (eq ?x)) (dom ?x) (not (true (f ?y ?y))))
         (<= (legal robot (ne ?x)) (dom ?x) (not (true (f ?x ?y))) (not (true (f ?y2 ?x))))
         (<= (next (f ?x ?x)) (does robot (eq ?x))) (<= (next (f ?x ?y)) (true (f ?x ?y)) (not (and (true (f ?z ?z)) (distinct ?z ?x))))
         (<= (goal robot 100) (true (f ?x ?x))) (<= (goal robot 0) (not (true (f ?x ?x))))",
    ),
    (
        "static-keywords-negated",
        "(init s) (legal robot go) (legal robot stop) (<= (next t) (true s)) (goal robot 50) (role idle) (legal idle wait)
         (<= (next l) (not (legal ?r go))) (<= (next m) (not (legal ?r fly))) (<= (next won) (not (goal ?r 50)))
         (<= (next lost) (not (goal ?r 0))) (<= (can ?m) (legal robot ?m)) (<= (next (can ?m)) (can ?m))
         (<= (next u) (not (can go))) (<= (next over) (not (done))) (<= done terminal)",
    ),
    (
        "static-keywords-below-goal",
        "(init s) (legal robot go) (legal robot stop) (<= (goal robot 50) (not (and (role ?r) (legal ?r go))))
         (<= (goal robot 60) (not (and (role ?r) (legal ?r fly)))) (<= (next s) (not (goal robot 50)))",
    ),
    (
        "static-legal-recursive",
        "(role other) (legal robot go) (legal robot stop) (<= (may ?m) (legal robot ?m)) (<= (legal other ?m) (may ?m))
         (<= (next (may ?m)) (may ?m) (not (does other ?m))) (goal robot 50) (<= (goal other 50) (may stop))",
    ),
    (
        "keywords-before-play",
        "(role (other 1)) (legal robot go) (<= (legal robot stay) (not (true (x 1)))) (goal robot 30) (input robot wait)
         (<= (init (a ?m)) (legal robot ?m)) (<= (init g) (goal robot 30)) (<= (init n) (not (goal robot 40)))
         (<= (init over) terminal) (<= (init not_over) (not terminal)) (<= (next (x 1)) (true (a go)))
         (<= (input ?r ?m) (legal ?r ?m)) (<= (init (c ?m)) (input robot ?m)) (<= (legal (other ?n) go) (number ?n))
         (<= (number ?n) (role (other ?n))) (<= (init (may ?m)) (can ?m)) (<= (can ?m) (legal robot ?m))
         (<= (next (can ?m)) (can ?m))",
    ),
    (
        "keywords-that-see-moves",
        "(init s) (legal robot go) (legal robot wait) (<= (legal robot stay) (does robot go)) (goal robot 3)
         (<= (next l) (legal robot stay)) (<= (may ?m) (legal robot ?m)) (<= (next m) (may stay)) (<= (next n) (not (may stay)))
         (<= (goal robot 50) (does robot go)) (<= (next o) (not (goal robot 50))) (<= (init p) (not (goal robot 50)))
         (<= (init (may ?m)) (may ?m)) (<= (next s) (true s) (not (may stay)))",
    ),
    (
        "block-without-inputs",
        "(legal robot x) (legal robot y) (goal robot 1) (<= p q) (<= q p) (<= p (does robot ?m)) (<= (next o) q)",
    ),
    (
        "free-equalities",
        "(init s) (dom 1) (dom 2) (legal robot go) (<= (next t) (true s)) (<= (legal robot (m ?x ?y)) (dom ?x) (dom ?y))
         (<= (next (m ?x ?y)) (does robot (m ?x ?y)))
         (<= (goal robot 50) (dom ?x) (not (distinct ?v (f ?v))))
         (<= (goal robot 60) (not (distinct (f ?v ?w) (f ?w ?v))) (true t))
         (<= (next (o ?x)) (dom ?x) (not (or (distinct ?v ?y) (distinct ?v ?y))))
         (<= (next c) (not (distinct ?v (f ?w))) (not (distinct ?w (f ?v))))
         (<= (next d) (not (distinct ?v (f ?w))) (not (distinct ?v (f 1))) (not (distinct ?w ?u)) (not (distinct ?u ?u2)))
         (<= (next e) (not (distinct ?v (f ?w))) (not (distinct ?v (f 1))) (not (distinct ?v ?v2)) (not (distinct ?v2 (f 2))))
         (<= (next g) (or (not (distinct ?v 3)) (true (m ?y ?x))) (not (distinct ?x ?y)))
         (<= (next h) (or (not (distinct ?x ?y)) (true (m ?x ?y))) (or (not (distinct ?y (f ?x))) (true (m ?y ?x))))
         (<= (next (i ?z)) (dom ?z) (not (distinct ?x ?y)) (or (true (m ?x ?y)) (not (distinct ?y (f ?x))) (true (m ?y ?z))))",
    ),
];

/// Small rulesheets with names, of four moves each.
pub fn peculiar_sheets() -> impl Iterator<Item = (&'static str, String)> {
    const MATCH: &str = "(role robot) (init (count 4)) (count 4 3) (count 3 2) (count 2 1) (count 1 0)
        (<= (next (count ?m)) (true (count ?n)) (count ?n ?m)) (<= terminal (true (count 0)))";
    RULES.into_iter().map(|(name, rules)| (name, format!("{MATCH} {rules}")))
}
