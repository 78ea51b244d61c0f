#!/usr/bin/env python3
"""A command's n-th call that changes a file fails, is torn, or the program is killed in its place. After each: what is on disk is
whole, the program said what happened and where, and the same command given again does what it would have done.

Usage: faults_test.py DOOR…   (save run task merge case). VANTAGE_FAULTS=all: every call in every way; otherwise every third call,
each in one way.
Prints a line a door, with the number of calls, and every broken promise; exits with 1 where there is one."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CLI = os.environ["VANTAGE_CLI"]
WAYS = ("full", "broken", "torn", "kill")


def run(arguments, folder, fault=None, count=None):
    environment = dict(os.environ, XDG_CONFIG_HOME=str(folder / "config"), XDG_DATA_HOME=str(folder / "data"))
    if fault or count:
        environment.update(LD_PRELOAD=os.environ["VANTAGE_FAILING_CALLS"], VANTAGE_FAULT_FOLDER=str(folder) + "/")
    if fault:
        environment["VANTAGE_FAULT"] = fault
    if count:
        environment["VANTAGE_FAULT_COUNT"] = str(count)
    return subprocess.run(
        [CLI, *map(str, arguments)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder
    )


def succeed(arguments, folder):
    done = run(arguments, folder)
    assert done.returncode == 0, "%s: %s" % (arguments, done.stderr)


def copy(source, target):
    """Videos are shared: no command changes them."""
    shutil.copytree(source, target, copy_function=lambda a, b: os.link(a, b) if a.endswith((".mp4", ".onnx")) else shutil.copy2(a, b))


def files_below(folder):
    return {str(p.relative_to(folder)) for p in folder.rglob("*")} if folder.exists() else set()


def complete_lines(path):
    """Every line that ends is a whole JSON value."""
    for line in path.read_text().splitlines(keepends=True):
        if line.endswith("\n"):
            json.loads(line)


def results_of(folder):
    """What results say, without when and how fast they were made."""
    lines = (folder / "results.jsonl").read_text().splitlines()
    return lines[1:], (folder / "tracks.csv").read_bytes()


class Save:
    """The project is the old or the new one, whole."""

    def prepare(self, folder):
        self.old = (folder / "hall/hall.vantage").read_bytes()

    def command(self):
        return ["floor", "hall/hall.vantage", "--entrance", "door=0,0,1,0,1,0.5,0,0.5", "--write"]

    def outcome(self, folder):
        return (folder / "hall/hall.vantage").read_bytes()

    def broken(self, folder, code, before, wanted):
        found = self.outcome(folder)
        if found not in (self.old, wanted):
            yield "the project is neither the old nor the new one"
        if code == 0 and found != wanted:
            yield "it says that it is saved, and it is not"
        if code == 1 and files_below(folder) != before:
            yield "left behind: %s" % sorted(files_below(folder) - before)


class Run:
    """Results are whole as far as they go."""

    def prepare(self, folder):
        pass

    def command(self):
        return ["run", "hall/hall.vantage", "--backend", "cpu", "--shells", "5", "--floor-maps", "5", "--force"]

    def outcome(self, folder):
        return results_of(folder / "hall/hall.results")

    def broken(self, folder, code, before, wanted):
        results = folder / "hall/hall.results"
        if (results / "results.jsonl").exists():
            complete_lines(results / "results.jsonl")
        if code == 0 and self.outcome(folder) != wanted:
            yield "it says that it is done, and results are missing"


class Task:
    """A plan's task is complete or not there."""

    def prepare(self, folder):
        succeed(["plan", "hall/hall.vantage", "--out", "work", "--backend", "cpu", "--threads", 2], folder)

    def command(self):
        return ["run", "--plan", "work/plan.json", "--task", "0"]

    def outcome(self, folder):
        found = [p.parent for p in (folder / "work").rglob("results.jsonl")]
        assert len(found) == 1, found
        return results_of(found[0])

    def broken(self, folder, code, before, wanted):
        if code == 0 and self.outcome(folder) != wanted:
            yield "the task counts as done, and its results are not whole"


