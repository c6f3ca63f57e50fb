#!/usr/bin/env python3
"""Measure random play with Senet and print it beside the recorded figures of other systems.

    python3 bench/play/run.py                        both tables with the engine that `auto` chooses
    python3 bench/play/run.py --engine lanes --repeat 5
    python3 bench/play/run.py --engine lanes --level avx2
    python3 bench/play/run.py --only 'hex*' --seconds 5
    python3 bench/play/run.py --show                 only print what was measured before

The first table has GDL readers on the rulesheets of ggp.org (../shared/games/ggp-org), the second programs that do not
read GDL on our built-in games. Every row is checked: `senet bench` compares outcomes with its judge, and the mean length has
to be the recorded one within 1 % (first table) or 10 % (second) and three standard errors. Exit status 1 if a check fails.
"""
from __future__ import annotations

import argparse
import fnmatch
import json
import math
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from measuring import GGP_ORG, SENET, Answer, geometric_mean, print_table, rate, senet_bench, times  # noqa: E402
from peers import BUILT_IN, FOR_ONE_GAME, GDL_GAMES, PROGRAMS, READERS, BuiltIn, GdlGame  # noqa: E402

# What the mean length may be off, as parts of the recorded one.
GDL_TOLERANCE = 0.01
BUILT_IN_TOLERANCE = 0.1


def arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engine", default="auto", help="engine to measure (default: %(default)s)")
    options.add_argument("--level", choices=("avx512", "avx2", "baseline"),
                         help="instruction set of the engine `lanes` (default: the best of this processor)")
    options.add_argument("--table", choices=("gdl", "programs", "both"), default="both", help="which table")
    options.add_argument("--only", metavar="PATTERN", default="*", help="only games whose name fits, such as 'hex*'")
    options.add_argument("--seconds", type=float, default=1, help="how long a run plays (default: %(default)s)")
    options.add_argument("--repeat", type=int, default=5, help="runs a game; the best counts (default: %(default)s)")
    options.add_argument("--threads", type=int, default=1, help="threads that play (default: %(default)s)")
    options.add_argument("--judge", default="reference", help="engine to check outcomes with (default: %(default)s)")
    options.add_argument("--judge-seconds", type=float, default=60, help="how long it may play (default: %(default)s)")
    options.add_argument("--timeout", type=float, default=600, metavar="S", help="seconds a game may take in all")
    options.add_argument("--senet", type=Path, default=SENET, help="program to measure")
    options.add_argument("--games", type=Path, default=GGP_ORG, help="folder of the rulesheets of ggp.org")
    options.add_argument("--results", type=Path,
                         help="file of results (default: out/ENGINE.jsonl or out/ENGINE-LEVEL.jsonl in this folder)")
    options.add_argument("--show", action="store_true", help="measure nothing, print what the file has")
    args = options.parse_args()
    name = f"{args.engine}-{args.level}" if args.level else args.engine
    args.results = args.results or HERE / "out" / f"{name}.jsonl"
    return args


# ---------- measuring ----------

def measure(args: argparse.Namespace, game: str) -> Answer:
    options = ["--engine", args.engine, "--seconds", str(args.seconds), "--repeat", str(args.repeat),
               "--threads", str(args.threads), "--judge", args.judge, "--judge-seconds", str(args.judge_seconds)]
    if args.level:
        options += ["--level", args.level]
    return senet_bench(args.senet, game, options, args.timeout)


def read_results(path: Path) -> dict[str, Answer]:
    if not path.is_file():
        sys.exit(f"error: no file {path}: measure first, without --show")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {row["key"]: row["answer"] for row in rows}


def measure_all(args: argparse.Namespace, wanted: list[tuple[str, str]]) -> dict[str, Answer]:
    """The answers by key; `wanted` has keys and what to call the games on the command line."""
    args.results.parent.mkdir(parents=True, exist_ok=True)
    answers: dict[str, Answer] = {}
    for at, (key, game) in enumerate(wanted, 1):
        print(f"{at}/{len(wanted)} {key}", file=sys.stderr, flush=True)
        answers[key] = measure(args, game)
        text = "".join(json.dumps({"key": key, "answer": answer}) + "\n" for key, answer in answers.items())
        args.results.write_text(text, "utf-8")
    return answers


# ---------- tables ----------

