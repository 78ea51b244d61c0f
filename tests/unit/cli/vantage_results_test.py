"""The Python reader on results that the program has just written.

Usage: vantage_results_test.py VANTAGE_CLI FOLDER_OF_THE_READER
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CLI, READER = sys.argv[1:3]
sys.path.insert(0, READER)
from vantage_results import Results, read_png  # noqa: E402


class ReaderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        hall = pathlib.Path(cls.temporary.name) / "hall"
        cls.run_cli("synth", "--out", hall, "--people", 2, "--area", 4, "--size", "160x120", "--seconds", 2.04)
        cls.run_cli("run", hall / "hall.vantage", "--force", "--shells", 25, "--floor-maps", 50, "--masks", 50, "--volumes", 50)
        cls.hall = hall
        cls.results = Results(hall / "hall.results")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def run_cli(cls, *words):
        subprocess.run([CLI, *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_detections(self):
        boxes = self.hall / "cam1_det.txt"
        boxes.write_text("1,-1,10,20,30,60,0.9\n1,-1,15,20,30,60,0.2\n3,-1,11,21,31,61,0.8\n")
        project = self.hall / "boxes.vantage"
        self.run_cli("new", "--detections", boxes, "--detections-rate", 25, "--size", "160x120", "--out", project)
        self.run_cli("run", project, "--force")
        results = Results(self.hall / "boxes.results")
        found = results.detections(results.cameras[0])
        self.assertEqual(sorted(found), [0, 1, 2])
        self.assertEqual([len(found[frame]) for frame in (0, 1, 2)], [1, 0, 1])
        self.assertEqual(found[2][0], {"x_px": 11.0, "y_px": 21.0, "width_px": 31.0, "height_px": 61.0, "score": 0.8})
        self.assertEqual(self.results.detections("cam1"), {})

    def test_frames_and_tracks(self):
        frames = list(self.results.frames())
        self.assertEqual([frame["frame"] for frame in frames], list(range(51)))
        self.assertEqual(self.results.cameras, ["cam1", "cam2", "cam3", "cam4"])
        # The rows of tracks.csv are the people with a number of the frame lines.
        listed = {
            (frame["frame"], person["id"]): person["confidence"]
            for frame in frames
            for person in frame["people"]["people"]
            if person["id"] is not None
        }
        rows = self.results.tracks()
        self.assertGreater(len(rows), 20)
        for row in rows:
            self.assertTrue(0 <= row.confidence <= 1 and abs(row.x_m) < 2.5 and abs(row.y_m) < 2.5)
            self.assertAlmostEqual(row.confidence, listed.pop((row.frame, row.id)), delta=0.002)
        self.assertEqual(listed, {})
        self.assertEqual(sum(map(len, self.results.paths().values())), len(rows))

    def test_deviations(self):
        folder = pathlib.Path(self.temporary.name) / "deviations"
        folder.mkdir()
        (folder / "results.jsonl").write_text((self.hall / "hall.results/results.jsonl").read_text())
        row = "1,4,-1,-1,-1,-1,0.9,0.5,0.25,0,1.7"
        (folder / "tracks.csv").write_text(f"{row},0.03,0.04,-0.2,0.05\n{row}\n")
        learnt, unknown = Results(folder).tracks()
        self.assertEqual(tuple(learnt.deviation), (0.03, 0.04, -0.2, 0.05))
        self.assertIsNone(unknown.deviation)
        self.assertEqual(unknown.height_m, 1.7)

    def test_shell_and_floor_map_agree(self):
        self.assertEqual(self.results.saved_frames("shells"), [0, 25, 50])
        self.assertEqual(self.results.saved_frames("floor"), [0, 50])
        shell = self.results.shell(50)
        counted = [f for f in self.results.frames() if f["frame"] == 50][0]["volume"]["shell_voxels"]
        self.assertEqual(len(shell), counted)
        self.assertGreater(counted, 100)
        floor = self.results.floor_map(50)
        voxel_m = self.results.header["grid"]["voxel_size_m"]
        self.assertEqual(floor.metres_per_pixel, voxel_m)
        # Under every voxel of the shell, and not too near the floor, something is occupied.
        for x, y, z in shell:
            if z > 0.3:
                self.assertGreaterEqual(floor.value_at(x, y), voxel_m - 0.001)
        self.assertLess(max(map(max, floor.rows)) * floor.step, 2.5)
        self.assertIsNone(floor.value_at(100, 0))
        scale = json.loads((self.hall / "hall.results" / "floor" / "scale.json").read_text())
        self.assertEqual(scale, floor.scale)

    def test_volume_holds_the_occupied_voxels(self):
        self.assertEqual(self.results.saved_frames("volumes"), [0, 50])
        values, size, origin, voxel_m = self.results.volume(50)
        grid = self.results.header["grid"]
        self.assertEqual(voxel_m, grid["voxel_size_m"])
        self.assertEqual(len(values), size[0] * size[1] * size[2])
        volume = [f for f in self.results.frames() if f["frame"] == 50][0]["volume"]
        # The comparison is made on sums of votes: a voxel at the threshold may round either way.
        threshold = self.results.header["parameters"]["carving"]["threshold"]
        self.assertAlmostEqual(sum(v >= threshold for v in values), volume["occupied_voxels"], delta=5)
        self.assertLessEqual(max(values), 1.0)
        for x, y, z in self.results.shell(50)[:200]:
            index = [round((at - first) / voxel_m) for at, first in zip((x, y, z), origin)]
            at = index[0] + size[0] * (index[1] + size[1] * index[2])
            self.assertGreaterEqual(values[at], threshold - 1e-6)

    def test_people_stand_on_the_floor_map(self):
        floor = self.results.floor_map(50)
        people = [row for row in self.results.tracks() if row.frame == 50]
        self.assertTrue(people)
        for row in people:
            around = [floor.value_at(row.x_m + 0.04 * i, row.y_m + 0.04 * k) for i in range(-5, 6) for k in range(-5, 6)]
            self.assertGreater(max(filter(None, around), default=0), 0.5)

    def test_coverage(self):
        coverage = self.results.coverage()
        self.assertAlmostEqual(coverage.value_at(0, 0), 4)
        counted = [0] * 5
        for row in coverage.rows:
            for level in row:
                counted[round(level * coverage.step)] += 1
        self.assertEqual(counted, self.results.header["coverage"]["cells_by_cameras"])

    def test_masks_and_timings(self):
        mask = self.results.mask("cam2", 50)
        self.assertEqual((len(mask), len(mask[0])), (120, 160))
        share = sum(value == 255 for row in mask for value in row) / (120 * 160)
        frame = [f for f in self.results.frames() if f["frame"] == 50][0]
        self.assertAlmostEqual(share, frame["cameras"][1]["foreground_share"], delta=1e-5)
        self.assertTrue(self.results.timings())

    def test_the_next_run_takes_older_pictures_away(self):
        folder = self.hall / "again"
        self.run_cli("run", self.hall / "hall.vantage", "--force", "--frames", "0:11", "--shells", 5, "--out", folder)
        self.assertEqual(Results(folder).saved_frames("shells"), [0, 5, 10])
        self.run_cli("run", self.hall / "hall.vantage", "--force", "--frames", "0:11", "--shells", 10, "--out", folder)
        self.assertEqual(Results(folder).saved_frames("shells"), [0, 10])

    def test_what_is_not_there_is_said(self):
        with self.assertRaises(FileNotFoundError):
            Results(self.hall / "nothing")
        with self.assertRaises(ValueError):
            read_png(self.hall / "calibration.json")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
