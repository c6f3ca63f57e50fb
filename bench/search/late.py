#!/usr/bin/env python3
"""Whether answers of `senet player` are in time and thought about, on a busy machine and with large trees.

Two players of their own processes play each match under `senet match`, at play clocks of 1 and 2 s, while so many other
processes as there are cores do nothing but compute. In half of the games a start clock of 60 s and enough memory let the
tree pass 2^22 nodes before the first move; these games are played one match at a time. Only answers of a role with a
choice count.

Each match is a line of the record file; a run that was interrupted goes on where it was. Prints a table by game. Exit
status 1 if an answer was late, illegal or a substitute, if READY was late or the margin over 200 ms, or if a tree that
was to be large was not.
"""
from __future__ import annotations

import argparse
import json
import math
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent))
from measuring import SENET, print_table

BUSY = [sys.executable, "-c", "while True: pass"]
LARGE = 1 << 22
MOST_MARGIN = 200
# A match of so many moves is given up: few draws by repetition are worth their time.
MOST_MOVES = 120


# A tree of so many positions in a minute needs a processor, two threads and leaves of few and short playouts. The other
# player leaves it the processor: it does not think before the first move.
GROWING = "mcts:threads=2,lanes=8,memory=8000"


@dataclass(frozen=True)
class Game:
    name: str
    # Of all answers.
    share: float
    strategies: tuple[str, str] = ("mcts", "mcts")
    start_clock: int = 5

    @property
    def is_large(self) -> bool:
        return self.start_clock >= 60


GAMES = [
    Game("connect-four", 0.04, (GROWING, "monte-carlo"), 60),
    Game("breakthrough-6x6", 0.04, (GROWING, "monte-carlo"), 60),
    Game("reversi-8x8", 0.04, (GROWING, "monte-carlo"), 60),
    Game("ultimate-tic-tac-toe", 0.04, (GROWING, "monte-carlo"), 60),
    Game("tron-10x10", 0.21, ("mcts:memory=64", "uct")),
    Game("pentago", 0.21),
    Game("english-draughts", 0.21, ("mcts", "uct")),
    Game("chess", 0.21),
]
# Of the answers of each game, so many at each play clock in seconds.
SHARES = {1: 0.7, 2: 0.3}


