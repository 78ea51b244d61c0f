#!/usr/bin/env python3
"""Commands are killed (SIGKILL) at random moments. After each: what is on disk is whole, and the same command given again does what
it would have done.

Usage: kill_test.py DOOR…   (of doors.py). VANTAGE_KILLS: how many, shared among them (a dozen if nothing is said); VANTAGE_SEED.
Prints a line a door and every broken promise; exits with 1 where there is one."""

import os
import random
import subprocess
import sys

import doors


def kill_after(seconds, command, folder):
    program = [] if str(command[0]).startswith("/") else [doors.CLI]
    begun = subprocess.Popen([*program, *map(str, command)], env=doors.environment_of(folder), cwd=folder, text=True, errors="replace",
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
    try:
        begun.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        begun.kill()
    said = begun.stderr.read()
    return subprocess.CompletedProcess(command, begun.wait(), None, said)


def check_door(name, work, footage, kills, draw):
    stand = doors.Stand(name, work, footage)
    try:
        killed, problems = 0, []
        for number in range(kills[name]):
            folder = stand.folder()
            done = kill_after(draw.uniform(0, stand.seconds), stand.door.command(), folder)
            killed += done.returncode == -9
            problems += ["%s, kill %d: %s" % (name, number, what) for what in stand.problems(folder, done, True)]
        print("%s: %d of %d were killed, %d broken promises" % (name, killed, kills[name], len(problems)), flush=True)
        return problems
    finally:
        stand.door.close()


def main(names):
    kills = int(os.environ.get("VANTAGE_KILLS", "12"))
    seed = int(os.environ.get("VANTAGE_SEED", "1"))
    draw = random.Random(seed)
    print("%d kills, seed %d" % (kills, seed))
    return doors.check(names, check_door, doors.shares(kills, names), draw)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
