"""Charts as SVG, written by hand: one plot with axes, points, lines and a legend."""
from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 760, 520
LEFT, RIGHT, TOP, BOTTOM = 92, 36, 56, 68
FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
INK, FAINT, PAPER = "#222222", "#dddddd", "#ffffff"
# Told apart by people with any kind of colour vision; dashes and marks differ too.
BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#00795a"


@dataclass(frozen=True)
class Style:
    colour: str
    dash: str = ""
    mark: str = "circle"


SOLID = Style(BLUE)
DASHED = Style(ORANGE, "8 4", "square")
DOTTED = Style(GREEN, "2 4", "triangle")
GUIDE = Style("#666666", "5 5")


@dataclass(frozen=True)
class Axis:
    """A linear axis, or a logarithmic one with a tick at each power of ten."""
    label: str
    low: float
    high: float
    log: bool = True
    unit: str = ""

    def share(self, value: float) -> float:
        """How far along the axis a value stands, from 0 to 1."""
        value = min(max(value, self.low), self.high)
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        if not self.log:
            return [self.low + part * (self.high - self.low) / 5 for part in range(6)]
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        return [10.0**power for power in range(first, last + 1)]

    def text(self, value: float) -> str:
        if self.unit == "s":
            return f"{value:g} s" if value >= 1 else f"{1000 * value:g} ms" if value >= 0.001 else f"{1e6 * value:g} µs"
        if self.unit == "%":
            return f"{value:g} %"
        power = round(math.log10(value)) if value > 0 else 0
        return f"10{superscript(power)}" if self.log and power > 3 else f"{value:g}"


def superscript(number: int) -> str:
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def powers_around(values: list[float]) -> tuple[float, float]:
    """The powers of ten that enclose the values, at least one apart."""
    low = math.floor(math.log10(min(values)))
    return 10.0**low, 10.0**max(math.ceil(math.log10(max(values))), low + 1)


class Plot:
    def __init__(self, title: str, description: str, x: Axis, y: Axis) -> None:
        self.title, self.description, self.x, self.y = title, description, x, y
        self.marks: list[str] = []
        self.legend: list[tuple[str, Style, bool]] = []

    def across(self, value: float) -> float:
        return LEFT + self.x.share(value) * (WIDTH - LEFT - RIGHT)

    def up(self, value: float) -> float:
        return HEIGHT - BOTTOM - self.y.share(value) * (HEIGHT - TOP - BOTTOM)

    def points(self, label: str, points: list[tuple[float, float, str]], style: Style) -> None:
        """One mark for each (x, y, name); the name shows when the pointer rests on it."""
        for x, y, name in points:
            self.marks.append(mark(self.across(x), self.up(y), style, name))
        self.legend.append((label, style, True))

    def line(self, label: str, points: list[tuple[float, float]], style: Style) -> None:
        path = " ".join(f"{self.across(x):.1f},{self.up(y):.1f}" for x, y in points)
        self.marks.append(f'<polyline points="{path}" fill="none" {stroke(style)}/>')
        self.legend.append((label, style, False))

    def steps(self, label: str, times: list[float], total: int, end: float, style: Style) -> None:
        """The percentage of `total` that is done by each time, up to the end of what was measured."""
        path = [(self.x.low, 0.0)]
        for done, spent in enumerate(sorted(times), 1):
            path += [(spent, path[-1][1]), (spent, 100 * done / total)]
        self.line(label, path + [(max(end, path[-1][0]), path[-1][1])], style)

    def render(self) -> str:
        inner = "\n".join([*self.grid(), *self.marks, *self.names(), *self.key()])
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
                f'height="{HEIGHT}" role="img" aria-labelledby="title desc" font-family="{FONT}" font-size="14" '
                f'fill="{INK}">\n<title id="title">{escape(self.title)}</title>\n'
                f'<desc id="desc">{escape(self.description)}</desc>\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>\n{inner}\n</svg>\n')

    def grid(self) -> list[str]:
        out, bottom, right = [], HEIGHT - BOTTOM, WIDTH - RIGHT
        for value in self.x.ticks():
            at = self.across(value)
            out.append(f'<path d="M{at:.1f} {TOP}V{bottom}" stroke="{FAINT}"/>')
            out.append(text(at, bottom + 24, self.x.text(value), "middle"))
        for value in self.y.ticks():
            at = self.up(value)
            out.append(f'<path d="M{LEFT} {at:.1f}H{right}" stroke="{FAINT}"/>')
            out.append(text(LEFT - 8, at + 5, self.y.text(value), "end"))
        out.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="{INK}"/>')
        return out

    def names(self) -> list[str]:
        middle = (TOP + HEIGHT - BOTTOM) / 2
        return [text(LEFT, 30, self.title, "start", ' font-size="17" font-weight="600"'),
                text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, self.x.label, "middle"),
                text(20, middle, self.y.label, "middle", f' transform="rotate(-90 20 {middle:g})"')]

    def key(self) -> list[str]:
        """The legend stands top left, or bottom right where curves rise from the left."""
        width = 60 + 7.4 * max((len(label) for label, _, _ in self.legend), default=0)
        height = 12 + 22 * len(self.legend)
        rising = not self.y.log
        left = WIDTH - RIGHT - width - 10 if rising else LEFT + 10
        top = HEIGHT - BOTTOM - height - 10 if rising else TOP + 6
        out = [f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{height}" rx="4" fill="{PAPER}" '
               f'fill-opacity="0.9" stroke="{FAINT}"/>']
        for row, (label, style, dots) in enumerate(self.legend):
            y = top + 18 + 22 * row
            if dots:
                out.append(mark(left + 24, y, style))
            else:
                out.append(f'<path d="M{left + 8:.1f} {y}h32" fill="none" {stroke(style)}/>')
            out.append(text(left + 50, y + 5, label))
        return out


def text(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def stroke(style: Style) -> str:
    return f'stroke="{style.colour}" stroke-width="2"' + (f' stroke-dasharray="{style.dash}"' if style.dash else "")


def mark(x: float, y: float, style: Style, name: str = "") -> str:
    look = f'fill="{style.colour}" fill-opacity="0.55" stroke="{style.colour}"'
    tip = f"<title>{escape(name)}</title>" if name else ""
    if style.mark == "square":
        return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" {look}>{tip}</rect>'
    if style.mark == "triangle":
        return f'<path d="M{x:.1f} {y - 4:.1f}l4 7h-8z" {look}>{tip}</path>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" {look}>{tip}</circle>'
