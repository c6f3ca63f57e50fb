"""What the measuring scripts of this folder share: asking `senet bench`, and tables of what it answered."""
from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterable

ROOT = Path(__file__).resolve().parent.parent
SENET = ROOT / "target" / "release" / "senet"
GGP_ORG = ROOT.parent / "shared" / "games" / "ggp-org"

# What `senet bench --json` answered, or {"failed": why}.
Answer = dict[str, Any]


def run(command: list[str], timeout: float) -> tuple[int | None, str, str]:
    """Exit status, or None after the timeout; output; the last line of talk."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, "", f"over {timeout:g} s"
    except OSError as problem:
        sys.exit(f"error: cannot run {command[0]}: {problem}; build it with `cargo build --release`")
    talk = done.stderr.strip().splitlines()
    return done.returncode, done.stdout, talk[-1] if talk else f"exit status {done.returncode}"


def senet_bench(senet: Path, game: str | Path, options: list[str], timeout: float) -> Answer:
    """One game on one engine."""
    _, output, talk = run([str(senet), "bench", str(game), "--json", *options], timeout)
    for line in output.splitlines():
        answer: Answer = json.loads(line)
        return {"failed": answer["refused"]} if "refused" in answer else answer
    return {"failed": talk}


def commit() -> str:
    """The commit that is checked out."""
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def processor() -> str:
    """The name of the processor, as far as it tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return "unknown"
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def rate(value: float | None) -> str:
    if value is None:
        return "–"
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def geometric_mean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def print_table(header: list[str], rows: list[list[str]], words_at_end: bool = False) -> None:
    """A table whose first column, and last if it says so, are words and the others numbers."""
    print("| " + " | ".join(header) + " |")
    print("|---" + "|--:" * (len(header) - 1 - words_at_end) + "|---" * words_at_end + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()
