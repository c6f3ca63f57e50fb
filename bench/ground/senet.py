"""`senet ground --stats`, some games in one process."""
from __future__ import annotations

import json
import resource
import subprocess
from pathlib import Path
from typing import Any

from common import ROOT, Failure, Result

# What is measured, by name. The iterative method is compared with the one-step method on the paper's form.
VARIANTS: dict[str, list[str]] = {
    "default": [],
    "paper": ["--paper"],
    "iterative": ["--paper", "--method", "iterative"],
}


class Senet:
    def __init__(self, path: Path | None, repeat: int, timeout: float, memory: int) -> None:
        self.path = path or ROOT / "target" / "release" / "senet"
        if not self.path.is_file():
            raise Failure(f"no program {self.path}: run `cargo build --release`, or name one with --senet")
        self.repeat, self.timeout, self.memory = repeat, timeout, memory

    def version(self) -> str:
        try:
            done = subprocess.run([self.path, "--version"], capture_output=True, text=True, timeout=10)
            return done.stdout.strip()
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise Failure(f"{self.path} does not run: {problem}") from None

    def ground(self, games: list[Path], variant: str) -> list[Result]:
        """Some games in one process, as gringo grounds them; where that does not go well, each in its own."""
        done = self.call(games, variant, self.repeat)
        reports = [line for line in done.stdout.splitlines() if line.startswith("{")] if done else []
        if len(reports) == len(games) > 1:
            return [read_report(subprocess.CompletedProcess([], 0, line, "")) for line in reports]
        return [self.ground_alone(game, variant) for game in games]

    def ground_alone(self, game: Path, variant: str) -> Result:
        """One game, with fewer repetitions if they do not fit into the time."""
        done = self.call([game], variant, self.repeat)
        if done is None and self.repeat > 1:
            done = self.call([game], variant, 1)
        return read_report(done) if done else {"status": "timeout", "why": f"over {self.timeout:g} s", "limit": self.timeout}

    def call(self, games: list[Path], variant: str, repeat: int) -> subprocess.CompletedProcess[str] | None:
        """`None` if it took too long."""
        options = ["--stats", "--json", "--repeat", str(repeat), *VARIANTS[variant]]
        try:
            return subprocess.run([self.path, "ground", *options, *games], capture_output=True, text=True,
                                  errors="replace", timeout=self.timeout, preexec_fn=self.set_limits)
        except subprocess.TimeoutExpired:
            return None
        except OSError as problem:
            raise Failure(f"{self.path} does not run: {problem}") from None

    def set_limits(self) -> None:
        """Limits of the child; the one on CPU time ends it even if nobody is left to stop it."""
        cpu = int(self.timeout) + 5
        resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read_report(done: subprocess.CompletedProcess[str]) -> Result:
    report = last_object(done.stdout)
    if report is None:
        said = done.stderr.strip().splitlines()
        return {"status": "failed", "why": f"exit {done.returncode}: {said[-1][:200] if said else 'no message'}"}
    stages = report.pop("seconds", None)
    if "stopped" in report:
        return {**report, "status": "stopped", "why": str(report["stopped"])}
    if not stages:
        return {**report, "status": "failed", "why": str(report.get("error", "no `seconds` in the answer"))}
    return {**report, "status": "ok", "seconds": round(sum(stages.values()), 9), "stages": stages}


def last_object(text: str) -> dict[str, Any] | None:
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            try:
                return json.loads(line)
            except ValueError:
                return None
    return None
