#!/usr/bin/env python3
"""Whether `mcts` walks into a trap that is only one because the opponent wants to win.

In `../shared/strength/trap.kif`, red's `safe` is worth 60. After `risk`, black takes 50 for itself and leaves red 0, or plays
on, which is worth 100 to red and nothing to black. The script asks for red's first move at several clocks with several
seeds: in the game itself, with a third role that only watches, and with a chance move between red's choice and black's.
Exit status 1 if any answer is not `safe`.
"""
from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
from measuring import ROOT, SENET

TRAP = ROOT.parent / "shared" / "strength" / "trap.kif"

WATCHER = """
(role watcher) (input watcher noop) (legal watcher noop) (goal watcher 100)
"""

CHANCE = """
(role random) (base (phase toss)) (side heads) (side tails)
(<= (input random ?s) (side ?s)) (input random noop)
(<= (legal random ?s) (true (phase toss)) (side ?s))
(<= (legal random noop) (not (true (phase toss))))
(<= (legal red noop) (true (phase toss)))
(<= (legal black noop) (true (phase toss)))
(<= (next (phase choice)) (true (phase toss)))
(goal random 0)
"""


def variants() -> dict[str, str]:
    """Rulesheets by name."""
    trap = TRAP.read_text()
    risk = "(<= (next (phase choice)) (does red risk))"
    assert risk in trap
    # Role facts come first: their order is that of the moves.
    tossed = trap.replace(risk, "(<= (next (phase toss)) (does red risk))")
    return {"trap": trap, "with a watcher": trap + WATCHER, "with chance": tossed + CHANCE}


def first_move(rules: Path, strategy: str, seed: int, clock: float) -> str:
    """What red plays first."""
    command = [str(SENET), "match", str(rules), "--json", "--seed", str(seed), "--most-moves", "1"]
    command += ["--start-clock", "0", "--play-clock", str(clock)]
    command += ["--role", f"red={strategy}", "--role", "black=random"]
    if "(role watcher)" in rules.read_text():
        command += ["--role", "watcher=random"]
    record = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return record["moves"][0][0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="searches of each kind (default 10)")
    parser.add_argument("--clocks", type=float, nargs="+", default=[0.1, 1.0], help="seconds (default 0.1 and 1)")
    parser.add_argument("--strategy", default="mcts", help="who plays red (default mcts)")
    options = parser.parse_args()
    if not TRAP.is_file():
        sys.exit("error: ../shared/strength/trap.kif is not there")
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, text in variants().items():
            rules = Path(folder) / "trap.kif"
            rules.write_text(text)
            for clock in options.clocks:
                moves = [first_move(rules, options.strategy, seed, clock) for seed in range(1, options.seeds + 1)]
                n_safe = moves.count("safe")
                is_good &= n_safe == len(moves)
                print(f"{name}, {clock} s: safe {n_safe} of {len(moves)}", flush=True)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
