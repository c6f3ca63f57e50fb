"""Where things are, what a result looks like, and the arithmetic that the scripts share."""
from __future__ import annotations

import argparse
import fnmatch
import json
import math
import signal
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHARED = ROOT.parent / "shared"
OUT = HERE / "out"
RESULTS = OUT / "results.jsonl"

# {"status": "ok", "seconds": CPU seconds, ...} or {"status": anything else, "why": text}
Result = dict[str, Any]
# {"game": name, "gringo": Result, "default": Result, "paper": Result, ...}
Row = dict[str, Any]


class Failure(Exception):
    """Something the user has to put right; its text says what."""


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run_main(main: Callable[[], int]) -> None:
    """Runs a script so that errors are one line and a termination signal still stops the children."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except Failure as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()


def parser(doc: str | None) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def add_shared(options: argparse.ArgumentParser) -> None:
    options.add_argument("--shared", type=Path, default=SHARED, help="folder with games, traces, grounding (default: ../shared)")


def add_limits(options: argparse.ArgumentParser) -> None:
    options.add_argument("--senet", type=Path, help="program to measure (default: target/release/senet)")
    options.add_argument("--senet-timeout", type=float, default=120, metavar="S", help="seconds a call of it may take")
    options.add_argument("--memory", type=gigabytes, default=gigabytes("8"), metavar="GB", help="limit of a process")


def gigabytes(text: str) -> int:
    return int(float(text) * 2**30)


# ---------- games ----------

@dataclass(frozen=True)
class Game:
    name: str
    path: Path


def games_in(folder: Path) -> list[Game]:
    found = sorted(folder.glob("*/*.kif"))
    if not found:
        raise Failure(f"no rulesheets FOLDER/NAME.kif under {folder}; name a folder with --games")
    return [Game(path.relative_to(folder).as_posix().removesuffix(".kif"), path) for path in found]


def traced_names(shared: Path) -> set[str]:
    folder = shared / "traces"
    names = {path.relative_to(folder).as_posix().removesuffix(".jsonl") for path in folder.glob("*/*.jsonl")}
    if not names:
        raise Failure(f"no traces under {folder}; leave --traced out, or name the folder above it with --shared")
    return names


def matches(name: str, pattern: str) -> bool:
    """A pattern with wildcards has to fit the whole name, one without may stand anywhere in it."""
    wild = any(sign in pattern for sign in "*?[")
    return fnmatch.fnmatchcase(name.lower(), pattern.lower() if wild else f"*{pattern.lower()}*")


# ---------- files of results ----------

def read_lines(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise Failure(f"no file {path}") from None
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows.append(json.loads(line))
        except ValueError:
            tell(f"{path}:{number}: not JSON, left out (an interrupted run ends so)")
    return rows


def read_rows(path: Path) -> dict[str, Row]:
    """The rows of a results file by game; a later row adds to an earlier one."""
    rows: dict[str, Row] = {}
    for line in read_lines(path):
        if "game" in line:
            rows.setdefault(line["game"], {}).update(line)
    return rows


def read_recorded(shared: Path, needed: bool = False) -> dict[str, dict[str, Any]]:
    """What gringo computed when `grounding/gringo.jsonl` was recorded, by game."""
    path = shared / "grounding" / "gringo.jsonl"
    if not path.is_file() and not needed:
        return {}
    return {line["game"]: line for line in read_lines(path)}


def seconds(row: Row, runner: str) -> float | None:
    """What a runner took for a game; nothing if it did not finish."""
    result = row.get(runner, {})
    return result["seconds"] if result.get("status") == "ok" else None


def paper_rules(row: Row, recorded: dict[str, dict[str, Any]]) -> int | None:
    """Ground rules and facts in the paper's form, measured or else recorded."""
    measured = row.get("paper", {})
    if measured.get("status") == "ok":
        return measured["ground_rules"] + measured["dyn_facts"]
    known = recorded.get(row["game"], {})
    if "ground_rules_distinct" in known:
        return known["ground_rules_distinct"] + known["dyn_facts"]
    return None


# ---------- arithmetic ----------

def geometric_mean(values: Iterable[float]) -> float | None:
    logs = [math.log(value) for value in values]
    return math.exp(statistics.fmean(logs)) if logs else None


@dataclass(frozen=True)
class Fit:
    """seconds = factor * rules ** exponent, by least squares on the logarithms."""
    exponent: float
    factor: float
    points: int

    def at(self, rules: float) -> float:
        return self.factor * rules**self.exponent

    def as_json(self) -> dict[str, float]:
        return {"exponent": round(self.exponent, 4), "factor": self.factor, "points": self.points}


def fit_power(points: list[tuple[float, float]]) -> Fit | None:
    if len({x for x, _ in points}) < 2:
        return None
    xs, ys = zip(*((math.log(x), math.log(y)) for x, y in points))
    line = statistics.linear_regression(xs, ys)
    return Fit(line.slope, math.exp(line.intercept), len(points))
