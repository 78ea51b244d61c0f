#!/usr/bin/env python3
"""A command's n-th call that changes a file fails, is torn, or the program is killed in its place. After each: what is on disk is
whole, the program said what happened and where, and the same command given again does what it would have done.

Usage: faults_test.py DOOR…   (those of doors.py). VANTAGE_FAULTS=all: every call in every way; otherwise 20 calls of a door at most
(5 of `record`, which takes seconds), each in one way.
Prints a line a door, with the number of calls, and every broken promise; exits with 1 where there is one."""

import math
import os
import sys

import doors

WAYS = ("full", "broken", "torn", "kill")
SOME, SOME_SLOW = 20, 5


def faults_of(name, calls):
    if os.environ.get("VANTAGE_FAULTS") == "all":
        return [(number, way) for number in range(1, calls + 1) for way in (WAYS if name != "record" else WAYS[number % 4 :][:1])]
    step = math.ceil(calls / (SOME_SLOW if name == "record" else SOME))
    first = 1 + len(name) % step
    return [(number, WAYS[i % len(WAYS)]) for i, number in enumerate(range(first, calls + 1, step))]


def check_door(name, work, footage):
    counted = work / (name + ".calls")
    preload = {"LD_PRELOAD": os.environ["VANTAGE_FAILING_CALLS"]}
    stand = doors.Stand(name, work, footage, VANTAGE_FAULT_FOLDER=str(work) + "/", VANTAGE_FAULT_COUNT=counted, **preload)
    try:
        calls = counted.read_text()
        assert calls, "no call was seen: nothing would be tested"
        problems, faults = [], faults_of(name, len(calls))
        for number, way in faults:
            folder = stand.folder()
            done = doors.run(stand.door.command(), folder, VANTAGE_FAULT_FOLDER=str(folder) + "/",
                             VANTAGE_FAULT="%d:%s" % (number, way), **preload)  # fmt: skip
            problems += ["%s, call %d of %d (%s) %s: %s" % (name, number, len(calls), calls[number - 1], way, what)
                         for what in stand.problems(folder, done, way == "kill")]  # fmt: skip
        print("%s: %d calls (%s), %d faults, %d broken promises" % (name, len(calls), calls, len(faults), len(problems)), flush=True)
        return problems
    finally:
        stand.door.close()


def main(names):
    return doors.check(names, check_door)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(doors.DOORS)))
