"""What `vantage-cli export` and `collect` write, read by Python's own readers and compared with the results.

Usage: exports_test.py VANTAGE_CLI
"""

import base64
import collections
import csv
import datetime
import json
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

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


class Protobuf:
    """Messages decoded by the descriptors that their file holds."""

    def __init__(self, descriptors):
        self.types = {}
        for file in self.fields(descriptors)[1]:
            parts = self.fields(file)
            package = parts[2][0].decode()
            for message in parts.get(4, []):
                one = self.fields(message)
                fields = {}
                for field in one.get(2, []):
                    known = self.fields(field)
                    of = known[6][0].decode()[1:] if 6 in known else None
                    fields[known[3][0]] = (known[1][0].decode(), known[4][0] == 3, known[5][0], of)
                self.types[f"{package}.{one[1][0].decode()}"] = fields

    @staticmethod
    def varint(data, at):
        value = shift = 0
        while True:
            value |= (data[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 0x80:
                return value, at

    @classmethod
    def fields(cls, data):
        """Values by number: varints, bytes, and numbers of 8 and 4 bytes as bytes."""
        found, at = collections.defaultdict(list), 0
        while at < len(data):
            tag, at = cls.varint(data, at)
            kind = tag & 7
            if kind == 0:
                value, at = cls.varint(data, at)
            else:
                size = {1: 8, 5: 4}.get(kind)
                if size is None:
                    assert kind == 2
                    size, at = cls.varint(data, at)
                value, at = data[at : at + size], at + size
                assert len(value) == size
            found[tag >> 3].append(value)
        return found

    def decode(self, name, data):
        message = {}
        types = self.types[name]
        for number, values in self.fields(data).items():
            field, repeated, kind, of = types[number]
            if kind == 11:
                values = [self.decode(of, value) for value in values]
            elif kind == 1:
                values = [number for value in values for number in struct.unpack(f"<{len(value) // 8}d", value)]
            elif kind == 7:
                values = [struct.unpack("<I", value)[0] for value in values]
            elif kind == 9:
                values = [value.decode() for value in values]
            message[field] = values if repeated else values[-1]
        return message


class Usd:
    """Prims of a text file: attributes by prim, time samples as dictionaries."""

    TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[A-Za-z_][\w:.]*(?:\[\])?|[-+]?[\d.]+(?:e[-+]?\d+)?|[#(){}\[\]=,:])')

    def __init__(self, file):
        text = file.read_text()
        assert text.startswith("#usda 1.0\n")
        self.tokens, at = [], len("#usda 1.0")
        text = text.rstrip()
        while at < len(text):
            match = self.TOKEN.match(text, at)
            assert match, text[at : at + 40]
            self.tokens.append(match[1])
            at = match.end()
        self.at, self.prims = 0, {}
        self.stage = self.metadata()
        while self.at < len(self.tokens):
            self.prim("")

    def take(self, *expected):
        token = self.tokens[self.at]
        assert not expected or token in expected, (token, expected)
        self.at += 1
        return token

    def metadata(self):
        found = {}
        if self.tokens[self.at] == "(":
            self.take("(")
            while self.tokens[self.at] != ")":
                name = self.take()
                self.take("=")
                found[name] = self.value()
            self.take(")")
        return found

    def value(self):
        token = self.take()
        if token in "([{":
            items, end = [], {"(": ")", "[": "]", "{": "}"}[token]
            while self.tokens[self.at] != end:
                item = self.value()
                if token == "{":
                    self.take(":")
                    item = (item, self.value())
                items.append(item)
                if self.tokens[self.at] == ",":
                    self.take(",")
            self.take(end)
            return dict(items) if token == "{" else items
        if token[0] == '"':
            return json.loads(token)
        return float(token)

    def prim(self, parent):
        self.take("def")
        kind, name = self.take(), json.loads(self.take())
        path = f"{parent}/{name}"
        assert path not in self.prims and re.fullmatch(r"[A-Za-z_]\w*", name)
        self.prims[path] = found = {"": kind, **self.metadata()}
        self.take("{")
        while self.tokens[self.at] != "}":
            if self.tokens[self.at] == "def":
                self.prim(path)
                continue
            while self.tokens[self.at + 1] != "=":
                self.take()
            name = self.take()
            self.take("=")
            found[name] = self.value()
            self.metadata()
        self.take("}")


class Mcap:
    """A file as the specification has it, every checksum and index compared."""

    MAGIC = b"\x89MCAP0\r\n"

    def __init__(self, file):
        self.data = data = file.read_bytes()
        assert data[:8] == data[-8:] == self.MAGIC
        assert data[8] == 1
        self.schemas, self.channels, self.messages = {}, {}, []
        chunks, indexes, self.statistics = [], [], None
        at, part = 8, "data"
        while at < len(data) - 8:
            kind, content, end = self.record(data, at)
            if kind in (3, 4):
                self.described(kind, content)
            elif kind == 6:
                chunks.append((at, end - at, self.chunk(content)))
            elif kind == 7:
                chunks[-1][2]["index"].append((at, content))
            elif kind == 15:
                (checksum,) = struct.unpack("<I", content)
                assert checksum == zlib.crc32(data[:at]) and part == "data"
                part, summary = "summary", end
            elif kind == 8:
                indexes.append(content)
            elif kind == 11:
                self.statistics = content
            elif kind == 14:
                group, start, size = struct.unpack("<BQQ", content)
                assert data[start] == group and start >= summary
                assert self.groups(data[start : start + size]) == {group}
            elif kind == 2:
                begin, offsets, checksum = struct.unpack("<QQI", content)
                assert begin == summary and data[offsets] == 14
                assert checksum == zlib.crc32(data[begin : end - 4])
                assert end == len(data) - 8
            at = end
        self.compare(chunks, indexes)

    @staticmethod
    def record(data, at):
        kind, size = struct.unpack_from("<BQ", data, at)
        assert at + 9 + size <= len(data)
        return kind, data[at + 9 : at + 9 + size], at + 9 + size

    def groups(self, data):
        found, at = set(), 0
        while at < len(data):
            kind, _, at = self.record(data, at)
            found.add(kind)
        return found

    @staticmethod
    def texts(data, at, count):
        found = []
        for _ in range(count):
            (size,) = struct.unpack_from("<I", data, at)
            found.append(data[at + 4 : at + 4 + size])
            at += 4 + size
        assert at == len(data)
        return found

    def described(self, kind, content):
        if kind == 3:
            (number,) = struct.unpack_from("<H", content)
            name, encoding, described = self.texts(content, 2, 3)
            assert encoding == b"protobuf"
            assert self.schemas.setdefault(number, (name.decode(), Protobuf(described)))[0] == name.decode()
        else:
            number, schema = struct.unpack_from("<HH", content)
            topic, encoding, metadata = self.texts(content, 4, 3)
            assert encoding == b"protobuf" and metadata == b""
            assert self.channels.setdefault(number, (topic.decode(), schema)) == (topic.decode(), schema)

    def chunk(self, content):
        first, last, size, checksum, compression = struct.unpack_from("<QQQII", content)
        (stored,) = struct.unpack_from("<Q", content, 32)
        records = content[40:]
        assert compression == 0 and size == stored == len(records)
        assert checksum == zlib.crc32(records)
        by_offset, at = {}, 0
        while at < size:
            kind, message, end = self.record(records, at)
            assert kind == 5
            channel, sequence, time, _ = struct.unpack_from("<HIQQ", message)
            topic, schema = self.channels[channel]
            name, types = self.schemas[schema]
            self.messages.append((topic, time, types.decode(name, message[22:])))
            by_offset[(channel, time, at)] = sequence
            at = end
        times = [time for _, time, _ in by_offset]
        assert (min(times), max(times)) == (first, last)
        return {"times": (first, last), "size": size, "messages": by_offset, "index": []}

    def compare(self, chunks, indexes):
        counts = collections.Counter()
        for (start, length, chunk), index in zip(chunks, indexes, strict=True):
            found = {}
            for at, content in chunk["index"]:
                channel, size = struct.unpack_from("<HI", content)
                assert 6 + size == len(content)
                for time, offset in struct.iter_unpack("<QQ", content[6:]):
                    found[(channel, time, offset)] = at
            assert found.keys() == chunk["messages"].keys()
            counts.update(channel for channel, _, _ in found)
            first, last, begin, size, offsets = struct.unpack_from("<QQQQI", index)
            assert (first, last) == chunk["times"] and (begin, size) == (start, length)
            listed = dict(struct.iter_unpack("<HQ", index[36 : 36 + offsets]))
            assert listed == {channel: at for (channel, _, _), at in found.items()}
            index_length, compression, compressed, plain = struct.unpack_from("<QIQQ", index, 36 + offsets)
            assert index_length == sum(9 + len(content) for _, content in chunk["index"])
            assert compression == 0 and compressed == plain == chunk["size"]
        values = struct.unpack_from("<QHIIIIQQI", self.statistics)
        times = [time for _, time, _ in self.messages]
        assert values[:8] == (
            len(self.messages), len(self.schemas), len(self.channels), 0, 0, len(chunks), min(times), max(times)
        )
        assert dict(struct.iter_unpack("<HQ", self.statistics[46:])) == counts

    def on(self, topic):
        return [(time, message) for of, time, message in self.messages if of == topic]


# Numbers of Foxglove's own files, of the messages that are written.
FOXGLOVE = {
    "CompressedImage": {"timestamp": 1, "frame_id": 4, "data": 2, "format": 3},
    "CameraCalibration": {
        "timestamp": 1, "frame_id": 9, "width": 2, "height": 3, "distortion_model": 4, "D": 5, "K": 6, "R": 7, "P": 8
    },
    "FrameTransforms": {"transforms": 1},
    "FrameTransform": {"timestamp": 1, "parent_frame_id": 2, "child_frame_id": 3, "translation": 4, "rotation": 5},
    "SceneUpdate": {"deletions": 1, "entities": 2},
    "SceneEntity": {
        "timestamp": 1, "frame_id": 2, "id": 3, "lifetime": 4, "frame_locked": 5, "metadata": 6, "arrows": 7,
        "cubes": 8, "spheres": 9, "cylinders": 10, "lines": 11, "triangles": 12, "texts": 13, "models": 14
    },
    "CylinderPrimitive": {"pose": 1, "size": 2, "bottom_scale": 3, "top_scale": 4, "color": 5},
    "TextPrimitive": {"pose": 1, "billboard": 2, "font_size": 3, "scale_invariant": 4, "color": 5, "text": 6},
    "LinePrimitive": {
        "type": 1, "pose": 2, "thickness": 3, "scale_invariant": 4, "points": 5, "color": 6, "colors": 7, "indices": 8
    },
    "PointCloud": {"timestamp": 1, "frame_id": 2, "pose": 3, "point_stride": 4, "fields": 5, "data": 6},
    "PackedElementField": {"name": 1, "offset": 2, "type": 3},
}


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

    def test_mcap_has_pictures_cameras_and_people(self):
        file = self.hall / "hall.mcap"
        told = json.loads(self.cli("export", self.project, "--out", file, "--picture-width", 80, "--json"))
        self.assertEqual(told["files"], [str(file)])
        mcap = Mcap(file)
        for name, fields in FOXGLOVE.items():
            types = mcap.schemas[1][1].types["foxglove." + name]
            self.assertEqual({field[0]: number for number, field in types.items()}, fields)
        start = min(time for _, time, _ in mcap.messages)
        period = round(1e9 / RATE)

        def frame_of(time):
            return round((time - start) / period)

        # Pictures: each once, reduced, at their own times.
        for number, camera in enumerate(self.json["cameras"]):
            pictures = mcap.on(f"/{camera['name']}/image")
            self.assertEqual([frame_of(time) for time, _ in pictures], list(range(80)))
            for time, picture in pictures:
                stamp = picture["timestamp"]
                self.assertEqual(stamp["seconds"] * 10**9 + stamp["nanos"], time)
                self.assertEqual((picture["format"], picture["frame_id"]), ("jpeg", camera["name"]))
                size = picture["data"].index(b"\xff\xc0")
                self.assertEqual(struct.unpack_from(">HH", picture["data"], size + 5), (60, 80))
            model = camera["calibration"]
            calibrations = mcap.on(f"/{camera['name']}/calibration")
            self.assertEqual([frame_of(time) for time, _ in calibrations], [0, 60] if number == 1 else [0])
            calibration = calibrations[0][1]
            self.assertEqual((calibration["width"], calibration["height"]), (80, 60))
            fx, _, cx, _, fy, cy, *_ = calibration["K"]
            self.assertAlmostEqual(fx, model["fx_px"] / 2)
            self.assertAlmostEqual(fy, model["fy_px"] / 2)
            self.assertAlmostEqual(cx, (model["cx_px"] + 0.5) / 2 - 0.5)
            self.assertAlmostEqual(cy, (model["cy_px"] + 0.5) / 2 - 0.5)
            self.assertEqual((calibration["distortion_model"], len(calibration["D"])), ("plumb_bob", 5))
        # Poses: a point of the world as its camera has it.
        poses = {"cam1": [], "cam2": [], "cam3": [], "cam4": []}
        for time, message in mcap.on("/tf"):
            (pose,) = message["transforms"]
            self.assertEqual(pose["parent_frame_id"], "world")
            poses[pose["child_frame_id"]].append((frame_of(time), pose))
        self.assertEqual([frame for frame, _ in poses["cam2"]], [0, 60])
        for camera in self.json["cameras"]:
            model = camera["calibration"]
            pose = poses[camera["name"]][0][1]
            center = [pose["translation"][axis] for axis in "xyz"]
            rotation = [pose["rotation"][axis] for axis in "xyzw"]
            shift = model["translation_cam_from_world_m"]
            for axis, row in enumerate(model["rotation_cam_from_world"]):
                unit = [float(other == axis) for other in range(3)]
                for given, known in zip(turned(rotation, unit), row):
                    self.assertAlmostEqual(given, known, places=9)
                self.assertAlmostEqual(-sum(r * c for r, c in zip(row, center)), shift[axis], places=9)
        # People: those of the tracks, in every frame that was analysed.
        updates, clouds = mcap.on("/people"), mcap.on("/people/positions")
        self.assertEqual([frame_of(time) for time, _ in updates], list(range(80)))
        shown = 0
        for (time, update), (cloud_time, cloud) in zip(updates, clouds, strict=True):
            frame = frame_of(time)
            rows = {person: known[frame] for person, known in self.rows.items() if frame in known}
            self.assertEqual({entity["id"] for entity in update.get("entities", [])}, set(map(str, rows)))
            for entity in update.get("entities", []):
                row = rows[int(entity["id"])]
                (cylinder,), (text,) = entity["cylinders"], entity["texts"]
                middle = cylinder["pose"]["position"]
                self.assertAlmostEqual(middle["x"], row[1], places=4)
                self.assertAlmostEqual(middle["y"], row[2], places=4)
                self.assertAlmostEqual(middle["z"], cylinder["size"]["z"] / 2)
                self.assertEqual(text["text"], self.label(int(entity["id"])))
                self.assertEqual(entity["lifetime"]["nanos"], period)
                shown += 1
            self.assertEqual(cloud_time, time)
            self.assertEqual([field["name"] for field in cloud["fields"]], ["x", "y", "z", "height", "id", "seen"])
            self.assertEqual([field["offset"] for field in cloud["fields"]], [0, 4, 8, 12, 16, 20])
            points = list(struct.iter_unpack("<4fiI", cloud["data"]))
            self.assertEqual({point[4] for point in points}, set(rows))
            for x, y, z, _, person, _ in points:
                self.assertAlmostEqual(math.dist((x, y, z), (*rows[person][1:3], 0)), 0, places=4)
        self.assertGreater(shown, 60)
        floor = {entity["id"]: entity["lines"][0] for entity in mcap.on("/floor")[0][1]["entities"]}
        self.assertEqual(len(floor["floor"]["points"]), 4)
        for given, known in zip(floor["shop"]["points"], self.json["zones"][0]["corners_m"], strict=True):
            self.assertAlmostEqual(math.dist((given["x"], given["y"]), known), 0)
        # One camera, without its pictures.
        self.cli("export", self.project, "--out", file, "--camera", "cam2", "--picture-width", 0)
        topics = {topic for topic, _ in Mcap(file).channels.values()}
        self.assertEqual(topics, {"/tf", "/floor", "/people", "/people/positions", "/cam2/calibration"})
        self.assertEqual(list(self.hall.glob("*.part")), [])

    def test_usd_has_cameras_and_people(self):
        file = self.hall / "hall.usda"
        self.cli("export", self.project, "--out", file)
        usd = Usd(file)
        self.assertEqual((usd.stage["upAxis"], usd.stage["metersPerUnit"], usd.stage["timeCodesPerSecond"]), ("Z", 1, RATE))
        self.assertEqual((usd.stage["startTimeCode"], usd.stage["endTimeCode"]), (0, 79))
        point = (0.3, -0.4, 1.1)
        for number, camera in enumerate(self.json["cameras"], 1):
            prim, model = usd.prims[f"/scene/camera_{number}"], camera["calibration"]
            self.assertEqual((prim[""], prim["displayName"]), ("Camera", camera["name"]))
            # Row vectors: the point in the camera's axes, x right, y up, z backwards.
            rows = prim["xformOp:transform"]
            away = [p - c for p, c in zip(point, rows[3])]
            x, y, z = (sum(a * r for a, r in zip(away, row)) for row in rows[:3])
            focal = prim["focalLength"]
            across = (-x / z * focal - prim["horizontalApertureOffset"]) / prim["horizontalAperture"]
            up = (-y / z * focal - prim["verticalApertureOffset"]) / prim["verticalAperture"]
            u, v = self.pixel(model, point)
            self.assertAlmostEqual((across + 0.5) * model["width_px"] - 0.5, u, places=4)
            self.assertAlmostEqual((0.5 - up) * model["height_px"] - 0.5, v, places=4)
        poses = usd.prims["/scene/camera_2"]["xformOp:transform.timeSamples"]
        self.assertEqual(list(poses), [0, 59, 60])
        self.assertEqual(poses[0], poses[59])
        self.assertAlmostEqual(math.dist(poses[59][3], poses[60][3]), 0.05, places=6)
        for person, rows in self.rows.items():
            prim = usd.prims[f"/scene/person_{person}"]
            self.assertEqual((prim["displayName"], prim["vantage:id"]), (self.label(person), person))
            places = prim["xformOp:translate.timeSamples"]
            self.assertEqual(list(places), sorted(rows))
            height = prim["height"] + 2 * prim["radius"]
            for frame, place in places.items():
                self.assertAlmostEqual(math.dist(place, (*rows[frame][1:3], height / 2)), 0, places=3)
            visible = prim["visibility.timeSamples"]
            self.assertEqual((visible[min(rows)], visible[max(rows) + 1]), ("inherited", "invisible"))
        shop = usd.prims["/scene/zone_1"]
        self.assertEqual((shop["displayName"], shop["wrap"]), ("shop", "periodic"))
        for given, known in zip(shop["points"], self.json["zones"][0]["corners_m"], strict=True):
            self.assertAlmostEqual(math.dist(given[:2], known), 0, places=6)

    def test_fiftyone_has_cvats_boxes(self):
        folder = self.hall / "hall.fiftyone"
        self.cli("export", self.project, "--out", folder)
        self.cli("export", self.project, "--out", folder)  # again, over itself
        self.cli("export", self.project, "--out", self.hall / "same.xml")
        for camera in self.json["cameras"]:
            width, height = (camera["calibration"][side] for side in ("width_px", "height_px"))
            video = folder / f"data/{camera['name']}.mp4"
            self.assertTrue(video.is_symlink() and video.samefile(self.hall / camera["video"]))
            given = {}
            labels = json.loads((folder / f"labels/{camera['name']}.json").read_text())
            for frame, content in labels["frames"].items():
                self.assertEqual(content["frame_number"], int(frame))
                for one in content["objects"]["objects"]:
                    self.assertEqual(one["label"], "person")
                    attributes = {attribute["name"]: attribute["value"] for attribute in one["attrs"]["attrs"]}
                    self.assertEqual(attributes["name"], self.label(one["index"]))
                    corners = [one["bounding_box"][corner] for corner in ("top_left", "bottom_right")]
                    box = [side for corner in corners for side in (corner["x"] * width, corner["y"] * height)]
                    given[int(frame) - 1, one["index"]] = (box, attributes["occluded"])
            known = {}
            root = xml.etree.ElementTree.parse(self.hall / f"same_{camera['name']}.xml").getroot()
            for track in root.iter("track"):
                for box in track.iter("box"):
                    if box.get("outside") == "0":
                        sides = [float(box.get(side)) for side in ("xtl", "ytl", "xbr", "ybr")]
                        known[int(box.get("frame")), int(track.get("id"))] = (sides, box.get("occluded") == "1")
            self.assertEqual(given.keys(), known.keys())
            self.assertGreater(len(known), 30)
            for key, (box, occluded) in given.items():
                self.assertEqual(occluded, known[key][1])
                for a, b in zip(box, known[key][0]):
                    self.assertAlmostEqual(a, b + 0.5, delta=0.006)

    @staticmethod
    def pixel(model, point):
        """Without the lens's distortion."""
        seen = [
            sum(r * p for r, p in zip(row, point)) + t
            for row, t in zip(model["rotation_cam_from_world"], model["translation_cam_from_world_m"])
        ]
        return (
            model["fx_px"] * seen[0] / seen[2] + model["cx_px"],
            model["fy_px"] * seen[1] / seen[2] + model["cy_px"],
        )

    def feet(self, camera, x, y, frame):
        """The pixel of a position on the floor; the rendered cameras have no distortion that matters here."""
        model = self.json["cameras"][camera]["calibration"]
        if camera == 1 and frame >= 60:
            model = self.json["cameras"][1]["later_calibrations"][0]["calibration"]
        return self.pixel(model, (x, y, 0))

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


class NightTest(unittest.TestCase):
    """A recorder's night: four cameras of twelve files each, two of them lost, in folders of dates and hours."""

    LOST = (4, 8)  # seconds

    def test_a_night_is_opened_analysed_and_read_back(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            ExportsTest.cli("synth", "--out", folder / "hall", "--people", 2, "--area", 4, "--size", "160x120", "--seconds", 12)
            for number in range(1, 5):
                hour = folder / f"night/cam{number}/2026-01-01/22"
                hour.mkdir(parents=True)
                subprocess.run(
                    ["ffmpeg", "-v", "error", "-i", folder / f"hall/cam{number}.mp4", "-qp", "12", "-bf", "0"]
                    + ["-force_key_frames", "expr:gte(t,n_forced)", "-f", "segment", "-segment_time", "1"]
                    + ["-reset_timestamps", "1", hour / "00.%02d.mp4"],
                    check=True,
                )
                self.assertEqual(len(list(hour.iterdir())), 12)
                for second in self.LOST:
                    (hour / f"00.{second:02}.mp4").unlink()
            calibration = folder / "hall/calibration.json"
            ExportsTest.cli("new", "--calibration", calibration, folder / "night")
            project = folder / "night/night.vantage"
            cameras = [camera["name"] for camera in json.loads(project.read_text())["cameras"]]
            self.assertEqual(cameras, ["cam1", "cam2", "cam3", "cam4"])
            for camera in cameras:
                ExportsTest.cli("ignore", project, camera, "--polygon", "0,0 40,0 40,10 0,10")
            ExportsTest.cli("run", project)
            for ending in ("xml", "glb", "mcap"):
                ExportsTest.cli("export", project, "--out", folder / f"night/people.{ending}")
            lost = {frame for second in self.LOST for frame in range(25 * second, 25 * second + 25)}
            there = [frame for frame in range(300) if frame not in lost]
            mcap = Mcap(folder / "night/people.mcap")
            start = datetime.datetime(2026, 1, 1, 22).timestamp()
            frames = {
                topic: [round((time / 1e9 - start) * RATE) for time, _ in mcap.on(topic)]
                for topic, _ in mcap.channels.values()
            }
            for camera in cameras:
                self.assertEqual(frames[f"/{camera}/image"], there)
            # Where no camera has a picture no one is known to be there, nor that no one is.
            self.assertEqual(frames["/people"], there)
            people = {entity["id"] for _, update in mcap.on("/people") for entity in update.get("entities", [])}
            self.assertGreaterEqual(len(people), 2)
            scene = Gltf(folder / "night/people.glb")
            for person in people:
                scene.channel(scene.node("#" + person), "translation")
            for camera in cameras:
                root = xml.etree.ElementTree.parse(folder / f"night/people_{camera}.xml").getroot()
                self.assertEqual(root.findtext("meta/task/size"), "300")
                boxes = [box for box in root.iter("box") if box.get("outside") == "0"]
                self.assertGreater(len(boxes), 50)
                for box in boxes:
                    if int(box.get("frame")) in lost:
                        self.assertEqual(box.get("occluded"), "1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
