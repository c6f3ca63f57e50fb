#!/usr/bin/env python3
"""Compare what `senet ground --paper` computes with what gringo computed of the same games.

    python3 bench/ground/checks.py
    python3 bench/ground/checks.py --only dresden-server/ --senet target/release/senet

The games are those with a recorded match and the status ok in ../shared/grounding/gringo.jsonl. Base and input
must be the same sets (by their SHA-1), and the ground rules and facts as many. Exit status 0: all are equal.
"""
from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterator

from common import Failure, Game, Result, add_limits, add_shared, games_in, matches, parser, read_recorded, run_main, traced_names
from senet import Senet


def arguments() -> argparse.Namespace:
    options = parser(__doc__)
    options.add_argument("--only", metavar="PATTERN", help="only games whose name fits, such as reversi or 'dresden/*'")
    options.add_argument("--jobs", type=int, default=1, help="games at a time")
    add_limits(options)
    add_shared(options)
    return options.parse_args()


def recorded_games(args: argparse.Namespace) -> list[tuple[Game, dict[str, Any]]]:
    recorded = read_recorded(args.shared, needed=True)
    traced = traced_names(args.shared)
    pairs = [(game, recorded[game.name]) for game in games_in(args.shared / "games")
             if game.name in traced and recorded.get(game.name, {}).get("status") == "ok"]
    pairs = [pair for pair in pairs if not args.only or matches(pair[0].name, args.only)]
    if not pairs:
        raise Failure("no recorded game fits")
    return pairs


def differences(ours: Result, theirs: dict[str, Any]) -> list[str]:
    """Each difference with both numbers, Senet's first."""
    found = []
    for name in ("base", "input"):
        if ours[f"{name}_sha1"] != theirs[f"{name}_sha1"]:
            same_size = " (of the same size, but other facts)" if ours[name] == theirs[name] else ""
            found.append(f"{name} {ours[name]:,} for {theirs[name]:,}{same_size}")
    rules = ours["ground_rules"] + ours["dyn_facts"]
    expected = theirs["ground_rules_distinct"] + theirs["dyn_facts"]
    if rules != expected:
        found.append(f"rules and facts {rules:,} for {expected:,} "
                     f"({ours['ground_rules']:,}+{ours['dyn_facts']:,} for "
                     f"{theirs['ground_rules_distinct']:,}+{theirs['dyn_facts']:,})")
    return found


def compare(senet: Senet, game: Game, theirs: dict[str, Any]) -> tuple[str, str]:
    """How a game went and the line to print of it."""
    ours = senet.ground_alone(game.path, "paper")
    if ours["status"] != "ok":
        return "not grounded", f"not grounded {game.name}: {ours['status']}, {ours['why']}"
    found = differences(ours, theirs)
    return ("different", f"different {game.name}: {'; '.join(found)}") if found else ("equal", "")


def outcomes(senet: Senet, games: list[tuple[Game, dict[str, Any]]], jobs: int) -> Iterator[tuple[str, str]]:
    if jobs == 1:
        yield from (compare(senet, game, theirs) for game, theirs in games)
        return
    pool = ThreadPoolExecutor(jobs)
    try:
        yield from pool.map(lambda pair: compare(senet, *pair), games)
    finally:
        pool.shutdown(cancel_futures=True)


def main() -> int:
    args = arguments()
    games = recorded_games(args)
    senet = Senet(args.senet, 1, args.senet_timeout, args.memory)
    counts = {"equal": 0, "different": 0, "not grounded": 0}
    for outcome, line in outcomes(senet, games, args.jobs):
        counts[outcome] += 1
        if line:
            print(line, flush=True)
    print(f"{counts['equal']} of {len(games)} games equal, {counts['different']} different, "
          f"{counts['not grounded']} not grounded")
    return 0 if counts["equal"] == len(games) else 1


if __name__ == "__main__":
    run_main(main)
