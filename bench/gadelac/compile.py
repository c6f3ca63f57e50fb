#!/usr/bin/env python3
"""Compile games to Rust and print sizes, times and speed, beside the figures of the GaDeLaC paper.

    python3 bench/gadelac/compile.py                       table 2 of the paper: sizes and times
    python3 bench/gadelac/compile.py --only 'duplicate*'
    python3 bench/gadelac/compile.py --play 5              how fast generated programs play, beside `forward`

The rulesheets are those of ggp.org (../shared/games/ggp-org). The transformation is what `senet compile` does without
asking the engine for what the tests compare; the compilation is `cargo build --release` of the generated package, its
dependencies built before. With --play mean lengths and goals have to agree with those of `forward` within four standard
errors. Exit status 1 if something fails.
"""
from __future__ import annotations

import argparse
import fnmatch
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from measuring import GGP_ORG, SENET, print_table  # noqa: E402


class Published(NamedTuple):
    """A row of table 2: sizes in kilobytes, times in seconds."""
    gdl: float
    code: float
    program: float
    transformation: float
    compilation: float


TABLE_2 = {
    "breakthrough": Published(3.6, 48, 115, 0.024, 0.46),
    "ticTacToe": Published(3.2, 22, 55, 0.012, 0.27),
    "duplicateStateSmall": Published(3.7, 47, 108, 0.022, 0.43),
    "duplicateStateMedium": Published(23, 337, 755, 0.170, 3.6),
    "duplicateStateLarge": Published(73, 1100, 2500, 0.980, 28),
    "stateSpaceSmall": Published(2.0, 34, 76, 0.018, 0.33),
    "stateSpaceMedium": Published(13, 236, 516, 0.108, 2.3),
    "stateSpaceLarge": Published(45, 825, 1700, 0.620, 16),
}

# What has to play at least twice as fast as `forward`.
PLAYED = ("breakthrough", "connectFour", "reversi", "ticTacToe")


class Failed(Exception):
    """A program did not do what it was asked; the message says so in a line."""


def arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", metavar="PATTERN", default="*", help="only games whose name fits")
    options.add_argument("--play", type=float, metavar="S", help="play for so many seconds instead of table 2")
    options.add_argument("--repeat", type=int, default=3, help="runs of a game; the best counts (default: %(default)s)")
    options.add_argument("--timeout", type=float, default=600, metavar="S", help="seconds a step may take")
    options.add_argument("--senet", type=Path, default=SENET, help="program to measure")
    options.add_argument("--games", type=Path, default=GGP_ORG, help="folder of the rulesheets of ggp.org")
    return options.parse_args()


# ---------- measuring ----------

