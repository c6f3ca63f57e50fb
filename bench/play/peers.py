"""The figures to compare with: uniformly random playouts from the initial position, one thread, rates per second of
CPU time of the playing thread.

We measured them ourselves on 15 November 2026, on two shared cores of an Intel Xeon with AVX-512 (`../shared/peers.md`
has the whole story). The machine was loaded: differences under 30 % are ties.
"""
from __future__ import annotations

from dataclasses import dataclass

# Engines that read GDL, in the order of the columns.
READERS = ("ggp-base prover", "Sancho", "ggplib", "Sironi")

# Programs that do not: the first two are written or compiled for one game.
PROGRAMS = ("hand-written C++", "rbg2cpp", "Ludii", "OpenSpiel", "Pgx")
FOR_ONE_GAME = 2


@dataclass(frozen=True)
class GdlGame:
    """A rulesheet of ggp.org: mean length of a playout, states a second of each reader that plays it."""
    name: str
    length: float
    states: tuple[float | None, ...]


@dataclass(frozen=True)
class BuiltIn:
    """A built-in game: playouts and states a second of each program that plays it."""
    name: str
    rates: tuple[tuple[float, float] | None, ...]


GDL_GAMES = (
    GdlGame("ticTacToe", 7.63, (4_900, 1_150_000, 2_340_000, 793_000)),
    GdlGame("connectFour", 22.36, (1_300, 1_320_000, 1_630_000, 1_050_000)),
    GdlGame("breakthrough", 64.15, (800, 957_000, 1_130_000, 189_000)),
    GdlGame("reversi", 60.41, (38, 65_500, 52_900, 19_300)),
    GdlGame("hex", 71.13, (252, 56_800, 76_700, 37_200)),
    GdlGame("tron_10x10", 3.0, (5_000, 423_000, 796_000, 282_000)),
    GdlGame("nineBoardTicTacToe", 29.26, (800, 870_000, 678_000, 174_000)),
    GdlGame("cephalopodMicro", 43.84, (46, 425_000, 666_000, 154_000)),
    GdlGame("sheepAndWolf", 41.1, (1_500, 183_000, 256_000, None)),
    GdlGame("chineseCheckers4", 57.76, (900, 55_700, None, None)),
    GdlGame("speedChess", 116.98, (190, 410_000, 590_000, None)),
    GdlGame("englishDraughts", 68.93, (700, 259_000, 322_000, None)),
    GdlGame("gomoku_15x15", 112.7, (101, 654_000, 1_150_000, None)),
    GdlGame("skirmish", 99.0, (38, 69_000, None, None)),
    GdlGame("nim1", 6.87, (20_700, 1_190_000, 1_840_000, None)),
    GdlGame("pancakes6", 39.64, (45_900, 282_000, 864_000, None)),
    GdlGame("hanoi", 31.0, (17_100, 2_020_000, 3_200_000, None)),
    GdlGame("doubletictactoe", 8.34, (2_300, 607_000, 635_000, None)),
    GdlGame("tictactoex9", 29.21, (1_000, 593_000, 682_000, None)),
    GdlGame("asteroidsSerial", 92.89, (6_400, 863_000, 1_510_000, None)),
    GdlGame("beatMania", 60.0, (14_700, 910_000, 1_890_000, None)),
    GdlGame("blocker", 7.89, (7_300, 1_180_000, 2_070_000, None)),
    GdlGame("bunk_t", 8.33, (2_200, 574_000, 649_000, None)),
    GdlGame("chomp", 7.04, (3_900, 522_000, 1_020_000, None)),
    GdlGame("lightsOut", 20.0, (1_600, 793_000, 1_430_000, None)),
    GdlGame("minichess", 3.0, (2_600, 273_000, 431_000, None)),
    GdlGame("peg", 24.36, (1_300, 470_000, 279_000, None)),
    GdlGame("roshambo2", 8.5, (21_900, 837_000, 1_450_000, None)),
    GdlGame("sum15", 7.62, (7_500, 854_000, 1_180_000, None)),
    GdlGame("ticTacToeSerial", 15.25, (2_300, 680_000, None, None)),
)

BUILT_IN = (
    BuiltIn("tic-tac-toe", ((5_910_000, 45_000_000), (2_190_000, 16_700_000), (200_000, 1_580_000), (87_000, 667_000), (414_000, 3_160_000))),
    BuiltIn("connect-four", (None, (717_000, 15_300_000), (35_000, 749_000), (28_000, 593_000), (72_000, 1_540_000))),
    BuiltIn("breakthrough-8x8", (None, (29_100, 1_870_000), (2_300, 148_000), (5_700, 370_000), None)),
    BuiltIn("reversi-8x8", (None, (11_400, 687_000), (1_100, 71_000), (2_300, 137_000), (5_000, 314_000))),
    BuiltIn("english-draughts", (None, (38_200, 2_540_000), (2_800, 207_000), (2_900, 197_000), None)),
    BuiltIn("chess", ((1_920, 785_000), (659, 270_000), (89, 37_000), (351, 118_000), None)),
    BuiltIn("hex-11x11", ((136_000, 14_600_000), (27_700, 2_980_000), (8_500, 912_000), (4_400, 478_000), (1_700, 183_000))),
    BuiltIn("amazons-10x10", ((3_390, 243_000), (1_910, 136_000), None, None, None)),
    BuiltIn("amazons-10x10-split", ((25_900, 3_530_000), (13_800, 1_870_000), (1_800, 248_000), None, None)),
    BuiltIn("gomoku-15x15", ((124_000, 13_900_000), (140_000, 15_800_000), (9_900, 1_110_000), (2_900, 317_000), None)),
    BuiltIn("pentago", ((138_000, 3_810_000), (12_800, 373_000), None, (12_500, 350_000), None)),
    BuiltIn("skirmish", ((22_200, 2_220_000), (6_260, 626_000), None, None, None)),
)
