#!/usr/bin/env python3
"""Sixteen stand-in cameras feed one run that is recorded, served and watched by a rule, for as long as asked: a row of figures at
every step goes to soak.csv, a plot of them to soak.svg, and the end says whether anything grew.

Usage: soak.py FOLDER SECONDS [--rate HZ] [--size 160x120] [--backend cpu] [--step SECONDS]
FOLDER is made and kept. Needs vantage-cli (VANTAGE_CLI, or on the PATH) and Python alone; where ffmpeg is there, too, cameras send
H.264, HEVC and Motion JPEG, otherwise all H.264.

Four servers of four cameras each: one whose connections are cut and stall, one with wrong and drifting clocks and with delays, one
that asks for a password which one of its viewers has wrong, one whose pictures change their size every so often, when it is started
again at its port. A client reads the run's events, hangs up and resumes; another tries wrong tokens.

Exit code 0: after the warm-up (a third of the time) memory grew by at most 1 %, and there is no thread and no descriptor more."""

import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

CLI = os.environ.get("VANTAGE_CLI", "vantage-cli")
SERVERS, CAMERAS_EACH = 4, 4
SIZES_EVERY_S = 60
GROWTH = 0.01
SENT_AT_ONCE = ("-bf", "0", "-g", "10")  # as cameras do: a picture that waits for a later one would miss its set
TOKEN = "soak"
COLUMNS = ("seconds", "anonymous_kb", "threads", "descriptors", "sets", "analysed", "dropped", "incomplete", "latency_p50_ms",
           "latency_p95_ms", "cameras_here", "reconnections", "largest_id", "events", "recorded_kb")  # fmt: skip


def cli(arguments, folder):
    done = subprocess.run([CLI, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("soak: %s: %s" % (arguments, done.stderr.strip()))


def footage(folder, size, rate):
    cli(["synth", "--out", "hall", "--cameras", SERVERS * CAMERAS_EACH, "--people", 3, "--area", 5, "--size", size, "--seconds", 20,
         "--frame-rate", rate, "--b-pictures", 0], folder)  # fmt: skip
    project = json.loads((folder / "hall/hall.vantage").read_text())
    encoders = [None, "libx265", "mjpeg", None] if shutil.which("ffmpeg") else [None] * 4
    for i, camera in enumerate(project["cameras"]):
        encoder = encoders[i % 4]
        if encoder:
            made = "%s.%s.mp4" % (camera["name"], encoder)
            subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", camera["video"], "-an", "-c:v", encoder, "-q:v", "5",
                            *SENT_AT_ONCE, made], cwd=folder / "hall", check=True)  # fmt: skip
            camera["video"] = made
    return project


def smaller(project, folder):
    """The same cameras with pictures of half the size, where ffmpeg can make them."""
    if not shutil.which("ffmpeg"):
        return project
    other = json.loads(json.dumps(project))
    for camera in other["cameras"]:
        made = camera["name"] + ".half.mp4"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", camera["video"], "-an", "-vf", "scale=iw/2:ih/2", "-c:v", "libx264",
                        *SENT_AT_ONCE, made], cwd=folder / "hall", check=True)  # fmt: skip
        camera["video"] = made
    return other


