#!/usr/bin/env python3
"""Tables 1 and 2 of the HSFC paper with the engine `tables`, beside the published figures.

    python3 bench/hsfc/run.py                      both tables
    python3 bench/hsfc/run.py --table 1 --seconds 30
    python3 bench/hsfc/run.py --table 2 --repeat 9
    python3 bench/hsfc/run.py --only 'peg*'

Schofield and Saffidine, *High Speed Forward Chaining for General Game Playing*. The rulesheets are those of ggp.org
(../shared/games/ggp-org). Table 1 has the time of the three stages of compilation, the footprint and the speed, checked
against the outcomes of the engine `circuit`. Table 2 has the median of alternating runs with each order of hypotheses.
Exit status 1 if a check fails.
"""
from __future__ import annotations

import argparse
import fnmatch
import statistics
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from measuring import GGP_ORG, SENET, Answer, commit, geometric_mean, print_table, processor, senet_bench  # noqa: E402


class Published(NamedTuple):
    """Rows of both tables: seconds, kilobytes, thousands of states a second, thousands of playouts in 30 s."""
    gdl: float
    optimise: float
    ground: float
    tables: float
    knowledge_base: float
    states: float
    playouts: float
    worst: float | None
    original: float | None


PAPER = {
    "amazons": Published(14.27, 20.96, 12.76, 333_324, 29_795, 0.2, 0.047, None, None),
    "asteroidsSerial": Published(1.00, 0.07, 0.06, 336, 5, 370, 118, 351, 378),
    "beatMania": Published(0.30, 0.04, 0.01, 23, 3, 366, 180, 342, 366),
    "blocker": Published(0.24, 0.08, 0.01, 4, 2, 638, 1_955, 530, 608),
    "breakthrough": Published(0.48, 0.41, 4.47, 20_619, 103, 168, 88, None, 145),
    "bunk_t": Published(0.30, 0.03, 0.02, 8, 2, 595, 1_913, 471, 539),
    "chomp": Published(0.31, 0.02, 0.01, 130, 3, 694, 3_862, 77.5, 693),
    "connectFour": Published(0.44, 0.64, 0.02, 62, 5, 111, 142, 41.3, 78.7),
    "doubletictactoe": Published(0.28, 0.03, 0.01, 8, 2, 636, 2_044, 457, 548),
    "hanoi": Published(0.31, 0.06, 0.03, 164, 6, 1_375, 1_289, 188, 1_370),
    "lightsOut": Published(0.22, 0.02, 0.01, 6, 2, 728, 1_040, 537, 551),
    "minichess": Published(0.73, 1.31, 0.12, 1_583, 41, 75, 227, 62.8, 62.7),
    "nim1": Published(0.25, 0.17, 0.03, 481, 6, 234, 895, 136, 225),
    "pancakes6": Published(0.38, 0.01, 0.09, 2_196, 461, 2_046, 1_507, 1_920, 1_960),
    "peg": Published(0.73, 5.03, 12.54, 16_420, 28, 139, 164, 3.2, 3.6),
    "roshambo2": Published(0.24, 0.02, 0.01, 35, 1, 1_612, 5_040, 362, 1_480),
    "sheepAndWolf": Published(0.49, 3.63, 1.96, 38_799, 85, 94, 72, 76.9, 101),
    "ticTacToe": Published(0.21, 0.02, 0.01, 7, 1, 898, 3_118, 771, 868),
    "tictactoex9": Published(0.50, 0.16, 0.06, 839, 6, 112, 109, 94.3, 109),
}

ORDERS = ("worst", "original", "best")


def arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--table", choices=("1", "2", "both"), default="both", help="which table")
    options.add_argument("--only", metavar="PATTERN", default="*", help="only games whose name fits")
    options.add_argument("--seconds", type=float, default=1, help="how long a run plays (default: %(default)s)")
    options.add_argument("--repeat", type=int, default=9, help="runs a game and order (default: %(default)s)")
    options.add_argument("--judge-seconds", type=float, default=5, help="how long the judge may play (default: %(default)s)")
    options.add_argument("--timeout", type=float, default=600, metavar="S", help="seconds a run may take in all")
    options.add_argument("--senet", type=Path, default=SENET, help="program to measure")
    options.add_argument("--games", type=Path, default=GGP_ORG, help="folder of the rulesheets of ggp.org")
    return options.parse_args()


