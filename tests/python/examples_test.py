"""The examples as their readers run them. Those that need a library that is not here are skipped, by name."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import footage

EXAMPLES = pathlib.Path(os.environ["VANTAGE_SOURCE_DIR"]) / "resources/python/examples"


def run(name, *arguments):
    done = subprocess.run(
        [sys.executable, EXAMPLES / (name + ".py"), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def needs(library):
    return unittest.skipUnless(importlib.util.find_spec(library), library + " is not installed")


class ExamplesTest(unittest.TestCase):
    def test_every_example_is_run_here(self):
        tested = set(re.findall(r'run\("(\w+)"', pathlib.Path(__file__).read_text()))
        self.assertEqual(tested, {path.stem for path in EXAMPLES.glob("*.py")})

    def test_own_detector(self):
        positions = int(run("own_detector", footage.project()).split()[-4])
        self.assertGreater(positions, 100)  # of two people in 75 frames

    @needs("pandas")
    def test_sweep(self):
        truth = footage.project().parent / "truth/tracks.csv"
        with tempfile.TemporaryDirectory() as folder:
            out = [pathlib.Path(folder, "sweep.png")] if importlib.util.find_spec("matplotlib") else []
            self.assertRegex(run("sweep", footage.project(), truth, *out), r"best: 0\.\d.* MODA (0\.[89]|1)")
            for picture in out:
                self.assertGreater(picture.stat().st_size, 5_000)

    @needs("matplotlib")
    def test_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "figure.png")
            self.assertIn("2 paths", run("figures", footage.project(), out))
            self.assertGreater(out.stat().st_size, 20_000)

    @needs("cv2")
    def test_compare_opencv(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "flows.png")
            largest, median = map(float, re.findall(r"([\d.]+) px", run("compare_opencv", footage.project(), out))[:2])
            self.assertGreater(out.stat().st_size, 2_000)
        self.assertLess(median, 1e-3)
        self.assertLess(largest, 0.1)

    def test_night(self):
        with tempfile.TemporaryDirectory() as folder:
            footage.cli("run", footage.project(), "--out", folder, "--shells", 0, "--floor-maps", 0)
            self.assertIn("minute 0: 2 people", run("night", folder))


if __name__ == "__main__":
    unittest.main()
