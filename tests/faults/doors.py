"""Commands that change files, each with what is promised of it whenever it is stopped. A door has
  prepare(folder)   what lies there before, in a folder with the footage `hall`
  command()         its arguments
  outcome(folder)   what it made, for comparison with an undisturbed run; None where two runs differ by nature
  broken(folder, code, before, wanted)
                    the promises that do not hold after it ended with the code (negative: by a signal)"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

CLI = os.environ["VANTAGE_CLI"]
PATIENCE_S = 600  # a busy machine is no broken promise
TEMPORARY = re.compile(r"\.[A-Za-z0-9]{6}$")  # beside its file, where the program was killed


def environment_of(folder, **more):
    return dict(os.environ, XDG_CONFIG_HOME=str(folder / "config"), XDG_DATA_HOME=str(folder / "data"),
                XDG_STATE_HOME=str(folder / "state"), **{name: str(value) for name, value in more.items()})  # fmt: skip


def run(arguments, folder, **more):
    """`more`: environment variables. A program that hangs is a broken promise: subprocess.TimeoutExpired."""
    program = [] if str(arguments[0]).startswith("/") else [CLI]
    return subprocess.run([*program, *map(str, arguments)], env=environment_of(folder, **more), stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace", cwd=folder, timeout=PATIENCE_S)  # fmt: skip


def succeed(arguments, folder):
    done = run(arguments, folder)
    assert done.returncode == 0, "%s: %s" % (arguments, done.stderr)


def copy(source, target):
    """Videos are shared: no command changes them."""
    shutil.copytree(source, target, copy_function=lambda a, b: os.link(a, b) if a.endswith((".mp4", ".onnx")) else shutil.copy2(a, b))


def make_footage(folder):
    """Two cameras in the suite, for the check that is part of a run takes three times as long with four."""
    folder.mkdir()
    cameras = 4 if os.environ.get("VANTAGE_FAULTS") == "all" else 2
    succeed(["synth", "--out", "hall", "--cameras", cameras, "--people", 2, "--area", 4, "--size", "160x120", "--seconds", 0.6], folder)


def files_below(folder):
    """Reports of crashes and locks of programs that were killed are no litter."""
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if not p.name.endswith(".lock")} if folder.exists() else set()


def complete_lines(path):
    """Every line that ends is a whole JSON value."""
    for line in path.read_text().splitlines(keepends=True):
        if line.endswith("\n"):
            json.loads(line)


def results_of(folder):
    """What results say, without when and how fast they were made."""
    lines = (folder / "results.jsonl").read_text().splitlines()
    return lines[1:], (folder / "tracks.csv").read_bytes()


class Door:
    repeats = True  # the same command given again does what it would have done
    unwinds = True  # a program that says why it failed has left nothing behind

    def prepare(self, folder):
        pass

    def close(self):
        pass


class Save(Door):
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


class Apply(Save):
    """The same of a calibration that is applied."""

    def prepare(self, folder):
        super().prepare(folder)
        calibration = folder / "hall/calibration.json"
        longer = re.sub(r'("f[xy]_px": *)([0-9.]+)', lambda found: found[1] + str(1.01 * float(found[2])), calibration.read_text())
        assert longer != calibration.read_text(), "the calibration has no focal lengths"
        calibration.write_text(longer)

    def command(self):
        return ["calibrate", "apply", "hall/hall.vantage", "hall/calibration.json"]


class Keep(Save):
    """Unsaved changes: the kept file is whole or not there, and the project is untouched."""

    def command(self):
        return [os.environ["VANTAGE_UNSAVED_CHANGES"], "keep", "hall/hall.vantage"]

    def outcome(self, folder):
        kept = folder / "hall/hall.vantage.autosave"
        return kept.read_bytes() if kept.exists() else None

    def broken(self, folder, code, before, wanted):
        if (folder / "hall/hall.vantage").read_bytes() != self.old:
            yield "the project was changed"
        found = self.outcome(folder)
        if found not in (None, wanted) or (code == 0 and found != wanted):
            yield "the changes are not kept whole"


class Recover(Save):
    """What was kept is in the project or still kept."""

    def prepare(self, folder):
        super().prepare(folder)
        succeed([os.environ["VANTAGE_UNSAVED_CHANGES"], "keep", "hall/hall.vantage"], folder)
        self.kept = (folder / "hall/hall.vantage.autosave").read_bytes()

    def command(self):
        return [os.environ["VANTAGE_UNSAVED_CHANGES"], "recover", "hall/hall.vantage"]

    def broken(self, folder, code, before, wanted):
        found, kept = self.outcome(folder), folder / "hall/hall.vantage.autosave"
        if found not in (self.old, wanted):
            yield "the project is neither the old nor the recovered one"
        if found == self.old and (not kept.exists() or kept.read_bytes() != self.kept):
            yield "the changes are lost"
        if code == 0 and found != wanted:
            yield "it says that it is recovered, and it is not"
        self.repeats = found != wanted  # there is nothing to recover any more


class Run(Door):
    """Results are whole as far as they go."""

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


class Task(Door):
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


class Merge(Door):
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
        if code == 1 and hidden and self.unwinds:
            yield "left behind: %s" % hidden


class Case(Door):
    """A case is whole and verifies, or is not there."""

    def prepare(self, folder):
        succeed(["case", "key"], folder)

    def command(self):
        return ["case", "export", "hall/hall.vantage", "--from", "0", "--to", "6", "--cameras", "cam1", "--originals", "--out", "case",
                "--who", "tests", "--why", "faults", "--clock", "2026-05-01T14:00:00Z"]  # fmt: skip

    def outcome(self, folder):
        return sorted(files_below(folder / "case"))

    def broken(self, folder, code, before, wanted):
        self.repeats = not (folder / "case").exists()
        if (folder / "case").exists():
            if run(["case", "verify", "case"], folder).returncode != 0:
                yield "a case stands there that does not verify"
        elif code == 0:
            yield "it says that it is exported, and nothing is there"
        if code == 1 and files_below(folder) - before:
            yield "left behind: %s" % sorted(files_below(folder) - before)


class Count(Door):
    """Tables are the whole ones, or it says that they are not made."""

    def prepare(self, folder):
        succeed(["run", "hall/hall.vantage", "--backend", "cpu", "--force"], folder)

    def command(self):
        return ["count", "hall/hall.vantage", "--out", "counts", "--line", "door=0,-2,0,2", "--zone", "shop=-2,-2,2,-2,2,2,-2,2",
                "--rule", "in=enters,where=shop"]  # fmt: skip

    def outcome(self, folder):
        counts = folder / "counts"
        return {name: (counts / name).read_bytes() for name in sorted(files_below(counts)) if not TEMPORARY.search(name)}

    def broken(self, folder, code, before, wanted):
        if code == 0 and self.outcome(folder) != wanted:
            yield "it says that the tables are made, and they are not"


class Convert(Door):
    """A calibration that is exported is whole or not there."""

    def command(self):
        return ["calibrate", "convert", "hall/hall.vantage", "exported.toml", "--format", "pose2sim", "--replace"]

    def outcome(self, folder):
        exported = folder / "exported.toml"
        return exported.read_bytes() if exported.exists() else None

    def broken(self, folder, code, before, wanted):
        found = self.outcome(folder)
        if found not in (None, wanted) or (code == 0 and found != wanted):
            yield "the file is neither whole nor absent"
        if code == 1 and files_below(folder) - before:
            yield "left behind: %s" % sorted(files_below(folder) - before)


class Record(Door):
    """What a recording holds opens and is analysed, and the live analysis does not end for a full disk."""

    def prepare(self, folder):
        live = folder / "live.vantage"
        self.cameras = subprocess.Popen([CLI, "stream", folder / "hall/hall.vantage", "--port", "0", "--project-out", live],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        while not self.cameras.stdout.readline().startswith("scene"):
            assert self.cameras.poll() is None, "the stand-in cameras do not start"

    def close(self):
        self.cameras.kill()
        self.cameras.wait()

    def command(self):
        return ["run", "live.vantage", "--seconds", "2.5", "--record", "rec/day.vantage", "--out", "live.results", "--backend", "cpu",
                "--set", "recording.segment_s=1", "--set", "recording.keep_gb=0.0001", "--force"]  # fmt: skip

    def outcome(self, folder):
        return None

    def broken(self, folder, code, before, wanted):
        if (folder / "live.results/results.jsonl").exists():
            complete_lines(folder / "live.results/results.jsonl")
        if code == 0 and not (folder / "live.results/results.jsonl").exists():
            yield "it says that it is done, and there are no results"
        if not (folder / "rec/day.vantage").exists():
            return
        again = run(["run", "rec/day.vantage", "--out", "again", "--backend", "cpu", "--force"], folder)
        written = any((folder / "rec/day.recording").glob("*/index-*.txt"))
        if again.returncode < 0 or (again.returncode != 0 and len(again.stderr.strip()) < 10):
            yield "the recording crashes what opens it"
        elif again.returncode != 0 and written and code == 0:
            yield "the recording does not open: %s" % again.stderr.strip()[-300:]
        yield from self.seals(folder)
        shutil.rmtree(folder / "rec")

    def seals(self, folder):
        """A seal that has its end has its file."""
        told = subprocess.run([CLI, "verify", "rec/day.vantage", "--json"], env=environment_of(folder), capture_output=True, text=True,
                              errors="replace", cwd=folder, timeout=PATIENCE_S)  # fmt: skip
        if told.returncode not in (0, 1) or (told.returncode == 1 and not told.stdout and len(told.stderr.strip()) < 10):
            yield "its seals crash what verifies them: %d" % told.returncode
        for one in json.loads(told.stdout)["recordings"] if told.stdout else []:
            if one["finished"] and not one["untouched"]:
                yield "a seal has its end, and %s is not as sealed: %s" % (one["file"], one["changes"])


class Events(Run):
    """Events of rules beside the results of a run."""

    def prepare(self, folder):
        succeed(["run", "hall/hall.vantage", "--backend", "cpu", "--force"], folder)
        succeed(["count", "hall/hall.vantage", "--out", "counts", "--zone", "shop=-2,-2,2,-2,2,2,-2,2", "--rule",
                 "in=enters,where=shop", "--write"], folder)  # fmt: skip

    def broken(self, folder, code, before, wanted):
        yield from super().broken(folder, code, before, wanted)
        events = folder / "hall/hall.results/events.jsonl"
        if events.exists():
            complete_lines(events)


DOORS = {"save": Save, "apply": Apply, "keep": Keep, "recover": Recover, "run": Run, "events": Events, "task": Task, "merge": Merge,
         "case": Case, "count": Count, "convert": Convert, "record": Record}  # fmt: skip


class Stand:
    """A door, the folder that its command is given, and what an undisturbed run of it does."""

    def __init__(self, name, work, footage, **more):
        self.name, self.door, self.work, self.made = name, DOORS[name](), work, 0
        self.template = work / (name + ".template")
        copy(footage, self.template)
        self.door.prepare(self.template)
        self.before = files_below(self.template)
        self.undisturbed = self.folder()
        begin = time.monotonic()
        done = run(self.door.command(), self.undisturbed, **more)
        assert done.returncode == 0, "%s, undisturbed: %s" % (name, done.stderr)
        self.seconds = time.monotonic() - begin  # that the command takes
        self.wanted = self.door.outcome(self.undisturbed)

    def folder(self):
        """A fresh copy of the template."""
        self.made += 1
        folder = self.work / ("%s.%d" % (self.name, self.made))
        copy(self.template, folder)
        return folder

    def problems(self, folder, done, ended_by_test=False):
        """Of a command that was disturbed there; removes the folder."""
        try:
            if done.returncode < 0 and not ended_by_test:
                yield "crashed by signal %d: %s" % (-done.returncode, done.stderr.strip()[-300:])
            if done.returncode not in (0, 1, 4) and done.returncode >= 0:
                yield "exit code %d: %s" % (done.returncode, done.stderr.strip()[-200:])
            if done.returncode in (1, 4) and len(done.stderr.strip()) < 10:
                yield "fails without a word"
            yield from self.door.broken(folder, done.returncode, self.before, self.wanted)
            if not self.door.repeats or self.wanted is None:
                return
            again = run(self.door.command(), folder)
            if again.returncode != 0:
                yield "cannot be done again: %s" % again.stderr.strip()[-300:]
            elif self.door.outcome(folder) != self.wanted:
                yield "done again it gives something else"
            elif left := sorted(name for name in files_below(folder) - files_below(self.undisturbed) if name.startswith(".")):
                yield "left behind for good: %s" % left
        except Exception as error:  # what a promise is checked on can be broken itself
            yield "%s: %s" % (type(error).__name__, error)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def absolute(path):
    return pathlib.Path(path).resolve()


def check(names, check_door, *rest):
    """Says what check_door(name, work, footage, *rest) finds of each door: the exit code of a test."""
    with tempfile.TemporaryDirectory() as folder:
        work = absolute(folder)
        make_footage(work / "footage")
        problems = [problem for name in names for problem in check_door(name, work, work / "footage", *rest)]
    print("\n".join(problems))
    return 1 if problems else 0


def shares(total, names):
    """How many of all moments each door gets."""
    return {name: total // len(names) + (i < total % len(names)) for i, name in enumerate(names)}
