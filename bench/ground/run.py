#!/usr/bin/env python3
"""Ground games with gringo and with Senet, side by side, and compare the times.

    python3 bench/ground/run.py --traced              every game with a recorded match
    python3 bench/ground/run.py --sample 20           twenty games, always the same
    python3 bench/ground/run.py --only '*breakthrough*' --fresh
    python3 bench/ground/run.py --table               only print what was measured before

A time is CPU time inside the process, from text in memory to the end of grounding, the best of three. A few games
are grounded by gringo and then at once by Senet, so that a busy time of the machine slows both; on a machine with
other work `--rounds 3` has them take turns three times. The results go to a file, and the next run goes on where
this one ended. The first run installs clingo from PyPI into a virtual environment in this folder.
"""
from __future__ import annotations

import argparse
import json
import platform
import random
import time
from pathlib import Path
from typing import Any

import report
from common import (HERE, RESULTS, ROOT, Failure, Game, Result, Row, add_limits, add_shared, games_in, matches, parser,
                    read_recorded, read_rows, run_main, tell, traced_names)
from gringo import Gringo, python_with_clingo
from senet import VARIANTS, Senet

# Games that gringo and then Senet ground one after the other, each in one process.
BATCH = 25
SAMPLE_SEED = 1
ROUNDS_BELOW = 2.0


def arguments() -> argparse.Namespace:
    options = parser(__doc__)
    options.add_argument("--games", type=Path, help="folder of rulesheets (default: ../shared/games, else games)")
    options.add_argument("--traced", action="store_true", help="only games with a trace in ../shared/traces")
    options.add_argument("--only", metavar="PATTERN", help="only games whose name fits, such as reversi or 'dresden/*'")
    options.add_argument("--sample", type=int, metavar="N", help="only N games of these")
    options.add_argument("--variants", default=",".join(VARIANTS), metavar="LIST",
                         help="how to run Senet, default %(default)s; none: gringo alone")
    options.add_argument("--no-gringo", action="store_true", help="Senet alone")
    options.add_argument("--results", type=Path, default=RESULTS, help="file of results, one JSON object a line")
    options.add_argument("--fresh", action="store_true", help="measure again what the file already has")
    options.add_argument("--table", action="store_true", help="measure nothing, print the table of the file")
    options.add_argument("--compare", default="default", metavar="VARIANT", help="variant in the table of games")
    options.add_argument("--repeat", type=int, default=3, help="runs a game; the best counts")
    options.add_argument("--rounds", type=int, default=1, help="times to measure both in turn; the best counts")
    options.add_argument("--limit", type=float, default=2, metavar="S", help="do not repeat a run of gringo over this")
    options.add_argument("--timeout", type=float, default=30, metavar="S", help="CPU seconds gringo may take for a game")
    options.add_argument("--venv", type=Path, default=HERE / ".venv", help="virtual environment with clingo")
    add_limits(options)
    add_shared(options)
    args = options.parse_args()
    args.variants = [name for name in args.variants.split(",") if name and name != "none"]
    unknown = set(args.variants + [args.compare]) - set(VARIANTS)
    if unknown:
        options.error(f"no variant {', '.join(sorted(unknown))}; there are {', '.join(VARIANTS)}")
    return args


def chosen_games(args: argparse.Namespace) -> list[Game]:
    shared = args.shared / "games"
    games = games_in(args.games or (shared if shared.is_dir() else ROOT / "games"))
    if args.traced:
        traced = traced_names(args.shared)
        games = [game for game in games if game.name in traced]
    if args.only:
        games = [game for game in games if matches(game.name, args.only)]
    if args.sample is not None and args.sample < len(games):
        games = sorted(random.Random(SAMPLE_SEED).sample(games, args.sample), key=lambda game: game.name)
    if not games:
        raise Failure("no game is left to measure; see --only, --traced and --games")
    return games


