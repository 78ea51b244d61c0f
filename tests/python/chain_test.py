"""Projects and the chain: what Python gets is what the command line writes."""

import gc
import json
import os
import pathlib
import signal
import tempfile
import threading
import time
import unittest

import numpy as np
import vantage

import footage


class ProjectTest(unittest.TestCase):
    def test_cameras_project_as_their_matrices_say(self):
        camera = vantage.Project(footage.project()).cameras[0]
        points = np.array([[0.0, 0.0, 1.0], [0.5, -0.5, 0.0]])
        there = (camera.cam_from_world @ np.c_[points, np.ones(2)].T)[:3]
        k1, k2, p1, p2, k3 = camera.distortion
        x, y = there[:2] / there[2]
        r2 = x * x + y * y
        radial = 1 + k1 * r2 + k2 * r2**2 + k3 * r2**3
        bent = np.array(
            [x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y, np.ones(2)]
        )
        np.testing.assert_allclose(camera.project(points), (camera.intrinsics @ bent)[:2].T, atol=1e-9)
        behind = np.linalg.inv(camera.cam_from_world) @ [0, 0, -1, 1]
        self.assertTrue(np.isnan(camera.project(behind[None, :3])).all())

    def test_parameters_behave_like_a_dict(self):
        parameters = vantage.Project(footage.project()).parameters
        self.assertEqual(parameters.changed(), {})
        parameters["carving.threshold"] = 0.6
        parameters["people.source"] = "volume"
        parameters["heightmap.enabled"] = True
        self.assertEqual(parameters["people.source"], "volume")
        self.assertIs(parameters["heightmap.enabled"], True)
        self.assertEqual(parameters.changed()["carving.threshold"], 0.6)
        self.assertIn("carving.threshold", list(parameters))
        self.assertNotIn("carving.thresholds", parameters)
        self.assertEqual(parameters.describe("carving.threshold")["default"], 0.7)
        parameters.reset("carving.threshold")
        self.assertNotIn("carving.threshold", parameters.changed())
        with self.assertRaises(KeyError):
            parameters["carving.thresholds"]
        with self.assertRaises(vantage.Error) as raised:
            parameters["carving.threshold"] = 7
        self.assertIn("0.01 to 1", str(raised.exception))

    def test_saves_and_never_over_what_is_newer(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "copy.vantage")
            project = vantage.Project(footage.project())
            project.parameters["carving.threshold"] = 0.55
            project.save(path)
            self.assertEqual(vantage.Project(path).parameters["carving.threshold"], 0.55)
            other = vantage.Project(path)
            other.parameters["carving.threshold"] = 0.5
            other.save()
            with self.assertRaises(vantage.Error):
                project.save()
            self.assertEqual(vantage.Project(path).parameters["carving.threshold"], 0.5)

    def test_says_what_is_missing(self):
        with self.assertRaises(vantage.Error) as raised:
            vantage.Project("nowhere.vantage")
        self.assertEqual(raised.exception.kind, "not_found")
        self.assertIn("nowhere.vantage", str(raised.exception))


