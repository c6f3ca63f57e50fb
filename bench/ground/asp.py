#!/usr/bin/env python3
"""A GDL rulesheet as one logic program for gringo.

    python3 bench/ground/asp.py games/lines/tic-tac-toe.kif    print the program

One call of gringo on it computes base, input and the ground rules: the rules stay as they are (disjunctions
split, `distinct` as !=), a state may hold any fact that `init` or `next` reaches, and a role may do anything
that `legal` reaches. Declared `base` and `input` are left out, so that they are computed.
"""
from __future__ import annotations

import re
import sys
from itertools import product
from pathlib import Path
from typing import Iterator

Expr = str | list["Expr"]
Literal = tuple[bool, Expr]

REACHABLE = """\
{ t(F) } :- p_init(F).
{ t(F) } :- p_next(F).
{ d(R,M) } :- p_legal(R,M).
#show.
"""
DECLARATIONS = {("base", 1), ("input", 2)}
MOST_ALTERNATIVES = 100_000


class BadRules(Exception):
    """The rulesheet cannot be written as a logic program."""


def parse(text: str) -> list[Expr]:
    """The s-expressions of a rulesheet in lower case, with `(p)` read as `p`."""
    without_comments = re.sub(r";[^\r\n]*", " ", text)
    tokens = re.findall(r"[()]|[^()\s]+", without_comments.lower())
    open_lists: list[list[Expr]] = [[]]
    for token in tokens:
        if token == "(":
            open_lists.append([])
        elif token != ")":
            open_lists[-1].append(token)
        elif len(open_lists) == 1:
            raise BadRules("a parenthesis is closed that was never opened")
        else:
            inner = open_lists.pop()
            if not inner:
                raise BadRules("an empty pair of parentheses")
            open_lists[-1].append(inner if len(inner) > 1 else inner[0])
    if len(open_lists) > 1:
        raise BadRules("a parenthesis is left open")
    return open_lists[0]


def relation(atom: Expr) -> str:
    name = atom if isinstance(atom, str) else atom[0]
    if not isinstance(name, str):
        raise BadRules("a list stands where a name should")
    return name


def arguments(atom: Expr) -> list[Expr]:
    return [] if isinstance(atom, str) else atom[1:]


def split(formula: Expr, wanted: bool = True) -> list[list[Literal]]:
    """The conjunctions of literals, any of which makes the formula true (or false, if that is wanted)."""
    connective = relation(formula) if arguments(formula) else ""
    if connective == "not":
        return split(arguments(formula)[0], not wanted)
    if connective not in ("and", "or"):
        return [[(wanted, formula)]]
    parts = [split(part, wanted) for part in arguments(formula)]
    if (connective == "or") is wanted:
        return [conjunction for part in parts for conjunction in part]
    return conjoin(parts)


def conjoin(parts: list[list[list[Literal]]]) -> list[list[Literal]]:
    count = 1
    for part in parts:
        count *= len(part)
    if count > MOST_ALTERNATIVES:
        raise BadRules(f"splitting the disjunctions of one rule gives {count} rules")
    return [[literal for piece in choice for literal in piece] for choice in product(*parts)]


class Writer:
    """Writes the literals of one rule; variables are numbered as they come."""

    def __init__(self) -> None:
        self.variables: dict[str, str] = {}

    def term(self, term: Expr) -> str:
        if not isinstance(term, str):
            return f"{identifier('f', relation(term))}({self.terms(arguments(term))})"
        if term.startswith("?"):
            return self.variables.setdefault(term, f"X{len(self.variables)}")
        return term if re.fullmatch(r"0|[1-9]\d{0,8}", term, re.ASCII) else identifier("c", term)

    def terms(self, terms: list[Expr]) -> str:
        return ",".join(self.term(term) for term in terms)

    def atom(self, atom: Expr) -> str:
        name, args = relation(atom), arguments(atom)
        if name == "true" and len(args) == 1:
            predicate = "t"
        elif name == "does" and len(args) == 2:
            predicate = "d"
        else:
            predicate = identifier("p", name)
        return f"{predicate}({self.terms(args)})" if args else predicate

    def literal(self, literal: Literal) -> str:
        positive, atom = literal
        if relation(atom) != "distinct":
            return self.atom(atom) if positive else "not " + self.atom(atom)
        if len(arguments(atom)) != 2:
            raise BadRules("`distinct` without two arguments")
        left, right = map(self.term, arguments(atom))
        return f"{left} {'!=' if positive else '='} {right}"


def identifier(kind: str, name: str) -> str:
    """An identifier that no other GDL name of this kind shares: odd characters become their number."""
    def escape(odd: re.Match[str]) -> str:
        return "__" if odd[0] == "_" else f"_{ord(odd[0]):x}_"
    return f"{kind}_" + re.sub(r"[^a-z0-9]", escape, name)


def rules(clause: Expr) -> Iterator[str]:
    """The rules that one clause of the rulesheet becomes."""
    head, body = clause, []
    if relation(clause) == "<=":
        if not arguments(clause):
            raise BadRules("a rule without a head")
        head, *body = arguments(clause)
    if (relation(head), len(arguments(head))) in DECLARATIONS:
        return
    for literals in conjoin([split(formula) for formula in body]):
        writer = Writer()
        conditions = ", ".join(writer.literal(literal) for literal in literals)
        yield f"{writer.atom(head)} :- {conditions}." if conditions else f"{writer.atom(head)}."


def one_pass_program(text: str) -> str:
    try:
        return REACHABLE + "\n".join(rule for clause in parse(text) for rule in rules(clause)) + "\n"
    except RecursionError:
        raise BadRules("nested too deeply") from None


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    try:
        print(one_pass_program(Path(sys.argv[1]).read_text("utf-8", "replace")), end="")
    except (BadRules, OSError) as problem:
        sys.exit(f"error: {problem}")


if __name__ == "__main__":
    main()
