#!/usr/bin/env python3
"""Times a plan's tasks on one GPU and on all of the machine, and proves that nothing else changes: the same bytes, also
after a worker was killed, whose task alone is done again. Needs vantage-cli and Python's own library.

    several_gpus.py --cli build/release/bin/vantage-cli --out DIR       renders a recording, or --project P.vantage
    several_gpus.py --cli ... --out DIR --cpu                           stand-in without a GPU: one and two processes

Prints a row of JSON for each way to run the tasks, one with the figures of a single run beside those of the merged tasks, then
one with what was compared; ends with 1 where something differs.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import seam_identity

COMPARED = ("results.jsonl", "tracks.csv", "overlap.csv")


def children_of(process):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def words_of(process, name):
    """What /proc says of a process: its arguments or its environment, in words."""
    try:
        return pathlib.Path(f"/proc/{process}/{name}").read_bytes().decode().split("\0")
    except OSError:
        return []


class Watched:
    """A `run --plan` and the processes that it starts: by task which there were, and on which GPU."""

    def __init__(self, command):
        self.processes, self.gpus, self.killed = {}, {}, None
        self.start = time.monotonic()
        self.run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def look(self):
        for child in children_of(self.run.pid):
            arguments = words_of(child, "cmdline")
            if "--task" not in arguments:
                continue
            task = int(arguments[arguments.index("--task") + 1])
            self.processes.setdefault(task, set()).add(child)
            for word in words_of(child, "environ"):
                if word.startswith("CUDA_VISIBLE_DEVICES="):
                    self.gpus.setdefault(word.split("=")[1], set()).add(task)
        return {task: max(children) for task, children in self.processes.items()}

    def kill_one(self, plan):
        """The first task that has written some of its results."""
        for task, process in self.look().items():
            lines = list(plan.glob(f"tasks/{task:04d}.part-*-{process}/results.jsonl.part"))
            if self.killed is None and lines and lines[0].stat().st_size > 20_000:
                os.kill(process, signal.SIGKILL)
                self.killed = task

    def wait(self, each):
        while self.run.poll() is None:
            each()
            time.sleep(0.02)
        return self.run.stdout.read(), time.monotonic() - self.start


def row_of(name, watched, said, seconds):
    return {
        "run": name,
        "seconds": round(seconds, 2),
        "exit": watched.run.returncode,
        "tasks_by_gpu": {gpu: sorted(tasks) for gpu, tasks in sorted(watched.gpus.items())},
        "processes_by_task": {task: len(all_of) for task, all_of in sorted(watched.processes.items())},
        "killed": watched.killed,
        "said": [line for line in said.splitlines() if "signal" in line],
    }


def run_tasks(options, name, how, kill=False):
    """Copies the plan, so that all run the very same one, and runs its tasks."""
    plan = options.out / name
    shutil.copytree(options.out / "plan", plan)
    watched = Watched([options.cli, "run", "--plan", plan, *how])
    said, seconds = watched.wait((lambda: watched.kill_one(plan)) if kill else watched.look)
    row = row_of(name, watched, said, seconds)
    print(json.dumps(row), flush=True)
    if row["exit"] != 0:
        print(said[-3000:], file=sys.stderr)
    merged = subprocess.run([options.cli, "merge", plan, "--out", options.out / f"{name}-merged"], stdout=subprocess.DEVNULL)
    row["merged"] = merged.returncode
    return row


def content(path):
    """Its bytes, but for the number that the header of results gives a GPU where a process sees several."""
    return re.sub(rb" \(cuda:\d+\)", b"", path.read_bytes(), count=1)


def differing(options, one, other):
    """Files of tasks and of merged results that are not the same bytes in both."""
    pairs = [(path, options.out / other / path.relative_to(options.out / one)) for path in (options.out / one).glob("tasks/????/*")]
    pairs += [(options.out / f"{one}-merged" / name, options.out / f"{other}-merged" / name) for name in COMPARED[:2]]
    pairs = [(a, b) for a, b in pairs if a.name in COMPARED]
    assert pairs, "nothing to compare"
    return [str(b) for a, b in pairs if not b.is_file() or content(a) != content(b)]


def figures(options, truth, tracks):
    said = subprocess.run(
        [options.cli, "evaluate", "--gt", truth, "--result", tracks, "--space", "world", "--json"],
        check=True, stdout=subprocess.PIPE, text=True)  # fmt: skip
    told = json.loads(said.stdout)
    return {"moda": round(told["clear"]["moda"], 4), "idf1": round(told["identity"]["idf1"], 4)}


def beside_a_single_run(options, project):
    """What the seams change: a single run on the first device beside the merged tasks, against the truth."""
    truth, single, merged = project.parent / "truth" / "tracks.csv", options.out / "single", options.out / "all-merged"
    start = time.monotonic()
    subprocess.run(
        [options.cli, "run", project, "--out", single, "--force", "--backend", "cpu" if options.cpu else "cuda:0"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    row = {"run": "single", "seconds": round(time.monotonic() - start, 2)}
    if truth.is_file():
        row["single"] = figures(options, truth, single / "tracks.csv")
        row["merged"] = figures(options, truth, merged / "tracks.csv")
    row["seams"] = seam_identity.compare(single / "tracks.csv", merged / "merge.json", merged / "tracks.csv", options.rate)
    print(json.dumps(row), flush=True)


def prepare(options):
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    project = options.project
    if not project:
        project = options.out / "hall" / "hall.vantage"
        subprocess.run(
            [options.cli, "synth", "--out", project.parent, "--cameras", str(options.cameras), "--people", str(options.people),
             "--seconds", str(options.seconds), "--size", options.size, "--area", str(options.area), "--frame-rate", str(options.rate),
             "--force"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    minutes = options.seconds / options.tasks / 60 + 1e-4
    subprocess.run(
        [options.cli, "plan", project, "--out", options.out / "plan", "--minutes", f"{minutes:.5f}", "--warm-up", options.warm_up,
         "--threads", "4", "--backend", "cpu" if options.cpu else "cuda"], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    return project


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="emptied first")
    parser.add_argument("--project", type=pathlib.Path, help="a recording of --seconds instead of a rendered one")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--brief", action="store_true", help="one and all alone")
    for name, usual in (("seconds", 120), ("tasks", 8), ("cameras", 8), ("people", 6), ("area", 8), ("rate", 25)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--size", default="960x720")
    parser.add_argument("--warm-up", default="4", help="seconds, or auto")
    options = parser.parse_args()
    options.cli, options.out = options.cli.resolve(), options.out.resolve()
    return options


def main():
    options = parsed_options()
    project = prepare(options)
    one = ["--backend", "cpu" if options.cpu else "cuda:0"]
    every = ["--backend", "cpu", "--workers", "2"] if options.cpu else ["--backend", "cuda:all"]
    ways = {"one": [*one, "--workers", "1"], "all": every, "two-workers-of-one": [*one, "--workers", "2"], "all-with-a-kill": every}
    if options.brief:
        del ways["two-workers-of-one"], ways["all-with-a-kill"]
    rows = {name: run_tasks(options, name, how, kill=name == "all-with-a-kill") for name, how in ways.items()}
    beside_a_single_run(options, project)
    faults = [name for other in list(ways)[1:] for name in differing(options, "one", other)]
    faults += [f"{name} ended with {row['exit']}, its merge with {row['merged']}" for name, row in rows.items() if row["exit"] or row["merged"]]
    if not options.brief:
        killed = rows["all-with-a-kill"]
        again = [task for task, processes in killed["processes_by_task"].items() if processes > 1]
        if killed["killed"] is None or again != [killed["killed"]]:
            faults.append(f"task {killed['killed']} was killed, {again} were started again")
    if not options.cpu and len(rows["all"]["tasks_by_gpu"]) < 2:
        faults.append("one GPU alone had tasks")
    speed_up = round(rows["one"]["seconds"] / rows["all"]["seconds"], 3)
    print(json.dumps({"same_bytes": not faults, "speed_up": speed_up, "faults": faults}))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
