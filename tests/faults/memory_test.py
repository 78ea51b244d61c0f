#!/usr/bin/env python3
"""The n-th allocation of a command fails. After each: the program went on, or ended with a sentence and exit code 1 (4: a task that
can be tried again), never by a signal; what is on disk is whole, and the same command given again does what it would have done.

Usage: memory_test.py DOOR…   (of doors.py). VANTAGE_FAULTS=all: the first 2,000 of each and 1,000 drawn from the rest (VANTAGE_SEED);
otherwise 15 of each, evenly. Prints a line a door and every broken promise; exits with 1 where there is one."""

import os
import random
import sys

import doors

FIRST, DRAWN, SOME = 2000, 1000, 15


def numbers_of(count):
    if os.environ.get("VANTAGE_FAULTS") != "all":
        return range(1 + count // (2 * SOME), count + 1, max(1, count // SOME))
    draw = random.Random(int(os.environ.get("VANTAGE_SEED", "1")))
    rest = range(FIRST + 1, count + 1)
    return [*range(1, min(FIRST, count) + 1), *sorted(draw.sample(rest, min(DRAWN, len(rest))))]


def check_door(name, work, footage):
    preload = {"LD_PRELOAD": os.environ["VANTAGE_FAILING_MEMORY"]}
    counted = work / (name + ".count")
    stand = doors.Stand(name, work, footage, VANTAGE_FAULT_MEMORY_COUNT=counted, **preload)
    stand.door.unwinds = False  # where nothing may throw it ends at once
    count, problems, answers = int(counted.read_text()), [], {}
    for number in numbers_of(count):
        folder = stand.folder()
        done = doors.run(stand.door.command(), folder, VANTAGE_FAULT_MEMORY=number, **preload)
        answers[done.returncode] = answers.get(done.returncode, 0) + 1
        problems += ["%s, allocation %d of %d: %s" % (name, number, count, what) for what in stand.problems(folder, done)]
    print("%s: %d allocations, %d fail; exit codes %s; %d broken promises"
          % (name, count, sum(answers.values()), answers, len(problems)), flush=True)  # fmt: skip
    return problems


def main(names):
    return doors.check(names, check_door)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
