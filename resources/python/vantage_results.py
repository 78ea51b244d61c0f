"""Reads the results of Vantage: a NAME.results folder, as `vantage-cli run` and the window write it.

    from vantage_results import Results
    results = Results("hall.results")
    for row in results.tracks():
        print(row.frame, row.id, row.x_m, row.y_m, row.confidence)
    floor = results.floor_map(250)
    print(floor.value_at(1.5, -0.5), "metres occupied there")

Needs nothing but Python 3.8. The files are described in resources/docs/formats.md.
Called as a program with a folder it prints what the folder holds.
"""

import array
import collections
import json
import pathlib
import re
import struct
import sys
import zlib

Track = collections.namedtuple("Track", "frame id x_m y_m z_m confidence height_m deviation", defaults=(None,))
Track.__doc__ = """One person in one frame. `frame` counts from 0, as in results.jsonl (tracks.csv counts
from 1). `confidence`: share of the body's outline that is foreground, mean over the cameras that see it. `height_m`: None where unknown.
`deviation`: a Deviation, None where it could not be learnt."""

Deviation = collections.namedtuple("Deviation", "x_m y_m correlation height_m")
Deviation.__doc__ = """Standard deviations of a position and a height, and the correlation of the errors of x and y."""


class FloorPicture:
    """A picture of the floor with its place in the world: rows[0] is the row of the greatest y."""

    def __init__(self, rows, scale, step):
        self.rows = rows
        self.scale = scale
        self.step = step  # what one grey level stands for
        self.metres_per_pixel = scale["metres_per_pixel"]

    def value_at(self, x_m, y_m):
        """The value of the cell at a place, None outside the picture."""
        column = round((x_m - self.scale["x_m"]) / self.metres_per_pixel)
        row = len(self.rows) - 1 - round((y_m - self.scale["y_m"]) / self.metres_per_pixel)
        if not (0 <= row < len(self.rows) and 0 <= column < len(self.rows[0])):
            return None
        return self.rows[row][column] * self.step

    def array(self):
        """All values as a numpy array, the first row that of the greatest y; needs numpy."""
        import numpy

        return numpy.asarray(self.rows, dtype=float) * self.step


