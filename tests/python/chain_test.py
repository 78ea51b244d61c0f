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


class VariantTest(unittest.TestCase):
    def test_are_the_command_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "copy.vantage")
            vantage.Project(footage.project()).save(path)
            project = vantage.Project(path)
            self.assertEqual(project.variants(), {})
            project.parameters["carving.threshold"] = 0.6
            project.add_variant("lower")
            self.assertEqual([v["name"] for v in json.loads(footage.cli("variants", "list", path, "--json").stdout)], ["lower"])
            footage.cli("variants", "add", path, "quick", "--set", "people.source=volume")
            both = project.variants()
            self.assertEqual(sorted(both), ["lower", "quick"])
            self.assertEqual(both["lower"].origin, "the project")
            difference = both["lower"].parameters.difference(both["quick"].parameters)
            self.assertEqual(difference["carving.threshold"], (0.6, 0.7))
            self.assertEqual(difference["people.source"][1], "volume")
            both["quick"].parameters["carving.threshold"] = 0.5
            with self.assertRaises(vantage.Error):
                project.add_variant("quick", both["quick"])
            project.add_variant("quick", both["quick"], replace=True)
            project.use_variant("quick")
            self.assertEqual(project.parameters["carving.threshold"], 0.5)
            project.use_variant(both["lower"])
            self.assertEqual(project.parameters.changed(), {"carving.threshold": 0.6})
            project.remove_variant("lower")
            self.assertEqual(list(project.variants()), ["quick"])
            with self.assertRaises(vantage.Error) as raised:
                project.use_variant("lower")
            self.assertIn("quick", str(raised.exception))

    def test_are_made_of_results(self):
        with tempfile.TemporaryDirectory() as folder:
            path, out = pathlib.Path(folder, "copy.vantage"), pathlib.Path(folder, "out")
            vantage.Project(footage.project()).save(path)
            footage.cli("run", path, "--frames", "0:2", "--out", out, "--set", "carving.threshold=0.55", "--shells", 0)
            variant = vantage.Project(path).add_variant("found", out)
            self.assertEqual(variant.parameters["carving.threshold"], 0.55)
            self.assertIn("out", variant.origin)

    def test_damaged_files_are_warned_of(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "copy.vantage")
            vantage.Project(footage.project()).save(path)
            project = vantage.Project(path)
            project.add_variant("good")
            pathlib.Path(folder, "copy.variants", "bad.json").write_text("{")
            with self.assertWarnsRegex(UserWarning, "bad.json"):
                self.assertEqual(list(project.variants()), ["good"])


class AlgorithmTest(unittest.TestCase):
    """Algorithms by themselves give what they give in the chain."""

    @classmethod
    def setUpClass(cls):
        cls.project = vantage.Project(footage.project())
        cls.project.parameters["heightmap.enabled"] = True
        cls.project.parameters["heightmap.iterations"] = 20
        with cls.project.run(range(20, 22), backend="cpu", confidence=True) as frames:
            cls.frame = [frame for frame in frames][-1]
        cls.cameras = [camera.name for camera in cls.project.cameras]

    def test_carve(self):
        indicators = [self.frame.indicator(name) for name in self.cameras]
        volume = vantage.carve(self.project, indicators, backend="cpu", confidence=True)
        self.assertEqual(volume.occupied, self.frame.volume.occupied)
        np.testing.assert_array_equal(volume.shell_ids, self.frame.volume.shell_ids)
        np.testing.assert_array_equal(volume.confidence, self.frame.volume.confidence)
        copies = [np.ascontiguousarray(image) for image in indicators]
        np.testing.assert_array_equal(vantage.carve(self.project, copies, backend="cpu").shell_ids, volume.shell_ids)
        self.assertGreater(vantage.carve(self.project, copies, backend="cpu", threshold=0.4).occupied, volume.occupied)
        alone = vantage.carve(self.project, copies[:1] + [None] * 3, backend="cpu")
        self.assertEqual((alone.occupied, len(alone.shell_ids)), (0, 0))

    def test_carve_says_what_does_not_fit(self):
        with self.assertRaisesRegex(vantage.Error, "4 cameras"):
            vantage.carve(self.project, [None], backend="cpu")
        with self.assertRaisesRegex(vantage.Error, "uint8"):
            vantage.carve(self.project, [np.zeros((240, 320))] * 4, backend="cpu")
        with self.assertRaises(vantage.Error):
            vantage.carve(self.project, [np.zeros((24, 32), np.uint8)] * 4, backend="cpu")

    def test_height_map(self):
        pictures = [self.frame.luma(name) for name in self.cameras]
        found = vantage.height_map(self.project, pictures, self.frame.masks, backend="cpu")
        self.assertIn(found.camera, self.cameras)
        np.testing.assert_array_equal(found.heights_m, self.frame.height_map)
        self.assertEqual(found.heads.shape[1], 4)
        with self.assertRaisesRegex(vantage.Error, "reference"):
            vantage.height_map(self.project, [None] + pictures[1:], backend="cpu", reference=1)