@dataclass
class Count:
    """What is known of the answers of a match, or of several."""

    game: str
    clock: float
    matches: int = 0
    answers: int = 0
    late: int = 0
    illegal: int = 0
    substitutes: int = 0
    reserves: int = 0
    late_readies: int = 0
    # Milliseconds after the end of the clock: negative before it.
    latest: float | None = None
    latest_ready: float | None = None
    margin: float = 0
    nodes_at_first: int = 0
    most_nodes: int = 0
    # Milliseconds of processor time.
    longest_pause: float | None = None
    problems: list[str] = field(default_factory=list)

    def add(self, other: Count) -> None:
        for name in ("matches", "answers", "late", "illegal", "substitutes", "reserves", "late_readies"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("latest", "latest_ready", "margin", "nodes_at_first", "most_nodes", "longest_pause"):
            values = [it for it in (getattr(self, name), getattr(other, name)) if it is not None]
            setattr(self, name, max(values, default=None))
        self.problems += other.problems

    def row(self) -> list[str]:
        def number(value: float | None) -> str:
            return "–" if value is None else f"{value:,.1f}"

        counts = (self.matches, self.answers, self.late, self.illegal, self.substitutes, self.reserves)
        return [self.game, *(f"{it:,}" for it in counts), number(self.latest), number(self.latest_ready),
                number(self.margin), f"{self.nodes_at_first:,}", f"{self.most_nodes:,}", number(self.longest_pause)]


HEADER = ["game", "matches", "answers", "late", "illegal", "substitutes", "reserves", "slowest (ms after clock)",
          "slowest READY", "margin", "nodes at first move", "most nodes", "longest pause (ms)"]


class Players:
    """Players in processes of their own, with a folder for what they write."""

    def __init__(self, senet: Path, strategies: tuple[str, str], folder: Path) -> None:
        self.logs = [folder / str(at) for at in range(2)]
        self.processes, self.addresses = [], []
        for logs, strategy in zip(self.logs, strategies):
            logs.mkdir()
            said = logs / "said.txt"
            command = [str(senet), "player", "--port", "0", "--strategy", strategy, "--log", str(logs)]
            with said.open("w") as out:
                self.processes.append(subprocess.Popen(command, stdout=out, stderr=out))
            self.addresses.append(self.address(said))

    @staticmethod
    def address(said: Path) -> str:
        for _ in range(600):
            if found := re.search(r"http://[\w.:]+", said.read_text("utf-8")):
                return found[0]
            time.sleep(0.1)
        raise RuntimeError("a player did not say where it listens")

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


def choices(log: Path) -> list[dict[str, Any] | None]:
    """By PLAY: what the player chose, `None` if it had no move."""
    plays: list[dict[str, Any] | None] = []
    for text in log.read_text("utf-8").splitlines():
        line = json.loads(text)
        if re.match(r"\s*\(\s*PLAY\b", line.get("received", ""), re.IGNORECASE):
            plays.append(None)
        elif "choice" in line and plays:
            plays[-1] = line
    return plays


def count(game: Game, clock: float, record: dict[str, Any], roles: list[str], logs: list[Path]) -> Count:
    """What a match's record and the logs of its players say."""
    it = Count(game.name, clock, matches=1)
    by_role = []
    for role, folder in zip(roles, logs):
        files = sorted(folder.glob(f"*-{role}.jsonl"), key=lambda file: file.stat().st_mtime)
        by_role.append(choices(files[-1]) if files else [])
    asked = [0] * len(roles)
    for exchange in record["exchanges"]:
        sent = (exchange.get("sent") or "").upper()
        role = roles.index(exchange["role"])
        if sent.startswith("( START"):
            after = exchange["roundTrip"] - 1000 * game.start_clock
            it.latest_ready = max(after, -1e9 if it.latest_ready is None else it.latest_ready)
            if after > 0 or exchange.get("failure"):
                it.late_readies += 1
                it.problems.append(f"READY {after:+.1f} ms {exchange.get('failure') or ''}".strip())
        if not sent.startswith("( PLAY"):
            continue
        step, at = exchange["step"], asked[role]
        asked[role] += 1
        choice = by_role[role][at] if at < len(by_role[role]) else None
        thoughts = (choice or {}).get("thoughts") or {}
        if at == 0:
            it.nodes_at_first = max(it.nodes_at_first, thoughts.get("nodes", 0))
        it.most_nodes = max(it.most_nodes, thoughts.get("nodes", 0))
        if (pause := thoughts.get("longestPause")) is not None:
            it.longest_pause = max(pause, it.longest_pause or 0)
        if choice and choice["legal"] == 1:
            continue
        it.answers += 1
        after = exchange["roundTrip"] - 1000 * clock
        it.latest = max(after, -1e9 if it.latest is None else it.latest)
        it.margin = max(it.margin, (choice or {}).get("margin") or 0)
        place = f"{roles[role]}, move {step}"
        if after > 0 or exchange.get("failure"):
            it.late += 1
            it.problems.append(f"{place}: {after:+.1f} ms {exchange.get('failure') or ''}".strip())
        elif error := error_of(record, step, role):
            it.illegal += 1
            it.problems.append(f"{place}: {error}")
        source = (choice or {}).get("source", "nothing")
        it.reserves += source == "reserve"
        if source not in ("search", "reserve"):
            it.substitutes += 1
            it.problems.append(f"{place}: {source}, {(choice or {}).get('why')}")
    if not it.answers:
        it.problems.append("no PLAY was sent")
    return it


def error_of(record: dict[str, Any], step: int, role: int) -> str:
    """The error of an answer after so many joint moves: the first row is that of READY."""
    rows = record["errors"]
    return rows[step + 1][role] if step + 1 < len(rows) else ""


def play(senet: Path, game: Game, clock: float, players: Players, moves: int, folder: Path) -> Count:
    """One match."""
    info = subprocess.run([str(senet), "info", game.name, "--json"], capture_output=True, text=True, check=True)
    roles = [role["name"] for role in json.loads(info.stdout)["roles"]]
    record = folder / "match.json"
    record.unlink(missing_ok=True)
    command = [str(senet), "match", game.name, "--start-clock", str(game.start_clock), "--play-clock", str(clock)]
    command += ["--most-moves", str(moves), "--record", str(record)]
    for role, address in zip(roles, players.addresses):
        command += ["--role", f"{role}={address}"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if not record.exists():
        raise RuntimeError(f"{game.name}: {done.stderr.strip()}")
    return count(game, clock, json.loads(record.read_text("utf-8")), roles, players.logs)


class Run:
    """All matches: what is done is in the record file."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.deadline = time.monotonic() + 60 * options.minutes
        self.lock = threading.Lock()
        self.done: list[Count] = []
        if options.record.exists():
            lines = options.record.read_text("utf-8").splitlines()
            self.done = [Count(**json.loads(line)) for line in lines]
        self.games = [it for it in GAMES if not options.games or it.name in options.games]
        self.failures: list[Exception] = []

    def play(self, games: list[Game], n_workers: int) -> None:
        """Plays some games, so many matches at a time."""
        tasks: queue.SimpleQueue[tuple[Game, float, int]] = queue.SimpleQueue()
        scale = self.options.answers / sum(it.share for it in self.games)
        for game in games:
            for clock, share in SHARES.items():
                tasks.put((game, clock, math.ceil(scale * game.share * share)))
        workers = [threading.Thread(target=self.work, args=[tasks]) for _ in range(n_workers)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def missing(self, game: Game, clock: float, wanted: int) -> int:
        return wanted - sum(it.answers for it in self.done if (it.game, it.clock) == (game.name, clock))

    def work(self, tasks: queue.SimpleQueue[tuple[Game, float, int]]) -> None:
        try:
            while True:
                game, clock, wanted = tasks.get_nowait()
                while self.missing(game, clock, wanted) > 0 and time.monotonic() < self.deadline:
                    self.match(game, clock, self.missing(game, clock, wanted))
        except queue.Empty:
            return
        except (OSError, RuntimeError, subprocess.CalledProcessError, ValueError) as problem:
            self.failures.append(problem)

    def match(self, game: Game, clock: float, missing: int) -> None:
        # Players of their own for each match: the largest tree is not left over from the last one.
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            players = Players(self.options.senet, game.strategies, folder)
            try:
                moves = min(missing, self.options.moves, MOST_MOVES)
                it = play(self.options.senet, game, clock, players, moves, folder)
            finally:
                players.end()
        with self.lock:
            self.done.append(it)
            with self.options.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(it)) + "\n")
            problems = "; ".join(it.problems) or "nothing to complain of"
            print(f"{game.name} at {clock} s: {it.answers} answers, {it.nodes_at_first:,} nodes at the first move, "
                  f"slowest {it.latest or 0:+.1f} ms: {problems}", file=sys.stderr, flush=True)


def report(done: list[Count]) -> bool:
    """Prints the table; says whether everything is as it should be."""
    totals = {}
    for it in done:
        totals.setdefault(it.game, Count(it.game, 0)).add(it)
    everything = Count("all", 0)
    for it in totals.values():
        everything.add(it)
    print_table(HEADER, [it.row() for it in (*totals.values(), everything)])
    for game in GAMES:
        if game.is_large and game.name in totals and totals[game.name].nodes_at_first < LARGE:
            everything.problems.append(f"{game.name}: {totals[game.name].nodes_at_first:,} nodes are fewer than 2^22")
    if everything.margin > MOST_MARGIN:
        everything.problems.append(f"a margin of {everything.margin:g} ms")
    for problem in everything.problems:
        print(problem)
    return not everything.problems


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=2000, help="of all games together (default 2000)")
    parser.add_argument("--minutes", type=float, default=35, help="no match begins after so many (default 35)")
    parser.add_argument("--workers", type=int, default=2, help="matches at a time without a large tree (default 2)")
    parser.add_argument("--moves", type=int, default=MOST_MOVES, help=f"of a match at most (default {MOST_MOVES})")
    parser.add_argument("--games", nargs="*", help="some of the games")
    parser.add_argument("--senet", type=Path, default=SENET, help="the program (default the release build)")
    parser.add_argument("--record", type=Path, help="where matches are noted (default bench/search/out/late.jsonl)")
    options = parser.parse_args()
    options.record = options.record or Path(__file__).resolve().parent / "out" / "late.jsonl"
    options.record.parent.mkdir(exist_ok=True)
    run = Run(options)
    busy = [subprocess.Popen(BUSY) for _ in range(os.cpu_count() or 1)]
    begin = time.monotonic()
    try:
        # A large tree has the processors for itself and for those that are busy.
        run.play([it for it in run.games if it.is_large], 1)
        run.play([it for it in run.games if not it.is_large], options.workers)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    is_good = report(run.done)
    answers = sum(it.answers for it in run.done)
    print(f"{answers:,} answers; this part took {(time.monotonic() - begin) / 60:.1f} minutes")
    for problem in run.failures:
        print(f"error: {problem}", file=sys.stderr)
    sys.exit(0 if is_good and not run.failures and answers >= options.answers else 1)


if __name__ == "__main__":
    main()
