#!/usr/bin/env python3
"""How `senet check` judges a folder of rulesheets: accepted, accepted with warnings, refused and why.

    conformance/check_table.py ../shared/games                 with target/release/senet
    conformance/check_table.py ../shared/games path/to/senet   with another program
"""
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path


def judged(program: str, folder: Path) -> dict[str, dict]:
    """The answer of `senet check --json` for each rulesheet, by its path in the folder."""
    sheets = sorted(folder.rglob("*.kif"))
    run = subprocess.run([program, "check", "--json", *sheets], stdout=subprocess.PIPE, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(sheets):
        sys.exit(f"{program} answered for {len(answers)} of {len(sheets)} rulesheets")
    return {str(sheet.relative_to(folder)): answer for sheet, answer in zip(sheets, answers)}


def codes(answer: dict, severity: str) -> set[str]:
    return {found["code"] for found in answer["diagnostics"] if found["severity"] == severity}


def count_table(title: str, answers: list[dict], severity: str) -> None:
    counts = Counter(code for answer in answers for code in codes(answer, severity))
    print(f"\n{title}")
    for code, count in sorted(counts.items()):
        print(f"  {code}  {count:4}")


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = sys.argv[2] if len(sys.argv) == 3 else "target/release/senet"
    sheets = judged(program, Path(sys.argv[1]))
    accepted = [answer for answer in sheets.values() if answer["accepted"]]
    warned = [answer for answer in accepted if answer["diagnostics"]]
    refused = {name: answer for name, answer in sheets.items() if not answer["accepted"]}
    print(f"accepted                {len(accepted) - len(warned):4}")
    print(f"accepted with warnings  {len(warned):4}")
    print(f"refused                 {len(refused):4}")
    print(f"all                     {len(sheets):4}")
    count_table("Rulesheets with a warning, by its code:", warned, "warning")
    count_table("Rulesheets refused, by the code of an error:", list(refused.values()), "error")
    print("\nRefused:")
    for name, answer in refused.items():
        found = next(found for found in answer["diagnostics"] if found["severity"] == "error")
        place = f"{found['place']['line']}:{found['place']['column']}" if found["place"] else "-"
        errors = " ".join(sorted(codes(answer, "error")))
        print(f"  {name}:{place}  {errors}  {found['message']} ({answer['errors']} errors)")


if __name__ == "__main__":
    main()
