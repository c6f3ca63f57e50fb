#!/usr/bin/env python3
"""Draw the paper's figures 2 to 5 from the results of run.py.

    python3 bench/ground/figures.py
    python3 bench/ground/figures.py --results out/results.jsonl --out out

Writes figure2.svg to figure5.svg and summary.json. A figure whose runs are missing is left out, and said so.
"""
from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import svg
from common import OUT, RESULTS, Failure, Fit, Row, add_shared, fit_power, parser, read_recorded, read_rows, run_main, seconds, tell
from svg import DASHED, DOTTED, GUIDE, SOLID, Axis, Plot

LARGE = 10_000
BASE_INPUT = ("parse", "base_input")
CURVES = {"Senet": "default", "Senet --paper": "paper", "gringo in one pass": "gringo"}

Recorded = dict[str, dict[str, Any]]


class Missing(Exception):
    """The results lack what a figure shows."""


def base_input_seconds(row: Row, variant: str) -> float | None:
    """Base and input from the text: reading the rules is part of it, as it is for gringo."""
    result = row.get(variant, {})
    if result.get("status") != "ok":
        return None
    return sum(result["stages"].get(stage, 0.0) for stage in BASE_INPUT) or None


@dataclass(frozen=True)
class Curve:
    """A time for each game, None for one that was not finished, and the time at which runs were stopped."""
    times: list[float | None]
    end: float = math.inf


def cut_off(rows: list[Row], runner: str) -> float:
    stopped = [row[runner]["limit"] for row in rows if row.get(runner, {}).get("status") == "timeout"]
    return min(stopped, default=math.inf)


def figure2(rows: list[Row], _: Recorded) -> tuple[Plot, dict[str, Any]]:
    pairs = [(one, many, row["game"]) for row in rows
             if (one := base_input_seconds(row, "paper")) and (many := base_input_seconds(row, "iterative"))]
    if not pairs:
        raise Missing("no game has both a `paper` and an `iterative` run")
    low, high = svg.powers_around([time for one, many, _ in pairs for time in (one, many)])
    plot = Plot("Base and input: one step against iterative",
                "Each mark is a game; above the diagonal the one-step method is faster.",
                Axis("one step, CPU time", low, high, unit="s"), Axis("iterative, CPU time", low, high, unit="s"))
    plot.points(f"{len(pairs)} games", pairs, SOLID)
    plot.line("equal times", [(low, low), (high, high)], GUIDE)
    return plot, {"games": len(pairs), "one_step_faster": sum(one < many for one, many, _ in pairs)}


def figure3(rows: list[Row], recorded: Recorded) -> tuple[Plot, dict[str, Any]]:
    known = [recorded[row["game"]] for row in rows if row["game"] in recorded]
    curves = {"Senet, one step": Curve([base_input_seconds(row, "paper") for row in rows if "paper" in row],
                                       cut_off(rows, "paper")),
              "Senet, iterative": Curve([base_input_seconds(row, "iterative") for row in rows if "iterative" in row],
                                        cut_off(rows, "iterative")),
              # Where the rules took too long, the sets were recorded without their time.
              "gringo, recorded": Curve([line.get("t1_proj") for line in known if "t1_proj" in line or "base" not in line])}
    return budget_plot("Base and input computed within a time budget", curves)


def figure4(rows: list[Row], _: Recorded) -> tuple[Plot, dict[str, Any]]:
    curves = {label: Curve([seconds(row, runner) for row in rows if runner in row], cut_off(rows, runner))
              for label, runner in CURVES.items()}
    return budget_plot("Games grounded within a time budget", curves)


def budget_plot(title: str, curves: dict[str, Curve]) -> tuple[Plot, dict[str, Any]]:
    done = {label: [time for time in curve.times if time] for label, curve in curves.items()}
    if not any(done.values()):
        raise Missing("no game was finished")
    low, high = svg.powers_around([time for times in done.values() for time in times])
    plot = Plot(title, "For each time on the x-axis, the percentage of games that took no longer.",
                Axis("time budget, CPU time", low, high, unit="s"), Axis("games", 0, 100, log=False, unit="%"))
    summary = {}
    for (label, times), style in zip(done.items(), (SOLID, DASHED, DOTTED)):
        if times:
            total = len(curves[label].times)
            plot.steps(f"{label} ({len(times)} of {total})", times, total, min(curves[label].end, high), style)
            summary[label] = {"games": total, "finished": len(times), "within": shares(times, total)}
    return plot, summary


def shares(times: list[float], total: int) -> dict[str, float]:
    return {f"{budget:g} s": round(sum(time <= budget for time in times) / total, 4) for budget in (0.01, 0.1, 1, 10, 60)}


def figure5(rows: list[Row], _: Recorded) -> tuple[Plot, dict[str, Any]]:
    points = [(rules, time, row["game"]) for row in rows if (time := seconds(row, "paper"))
              and (rules := row["paper"]["ground_rules"] + row["paper"]["dyn_facts"]) > 0]
    if not points:
        raise Missing("no game has a `paper` run")
    plot = Plot("Ground rules and the time they take (Senet --paper)",
                "Each mark is a game; the line is fitted to the games above ten thousand rules.",
                Axis("ground rules and facts", *svg.powers_around([x for x, _, _ in points])),
                Axis("CPU time", *svg.powers_around([y for _, y, _ in points]), unit="s"))
    plot.points(f"{len(points)} games", points, SOLID)
    large = [(x, y) for x, y, _ in points if x > LARGE]
    fit = fit_power(large)
    if fit:
        draw_fit(plot, fit, max(x for x, _ in large))
    return plot, {"games": len(points), "above": LARGE, "fit": fit.as_json() if fit else None}


def draw_fit(plot: Plot, fit: Fit, most: float) -> None:
    plot.line(f"time ~ rules^{fit.exponent:.2f}, {fit.points} games above 10⁴ rules",
              [(LARGE, fit.at(LARGE)), (most, fit.at(most))], DASHED)


FIGURES: dict[str, Callable[[list[Row], Recorded], tuple[Plot, dict[str, Any]]]] = {
    "figure2": figure2, "figure3": figure3, "figure4": figure4, "figure5": figure5}


def draw(rows: list[Row], recorded: Recorded, folder: Path) -> dict[str, Any]:
    summary = {}
    for name, figure in FIGURES.items():
        try:
            plot, summary[name] = figure(rows, recorded)
        except Missing as why:
            tell(f"{name}: left out, {why}")
            continue
        (folder / f"{name}.svg").write_text(plot.render(), "utf-8")
        tell(f"{name}: {folder / name}.svg")
    return summary


def main() -> int:
    options = parser(__doc__)
    options.add_argument("--results", type=Path, default=RESULTS, help="file that run.py wrote")
    options.add_argument("--out", type=Path, default=OUT, help="folder for the figures")
    add_shared(options)
    args = options.parse_args()
    if not args.results.is_file():
        raise Failure(f"no results {args.results}: run bench/ground/run.py first, or name a file with --results")
    args.out.mkdir(parents=True, exist_ok=True)
    summary = draw(list(read_rows(args.results).values()), read_recorded(args.shared), args.out)
    (args.out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    run_main(main)
