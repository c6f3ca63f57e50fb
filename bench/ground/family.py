#!/usr/bin/env python3
"""One game in many sizes: how does the time of `senet ground --paper` grow with the ground rules?

    python3 bench/ground/family.py                    sizes from 10^4 to 10^7 ground rules
    python3 bench/ground/family.py --most 1e6         smaller ones only
    python3 bench/ground/family.py --print 9          the rulesheet of the 9x9 board
    python3 bench/ground/family.py --write FOLDER     the rulesheets as files, nothing is run

The game is played on n x n cells, and an open cell stays open if another one is burnt: 2 n^2 (n^2 - 1) ground
rules for two players. Prints a row a size and the exponent of time against rules, fitted by least squares on
the logarithms.
"""
from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from common import OUT, Failure, add_limits, fit_power, parser, run_main, tell
from senet import Senet

TARGETS = (1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7)

RULES = """\
; Name: No Square, {n}x{n}
; Players: 2
; Summary: Players burn cells in turn; who completes a burnt square of 2x2 cells loses.
; Rules: made up to measure grounding

(role first)
(role second)

(opponent first second)
(opponent second first)

{numbers}

{successors}

(<= (cell (at ?x ?y))
    (number ?x)
    (number ?y))

; (square a b c d): four cells that make a square.
(<= (square (at ?x ?y) (at ?x2 ?y) (at ?x ?y2) (at ?x2 ?y2))
    (succ ?x ?x2)
    (succ ?y ?y2))

(init (control first))
(<= (init (open ?cell))
    (cell ?cell))

(<= (legal ?player (burn ?cell))
    (true (control ?player))
    (true (open ?cell)))
(<= (legal ?player wait)
    (true (control ?other))
    (opponent ?player ?other))

(<= (next (control ?player))
    (true (control ?other))
    (opponent ?player ?other))
(<= (next (burnt ?cell))
    (does ?player (burn ?cell)))
(<= (next (burnt ?cell))
    (true (burnt ?cell)))

; Every cell with every move: these are the many ground rules.
(<= (next (open ?cell))
    (true (open ?cell))
    (does ?player (burn ?other))
    (distinct ?cell ?other))

(<= complete
    (square ?a ?b ?c ?d)
    (true (burnt ?a))
    (true (burnt ?b))
    (true (burnt ?c))
    (true (burnt ?d)))

(<= terminal
    complete)

; Who completed the square is the one that is not to move.
(<= (goal ?player 100)
    complete
    (true (control ?player)))
(<= (goal ?player 0)
    complete
    (true (control ?other))
    (opponent ?player ?other))
(<= (goal ?player 50)
    (role ?player)
    (not complete))
"""


def rulesheet(n: int) -> str:
    if n < 2:
        raise Failure("the board needs at least 2x2 cells")
    return RULES.format(n=n, numbers=wrapped(f"(number {k})" for k in range(1, n + 1)),
                        successors=wrapped(f"(succ {k} {k + 1})" for k in range(1, n)))


def wrapped(facts: Any) -> str:
    facts = list(facts)
    return "\n".join(" ".join(facts[start:start + 8]) for start in range(0, len(facts), 8))


def frame_rules(n: int) -> int:
    return 2 * n**2 * (n**2 - 1)


def size_for(rules: float) -> int:
    """The smallest board with at least so many ground rules."""
    n = 2
    while frame_rules(n) < rules:
        n += 1
    return n


def write(folder: Path, sizes: list[int]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"no-square-{n}x{n}.kif" for n in sizes]
    for path, n in zip(paths, sizes):
        path.write_text(rulesheet(n))
    return paths


def measure(senet: Senet, paths: list[Path]) -> list[dict[str, Any]]:
    print(f"{'game':22} {'rules':>12} {'seconds':>10} {'µs/rule':>9} {'peak MB':>9}")
    rows = []
    for path in paths:
        result = senet.ground_alone(path, "paper")
        if result["status"] != "ok":
            print(f"{path.stem:22} {result['status']}: {result['why']}", flush=True)
            continue
        rules = result["ground_rules"] + result["dyn_facts"]
        rows.append({"game": path.stem, "rules": rules, **result})
        print(f"{path.stem:22} {rules:>12,} {result['seconds']:>10.4f} {1e6 * result['seconds'] / rules:>9.3f} "
              f"{result.get('peak_rss_mb') or 0:>9.0f}", flush=True)
    return rows


def summarise(rows: list[dict[str, Any]], out: Path) -> int:
    fit = fit_power([(row["rules"], row["seconds"]) for row in rows])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"fit": fit.as_json() if fit else None, "sizes": rows}, indent=2) + "\n")
    if fit is None:
        tell("too few sizes were grounded to fit an exponent")
        return 1
    print(f"time ~ rules^{fit.exponent:.3f} over {fit.points} sizes")
    return 0


def arguments() -> argparse.Namespace:
    options = parser(__doc__)
    options.add_argument("--least", type=float, default=TARGETS[0], help="fewest ground rules")
    options.add_argument("--most", type=float, default=TARGETS[-1], help="most ground rules")
    options.add_argument("--repeat", type=int, default=3, help="runs a size; the best counts")
    options.add_argument("--print", type=int, metavar="N", dest="shown", help="print the rulesheet of the NxN board")
    options.add_argument("--write", type=Path, metavar="FOLDER", help="write the rulesheets and stop")
    options.add_argument("--out", type=Path, default=OUT / "family.json", help="file for the figures")
    add_limits(options)
    return options.parse_args()


def main() -> int:
    args = arguments()
    if args.shown is not None:
        print(rulesheet(args.shown), end="")
        return 0
    sizes = [size_for(target) for target in TARGETS if args.least <= target <= args.most]
    if args.write:
        for path in write(args.write, sizes):
            print(path)
        return 0
    senet = Senet(args.senet, args.repeat, args.senet_timeout, args.memory)
    with tempfile.TemporaryDirectory() as folder:
        return summarise(measure(senet, write(Path(folder), sizes)), args.out)


if __name__ == "__main__":
    run_main(main)