def measure(games: list[Game], rounds: int, gringo: Gringo | None, senet: Senet | None, variants: list[str]) -> list[Row]:
    """The best of some rounds, each of gringo and then Senet; one round is enough for what is slow or fails."""
    rows = {row["game"]: row for row in measure_once(games, gringo, senet, variants)}
    for _ in range(rounds - 1):
        again = [game for game in games if all(quick(result) for result in rows[game.name].values() if isinstance(result, dict))]
        for row in measure_once(again, gringo, senet, variants):
            first = rows[row["game"]]
            rows[row["game"]] = {name: better(first[name], row[name]) for name in row}
    return list(rows.values())


def quick(result: Result) -> bool:
    return result["status"] == "ok" and result["seconds"] <= ROUNDS_BELOW


def better(first: Any, second: Any) -> Any:
    if not isinstance(first, dict) or second["status"] != "ok":
        return first
    return min(first, second, key=lambda result: result["seconds"])


def measure_once(games: list[Game], gringo: Gringo | None, senet: Senet | None, variants: list[str]) -> list[Row]:
    rows: list[Row] = [{"game": game.name, "bytes": game.path.stat().st_size} for game in games]
    if gringo:
        for game, row in zip(games, rows):
            row["gringo"] = gringo.run(game.path.read_text("utf-8", "replace"))
    if senet:
        for variant in variants:
            for row, result in zip(rows, senet.ground([game.path for game in games], variant)):
                row[variant] = result
    return rows


def measure_all(args: argparse.Namespace, games: list[Game]) -> None:
    wanted = ([] if args.no_gringo else ["gringo"]) + args.variants
    missing = [game for game in games if not measured(args, wanted, game)]
    tell(f"{len(games)} games, {len(games) - len(missing)} measured before")
    if not missing or not wanted:
        return
    senet = Senet(args.senet, args.repeat, args.senet_timeout, args.memory) if args.variants else None
    python, clingo = ("", "") if args.no_gringo else python_with_clingo(args.venv)
    args.results.parent.mkdir(parents=True, exist_ok=True)
    with Gringo(python, args.repeat, args.limit, args.timeout, args.memory) as gringo, args.results.open("a") as out:
        if args.results.stat().st_size and not args.results.read_bytes().endswith(b"\n"):
            out.write("\n")  # the last run was interrupted in the middle of a line
        write(out, {"run": description(args, senet, clingo)})
        for first in range(0, len(missing), BATCH):
            rows = measure(missing[first:first + BATCH], args.rounds, gringo if clingo else None, senet, args.variants)
            for number, row in enumerate(rows, first + 1):
                write(out, row)
                results = ", ".join(f"{name} {brief(row[name])}" for name in wanted)
                tell(f"{number}/{len(missing)} {row['game']}: {results}")


def measured(args: argparse.Namespace, wanted: list[str], game: Game) -> bool:
    if args.fresh:
        return False
    row = args.known.get(game.name, {})
    return all(name in row for name in wanted)


def write(out: Any, line: dict[str, Any]) -> None:
    out.write(json.dumps(line) + "\n")
    out.flush()


def brief(result: Result) -> str:
    return f"{1000 * result['seconds']:.1f} ms" if result["status"] == "ok" else result["status"]


def description(args: argparse.Namespace, senet: Senet | None, clingo: str) -> dict[str, Any]:
    """What a reader of the file needs to know about the run."""
    return {"date": time.strftime("%Y-%m-%d"), "machine": machine(), "clingo": clingo,
            "senet": senet.version() if senet else "", "rounds": args.rounds, "repeat": args.repeat, "limit": args.limit,
            "timeout": args.timeout, "senet_timeout": args.senet_timeout, "memory": args.memory}


def machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main() -> int:
    args = arguments()
    games = chosen_games(args)
    args.known = read_rows(args.results) if args.results.exists() else {}
    if not args.table:
        measure_all(args, games)
    elif not args.known:
        raise Failure(f"nothing is in {args.results} yet")
    rows = read_rows(args.results)
    chosen = [rows[game.name] for game in games if game.name in rows]
    print(report.text(chosen, read_recorded(args.shared), args.compare))
    return 0


if __name__ == "__main__":
    run_main(main)
