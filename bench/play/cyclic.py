#!/usr/bin/env python3
"""Check the engines made of gates on published games whose rules go in circles.

    cargo build --release
    python3 bench/play/cyclic.py                     every game of ../shared with recorded matches
    python3 bench/play/cyclic.py --only 'ggp-org/*'
    python3 bench/play/cyclic.py --list              only name the games

A game goes in circles where atoms that depend on the state or on moves depend on themselves: `senet info` counts
blocks of loops in its circuit. Games in which not even relations depend on themselves are not asked. Each game in
circles is replayed with the circuit engine by ../shared/tools/check_traces.py, and playouts of the lanes engine are
compared with those of the circuit engine by `senet bench`. Exit status 1 if a check fails; a game that is not grounded
within the time of `senet info` is named and not counted as failed.
"""
from __future__ import annotations

import argparse
import fnmatch
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from measuring import ROOT, SENET, run  # noqa: E402

SHARED = ROOT.parent / "shared"


@dataclass
class Game:
    name: str
    gates: int
    loops: int
    blocks: int


def arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", metavar="PATTERN", default="*", help="only games whose name fits, such as 'ggp-org/*'")
    options.add_argument("--list", action="store_true", help="name the games and check nothing")
    options.add_argument("--seconds", type=float, default=0.5, help="how long lanes play (default: %(default)s)")
    options.add_argument("--judge-seconds", type=float, default=10, help="how long the judge may (default: %(default)s)")
    options.add_argument("--timeout", type=float, default=300, help="seconds one check may take (default: %(default)s)")
    options.add_argument("--senet", type=Path, default=SENET, help="program to check")
    options.add_argument("--shared", type=Path, default=SHARED, help="folder with games, traces and tools")
    return options.parse_args()


# ---------- which games ----------

def bodies(text: str) -> dict[str, set[str]]:
    """By relation, whatever its arguments: the relations in the bodies of its rules."""
    tokens = re.findall(r"[()]|[^\s();]+", re.sub(r";.*", "", text.lower()))
    stack: list[list[Any]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        elif token != ")":
            stack[-1].append(token)
    found: dict[str, set[str]] = {}
    for rule in stack[0]:
        if isinstance(rule, list) and len(rule) > 1 and rule[0] == "<=":
            used = found.setdefault(relation(rule[1]), set())
            waiting = rule[2:]
            while waiting:
                condition = waiting.pop()
                if relation(condition) in ("not", "or", "and"):
                    waiting += condition[1:]
                else:
                    used.add(relation(condition))
    return found


def relation(atom: Any) -> str:
    while isinstance(atom, list):
        atom = atom[0] if atom else ""
    return str(atom)


def may_be_cyclic(text: str) -> bool:
    """Whether a relation that depends on the state or on moves depends on itself: only then atoms can."""
    used = bodies(text)

    def needed(name: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(used.get(name, ()))
        while waiting:
            below = waiting.pop()
            if below not in seen:
                seen.add(below)
                waiting += used.get(below, ())
        return seen

    return any(name in below and below & {"true", "does"} for name in used for below in [needed(name)])


def look_at(args: argparse.Namespace, name: str) -> Game | str:
    """The game, or why its circuit is not known."""
    game = str(args.shared / "games" / f"{name}.kif")
    # Nothing is to be learnt of random play: the engine that is made at once looks at one position.
    command = [str(args.senet), "info", game, "--json", "--engine", "reference", "--positions", "1"]
    _, output, talk = run(command, args.timeout)
    if not output:
        return talk
    answer: dict[str, Any] = json.loads(output)
    circuit = answer["circuit"]
    if circuit is None:
        return str(answer["ground"]["stopped"])
    if "refused" in circuit:
        return str(circuit["refused"])
    return Game(name, circuit["gates"], circuit["loops"], circuit["blocks"])


# ---------- checks ----------

def replay(args: argparse.Namespace, name: str) -> str:
    tool = args.shared / "tools" / "check_traces.py"
    command = [sys.executable, str(tool), "--senet", str(args.senet), "--engine", "circuit",
               "--only", f"/{name}.jsonl", "--jobs", "1", "--game-seconds", str(args.timeout)]
    status, output, talk = run(command, args.timeout)
    lines = output.strip().splitlines()
    if status == 0:
        positions = lines[-1].split(", ")[-1].split()[0]
        return f"ok, {positions} positions"
    return f"FAIL {lines[0] if lines else talk}"


def compare_outcomes(args: argparse.Namespace, name: str) -> tuple[str, str]:
    """The verdict, and the mean length of a match."""
    game = str(args.shared / "games" / f"{name}.kif")
    command = [str(args.senet), "bench", game, "--json", "--engine", "lanes", "--judge", "circuit", "--repeat", "1",
               "--seconds", str(args.seconds), "--judge-seconds", str(args.judge_seconds)]
    _, output, talk = run(command, args.timeout)
    if not output:
        return f"FAIL {talk}", "–"
    answer: dict[str, Any] = json.loads(output.splitlines()[0])
    if "refused" in answer:
        return f"refused: {answer['refused']}", "–"
    verdict = answer["check"]["verdict"]
    length = answer["mean_length"]
    return ("ok" if verdict == "pass" else f"FAIL {verdict}"), "–" if length is None else f"{length:.2f}"


def main() -> int:
    args = arguments()
    traces = sorted(args.shared.glob("traces/*/*.jsonl"))
    names = [f"{trace.parent.name}/{trace.stem}" for trace in traces]
    names = [name for name in names if fnmatch.fnmatchcase(name, args.only)]
    if not names:
        sys.exit(f"error: no recorded matches under {args.shared / 'traces'} fit; see --only and --shared")
    rules = {name: (args.shared / "games" / f"{name}.kif").read_text("utf-8", errors="replace") for name in names}
    candidates = [name for name in names if may_be_cyclic(rules[name])]
    header = ["game", "gates", "loops", "blocks"] + ([] if args.list else ["traces", "outcomes", "mean length"])
    print("| " + " | ".join(header) + " |")
    print("|---" + "|--:" * 3 + "|---" * (len(header) - 4) + "|")
    n_cyclic, good = 0, True
    unknown: list[tuple[str, str]] = []
    for at, name in enumerate(candidates, 1):
        print(f"{at}/{len(candidates)} {name}", file=sys.stderr, flush=True)
        game = look_at(args, name)
        if isinstance(game, str):
            unknown.append((name, game))
            continue
        if game.blocks == 0:
            continue
        n_cyclic += 1
        row = [game.name, *map(str, (game.gates, game.loops, game.blocks))]
        if not args.list:
            traces_verdict = replay(args, name)
            outcome, length = compare_outcomes(args, name)
            good &= not any(verdict.startswith("FAIL") for verdict in (traces_verdict, outcome))
            row += [traces_verdict, outcome, length]
        print("| " + " | ".join(row) + " |", flush=True)
    print(f"\n{n_cyclic} of {len(names)} games go in circles.")
    if unknown:
        print(f"Of {len(unknown)} it is not known:\n")
        print("\n".join(f"- {name}: {why}" for name, why in unknown))
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