class Workshop:
    """Where packages are written and built. What all depend on is built once."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self.args, self.folder = args, folder
        self.environment = os.environ | {"CARGO_TARGET_DIR": str(folder / "target"), "RUSTFLAGS": "-D warnings"}

    def run(self, command: list[str], where: Path | None = None) -> subprocess.CompletedProcess[str]:
        try:
            done = subprocess.run(command, cwd=where, env=self.environment, capture_output=True, text=True,
                                  timeout=self.args.timeout)
        except subprocess.TimeoutExpired:
            raise Failed(f"{Path(command[0]).name}: over {self.args.timeout:g} s") from None
        except OSError as problem:
            sys.exit(f"error: cannot run {command[0]}: {problem}; build it with `cargo build --release`")
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise Failed(f"{Path(command[0]).name}: {said[-1] if said else done.returncode}")
        return done

    def transform(self, game: Path) -> tuple[Path, str, float]:
        """The package, its name, and how long that took: the best of some runs."""
        package, best, name = self.folder / game.stem, math.inf, ""
        for _ in range(self.args.repeat):
            done = self.run([str(self.args.senet), "compile", str(game), "--target", "rust", "--force",
                             "-o", str(package)])
            said = re.search(r"^(\w+): [\d.]+ KB of Rust in ([\d.]+) s", done.stderr, re.MULTILINE)
            if said is None:
                raise Failed("senet: did not say how long it took")
            name, best = said[1], min(best, float(said[2]))
        return package, name, best

    def build(self, package: Path, name: str) -> float:
        """How long cargo takes for the package alone."""
        self.run(["cargo", "clean", "--release", "--offline", "-p", name], package)
        start = time.monotonic()
        self.run(["cargo", "build", "--release", "--offline"], package)
        return time.monotonic() - start

    def program(self, name: str) -> Path:
        return self.folder / "target" / "release" / name


def measure_sizes(shop: Workshop, game: Path) -> Published:
    package, name, transformation = shop.transform(game)
    shop.build(package, name)
    compilation = min(shop.build(package, name) for _ in range(shop.args.repeat))
    code = sum(path.stat().st_size for path in (package / "src").glob("*.rs"))
    program = shop.program(name).stat().st_size
    return Published(game.stat().st_size / 1e3, code / 1e3, program / 1e3, transformation, compilation)


def play_generated(shop: Workshop, game: Path) -> dict[str, Any]:
    package, name, _ = shop.transform(game)
    shop.build(package, name)
    shop.run(["cargo", "test", "--release", "--offline"], package)
    answers = []
    for seed in range(shop.args.repeat):
        text = shop.run([str(shop.program(name)), "--seconds", str(shop.args.play), "--seed", str(seed)]).stdout
        field = lambda label: [float(value) for value in re.findall(rf"^{label} +([\d.]+)", text, re.MULTILINE)]
        answers.append({"states_per_second": field("states/s")[0], "playouts": field("playouts")[0],
                        "mean_length": field("mean length")[0],
                        "mean_goals": {role: float(goal) for goal, role in
                                       re.findall(r"^mean goal +(\S+) (.+)$", text, re.MULTILINE)}})
    return max(answers, key=lambda answer: answer["states_per_second"])


def play_forward(shop: Workshop, game: Path) -> dict[str, Any]:
    command = [str(shop.args.senet), "bench", str(game), "--json", "--engine", "forward", "--judge", "forward",
               "--seconds", str(shop.args.play), "--repeat", str(shop.args.repeat)]
    return json.loads(shop.run(command).stdout.splitlines()[0])


# ---------- tables ----------

def print_sizes(shop: Workshop, games: list[str]) -> bool:
    rows, good = [], True
    for game in games:
        print(game, file=sys.stderr, flush=True)
        paper = TABLE_2[game]
        try:
            own = measure_sizes(shop, shop.args.games / f"{game}.kif")
            columns = [f"{value:.3g}" for value in own]
        except Failed as why:
            columns, good = [str(why)] + ["–"] * 4, False
        both = [cell for mine, theirs in zip(columns, paper) for cell in (mine, f"{theirs:g}")]
        rows.append([game, *both])
    heads = ("GDL KB", "code KB", "program KB", "transformation s", "compilation s")
    print_table(["game", *(cell for head in heads for cell in (head, "paper"))], rows)
    return good


def agree(left: float, right: float, variance: float, n_left: float, n_right: float) -> bool:
    return abs(left - right) <= 4 * math.sqrt(variance / n_left + variance / n_right) + 1e-3


def outcomes_agree(own: dict[str, Any], forward: dict[str, Any]) -> bool:
    """Whether mean length and goals of a generated program are those of the engine."""
    pairs = [(own["mean_length"], forward["mean_length"], forward["length_variance"])]
    pairs += [(own["mean_goals"][role], goal, forward["goal_variances"][role])
              for role, goal in forward["mean_goals"].items() if goal is not None]
    return all(agree(mine, theirs, variance, own["playouts"], forward["playouts"]) for mine, theirs, variance in pairs)


def print_play(shop: Workshop, games: list[str]) -> bool:
    rows, all_good = [], True
    for game in games:
        print(game, file=sys.stderr, flush=True)
        path = shop.args.games / f"{game}.kif"
        try:
            own, forward = play_generated(shop, path), play_forward(shop, path)
        except Failed as why:
            rows.append([game, str(why)] + ["–"] * 6)
            all_good = False
            continue
        is_same = outcomes_agree(own, forward)
        ratio = own["states_per_second"] / forward["states_per_second"]
        all_good &= is_same and ratio >= 2
        text = lambda goal: "–" if goal is None else f"{goal:.2f}"
        goals = lambda answer: " ".join(text(answer["mean_goals"][role]) for role in own["mean_goals"])
        rows.append([game, f"{own['states_per_second']:,.0f}", f"{forward['states_per_second']:,.0f}", f"{ratio:.2f}",
                     f"{own['mean_length']:.3f}", f"{forward['mean_length']:.3f}", goals(own), goals(forward),
                     "agree" if is_same else "DIFFER"])
    print_table(["game", "generated states/s", "forward states/s", "ratio", "length", "of forward", "goals", "of forward",
                 "outcomes"], rows)
    return all_good


def main() -> int:
    args = arguments()
    args.senet = args.senet.resolve()
    if not args.games.is_dir():
        sys.exit(f"error: no folder {args.games}: name one with --games")
    names = PLAYED if args.play else TABLE_2
    games = [game for game in names if fnmatch.fnmatchcase(game.lower(), args.only.lower())]
    if not games:
        sys.exit("error: no game is left to measure; see --only")
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(args, Path(folder))
        return 0 if (print_play if args.play else print_sizes)(shop, games) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
