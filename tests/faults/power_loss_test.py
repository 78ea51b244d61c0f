#!/usr/bin/env python3
"""Power is lost while a command writes, or right behind its end: what its journal says is replayed up to a random moment, and what
the disk had not been told to keep is lost in part (disk.py). On each state the door's promises hold, as after a kill; what was
acknowledged is there.

Usage: power_loss_test.py DOOR…   (of doors.py). VANTAGE_LOSSES: states, shared among them (two dozen if nothing is said);
VANTAGE_SEED. Prints a line a door and every broken promise; exits with 1 where there is one."""

import os
import random
import subprocess
import sys

import disk
import doors

AT_THE_END = 0.15  # share of the states behind the command's end


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def check_door(name, work, footage, losses, draw):
    journal = work / (name + ".journal")
    stand = doors.Stand(name, work, footage, LD_PRELOAD=os.environ["VANTAGE_FAILING_CALLS"], VANTAGE_FAULT_FOLDER=str(work) + "/",
                        VANTAGE_FAULT_JOURNAL=journal)  # fmt: skip
    try:
        records, problems = list(disk.records_of(journal)), []
        whole = disk.Disk(stand.undisturbed, stand.template)
        for record in records:
            whole.apply(record)
        whole.write_all(work / (name + ".replayed"))
        replayed, there = contents(work / (name + ".replayed")), contents(stand.undisturbed)
        different = [path for path in sorted({*replayed, *there}) if replayed.get(path) != there.get(path)]
        assert not different, "%s: the journal does not hold what was done to %s" % (name, different)
        for number in range(losses[name]):
            ended = draw.random() < AT_THE_END
            moment = len(records) if ended else draw.randrange(len(records))
            lost = disk.Disk(stand.undisturbed, stand.template)
            for record in records[:moment]:
                lost.apply(record)
            folder = work / ("%s.loss.%d" % (name, number))
            lost.write_after_loss(folder, draw)
            done = subprocess.CompletedProcess([], 0 if ended else -9, None, "")
            problems += ["%s, loss %d behind %d of %d changes: %s" % (name, number, moment, len(records), what)
                         for what in stand.problems(folder, done, True)]  # fmt: skip
        print("%s: %d changes, %d losses of power, %d broken promises" % (name, len(records), losses[name], len(problems)), flush=True)
        return problems
    finally:
        stand.door.close()


def main(names):
    losses, seed = int(os.environ.get("VANTAGE_LOSSES", "24")), int(os.environ.get("VANTAGE_SEED", "1"))
    draw = random.Random(seed)
    print("%d losses of power, seed %d" % (losses, seed))
    return doors.check(names, check_door, doors.shares(losses, names), draw)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
