"""The process in which gringo runs; `gringo.py` starts it with a Python that has clingo.

Each line of standard input is a request {"program", "repeat", "limit", "timeout"}, each line of standard output
its answer: {"runs": [seconds, ...]} or {"failed": status, "why": text}. A request that takes more CPU time than
its timeout ends the process by a signal, since nothing else interrupts gringo.
"""
from __future__ import annotations

import json
import resource
import signal
import sys
import time
from typing import Any

import clingo


class NoSolver:
    """An observer without callbacks: put in place of the solver, it drops what is grounded."""


def ground(program: str) -> float:
    """CPU seconds from the program's text to the end of grounding."""
    messages: list[str] = []
    control = clingo.Control(["--warn=none"], logger=lambda _, text: messages.append(text))
    control.register_observer(NoSolver(), replace=True)
    start = time.thread_time()
    try:
        control.add("base", [], program)
        control.ground([("base", [])])
    except RuntimeError as problem:
        raise RuntimeError(messages[0] if messages else str(problem)) from None
    return time.thread_time() - start


def measure(program: str, repeat: int, limit: float) -> list[float]:
    """Up to `repeat` runs; one over the limit is the last."""
    runs: list[float] = []
    while len(runs) < repeat and (not runs or runs[-1] <= limit):
        runs.append(round(ground(program), 6))
    return runs


def answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"runs": measure(request["program"], request["repeat"], request["limit"])}
    except MemoryError:
        return {"failed": "memory", "why": "out of memory"}
    except RuntimeError as problem:
        why = " ".join(str(problem).split())[:200]
        return {"failed": "memory" if "bad_alloc" in why else "refused", "why": why}


def die_after(cpu_seconds: float) -> None:
    """The CPU timer is the limit; the clock is there for a process that waits without working."""
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    signal.setitimer(signal.ITIMER_REAL, 4 * cpu_seconds + 10 if cpu_seconds else 0)


def main() -> None:
    memory = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ground("warm(up).")
    for line in sys.stdin:
        request = json.loads(line)
        die_after(request["timeout"])
        reply = answer(request)
        die_after(0)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        pass