class Merge:
    """The merged folder is whole or not there."""

    def prepare(self, folder):
        succeed(["plan", "hall/hall.vantage", "--out", "work", "--minutes", "0.01", "--overlap", "0.2", "--backend", "cpu"], folder)
        tasks = len(json.loads((folder / "work/plan.json").read_text())["tasks"])
        for task in range(tasks):
            succeed(["run", "--plan", "work/plan.json", "--task", task], folder)

    def command(self):
        return ["merge", "work", "--out", "merged"]

    def outcome(self, folder):
        return results_of(folder / "merged")

    def broken(self, folder, code, before, wanted):
        if code == 0 and self.outcome(folder) != wanted:
            yield "it says that it is merged, and it is not"
        if code != 0 and (folder / "merged/results.jsonl").exists() and self.outcome(folder) != wanted:
            yield "half a merge stands where a whole one would"
        hidden = [name for name in files_below(folder) - before if name.startswith(".")]
        if code == 1 and hidden:
            yield "left behind: %s" % hidden


class Case:
    """A case is whole and verifies, or is not there."""

    def prepare(self, folder):
        succeed(["case", "key"], folder)

    def command(self):
        return ["case", "export", "hall/hall.vantage", "--from", "0", "--to", "6", "--cameras", "cam1", "--originals", "--out", "case",
                "--who", "tests", "--why", "faults", "--clock", "2026-05-01T14:00:00Z"]  # fmt: skip

    def outcome(self, folder):
        return sorted(files_below(folder / "case"))

    def broken(self, folder, code, before, wanted):
        if (folder / "case").exists():
            if run(["case", "verify", "case"], folder).returncode != 0:
                yield "a case stands there that does not verify"
        elif code == 0:
            yield "it says that it is exported, and nothing is there"
        if code == 1 and files_below(folder) - before:
            yield "left behind: %s" % sorted(files_below(folder) - before)


DOORS = {"save": Save, "run": Run, "task": Task, "merge": Merge, "case": Case}


def check_door(name, work, footage):
    door = DOORS[name]()
    template = work / (name + ".template")
    copy(footage, template)
    door.prepare(template)
    undisturbed, counted = work / (name + ".whole"), work / (name + ".calls")
    copy(template, undisturbed)
    assert run(door.command(), undisturbed, count=counted).returncode == 0
    wanted, calls = door.outcome(undisturbed), counted.read_text()
    assert calls, "no call was seen: nothing would be tested"
    problems, done = [], 0
    for number in range(1, len(calls) + 1):
        every = os.environ.get("VANTAGE_FAULTS") == "all"
        if not every and len(calls) > 10 and number % 3:
            continue
        ways = WAYS if every else [WAYS[(number + len(name)) % len(WAYS)]]
        for way in ways:
            folder = work / ("%s.%d.%s" % (name, number, way))
            copy(template, folder)
            problems += ["%s, call %d (%s) %s: %s" % (name, number, calls[number - 1], way, what)
                         for what in check_fault(door, folder, "%d:%s" % (number, way), wanted)]  # fmt: skip
            shutil.rmtree(folder)
            done += 1
    print("%s: %d calls (%s), %d faults, %d broken promises" % (name, len(calls), calls, done, len(problems)))
    return problems


def check_fault(door, folder, fault, wanted):
    before = files_below(folder)
    done = run(door.command(), folder, fault)
    killed = fault.endswith("kill")
    try:
        if done.returncode < 0 and not killed:
            yield "crashed by signal %d" % -done.returncode
        if done.returncode not in (0, 1, 4) and not killed:
            yield "exit code %d: %s" % (done.returncode, done.stderr.strip()[-200:])
        if done.returncode in (1, 4) and len(done.stderr.strip()) < 10:
            yield "fails without a word"
        yield from door.broken(folder, done.returncode, before, wanted)
        again = run(door.command(), folder)
        if again.returncode != 0 and not (folder / "case").exists():
            yield "cannot be done again: %s" % again.stderr.strip()[-300:]
        elif door.outcome(folder) != wanted:
            yield "done again it gives something else"
    except Exception as error:  # what a promise is checked on can be broken itself
        yield "%s: %s" % (type(error).__name__, error)


def main(names):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder).resolve()
        footage = work / "footage"
        footage.mkdir()
        succeed(["synth", "--out", "hall", "--people", 2, "--area", 4, "--size", "160x120", "--seconds", 0.6], footage)
        problems = [problem for name in names for problem in check_door(name, work, footage)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(DOORS)))
