#!/usr/bin/env python3
"""Measures what must stay fast and compares it with the baseline of this device (tests/bench/baseline).

Every figure is a ratio: a time over the time of a yardstick measured in the same run, so that a busy or a slower
machine of one kind gives the same figure. Yardsticks: FFmpeg decoding the same footage, the device copying memory,
the compiler reading a fixed file. A figure that got worse by more than 10 % and beyond both spreads fails.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BASELINES = ROOT / "tests/bench/baseline"
PAGE = ROOT / "resources/docs/performance/speed.md"
LIMIT = 1.10
FRAMES = 100
YARDSTICK = """#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <string>
int main(int, char** names) { return std::regex_match(std::string(names[0]), std::regex("([a-z]+)/(.*)")); }
"""


def used(command, **settings):
    """Processor seconds and wall seconds of a command and its children. Ends the script where it fails."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"speed: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def cpu_name():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def slug(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


class Rows:
    """The values of each figure over the repetitions."""

    def __init__(self):
        self.values, self.units = {}, {}

    def add(self, name, value, unit):
        self.values.setdefault(name, []).append(value)
        self.units[name] = unit

    def summary(self):
        return {name: {"median": round(statistics.median(values), 5), "min": round(min(values), 5),
                       "max": round(max(values), 5), "unit": self.units[name]}
                for name, values in sorted(self.values.items())}


class Footage:
    """Four rendered cameras, and what FFmpeg takes to decode them."""

    def __init__(self, cli, folder):
        self.cli, self.folder = cli, folder
        used([cli, "synth", "--out", folder, "--size", "640x480", "--seconds", "4", "--seed", "20"])
        self.project = next(folder.glob("*.vantage"))
        self.videos = [camera["video"] for camera in json.load(open(self.project))["cameras"]]

    def decoding(self):
        """Processor seconds for each frame set."""
        total = 0.0
        for video in self.videos:
            total += used(["ffmpeg", "-v", "error", "-threads", "1", "-i", self.folder / video, "-f", "null", "-"])[0]
        return total / FRAMES

    def run(self, frames, backend, *options):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        return used([self.cli, "run", self.project, "--backend", backend, "--frames", f"0:{frames}", "--out", out, "--kept-limit", "0",
                     *options])


def measure_run(footage, rows, backend):
    yardstick, unit = footage.decoding(), "decoding of a set"
    clock = 0 if backend == "cpu" else 1  # a GPU's time is not the processor's
    short, long = (footage.run(frames, backend, "--no-check")[clock] for frames in (2, FRAMES))
    rows.add(f"opening of a run, {backend}", short / yardstick, unit)
    rows.add(f"run, {backend}", (long - short) / (FRAMES - 2) / yardstick, unit)
    rows.add(f"check before a run, {backend}", (footage.run(2, backend)[clock] - short) / yardstick, unit)
    if backend == "cpu":
        rows.add("check", used([footage.cli, "check", footage.project])[0] / yardstick, unit)


def measure_stages(cli, rows, backend, folder):
    out = folder / "bench.json"
    used([cli, "bench", "--backend", backend, "--footage", folder / "bench", "--json", out])
    bench = json.load(open(out))
    for row in bench["rows"]:
        name = f"{row['stage']} {row['input']}, {backend}"
        rows.add(name, row["min_us"] * 1e-6 * bench["copy_bytes_per_s"] / 1e6, "copies of a megabyte")


def compiler_yardstick(folder):
    source = folder / "yardstick.cpp"
    source.write_text(YARDSTICK)
    return min(used(["c++", "-std=c++20", "-O2", "-c", source, "-o", folder / "yardstick.o"])[0] for _ in range(3))


def measure_build(rows, folder, window):
    """A first build without a compiler cache, as installer/demo makes it."""
    yardstick, build = compiler_yardstick(folder), folder / "build"
    settings = ["-DVANTAGE_TESTS=OFF", "-DVANTAGE_CUDA=OFF", "-DVANTAGE_CCACHE="]
    used(["cmake", "--preset", "release", "-B", build, *settings], cwd=ROOT)
    seconds = used(["cmake", "--build", build, "--target", "vantage-cli"])[0]
    print(f"first build of vantage-cli: {seconds:.0f} s of processor time", flush=True)
    rows.add("first build, vantage-cli", seconds / yardstick, "compilations of the yardstick")
    if window:
        more = used(["cmake", "--build", build, "--target", "vantage"])[0]
        print(f"the window on top: {more:.0f} s of processor time", flush=True)
        rows.add("first build, window on top", more / yardstick, "compilations of the yardstick")


def measure_tests(rows, build, folder):
    seconds = used(["xvfb-run", "-a", "ctest", "-j", str(os.cpu_count())], cwd=build)[0]
    print(f"test suite: {seconds:.0f} s of processor time", flush=True)
    rows.add("test suite", seconds / compiler_yardstick(folder), "compilations of the yardstick")


def device_of(cli, folder):
    """The GPU's name where CUDA runs here, else the processor's."""
    out = folder / "device.json"
    used([cli, "bench", "integral", "--json", out])
    name = json.load(open(out))["device"]
    return name if "NVIDIA" in name else f"{cpu_name()}, {os.cpu_count()} threads"


def compare(now, before):
    """Prints every row next to the baseline's; the names of those that got worse."""
    worse = []
    print(f"{'':58} {'baseline':>10} {'now':>10} {'drift':>8}")
    for name, row in now.items():
        if name not in before:
            print(f"{name:58} {'':>10} {row['median']:10.3f}      new")
            continue
        old = before[name]
        drift = row["median"] / old["median"]
        slower = drift > LIMIT and row["min"] > old["max"]
        worse += [name] if slower else []
        print(f"{name:58} {old['median']:10.3f} {row['median']:10.3f} {100 * (drift - 1):+7.1f} %{'  SLOWER' * slower}")
    return worse


def by_number(item):
    """Orders the names of figures with their numbers as numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", item[0])]


def page():
    """The page of performance, made of the stored baselines: a table for each yardstick, a column for each device and backend."""
    lines = ["# Speed, as guarded", "",
             "Made by `tests/bench/speed.py --page` from `tests/bench/baseline`, which also holds the smallest and largest value of each figure.",
             "Every figure is the median of its ratios to a yardstick of the same run; `installer/check speed` fails where one gets more than",
             "10 % worse, beyond both spreads. A change that pays speed for quality moves its row with `--save WHY`.", ""]
    tables, columns, moved = {}, [], []
    for path in sorted(BASELINES.glob("*.json")):
        stored = json.load(open(path))
        first = statistics.mode((row["day"], row["commit"]) for row in stored["rows"].values())
        lines.append(f"- {stored['device']}: {first[0]}, {first[1]}")
        for name, row in sorted(stored["rows"].items()):
            figure, _, backend = name.rpartition(", ") if name.endswith((", cpu", ", cuda")) else (name, "", "cpu")
            column = stored["device"] + (f", {backend}" if "NVIDIA" in stored["device"] else "")
            if column not in columns:
                columns.append(column)
            tables.setdefault(row["unit"], {}).setdefault(figure, {})[column] = f"{float(format(row['median'], '.3g')):g}"
            if (row["day"], row["commit"]) != first:
                moved.append(f"- {column}, {figure}: {row['day']}, {row['commit']}, {row['why']}")
    for unit, figures in sorted(tables.items()):
        shown = [column for column in columns if any(column in values for values in figures.values())]
        lines += ["", f"## In times of the yardstick: {unit}", "", f"| | {' | '.join(shown)} |", "|---" * (len(shown) + 1) + "|"]
        lines += [f"| {figure} | {' | '.join(values.get(column, '') for column in shown)} |" for figure, values in sorted(figures.items(), key=by_number)]
    lines += ["", "## Moved since", "", *moved] if moved else []
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where the programs are")
    parser.add_argument("--repeat", type=int, default=3, help="how often run, check and stages are measured")
    parser.add_argument("--first-build", action="store_true", help="also a first build (10 to 25 minutes)")
    parser.add_argument("--suite", action="store_true", help="also the test suite (10 to 30 minutes)")
    parser.add_argument("--only", choices=["run", "stages", "build"], help="one part alone")
    parser.add_argument("--save", metavar="WHY", help="store the figures as the new baseline, with the reason")
    parser.add_argument("--page", action="store_true", help="measure nothing: write the page from the stored rows")
    parser.add_argument("--check-page", action="store_true", help="measure nothing: fail where the page is not of the stored rows")
    options = parser.parse_args()
    if options.page:
        PAGE.write_text(page())
        return
    if options.check_page:
        if PAGE.read_text() != page():
            sys.exit(f"speed: {PAGE.relative_to(ROOT)} is not of the stored rows. Write it again: tests/bench/speed.py --page")
        return
    cli, rows = options.build / "bin/vantage-cli", Rows()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        device = device_of(cli, folder)
        print(f"{device}", flush=True)
        backends = ["cpu", "cuda"] if "NVIDIA" in device else ["cpu"]
        footage = Footage(cli, folder / "footage") if options.only in (None, "run") else None
        for _ in range(options.repeat):
            for backend in backends:
                if options.only in (None, "run"):
                    measure_run(footage, rows, backend)
                if options.only in (None, "stages"):
                    measure_stages(cli, rows, backend, folder)
        if options.first_build or options.only == "build":
            measure_build(rows, folder, window=True)
        if options.suite:
            measure_tests(rows, options.build, folder)
    path, now = BASELINES / f"{slug(device)}.json", rows.summary()
    stored = json.load(open(path)) if path.exists() else {"device": device, "rows": {}}
    worse = compare(now, stored["rows"])
    if options.save:
        commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
        stored["rows"].update({name: row | {"commit": commit.stdout.strip(), "day": str(datetime.date.today()),
                                            "why": options.save} for name, row in now.items()})
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
        print(f"stored in {path.relative_to(ROOT)}")
    elif not path.exists():
        print(f"No baseline of this device is stored, so nothing can be said of drift. Store one: installer/check speed --save WHY")
    elif worse:
        sys.exit(f"speed: {len(worse)} figures are more than 10 % slower than the baseline: {', '.join(worse)}. "
                 "Win the time back, or move the baseline in a commit that says what the time pays for (--save WHY).")


if __name__ == "__main__":
    main()
