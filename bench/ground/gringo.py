"""gringo in a child process of its own: installed on first use, started again after it was killed."""
from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from asp import BadRules, one_pass_program
from common import HERE, Failure, Result, tell

KILLED_BY = {signal.SIGPROF: "timeout", signal.SIGALRM: "timeout", signal.SIGKILL: "memory", signal.SIGABRT: "memory"}


def python_with_clingo(venv: Path) -> tuple[str, str]:
    """The Python of the virtual environment, made if need be, and the version of clingo in it."""
    python = str(venv / "bin" / "python")
    version = clingo_version(python)
    if version is None:
        tell(f"installing clingo into {venv}")
        install([sys.executable, "-m", "venv", str(venv)])
        install([python, "-m", "pip", "install", "--quiet", "clingo"])
        version = clingo_version(python)
    if version is None:
        raise Failure(f"clingo does not load in {venv}; remove that folder and try again")
    return python, version


def clingo_version(python: str) -> str | None:
    try:
        done = subprocess.run([python, "-c", "import clingo; print(clingo.__version__)"], capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def install(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"`{' '.join(command)}` failed:\n{(done.stderr or done.stdout).strip()[-1000:]}")


class Gringo:
    """Use as a context manager: leaving it ends the child process."""

    def __init__(self, python: str, repeat: int, limit: float, timeout: float, memory: int) -> None:
        self.command = [python, str(HERE / "gringo_worker.py"), str(memory)]
        self.request = {"repeat": repeat, "limit": limit, "timeout": timeout}
        self.worker: subprocess.Popen[str] | None = None

    def __enter__(self) -> Gringo:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        worker, self.worker = self.worker, None
        if worker is None:
            return
        worker.kill()
        worker.wait()
        for pipe in (worker.stdin, worker.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def run(self, text: str) -> Result:
        try:
            program = one_pass_program(text)
        except BadRules as problem:
            return {"status": "refused", "why": str(problem)}
        reply = self.ask({**self.request, "program": program})
        if "runs" in reply:
            return {"status": "ok", "seconds": min(reply["runs"]), "runs": reply["runs"]}
        if reply["failed"] == "memory":
            self.stop()
        return {"status": reply["failed"], "why": reply["why"], "limit": self.request["timeout"]}

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.worker is None:
            self.worker = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                           env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        assert self.worker.stdin and self.worker.stdout
        try:
            self.worker.stdin.write(json.dumps(request) + "\n")
            self.worker.stdin.flush()
            line = self.worker.stdout.readline()
        except BrokenPipeError:
            line = ""
        return json.loads(line) if line else self.obituary()

    def obituary(self) -> dict[str, Any]:
        assert self.worker
        status = self.worker.wait()
        self.stop()
        if status >= 0:
            raise Failure(f"gringo's process ended by itself with status {status}")
        number = signal.Signals(-status)
        return {"failed": KILLED_BY.get(number, "crashed"), "why": f"ended by {number.name}"}