class RunTest(unittest.TestCase):
    def test_people_are_the_command_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            footage.cli("run", footage.project(), "--out", folder, "--frames", "0:40", "--backend", "cpu", "--shells", 0)
            lines = pathlib.Path(folder, "results.jsonl").read_text().splitlines()[1:]
            paths = "people on paths have the frame-by-frame IDs as provisional ones"
            self.assertIn("provisional_id", json.loads(lines[-1])["people"]["people"][0], paths)
        written = [json.loads(line) for line in lines]
        frames = vantage.Project(footage.project()).run(range(40), backend="cpu")
        self.assertEqual(len(frames), 40)
        seen = 0
        for frame, line in zip(frames, written):
            self.assertEqual(frame.index, line["frame"])
            people = line["people"]
            self.assertEqual(people["count"], None if frame.people is None else len(frame.people))
            self.assertEqual(line["volume"]["occupied_voxels"], frame.volume.occupied)
            for person, row in zip(frame.people or [], people["people"]):
                seen += 1
                self.assertEqual(row["provisional_id"] or 0, person.id)
                self.assertAlmostEqual(row["x_m"], person.x_m, places=3)
                self.assertAlmostEqual(row["y_m"], person.y_m, places=3)
        self.assertGreater(seen, 40)

    def test_arrays_outlive_frames_and_are_read_only(self):
        project = vantage.Project(footage.project())
        project.parameters["flow.enabled"] = True
        project.parameters["heightmap.enabled"] = True
        with project.run(range(10, 13), backend="cpu", confidence=True) as frames:
            frame = [f for f in frames][-1]
        volume = frame.volume
        kept = [frame.luma(0), frame.indicator(0), *frame.masks, *frame.flow, *frame.floor_map, volume.shell_ids, volume.confidence]
        kept.append(frame.height_map)
        colours, points = frame.rgb("cam1"), volume.shell_points()
        before = [array.copy() for array in kept]
        self.assertEqual(volume.confidence.shape, volume.shape)
        self.assertEqual(colours.shape, kept[0].shape + (3,))
        self.assertEqual(frame.flow[0].shape, kept[0].shape + (2,))
        occupied = volume.confidence >= project.parameters["carving.threshold"]
        self.assertLess(abs(int(occupied.sum()) - volume.occupied), 5)
        indices = np.rint((points - volume.origin_m) / volume.voxel_size_m - 0.5).astype(int)
        self.assertTrue(occupied[indices[:, 2], indices[:, 1], indices[:, 0]].mean() > 0.99)
        del frame, frames, volume
        gc.collect()
        for array, copy in zip(kept, before):
            np.testing.assert_array_equal(array, copy)
            self.assertFalse(array.flags.writeable)

    def test_a_detector_of_ones_own(self):
        project = vantage.Project(footage.project())
        calls = []

        def detector(rgb, camera, frame):
            calls.append((rgb.shape, camera, frame))
            if frame % 2:
                return None
            return [[10, 20, 30, 40, 0.9]]

        with project.run(range(4), detector=detector, backend="cpu") as frames:
            found = [frame.detections for frame in frames]
        cameras = len(project.cameras)
        self.assertEqual(len(calls), 4 * cameras)
        self.assertEqual(calls[0][:2], ((240, 320, 3), "cam1"))
        np.testing.assert_allclose(found[0][0], [[10, 20, 30, 40, 0.9]], rtol=1e-6)
        self.assertEqual(found[1], [None] * cameras)

    def test_what_a_detector_raises_is_raised(self):
        def detector(rgb, camera, frame):
            raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            list(vantage.Project(footage.project()).run(range(4), detector=detector, backend="cpu"))
        with self.assertRaisesRegex(vantage.Error, r"\(N, 5\)"):
            list(vantage.Project(footage.project()).run(range(4), detector=lambda *_: [[1, 2]], backend="cpu"))

    def test_frames_that_are_not_there(self):
        project = vantage.Project(footage.project())
        for frames in (range(500, 510), range(5, 5), range(0, 10, 2)):
            with self.assertRaises(vantage.Error):
                project.run(frames)
        self.assertEqual(len(project.run(slice(70, None))), 5)

    def test_stopping_early_leaves_nothing_running(self):
        before = threading.active_count(), len(os.listdir("/proc/self/task"))
        frames = vantage.Project(footage.project()).run(backend="cpu")
        next(frames)
        frames.close()
        with self.assertRaises(StopIteration):
            next(frames)
        del frames
        again = vantage.Project(footage.project()).run(backend="cpu")
        del again  # without having taken any
        gc.collect()
        self.assertEqual(before[0], threading.active_count())

    def test_ctrl_c_stops(self):
        # Where tests run in the background the signal is ignored, and the interpreter leaves it so.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

        def detector(rgb, camera, frame):
            if frame == 2 and camera == "cam1":
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.05)
            return None

        with self.assertRaises(KeyboardInterrupt):
            for _ in vantage.Project(footage.project()).run(detector=detector, backend="cpu"):
                pass

    def test_nothing_leaks(self):
        project = vantage.Project(footage.project())

        def resident_mb():
            for frame in project.run(backend="cpu"):
                frame.rgb(0), frame.masks, frame.people, frame.volume.shell_points()
            gc.collect()
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

        # Memory that threads of earlier passes were given is used again; it settles after some passes. Frames that leaked would
        # be 34 MB a pass, 100 MB from one three to the next.
        passes = [resident_mb() for _ in range(9)]
        self.assertLess(min(passes[6:]) - min(passes[3:6]), 25, passes)


if __name__ == "__main__":
    unittest.main()
