"""The comparison of gringo and Senet as text."""
from __future__ import annotations

from typing import Any

from common import Row, geometric_mean, paper_rules, seconds
from senet import VARIANTS

GRINGO_WITHIN = 2.0
LARGE = 10_000
SLOWER = 1.10
BUDGETS = (0.01, 0.1, 1, 10, 60)

Recorded = dict[str, dict[str, Any]]


def text(rows: list[Row], recorded: Recorded, compared: str) -> str:
    """All of it; `compared` is the variant of the table."""
    parts = [table(rows, recorded, compared)]
    for variant in ("default", "paper"):
        if any(variant in row and "gringo" in row for row in rows):
            parts += [mean_line(rows, variant), slower_list(rows, recorded, variant)]
    parts.append(shares(rows))
    return "\n\n".join(parts)


def ratio(row: Row, variant: str) -> float | None:
    """Senet's time over gringo's: below 1 where Senet is faster."""
    ours, theirs = seconds(row, variant), seconds(row, "gringo")
    return ours / theirs if ours and theirs else None


def table(rows: list[Row], recorded: Recorded, variant: str) -> str:
    width = max([len("game"), *(len(row["game"]) for row in rows)])
    lines = [f"{'game':{width}} {'rules':>11} {'gringo ms':>11} {'senet ms':>11} {'ratio':>7}   (Senet: {variant})"]
    for row in rows:
        rules, times = paper_rules(row, recorded), ratio(row, variant)
        lines.append(f"{row['game']:{width}} {'-' if rules is None else f'{rules:,}':>11} {cell(row, 'gringo'):>11} "
                     f"{cell(row, variant):>11} {'-' if times is None else f'{times:.2f}':>7}")
    return "\n".join(lines)


def cell(row: Row, runner: str) -> str:
    spent = seconds(row, runner)
    return row.get(runner, {}).get("status", "-") if spent is None else f"{1000 * spent:.2f}"


def mean_line(rows: list[Row], variant: str) -> str:
    quick = [row for row in rows if (seconds(row, "gringo") or GRINGO_WITHIN + 1) <= GRINGO_WITHIN and variant in row]
    ratios = [value for row in quick if (value := ratio(row, variant)) is not None]
    mean = geometric_mean(ratios)
    line = f"Senet ({variant}) / gringo, geometric mean over games gringo grounds within {GRINGO_WITHIN:g} s: "
    line += "-" if mean is None else f"{mean:.3f} ({len(ratios)} games)"
    failed = [row["game"] for row in quick if ratio(row, variant) is None]
    return line + (f"\n  left out, since Senet did not ground them: {', '.join(failed)}" if failed else "")


def slower_list(rows: list[Row], recorded: Recorded, variant: str) -> str:
    """Large games on which Senet falls behind, the worst first; those it did not ground stand before all."""
    behind = []
    for row in rows:
        rules = paper_rules(row, recorded) or 0
        if rules > LARGE and variant in row and seconds(row, "gringo"):
            times = ratio(row, variant) or float("inf")
            if times > SLOWER:
                behind.append((times, rules, row))
    behind.sort(key=lambda entry: -entry[0])
    title = f"Games over {LARGE:,} rules on which Senet ({variant}) is over {SLOWER - 1:.0%} slower: {len(behind)}"
    return "\n".join([title] + [f"  {row['game']}: {rules:,} rules, gringo {cell(row, 'gringo')} ms, "
                                f"Senet {cell(row, variant)}{' ms' if seconds(row, variant) else ''}, ratio {times:.2f}"
                                for times, rules, row in behind])


def shares(rows: list[Row]) -> str:
    """The share of games that each runner grounds within a budget, of all games that it was given."""
    lines = [f"{'grounded within':16}" + "".join(f"{name(budget):>9}" for budget in BUDGETS) + f"{'games':>9}"]
    for runner in ("gringo", *VARIANTS):
        given = [row for row in rows if runner in row]
        if given:
            columns = "".join(f"{share(given, runner, budget):>9}" for budget in BUDGETS)
            lines.append(f"{runner:16}{columns}{len(given):>9}")
    lines.append("(>=: the runner was stopped before this budget ended)")
    return "\n".join(lines)


def share(rows: list[Row], runner: str, budget: float) -> str:
    done = sum((spent := seconds(row, runner)) is not None and spent <= budget for row in rows)
    cut_off = any(row[runner]["status"] == "timeout" and row[runner]["limit"] < budget for row in rows)
    return f"{'>=' if cut_off else ''}{done / len(rows):.1%}"


def name(budget: float) -> str:
    return f"{budget:g} s" if budget >= 1 else f"{1000 * budget:g} ms"