def verdict(answer: Answer, length: float, tolerance: float) -> str:
    """`ok`, or what is wrong with an answer."""
    if "failed" in answer:
        return answer["failed"]
    outcome = answer["check"]["verdict"]
    if outcome not in ("pass", "is the judge"):
        return outcome
    played = answer["mean_length"]
    if played is None:
        return "LENGTH is not known"
    # A few playouts of a slow engine do not know their mean within 1 %.
    error = 3 * math.sqrt(answer["length_variance"] / answer["playouts"])
    if abs(played - length) > tolerance * length + error:
        return f"LENGTH is not {length:g}"
    return "ok"


def own_columns(answer: Answer) -> list[str]:
    length = answer.get("mean_length")
    return [rate(answer.get("states_per_second")), "–" if length is None else f"{length:.2f}",
            f"{answer['setup_seconds']:.3f}" if "setup_seconds" in answer else "–"]


def print_gdl(games: list[GdlGame], answers: dict[str, Answer]) -> bool:
    rows, ratios, good = [], {}, True
    for game in games:
        answer = answers.get(f"gdl/{game.name}", {"failed": "not measured"})
        check = verdict(answer, game.length, GDL_TOLERANCE)
        good &= check == "ok"
        best = max(states for states in game.states if states is not None)
        if "states_per_second" in answer:
            ratios[game.name] = answer["states_per_second"] / best
        ratio = times(ratios[game.name]) if game.name in ratios else "–"
        rows.append([game.name, f"{game.length:.2f}", *map(rate, game.states), *own_columns(answer), ratio, check])
    print("Engines that read GDL, states a second:\n")
    print_table(["game", "mean length", *READERS, "Senet", "its length", "set-up s", "ratio to the best", "check"], rows,
                words_at_end=True)
    if ratios:
        least = min(ratios, key=lambda name: ratios[name])
        print(f"Geometric mean of the ratios over {len(ratios)} games: {times(geometric_mean(ratios.values()))}; "
              f"the smallest: {times(ratios[least])} ({least}).\n")
    return good


def print_programs(games: list[BuiltIn], answers: dict[str, Answer]) -> bool:
    rows, ratios, good = [], {}, True
    for game in games:
        answer = answers.get(f"built-in/{game.name}", {"failed": "not measured"})
        playouts, best = max((rates for rates in game.rates[:FOR_ONE_GAME] if rates), key=lambda rates: rates[1])
        length = best / playouts
        check = verdict(answer, length, BUILT_IN_TOLERANCE)
        good &= check == "ok"
        if "states_per_second" in answer:
            ratios[game.name] = answer["states_per_second"] / best
        ratio = times(ratios[game.name]) if game.name in ratios else "–"
        states = [rate(rates[1] if rates else None) for rates in game.rates]
        rows.append([game.name, f"{length:.2f}", *states, *own_columns(answer), ratio, check])
    print("Programs that do not read GDL, states a second; the ratio is to the better of the first two:\n")
    print_table(["game", "mean length", *PROGRAMS, "Senet", "its length", "set-up s", "ratio", "check"], rows,
                words_at_end=True)
    if ratios:
        ahead = sum(ratio > 1 for ratio in ratios.values())
        thrice = sum(ratio >= 3 for ratio in ratios.values())
        print(f"Ahead on {ahead} of {len(ratios)} games, at least three times faster on {thrice}; "
              f"geometric mean {times(geometric_mean(ratios.values()))}.\n")
    return good


def main() -> int:
    args = arguments()
    fits = lambda name: fnmatch.fnmatchcase(name.lower(), args.only.lower())
    gdl_games = [game for game in GDL_GAMES if fits(game.name) and args.table != "programs"]
    built_in = [game for game in BUILT_IN if fits(game.name) and args.table != "gdl"]
    if gdl_games and not args.games.is_dir():
        print(f"note: no folder {args.games}: the first table is left out", file=sys.stderr)
        gdl_games = []
    if not gdl_games and not built_in:
        sys.exit("error: no game is left to measure; see --only, --table and --games")
    wanted = [(f"gdl/{game.name}", str(args.games / f"{game.name}.kif")) for game in gdl_games]
    wanted += [(f"built-in/{game.name}", game.name) for game in built_in]
    answers = read_results(args.results) if args.show else measure_all(args, wanted)
    good = True
    if gdl_games:
        good &= print_gdl(gdl_games, answers)
    if built_in:
        good &= print_programs(built_in, answers)
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