def measure(args: argparse.Namespace, game: str, more: list[str]) -> Answer:
    options = ["--engine", "tables", "--seconds", str(args.seconds), *more]
    return senet_bench(args.senet, args.games / f"{game}.kif", options, args.timeout)


def print_first(args: argparse.Namespace, games: list[str]) -> bool:
    rows, ratios, n_small, good = [], [], 0, True
    for game in games:
        print(f"table 1: {game}", file=sys.stderr, flush=True)
        paper = PAPER[game]
        answer = measure(args, game, ["--repeat", "3", "--judge", "circuit", "--judge-seconds", str(args.judge_seconds)])
        if "failed" in answer:
            rows.append([game] + ["–"] * 12 + [answer["failed"]])
            good = False
            continue
        figures = answer["figures"]
        states = answer["states_per_second"] / 1e3
        playouts = answer["playouts_per_second"] * 30 / 1e3
        tables, knowledge_base = figures["table_bytes"] / 1e3, figures["knowledge_base_bytes"] / 1e3
        ratios.append(states / paper.states)
        n_small += tables + knowledge_base <= paper.tables + paper.knowledge_base
        check = answer["check"]["verdict"]
        good &= check == "pass"
        stages = [f"{figures[f'{stage}_seconds']:.3f}" for stage in ("gdl", "optimise", "ground")]
        rows.append([game, *stages, f"{tables:,.1f}", f"{paper.tables:,}", f"{knowledge_base:,.1f}",
                     f"{paper.knowledge_base:,}", f"{states:,.1f}", f"{paper.states:,}", f"{ratios[-1]:.2f}",
                     f"{playouts:,.1f}", f"{paper.playouts:,}", check])
    print_table(["game", "GDL s", "optimise s", "ground s", "tables kB", "paper", "knowledge base kB", "paper",
                 "kStates/s", "paper", "ratio", "kPlayouts in 30 s", "paper", "check"], rows, words_at_end=True)
    print(f"Geometric mean of the ratios over {len(ratios)} games: {geometric_mean(ratios):.2f}; "
          f"footprint not above the paper's on {n_small}.\n")
    return good


def print_second(args: argparse.Namespace, games: list[str]) -> None:
    rows = []
    for game in games:
        print(f"table 2: {game}", file=sys.stderr, flush=True)
        runs: dict[str, list[float]] = {order: [] for order in ORDERS}
        for _ in range(args.repeat):
            for order in ORDERS:
                if order not in runs:
                    continue
                answer = measure(args, game, ["--judge", "none", "--order", order])
                if "states_per_second" in answer:
                    runs[order].append(answer["states_per_second"] / 1e3)
                else:
                    del runs[order]
        median = {order: statistics.median(speeds) for order, speeds in runs.items()}
        paper = PAPER[game]
        cells = []
        for order, published in zip(ORDERS, (paper.worst, paper.original, paper.states)):
            cells += [f"{median[order]:,.1f}" if order in median else "failed",
                      "failed" if published is None else f"{published:,}"]
        ratio = lambda order: f"{median['best'] / median[order]:.2f}" if {order, "best"} <= median.keys() else "–"
        rows.append([game, *cells, ratio("original"), ratio("worst")])
    print_table(["game", "worst", "paper", "original", "paper", "best", "paper", "best to original", "best to worst"], rows)


def main() -> int:
    args = arguments()
    if not args.games.is_dir():
        sys.exit(f"error: no folder {args.games}: name one with --games")
    games = [game for game in PAPER if fnmatch.fnmatchcase(game.lower(), args.only.lower())]
    if not games:
        sys.exit("error: no game is left to measure; see --only")
    print(f"Commit {commit()}, {processor()}; one thread, processor time.\n")
    good = print_first(args, games) if args.table != "2" else True
    if args.table != "1":
        print_second(args, games)
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
