#!/usr/bin/env python3
"""Table 3 of the GaDeLaC paper, and what temporization gains.

    python3 bench/gadelac/playouts.py                       table 3: playouts in 30 s, scaled from shorter runs
    python3 bench/gadelac/playouts.py --seconds 30          as long as in the paper
    python3 bench/gadelac/playouts.py --temporization       the engine `forward` with it and without

Saffidine and Cazenave, *A Forward Chaining Based Game Description Language Compiler*. The rulesheets are those of ggp.org
(../shared/games/ggp-org). As in the paper, lengths and outcomes are compared: those of `forward` with the engine `circuit`,
those of the generated program with `forward`. Exit status 1 if they differ.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from compile import Failed, Workshop, outcomes_agree, play_generated  # noqa: E402
from measuring import GGP_ORG, SENET, Answer, commit, print_table, processor, senet_bench  # noqa: E402

# Playouts in 30 s: YAP, GaDeLaC.
TABLE_3 = {
    "breakthrough": (1_395, 340),
    "connectFour": (3_249, 990),
    "nim1": (26_066, 17_500),
    "sum15": (36_329, 37_300),
    "roshambo2": (68_252, 70_900),
    "bunk_t": (17_620, 22_950),
    "doubletictactoe": (17_713, 23_600),
    "ticTacToeSerial": (8_248, 11_200),
    "ticTacToe": (31_370, 45_800),
}

# The paper's examples of persistent relations, then games with many permanent facts.
TEMPORIZED = ("doubletictactoe", "ticTacToeSerial", "asteroidsSerial", "connectFour", "hex",
              "pancakes6", "hanoi", "breakthrough", "sheepAndWolf", "skirmish")


def arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--temporization", action="store_true", help="compare with and without it instead of table 3")
    options.add_argument("--seconds", type=float, default=2, help="how long a run plays (default: %(default)s)")
    options.add_argument("--repeat", type=int, default=3, help="runs of a game; the best counts (default: %(default)s)")
    options.add_argument("--judge-seconds", type=float, default=3, help="how long the judge may play (default: %(default)s)")
    options.add_argument("--timeout", type=float, default=600, metavar="S", help="seconds a step may take")
    options.add_argument("--senet", type=Path, default=SENET, help="program to measure")
    options.add_argument("--games", type=Path, default=GGP_ORG, help="folder of the rulesheets of ggp.org")
    args = options.parse_args()
    args.play = args.seconds
    args.senet = args.senet.resolve()
    return args


def forward(args: argparse.Namespace, game: str, more: list[str]) -> Answer:
    options = ["--engine", "forward", "--seconds", str(args.seconds), "--repeat", str(args.repeat),
               "--judge", "circuit", "--judge-seconds", str(args.judge_seconds), *more]
    return senet_bench(args.senet, args.games / f"{game}.kif", options, args.timeout)


def print_table_3(args: argparse.Namespace) -> bool:
    rows, good = [], True
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(args, Path(folder))
        for game, published in TABLE_3.items():
            print(game, file=sys.stderr, flush=True)
            answer = forward(args, game, [])
            try:
                if "failed" in answer:
                    raise Failed(answer["failed"])
                generated = play_generated(shop, args.games / f"{game}.kif")
            except Failed as why:
                rows.append([game, *(f"{count:,}" for count in published), "–", "–", "–", str(why)])
                good = False
                continue
            own = answer["playouts_per_second"] * 30
            compiled = generated["states_per_second"] / generated["mean_length"] * 30
            agrees = answer["check"]["verdict"] == "pass" and outcomes_agree(generated, answer)
            good &= agrees
            rows.append([game, *(f"{count:,}" for count in published), f"{own:,.0f}", f"{compiled:,.0f}",
                         f"{own / published[1]:.0f}", "agree" if agrees else "DIFFER"])
    print_table(["game", "YAP", "GaDeLaC", "`forward`", "generated Rust", "`forward` to GaDeLaC", "outcomes"], rows,
                words_at_end=True)
    return good


def print_temporization(args: argparse.Namespace) -> bool:
    rows, good = [], True
    for game in TEMPORIZED:
        print(game, file=sys.stderr, flush=True)
        answers = [forward(args, game, more) for more in ([], ["--no-temporization"])]
        if any("failed" in answer for answer in answers):
            rows.append([game, "–", "–", "–", next(answer["failed"] for answer in answers if "failed" in answer)])
            good = False
            continue
        verdicts = {answer["check"]["verdict"] for answer in answers}
        good &= verdicts == {"pass"}
        with_it, without = (answer["states_per_second"] for answer in answers)
        rows.append([game, f"{with_it:,.0f}", f"{without:,.0f}", f"{with_it / without:.2f}", " ".join(sorted(verdicts))])
    print_table(["game", "states/s", "without temporization", "ratio", "check"], rows, words_at_end=True)
    return good


def main() -> int:
    args = arguments()
    if not args.games.is_dir():
        sys.exit(f"error: no folder {args.games}: name one with --games")
    print(f"Commit {commit()}, {processor()}; one thread.\n")
    return 0 if (print_temporization if args.temporization else print_table_3)(args) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
