"""What `vantage-cli export` and `collect` write, read by Python's own readers and compared with the results.

Usage: exports_test.py VANTAGE_CLI
"""

import base64
import collections
import csv
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

CLI = sys.argv[1]
RATE = 25


class Gltf:
    """A file as the specification has it: chunks or a data address, accessors by their own offsets."""

    def __init__(self, file):
        data = file.read_bytes()
        if file.suffix == ".glb":
            magic, version, length = struct.unpack_from("<4sII", data)
            assert (magic, version, length) == (b"glTF", 2, len(data))
            size, kind = struct.unpack_from("<I4s", data, 12)
            assert kind == b"JSON" and size % 4 == 0
            self.json = json.loads(data[20 : 20 + size])
            bin_size, kind = struct.unpack_from("<I4s", data, 20 + size)
            assert kind == b"BIN\0" and 28 + size + bin_size == len(data)
            self.buffer = data[28 + size :]
        else:
            self.json = json.loads(data)
            self.buffer = base64.b64decode(self.json["buffers"][0]["uri"].partition(",")[2], validate=True)
        assert len(self.buffer) >= self.json["buffers"][0]["byteLength"]

    def values(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        letter, size = {5126: ("f", 4), 5123: ("H", 2)}[accessor["componentType"]]
        count = accessor["count"] * width
        assert view["byteOffset"] % size == 0 and view["byteLength"] == count * size
        flat = struct.unpack_from(f"<{count}{letter}", self.buffer, view["byteOffset"])
        rows = [flat[i : i + width] for i in range(0, count, width)]
        assert accessor["min"] == [min(column) for column in zip(*rows)]
        assert accessor["max"] == [max(column) for column in zip(*rows)]
        return [row[0] for row in rows] if width == 1 else rows

    def node(self, name):
        return next(i for i, node in enumerate(self.json["nodes"]) if node["name"] == name)

    def channel(self, node, path):
        animation = self.json["animations"][0]
        for channel in animation["channels"]:
            if channel["target"] == {"node": node, "path": path}:
                sampler = animation["samplers"][channel["sampler"]]
                return sampler["interpolation"], self.values(sampler["input"]), self.values(sampler["output"])
        raise KeyError(path)


def turned(quaternion, vector):
    """A unit quaternion (x, y, z, w) applied to a vector."""
    x, y, z, w = quaternion
    a, b, c = vector
    tx, ty, tz = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    return (a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx)


class ExportsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.hall = pathlib.Path(cls.temporary.name) / "hall"
        cls.project = cls.hall / "hall.vantage"
        cls.cli("synth", "--out", cls.hall, "--people", 2, "--area", 4, "--size", "160x120", "--seconds", 4)
        # A zone and, from frame 60 on, another pose of the second camera.
        project = json.loads(cls.project.read_text())
        project["zones"] = [{"name": "shop", "corners_m": [[0, 0], [1, 0], [1, 1], [0.2, 0.1]]}]
        later = json.loads(json.dumps(project["cameras"][1]["calibration"]))
        later["translation_cam_from_world_m"][2] += 0.05
        project["cameras"][1]["later_calibrations"] = [{"from_frame": 60, "calibration": later}]
        project["cameras"][2]["offset_frames"] = 3
        cls.project.write_text(json.dumps(project))
        cls.cli("run", cls.project, "--force", "--frames", "0:80")
        cls.json = json.loads(cls.project.read_text())
        cls.rows = collections.defaultdict(dict)  # by ID and frame
        with open(cls.hall / "hall.results/tracks.csv") as file:
            for row in csv.reader(file):
                cls.rows[int(row[1])][int(row[0]) - 1] = [float(value) for value in row[6:11]]
        longest = max(cls.rows, key=lambda one: len(cls.rows[one]))
        frame, place = next(iter(cls.rows[longest].items()))
        cls.cli("repair", cls.project, "--name", f"{frame},{place[1]},{place[2]},Anna & Bo")
        cls.named = longest

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def cli(cls, *words):
        done = subprocess.run([CLI, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def label(self, person):
        return "Anna & Bo" if person == self.named else f"#{person}"

    def test_people_of_gltf_are_those_of_the_tracks(self):
        self.assertGreater(sum(map(len, self.rows.values())), 60)
        read = []
        for ending in ("glb", "gltf"):
            file = self.hall / f"people.{ending}"
            self.cli("export", self.project, "--out", file)
            scene = Gltf(file)
            self.assertEqual(scene.json["asset"]["version"], "2.0")
            read.append({key: value for key, value in scene.json.items() if key != "buffers"})
            for person, rows in self.rows.items():
                node = scene.node(self.label(person))
                self.assertIn(node, scene.json["nodes"][0]["children"])
                how, times, places = scene.channel(node, "translation")
                self.assertEqual(how, "LINEAR")
                self.assertEqual([round(time * RATE) for time in times], sorted(rows))
                for time, place in zip(times, places):
                    row = rows[round(time * RATE)]
                    self.assertAlmostEqual(time, round(time * RATE) / RATE, places=5)
                    for given, known in zip(place, (row[1], row[2], 0)):
                        self.assertAlmostEqual(given, known, places=4)
                # Shown from the first to the last frame, whatever is before and behind.
                how, times, sizes = scene.channel(node, "scale")
                self.assertEqual(how, "STEP")
                shown = {round(time * RATE): size[0] for time, size in zip(times, sizes)}
                self.assertEqual(shown[min(rows)], 1)
                self.assertEqual(shown[max(rows) + 1], 0)
                self.assertEqual(min(rows) == 0 or shown[0] == 0, True)
                # The capsule stands on the floor and is as high as the person.
                primitive = scene.json["meshes"][scene.json["nodes"][node]["mesh"]]["primitives"][0]
                points = scene.values(primitive["attributes"]["POSITION"])
                heights = sorted(row[4] for row in rows.values() if len(row) > 4 and row[4] > 0)
                self.assertAlmostEqual(min(point[2] for point in points), 0, places=5)
                self.assertAlmostEqual(max(point[2] for point in points), heights[len(heights) // 2], delta=0.002)
                self.assertLess(max(scene.values(primitive["indices"])), len(points))
        self.assertEqual(read[0], read[1])

    def test_cameras_of_gltf_see_what_the_calibration_sees(self):
        file = self.hall / "people.glb"
        self.cli("export", self.project, "--out", file)
        scene = Gltf(file)
        # The upper node turns the scene's z to glTF's y.
        for given, known in zip(turned(scene.json["nodes"][0]["rotation"], (1, 2, 3)), (1, 3, -2)):
            self.assertAlmostEqual(given, known, places=6)
        for camera in self.json["cameras"]:
            model = camera["calibration"]
            node = scene.json["nodes"][scene.node(camera["name"])]
            lens = scene.json["cameras"][node["camera"]]["perspective"]
            rotation, shift = model["rotation_cam_from_world"], model["translation_cam_from_world_m"]
            point = (0.3, -0.4, 1.1)
            seen = [sum(r * p for r, p in zip(row, point)) + t for row, t in zip(rotation, shift)]
            inverse = [-value for value in node["rotation"][:3]] + [node["rotation"][3]]
            x, y, z = turned(inverse, [p - t for p, t in zip(point, node["translation"])])
            for given, known in zip((x, -y, -z), seen):
                self.assertAlmostEqual(given, known, places=5)
            # At the border of the picture the format's cameras have 1 and -1.
            self.assertAlmostEqual(math.tan(lens["yfov"] / 2), model["height_px"] / 2 / model["fy_px"], places=9)
            self.assertAlmostEqual(
                lens["aspectRatio"] * math.tan(lens["yfov"] / 2), model["width_px"] / 2 / model["fx_px"], places=9
            )
        how, times, places = scene.channel(scene.node("cam2"), "translation")
        self.assertEqual((how, [round(time * RATE) for time in times]), ("STEP", [0, 60]))
        self.assertAlmostEqual(math.dist(*places), 0.05, places=5)
        zone = scene.json["meshes"][scene.json["nodes"][scene.node("shop")]["mesh"]]["primitives"][0]
        self.assertEqual(zone["mode"], 2)
        corners = scene.values(zone["attributes"]["POSITION"])
        for given, known in zip(corners, self.json["zones"][0]["corners_m"]):
            self.assertAlmostEqual(math.dist(given[:2], known), 0, places=5)
        self.assertIn("floor", [node["name"] for node in scene.json["nodes"]])

    def feet(self, camera, x, y, frame):
        """The pixel of a position on the floor; the rendered cameras have no distortion that matters here."""
        model = self.json["cameras"][camera]["calibration"]
        if camera == 1 and frame >= 60:
            model = self.json["cameras"][1]["later_calibrations"][0]["calibration"]
        seen = [
            row[0] * x + row[1] * y + t
            for row, t in zip(model["rotation_cam_from_world"], model["translation_cam_from_world_m"])
        ]
        return (
            model["fx_px"] * seen[0] / seen[2] + model["cx_px"],
            model["fy_px"] * seen[1] / seen[2] + model["cy_px"],
        )

    def test_boxes_of_cvat_are_where_people_are(self):
        self.cli("export", self.project, "--out", self.hall / "boxes.xml")
        compared = 0
        for number, camera in enumerate(self.json["cameras"]):
            root = xml.etree.ElementTree.parse(self.hall / f"boxes_{camera['name']}.xml").getroot()
            self.assertEqual(root.findtext("version"), "1.1")
            size = int(root.findtext("meta/task/size"))
            self.assertEqual(size, 100)
            self.assertEqual(root.findtext("meta/task/labels/label/name"), "person")
            offset = round(camera.get("offset_frames", 0))
            for track in root.iter("track"):
                rows = self.rows[int(track.get("id"))]
                boxes = list(track.iter("box"))
                frames = [int(box.get("frame")) for box in boxes]
                self.assertEqual(frames, sorted(set(frames)))
                self.assertTrue(0 <= frames[0] and frames[-1] < size)
                # Results end before the video: so does the person, and not with the task.
                self.assertEqual(boxes[-1].get("outside"), "1")
                self.assertEqual(boxes[0].get("keyframe"), "1")
                keys = []
                for box, frame in zip(boxes, frames):
                    attributes = {one.get("name"): one.text for one in box.iter("attribute")}
                    self.assertEqual(attributes["id"], track.get("id"))
                    self.assertEqual(attributes["name"] or "", "Anna & Bo" if track.get("id") == str(self.named) else "")
                    corners = [float(box.get(side)) for side in ("xtl", "ytl", "xbr", "ybr")]
                    if box.get("keyframe") == "1":
                        keys.append((frame, corners, box.get("outside") == "1"))
                    if box.get("outside") == "1":
                        self.assertNotIn(frame - offset, set(rows) - self.leaving(camera, number, rows))
                        continue
                    confidence, x, y = rows[frame - offset][:3]
                    u, v = self.feet(number, x, y, frame - offset)
                    width, height = camera["calibration"]["width_px"], camera["calibration"]["height_px"]
                    self.assertTrue(0 <= corners[0] < corners[2] <= width and 0 <= corners[1] < corners[3] <= height)
                    if 5 < u < width - 5 and 5 < v < height - 5 and corners[3] < height - 1:
                        self.assertTrue(corners[0] < u < corners[2], (corners, u))
                        self.assertLess(abs(v - corners[3]), 0.25 * (corners[3] - corners[1]) + 2)
                        compared += 1
                # CVAT keeps key frames alone and draws straight lines between them.
                for box, frame in zip(boxes, frames):
                    if box.get("outside") == "1":
                        continue
                    before = max(key for key in keys if key[0] <= frame)
                    behind = min((key for key in keys if key[0] >= frame), default=before)
                    share = (frame - before[0]) / max(1, behind[0] - before[0])
                    for side, low, high in zip(("xtl", "ytl", "xbr", "ybr"), before[1], behind[1]):
                        self.assertAlmostEqual(float(box.get(side)), low + share * (high - low), delta=0.52)
        self.assertGreater(compared, 100)

    def leaving(self, camera, number, rows):
        """Frames in which the person's feet are near the border or beyond it."""
        width, height = camera["calibration"]["width_px"], camera["calibration"]["height_px"]
        found = set()
        for frame, row in rows.items():
            u, v = self.feet(number, row[1], row[2], frame)
            if not (20 < u < width - 20 and 20 < v < height - 20):
                found.add(frame)
        return found

    def test_a_collected_project_opens_elsewhere(self):
        """Moved, and without the original, results are the same and so is another run."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            # One video lies elsewhere.
            shutil.copytree(self.hall, folder / "lab/hall")
            (folder / "disk").mkdir()
            (folder / "lab/hall/cam3.mp4").rename(folder / "disk/third.mp4")
            project = folder / "lab/hall/hall.vantage"
            self.cli("relink", project, "--folder", folder / "disk", "--write")
            self.cli("run", project, "--force", "--frames", "0:80")

            def frames(results):
                return results.joinpath("results.jsonl").read_text().split("\n")[1:]

            def summary(of):
                read = json.loads(self.cli("summary", of, "--json"))
                del read["results"]  # the path
                return read

            lines, before = frames(folder / "lab/hall/hall.results"), summary(project)
            self.assertEqual(len(lines), 81)
            told = json.loads(self.cli("collect", project, folder / "c", "--json"))
            self.assertEqual(told["project"], str(folder / "c/hall.vantage"))
            again = subprocess.run([CLI, "collect", project, folder / "c"], capture_output=True, text=True)
            self.assertEqual(again.returncode, 1)
            self.assertIn("is there already", again.stderr)
            shutil.rmtree(folder / "lab"), shutil.rmtree(folder / "disk")
            (folder / "c").rename(folder / "d")
            moved = folder / "d/hall.vantage"
            self.assertEqual(frames(folder / "d/hall.results"), lines)
            self.assertEqual(summary(moved), before)
            self.cli("run", moved, "--force", "--frames", "0:80", "--out", folder / "again")
            self.assertEqual(frames(folder / "again"), lines)
            (folder / "d/cam2.mp4").unlink()
            missing = subprocess.run([CLI, "collect", moved, folder / "e"], capture_output=True, text=True)
            self.assertEqual(missing.returncode, 1)
            self.assertIn("cam2's video", missing.stderr)
            self.assertEqual(sorted(path.name for path in folder.iterdir()), ["again", "d"])

    def test_boxes_are_evaluated_as_cvats_tracks(self):
        """What is written is ground truth of what it was written from."""
        file = self.hall / "truth.xml"
        self.cli("export", self.project, "--out", file, "--camera", "cam1")
        same = json.loads(self.cli("evaluate", "--gt", file, "--result", file, "--space", "image", "--json"))
        self.assertEqual(same["clear"]["mota"], 1)
        boxes = [
            box for box in xml.etree.ElementTree.parse(file).getroot().iter("box") if box.get("outside") == "0"
        ]
        self.assertEqual(same["true_rows"], len(boxes))
        floor = subprocess.run([CLI, "truth", self.project, "--import", file], capture_output=True, text=True)
        self.assertEqual(floor.returncode, 1)
        self.assertIn("no positions on the floor", floor.stderr)

    def test_one_camera_is_one_file_and_wrong_calls_are_told(self):
        file = self.hall / "one.xml"
        self.cli("export", self.project, "--out", file, "--camera", "cam2")
        self.assertTrue(file.exists())
        for words, code in (
            (["--out", "people.fbx"], 2),
            (["--out", file, "--camera", "cam9"], 2),
            (["--out", file, "--results", self.hall / "nowhere"], 1),
        ):
            done = subprocess.run([CLI, "export", self.project, *map(str, words)], capture_output=True)
            self.assertEqual(done.returncode, code, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