class CalibrateTest(unittest.TestCase):
    def test_cameras_are_where_the_board_was_seen_from(self):
        project = vantage.Project(footage.project())
        columns, rows, square_m = 7, 4, 0.2
        rng = np.random.default_rng(7)
        with tempfile.TemporaryDirectory() as folder:
            folders = {camera.name: pathlib.Path(folder, camera.name) for camera in project.cameras}
            for path in folders.values():
                path.mkdir()
            centers = [np.linalg.inv(camera.cam_from_world)[:3, 3] for camera in project.cameras]
            for instant in range(16):
                pair = centers[instant % 4], centers[(instant + 1) % 4]
                towards = (pair[0] + pair[1]) / 2 - (0, 0, 1) + rng.normal(0, 0.4, 3)
                z = towards / np.linalg.norm(towards)
                x = np.cross((0, 0, 1), z) + rng.normal(0, 0.15, 3)
                x = x - z * (x @ z)
                x /= np.linalg.norm(x)
                pose = np.eye(4)
                pose[:3, :3] = np.stack([x, np.cross(z, x), z], 1)
                middle = np.array([0, 0, 1.2]) + 0.35 * z * (1, 1, 0) + rng.normal(0, 0.1, 3)
                pose[:3, 3] = middle - pose[:3, :3] @ [(columns - 1) / 2 * square_m, (rows - 1) / 2 * square_m, 0]
                for camera in project.cameras:
                    picture = footage.picture_of_board(camera, pose, columns, rows, square_m)
                    if (camera.cam_from_world @ pose)[:3, 2] @ (camera.cam_from_world @ pose)[:3, 3] > 0:
                        picture[:] = 120  # its back
                    footage.write_png(folders[camera.name] / ("%04d.png" % instant), picture)
            found = vantage.calibrate(project, columns, rows, square_m, pictures=folders, solve_lens=False)
        self.assertEqual([one["camera"].name for one in found], [camera.name for camera in project.cameras])
        solved = [one["camera"].cam_from_world for one in found]
        for one in found:
            self.assertTrue(one["posed"])
            self.assertLess(one["rms_px"], 0.3)
        for camera, pose in zip(project.cameras[1:], solved[1:]):  # from the first camera's place
            expected = camera.cam_from_world @ np.linalg.inv(project.cameras[0].cam_from_world)
            given = pose @ np.linalg.inv(solved[0])
            turned = np.arccos(np.clip((np.trace(expected[:3, :3].T @ given[:3, :3]) - 1) / 2, -1, 1))
            self.assertLess(np.degrees(turned), 0.5)
            self.assertLess(np.linalg.norm(expected[:3, 3] - given[:3, 3]), 0.05)
        before = project.cameras[0].cam_from_world
        project.apply_calibration([found[0]["camera"]])
        np.testing.assert_array_equal(project.cameras[0].cam_from_world, solved[0])
        self.assertGreater(abs(before - solved[0]).max(), 0.01)  # another world: the board's

    def test_says_what_is_wrong(self):
        project = vantage.Project(footage.project())
        with self.assertRaises(vantage.Error):
            vantage.calibrate(project, 2, 4, 0.1)
        with self.assertRaisesRegex(vantage.Error, "DICT_APRILTAG_36h11"):
            vantage.calibrate(project, 6, 6, tags="tag36h11", tag_m=0.088, tag_gap_m=0.0264)
        with self.assertRaises(KeyError):
            vantage.calibrate(project, 7, 4, 0.1, pictures={"nobody": "x"})
        with self.assertRaisesRegex(vantage.Error, "fisheye"):
            vantage.calibrate(project, 7, 4, 0.1, lens="round")


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

    def test_a_foreground_function_stands_in_place_of_the_method(self):
        project = vantage.Project(footage.project())
        given = {}

        def bright(rgb, camera, frame):
            if frame == 2:
                return None
            given[camera, frame] = rgb.max(2) > 100 if frame else np.full(rgb.shape[:2], 127, np.uint8)
            return given[camera, frame]

        def fails(rgb, camera, frame):
            raise ZeroDivisionError("mine")

        with project.run(range(3), foreground=bright, backend="cpu") as frames:
            found = [(frame.masks, frame.indicator(0)) for frame in frames]
        names = [camera.name for camera in project.cameras]
        self.assertEqual(sorted(given), sorted((name, frame) for name in names for frame in (0, 1)))
        self.assertFalse(np.any(found[0][0]))  # below one half
        self.assertTrue((found[0][1] == 127).all())
        for name, mask in zip(names, found[1][0]):
            np.testing.assert_array_equal(mask, np.where(given[name, 1], 255, 0))
        self.assertFalse(np.any(found[2][0]))
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            list(project.run(range(4), foreground=fails, backend="cpu"))
        with self.assertRaisesRegex(vantage.Error, r"\(240, 320\)"):
            list(project.run(range(4), foreground=lambda *_: np.zeros((3, 4), bool), backend="cpu"))

    def test_people_of_ones_own_masks_are_those_of_the_same_masks(self):
        project = vantage.Project(footage.project())
        names, frames = [camera.name for camera in project.cameras], range(34)
        kept, first = {}, []
        for frame in project.run(frames, backend="cpu"):
            first.append(frame.people)
            kept.update({(name, frame.index): frame.indicator(name) for name in names})
        with project.run(frames, foreground=lambda rgb, camera, frame: kept[camera, frame], backend="cpu") as run:
            again = [frame.people for frame in run]

        def positions(people):
            return [(p.x_m, p.y_m, p.height_m, p.volume_l) for p in people]

        self.assertGreater(sum(len(people) for people in again), 30)
        self.assertEqual([positions(people) for people in first], [positions(people) for people in again])

    def test_tensors_are_the_arrays(self):
        project = vantage.Project(footage.project())
        project.parameters["flow.enabled"] = project.parameters["heightmap.enabled"] = True
        with project.run(range(12, 14), backend="cpu", confidence=True) as frames:
            frame = [f for f in frames][-1]
        columns, tops = frame.floor_map
        pairs = [(frame.tensor("luma", "cam2"), frame.luma(1)), (frame.tensor("mask"), frame.masks[0])]
        pairs += [(frame.tensor("indicator", 3), frame.indicator(3)), (frame.tensor("floor_columns"), columns)]
        pairs += [(frame.tensor("floor_tops"), tops), (frame.tensor("confidence"), frame.volume.confidence)]
        pairs += [(frame.tensor("shell_ids"), frame.volume.shell_ids), (frame.tensor("height_map"), frame.height_map)]
        pairs += [(frame.tensor("flow", camera), frame.flow[camera]) for camera in range(4)]
        self.assertEqual([len(tensor.shape) for tensor, _ in pairs], [2, 2, 2, 2, 2, 3, 1, 2, 3, 3, 3, 3])
        del frame, frames, columns, tops
        for tensor, array in pairs:
            self.assertEqual((tensor.shape, tensor.dtype, tensor.device), (array.shape, str(array.dtype), "cpu"))
            self.assertEqual(tensor.__dlpack_device__(), (1, 0))
            seen = np.from_dlpack(tensor)
            self.assertTrue(np.shares_memory(seen, array))
            copy = array.copy()
            del tensor, array
            np.testing.assert_array_equal(seen, copy)
        project = vantage.Project(footage.project())
        with self.assertRaisesRegex(vantage.Error, "indicator"):
            next(project.run(range(1), backend="cpu")).tensor("masks")
        frame = next(project.run(range(1), backend="cpu"))  # without them
        self.assertEqual([frame.tensor(what) for what in ("confidence", "flow", "height_map")], [None] * 3)

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