class Results:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        lines = self.folder / "results.jsonl"
        if not lines.is_file():
            raise FileNotFoundError("%s: no results here; `vantage-cli run` writes them" % lines)
        with open(lines, encoding="utf-8") as file:
            self.header = json.loads(file.readline())
        if self.header.get("schema") not in ("vantage-results-1", "vantage-results-2"):
            raise ValueError("%s: schema %r is not known here" % (lines, self.header.get("schema")))

    @property
    def cameras(self):
        return [camera["name"] for camera in self.header["cameras"]]

    def frames(self):
        """The lines of results.jsonl as dictionaries, one at a time, with what lines leave out."""
        with open(self.folder / "results.jsonl", encoding="utf-8") as file:
            next(file)
            for line in file:
                yield self._completed(json.loads(line))

    def _completed(self, line):
        """A line states only what the header or the line itself does not say already."""
        for name, camera in zip(self.cameras, line["cameras"]):
            usual = {"name": name, "frame": line["frame"], "foreground_share": None, "problem": None}
            for key, value in usual.items():
                camera.setdefault(key, value)
        if "versions" in self.header:
            line.setdefault("versions", self.header["versions"])
        return line

    def tracks(self):
        """All rows of tracks.csv; empty without a calibration."""
        path = self.folder / "tracks.csv"
        if not path.is_file():
            return []
        rows = []
        with open(path, encoding="ascii") as file:
            for line in file:
                v = line.split(",")
                height_m = float(v[10]) if len(v) > 10 else None
                place = (float(v[7]), float(v[8]), float(v[9]))
                deviation = Deviation(*map(float, v[11:15])) if len(v) > 14 else None
                rows.append(Track(int(v[0]) - 1, int(v[1]), *place, float(v[6]), height_m, deviation))
        return rows

    def paths(self):
        """The tracks by number: {id: [Track, ...]}, in time's order."""
        paths = {}
        for row in self.tracks():
            paths.setdefault(row.id, []).append(row)
        return paths

    def detections(self, camera):
        """What a detector saw in one camera's pictures: {frame: [{"x_px", "y_px", "width_px", "height_px", "score"}, ...]},
        in pixels, (0, 0) being the centre of the top left one. Frames that nobody looked at are left out; an empty list
        says that nobody was found."""
        index = self.cameras.index(camera)
        found = {}
        for line in self.frames():
            boxes = line["cameras"][index].get("detections")
            if boxes is not None:
                found[line["frame"]] = boxes
        return found

    def saved_frames(self, kind):
        """Frames with a file of a kind: "shells", "floor", "volumes" or "masks/CAMERA"."""
        names = (re.fullmatch(r"frame_(\d+)\.(?:ply|png|vti)", p.name) for p in (self.folder / kind).glob("frame_*"))
        return sorted(int(name.group(1)) for name in names if name)

    def shell(self, frame):
        """The centres of the shell's voxels, [(x, y, z), ...] in metres."""
        data = (self.folder / "shells" / ("frame_%06d.ply" % frame)).read_bytes()
        end = data.index(b"end_header\n") + len(b"end_header\n")
        count = int(re.search(rb"element vertex (\d+)", data[:end]).group(1))
        return list(struct.iter_unpack("<3f", data[end : end + 12 * count]))

    def floor_map(self, frame):
        """FloorPicture: metres of occupied voxels over each cell of the floor."""
        rows, text = read_png(self.folder / "floor" / ("frame_%06d.png" % frame))
        return FloorPicture(rows, json.loads(text["Vantage floor"]), 0.001)

    def volume(self, frame):
        """(values, size, origin, voxel size): the confidence of every voxel as array.array('f'), the voxel (x, y, z) at
        x + nx * (y + ny * z); (nx, ny, nz); the first voxel's centre in metres."""
        data = (self.folder / "volumes" / f"frame_{frame:06d}.vti").read_bytes()
        mark = data.index(b"<AppendedData")
        head, start = data[:mark].decode(), data.index(b"_", mark) + 1

        def numbers(name):
            return [float(word) for word in re.search(f'{name}="([^"]*)"', head).group(1).split()]

        extent = numbers("WholeExtent")
        values = array.array("f")
        order = "little" if "LittleEndian" in head else "big"
        values.frombytes(data[start + 8 : start + 8 + int.from_bytes(data[start : start + 8], order)])
        if order != sys.byteorder:
            values.byteswap()
        size = tuple(int(extent[2 * axis + 1]) + 1 for axis in range(3))
        return values, size, tuple(numbers("Origin")), numbers("Spacing")[0]

    def coverage(self):
        """FloorPicture: how many cameras see each cell of the floor."""
        rows, text = read_png(self.folder / "coverage.png")
        return FloorPicture(rows, json.loads(text["Vantage floor"]), 1 / (255 // len(self.cameras)))

    def mask(self, camera, frame):
        """The rows of a camera's foreground mask: 255 or 0."""
        return read_png(self.folder / "masks" / camera / ("frame_%06d.png" % frame))[0]

    def timings(self):
        return json.loads((self.folder / "timings.json").read_text(encoding="utf-8"))


def read_png(path):
    """(rows, text) of a grey PNG of 8 or 16 bits, as Vantage writes them: no palette, not interlaced."""
    data = pathlib.Path(path).read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("%s: not a PNG file" % path)
    packed, text, at = [], {}, 8
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        content = data[at + 8 : at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", content)
            if colour != 0 or depth not in (8, 16) or interlaced:
                raise ValueError("%s: only grey pictures of 8 or 16 bits are read" % path)
        elif kind == b"IDAT":
            packed.append(content)
        elif kind == b"tEXt":
            keyword, _, value = content.partition(b"\0")
            text[keyword.decode("latin-1")] = value.decode("latin-1")
    pixel = depth // 8
    rows = _unfilter(zlib.decompress(b"".join(packed)), width * pixel, height, pixel)
    form = ">%d%s" % (width, "B" if pixel == 1 else "H")
    return [list(struct.unpack(form, row)) for row in rows], text


def _unfilter(data, row_bytes, height, pixel):
    rows, before = [], bytes(row_bytes)
    for y in range(height):
        start = y * (row_bytes + 1)
        kind, row = data[start], bytearray(data[start + 1 : start + 1 + row_bytes])
        if kind:
            for i in range(row_bytes):
                left = row[i - pixel] if i >= pixel else 0
                corner = before[i - pixel] if i >= pixel else 0
                row[i] = (row[i] + _predict(kind, left, before[i], corner)) & 0xFF
        rows.append(bytes(row))
        before = rows[-1]
    return rows


def _predict(kind, left, up, corner):
    """The PNG specification's filters 1 to 4."""
    if kind == 1:
        return left
    if kind == 2:
        return up
    if kind == 3:
        return (left + up) // 2
    guess = left + up - corner
    distances = abs(guess - left), abs(guess - up), abs(guess - corner)
    return (left, up, corner)[distances.index(min(distances))]


def main(arguments):
    if len(arguments) != 1:
        print("Usage: vantage_results.py NAME.results", file=sys.stderr)
        return 2
    try:
        results = Results(arguments[0])
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    frames = list(results.frames())
    counts = [f["people"]["count"] for f in frames if f["people"] and f["people"]["count"] is not None]
    print("%d frames of %s" % (len(frames), ", ".join(results.cameras)))
    if counts:
        print("people: %.1f on average" % (sum(counts) / len(counts)))
    for number, path in results.paths().items():
        length = sum(
            ((b.x_m - a.x_m) ** 2 + (b.y_m - a.y_m) ** 2) ** 0.5 for a, b in zip(path, path[1:])
        )
        print("track %d: frames %d to %d, %.1f m walked" % (number, path[0].frame, path[-1].frame, length))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
