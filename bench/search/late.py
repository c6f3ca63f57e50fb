#!/usr/bin/env python3
"""Whether `senet player` is ever late, on a machine that is busy with something else.

Two players of their own processes play matches under `senet match` with a short clock, while so many other processes as
there are cores do nothing but compute. Says how many moves were asked for, how many were late, illegal or missing, how
long the answers took, and how many moves were not chosen by the search: a player whose search is late, panics or fails
answers with a random move, in time and legal, and has no thoughts. Exit status 1 if any was not in time or not legal.
"""
from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
from measuring import SENET

GAMES = ["connect-four", "breakthrough-8x8", "reversi-8x8", "english-draughts", "tron-10x10", "chess"]
BUSY = [sys.executable, "-c", "while True: pass"]


def player(strategy: str) -> tuple[subprocess.Popen[str], str]:
    """A player and its address."""
    command = [str(SENET), "player", "--port", "0", "--strategy", strategy]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout
    for line in process.stdout:
        if found := re.search(r"http://[\w.:]+", line):
            return process, found[0]
    sys.exit("error: a player did not say where it listens")


def match(game: str, addresses: list[str], clock: float, moves: int) -> dict:
    """The record of a match."""
    rules = subprocess.run([str(SENET), "info", game, "--json"], capture_output=True, text=True, check=True)
    roles = [role["name"] for role in json.loads(rules.stdout)["roles"]]
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "match.json"
        command = [str(SENET), "match", game, "--start-clock", "5", "--play-clock", str(clock)]
        command += ["--most-moves", str(moves), "--record", str(record)]
        for role, address in zip(roles, addresses):
            command += ["--role", f"{role}={address}"]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(record.read_text())


def unthought(record: dict) -> int:
    """How many moves the search did not choose, of the roles that had something to choose: who only waits plays noop."""
    steps = zip(record["moves"], record.get("thoughts", []))
    return sum(text != "noop" and not thought for step in steps for text, thought in zip(*step))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plays", type=int, default=600, help="PLAY messages (default 600)")
    parser.add_argument("--clock", type=float, default=1, help="seconds of the play clock (default 1)")
    parser.add_argument("--strategy", default="mcts", help="of both players (default mcts)")
    options = parser.parse_args()
    busy = [subprocess.Popen(BUSY) for _ in range(os.cpu_count() or 1)]
    players = [player(options.strategy) for _ in range(2)]
    plays, wrong, unchosen, slowest, at = 0, 0, 0, 0.0, 0
    try:
        while plays < options.plays:
            game = GAMES[at % len(GAMES)]
            at += 1
            missing = (options.plays - plays + 1) // 2
            record = match(game, [address for _, address in players], options.clock, missing)
            asked = [it for it in record["exchanges"] if (it.get("sent") or "").upper().startswith("( PLAY")]
            late = [it for it in asked if it["roundTrip"] > 1000 * options.clock]
            errors = [error for step in record["errors"] for error in step if error]
            plays, wrong = plays + len(asked), wrong + max(len(late), len(errors))
            unchosen += unthought(record)
            slowest = max([slowest, *(it["roundTrip"] for it in asked)])
            print(f"{game}: {len(asked)} PLAYs, {len(late)} late, errors {errors}, slowest {slowest:g} ms", flush=True)
    finally:
        for process in [*busy, *(process for process, _ in players)]:
            process.kill()
            process.wait()
    print(f"{plays} PLAYs at {options.clock:g} s, {wrong} late, illegal or missing; slowest answer {slowest:g} ms")
    print(f"{unchosen} moves not chosen by the search")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
