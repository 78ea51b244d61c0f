#!/usr/bin/env python3
"""Names the slowest tests of a run of ctest, as a table in Markdown.

Usage: VANTAGE_TEST_TIMES=FILE ctest -j2, then slowest_tests.py FILE [BUILD] [--count 50] [--programs]
FILE has a line a case, with its processor time (test_main.cpp). BUILD (a build folder) adds the entries of ctest that are no
GoogleTest programs (window, faults, Python, fuzz corpora) with the time that ctest measured. --programs: the programs' sums."""

import argparse
import collections
import csv
import pathlib
import re

SUITES = re.compile(r"_test(\.|$)")  # entries of GoogleTest programs, whose cases the file holds


def cases_of(path):
    """(program, suite.case, processor seconds, seconds) of each line."""
    with open(path, newline="") as file:
        for program, case, processor, elapsed in csv.reader(file):
            yield program, case, float(processor), float(elapsed)


def entries_of(build):
    """(entry, None, None, seconds) of what is no GoogleTest program. CTestCostData.txt: name, runs, mean seconds."""
    for line in (build / "Testing/Temporary/CTestCostData.txt").read_text().splitlines():
        if line == "---":
            return
        name, runs, mean = line.rsplit(" ", 2)
        if int(runs) > 0 and not SUITES.search(name.split(" ")[0]):
            yield name, None, None, float(mean)


def text(seconds):
    return "" if seconds is None else "%.1f" % seconds


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * (len(head) - 2) + "---:|---:|")
    for *words, processor, elapsed in rows:
        print("| " + " | ".join([*words, text(processor), text(elapsed)]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--programs", action="store_true")
    options = parser.parse_args()
    found = list(cases_of(options.file))
    if options.build:
        found += entries_of(options.build)
    slowest = sorted(found, key=lambda one: -(one[2] if one[2] is not None else one[3]))
    if options.programs:
        sums = collections.defaultdict(lambda: [0, 0, 0])
        for program, _, processor, elapsed in found:
            sums[program] = [a + b for a, b in zip(sums[program], (1, processor or 0, elapsed))]
        rows = sorted(([name, str(count), processor, elapsed] for name, (count, processor, elapsed) in sums.items()),
                      key=lambda row: -max(row[2], row[3] if row[2] == 0 else 0))  # fmt: skip
        table(["Program", "Cases", "Processor, s", "Elapsed, s"], rows[: options.count])
        return
    table(["Program", "Case", "Processor, s", "Elapsed, s"],
          ([program, case or "", processor, elapsed] for program, case, processor, elapsed in slowest[: options.count]))  # fmt: skip


if __name__ == "__main__":
    main()