class Server:
    """Four stand-in cameras, at a port of their own."""

    FAULTS = (["--cuts-every", 20, "--cut-length", 3, "--jitter", 10],
              ["--clock-offsets", "3,-2,0.5,0", "--clock-drift", "200,-100,0,0", "--delays", "0,0.1,0,0.2"],
              ["--user", "viewer", "--password-file", "password"], [])  # fmt: skip

    def __init__(self, number, project, folder):
        self.number, self.folder, self.port, self.process = number, folder, 0, None
        self.cameras = [camera["name"] for camera in self.part(project)["cameras"]]
        self.start(project)

    def part(self, project):
        mine = dict(project, cameras=project["cameras"][self.number * CAMERAS_EACH :][:CAMERAS_EACH])
        (self.folder / ("hall/part%d.vantage" % self.number)).write_text(json.dumps(mine))
        return mine

    def start(self, project):
        self.part(project)
        self.process = subprocess.Popen(
            [CLI, "stream", "hall/part%d.vantage" % self.number, "--port", str(self.port), "--seed", str(self.number + 1),
             *map(str, self.FAULTS[self.number])], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        for line in self.process.stdout:
            if line.startswith("scene"):
                return
            self.port = int(line.split("127.0.0.1:")[1].split("/")[0])
        sys.exit("soak: the stand-in cameras do not start")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def addresses(self):
        for name in self.cameras:
            password = ""
            if self.number == 2:
                password = "viewer:wrong@" if name == self.cameras[0] else "viewer:right@"
            yield "rtsp://%s127.0.0.1:%d/%s" % (password, self.port, name)


class Clients(threading.Thread):
    """One reads events and resumes behind the last; another guesses tokens."""

    def __init__(self, url):
        super().__init__(daemon=True)
        self.url, self.last, self.largest_id, self.frames = url, None, 0, 0

    def get(self, path, token=TOKEN, **headers):
        request = urllib.request.Request(self.url + path, headers={"Authorization": "Bearer " + token, **headers})
        return urllib.request.urlopen(request, timeout=30)

    def run(self):
        while True:
            try:
                self.read_some(200)
                self.get("v1/status", token="guess").read()
            except (OSError, urllib.error.URLError):
                time.sleep(1)

    def read_some(self, count):
        resumed = {"Last-Event-ID": self.last} if self.last else {}
        with self.get("v1/stream", **resumed) as stream:
            for line in stream:
                if line.startswith(b"id:"):
                    self.last = line[3:].strip().decode()
                elif line.startswith(b"data: {"):
                    people = (json.loads(line[6:]).get("people") or {}).get("people", [])
                    self.largest_id = max([self.largest_id, *(person["id"] or 0 for person in people)])
                    self.frames += 1
                    count -= 1
                if count <= 0:
                    return


def figures(run, clients, begin, folder):
    process = pathlib.Path("/proc/%d" % run.pid)
    memory = dict(line.split()[:2] for line in (process / "smaps_rollup").read_text().splitlines()[1:])
    live = json.loads(clients.get("v1/status").read())["live"]
    events = folder / "r/events.jsonl"
    recorded = sum(p.stat().st_size for p in (folder / "rec").rglob("*") if p.is_file())
    return (round(time.monotonic() - begin), int(memory["Anonymous:"]), len(list((process / "task").iterdir())),
            len(list((process / "fd").iterdir())), live["sets"], live["analysed"], live["dropped"], live["incomplete"],
            live["latency_ms"]["p50"], live["latency_ms"]["p95"], sum(c["here"] for c in live["cameras"]),
            sum(c["reconnections"] for c in live["cameras"]), clients.largest_id,
            len(events.read_bytes().splitlines()) if events.exists() else 0, recorded // 1024)  # fmt: skip


def plot(rows, file):
    width, height, lines = 900, 120, []
    for i, name in enumerate(COLUMNS[1:], 1):
        top, values = (i - 1) * (height + 30) + 20, [row[i] for row in rows]
        low, high = min(values), max(values)
        points = " ".join("%.1f,%.1f" % (k * width / max(1, len(rows) - 1), top + height - (v - low) / ((high - low) or 1) * height)
                          for k, v in enumerate(values))  # fmt: skip
        lines.append('<text x="0" y="%d">%s: %g to %g</text><polyline fill="none" stroke="#0072b2" points="%s"/>'
                     % (top - 4, name, low, high, points))  # fmt: skip
    file.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">%s</svg>\n'
                    % (width, len(COLUMNS) * (height + 30), "".join(lines)))  # fmt: skip


def verdict(rows):
    """What grew between the first and the last third of what follows the warm-up; cameras come and go, so each third counts by its
    median memory and by its largest numbers of threads and descriptors."""
    rows = rows[len(rows) // 3 :]
    third = max(1, len(rows) // 3)
    first, last = rows[:third], rows[-third:]
    memory = [statistics.median(row[1] for row in part) for part in (first, last)]
    grown = memory[1] / memory[0] - 1
    problems = ["memory grew by %.2f %%" % (100 * grown)] if grown > GROWTH else []
    for i in (2, 3):
        most = [max(row[i] for row in part) for part in (first, last)]
        if most[1] > most[0]:
            problems.append("%s: from %d to %d" % (COLUMNS[i], most[0], most[1]))
    print("anonymous memory %.1f MB, then %.1f MB (%+.2f %%)" % (memory[0] / 1024, memory[1] / 1024, 100 * grown))
    return problems


def soak(options, folder):
    project = footage(folder, options.size, options.rate)
    (folder / "password").write_text("right\n")
    variants = [project, smaller(project, folder)]
    servers = [Server(number, project, folder) for number in range(SERVERS)]
    live = json.loads(json.dumps(project))
    for camera, address in zip(live["cameras"], (a for server in servers for a in server.addresses())):
        for key in [k for k in camera if k.startswith(("background", "video_"))]:
            camera.pop(key, None)
        camera["video"] = address
    live["zones"] = [{"name": "middle", "corners_m": [[-1, -1], [1, -1], [1, 1], [-1, 1]]}]
    live["rules"] = [{"name": "in", "kind": "enters", "where": "middle"}, {"name": "two", "kind": "more_than", "where": "middle", "limit": 1}]
    (folder / "live.vantage").write_text(json.dumps(live))
    token = folder / "token"
    token.touch(0o600)
    token.write_text(TOKEN + "\n")
    run = subprocess.Popen(
        [CLI, "run", "live.vantage", "--out", "r", "--record", "rec/day.vantage", "--serve", "0", "--serve-token-file", "token",
         "--backend", options.backend, "--live-rate", str(options.rate), "--bound", "500", "--force", "--set", "recording.keep_gb=0.005",
         "--set", "recording.segment_s=5", *options.more], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # fmt: skip
    said, rows = [], []
    try:
        url = next(line.split()[-1] for line in iter(run.stderr.readline, "") if said.append(line) or "serving at" in line)
        threading.Thread(target=lambda: said.extend(run.stderr), daemon=True).start()
        clients, begin = Clients(url), time.monotonic()
        clients.start()
        with open(folder / "soak.csv", "w") as table:
            print(*COLUMNS, sep=",", file=table)
            while time.monotonic() - begin < options.seconds and run.poll() is None:
                time.sleep(options.step)
                try:
                    rows.append(figures(run, clients, begin, folder))
                except (OSError, urllib.error.URLError, KeyError, TypeError) as error:
                    print("no figures: %s" % error, flush=True)
                    continue
                print(*rows[-1], sep=",", file=table, flush=True)
                turn = int((time.monotonic() - begin) / SIZES_EVERY_S) % 2
                if variants[turn] is not project:
                    project = variants[turn]
                    servers[3].stop()
                    servers[3].start(project)
        run.send_signal(signal.SIGINT)
        code = run.wait(timeout=120)
    finally:
        run.kill()
        for server in servers:
            server.stop()
    if code != 0 or not rows:
        return ["the run ended with %d: %s" % (code, "".join(said)[-500:])]
    plot(rows, folder / "soak.svg")
    print(*("%s %s" % pair for pair in zip(COLUMNS, rows[-1])), sep=", ")
    return verdict(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--rate", type=float, default=5)
    parser.add_argument("--size", default="160x120")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--step", type=float, default=2)
    parser.add_argument("more", nargs="*", help="behind --: options of vantage-cli run")
    options = parser.parse_args()
    options.folder.mkdir(parents=True)
    problems = soak(options, options.folder.resolve())
    print("\n".join(problems) or "nothing grew")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
