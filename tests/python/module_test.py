"""The algorithms by themselves, against slow references in NumPy, and the stub against the module."""

import ast
import os
import pathlib
import tempfile
import unittest

import numpy as np
import vantage


class StubTest(unittest.TestCase):
    def test_stub_names_what_the_module_has(self):
        stub = pathlib.Path(os.environ["VANTAGE_SOURCE_DIR"]) / "app/python/vantage/__init__.pyi"
        declared = {}
        for node in ast.parse(stub.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                declared[node.name] = None
            elif isinstance(node, ast.ClassDef):
                members = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
                members |= {m.target.id for m in node.body if isinstance(m, ast.AnnAssign)}
                declared[node.name] = members
        self.assertEqual(set(declared), set(vantage.__all__))
        for name, members in declared.items():
            if members is None or name == "Error":
                continue
            public = {m for m in vars(getattr(vantage, name)) if not m.startswith("_")}
            self.assertEqual({m for m in members if not m.startswith("_")}, public, name)


class IntegralImageTest(unittest.TestCase):
    def test_equals_cumulative_sums(self):
        rng = np.random.default_rng(1)
        image = rng.integers(0, 256, (37, 53), dtype=np.uint8)
        table = vantage.integral_image(image)
        self.assertEqual(table.dtype, np.int32)
        np.testing.assert_array_equal(table, image.astype(np.int64).cumsum(0).cumsum(1))
        wide = vantage.integral_image(image, sums=np.uint64)
        self.assertEqual(wide.dtype, np.uint64)
        np.testing.assert_array_equal(wide, table)

    def test_exclusive_is_one_larger(self):
        image = np.random.default_rng(2).random((16, 9))
        table = vantage.integral_image(image, exclusive=True)
        self.assertEqual(table.shape, (17, 10))
        np.testing.assert_allclose(table[1:, 1:], image.cumsum(0).cumsum(1), rtol=1e-12)
        self.assertFalse(table[0].any() or table[:, 0].any())
        box = table[9, 7] - table[3, 7] - table[9, 2] + table[3, 2]
        self.assertAlmostEqual(box, image[3:9, 2:7].sum(), places=10)

    def test_strided_arrays_are_read_as_they_look(self):
        image = np.arange(400, dtype=np.float32).reshape(20, 20)[::2, ::-1]
        np.testing.assert_allclose(vantage.integral_image(image), image.cumsum(0).cumsum(1), rtol=1e-5)

    def test_says_what_is_wrong(self):
        with self.assertRaises(vantage.Error) as raised:
            vantage.integral_image(np.zeros((4, 4, 3), np.uint8))
        self.assertEqual(raised.exception.kind, "invalid_argument")
        self.assertIn("(N, N)", str(raised.exception))
        with self.assertRaises(vantage.Error) as raised:
            vantage.integral_image(np.zeros((4, 4), np.complex64))
        self.assertIn("complex64", raised.exception.what)


def overlap(a, b):
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0
    return width * height / (a[2] * a[3] + b[2] * b[3] - width * height)


class NmsTest(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(3)
        self.boxes = np.c_[rng.random((200, 2)) * 100, rng.random((200, 2)) * 30 + 5]
        self.scores = rng.random(200)

    def test_greedy_equals_the_obvious_loop(self):
        kept = []
        for i in np.argsort(-self.scores):
            if all(overlap(self.boxes[i], self.boxes[k]) <= 0.4 for k in kept):
                kept.append(i)
        found, scores = vantage.nms(self.boxes, self.scores, 0.4)
        self.assertEqual(sorted(kept), found.tolist())
        np.testing.assert_allclose(scores, self.scores[found], rtol=1e-6)

    def test_classes_do_not_suppress_each_other(self):
        boxes, scores = [[0, 0, 10, 10]] * 2, [0.9, 0.8]
        self.assertEqual(vantage.nms(boxes, scores)[0].tolist(), [0])
        self.assertEqual(vantage.nms(boxes, scores, classes=[1, 2])[0].tolist(), [0, 1])

    def test_refuses_what_does_not_fit(self):
        with self.assertRaises(vantage.Error):
            vantage.nms(self.boxes, self.scores[:-1])
        with self.assertRaises(vantage.Error) as raised:
            vantage.nms(self.boxes, self.scores, method="best")
        self.assertIn("soft-linear", raised.exception.remedy)


class FlowTest(unittest.TestCase):
    def test_finds_a_shift(self):
        rng = np.random.default_rng(4)
        texture = rng.random((220, 260))
        for axis in (0, 1):  # a little blurred, as pictures are
            texture = sum(np.roll(texture, k, axis) for k in range(-3, 4)) / 7
        texture = (255 * (texture - texture.min()) / np.ptp(texture)).astype(np.uint8)
        earlier, later = texture[10:210, 10:250], texture[12:212, 7:247]
        flow, confidence = vantage.farneback(earlier, later, confidence=True, window_px=15)
        self.assertEqual(flow.shape, (200, 240, 2))
        self.assertEqual(confidence.shape, (200, 240))
        inner = flow[30:-30, 30:-30].reshape(-1, 2)
        np.testing.assert_allclose(np.median(inner, 0), [3, -2], atol=0.1)
        self.assertFalse(flow.flags.writeable)

    def test_refuses_unknown_parameters(self):
        grey = np.zeros((64, 64), np.uint8)
        with self.assertRaises(vantage.Error) as raised:
            vantage.farneback(grey, grey, windows_px=5)
        self.assertIn("window_px", str(raised.exception))


class ForegroundTest(unittest.TestCase):
    def test_sees_what_came(self):
        rng = np.random.default_rng(5)

        def picture(square):
            scene = np.full((96, 128, 3), (90, 120, 60), np.float64)
            if square:
                scene[30:70, 40:80] = (200, 40, 40)
            return (scene + rng.normal(0, 1, scene.shape)).clip(0, 255).astype(np.uint8)

        model = vantage.Foreground(backend="cpu")
        for _ in range(20):
            model.learn(picture(False))
        self.assertLess((model.apply(picture(False)) > 0).mean(), 0.01)
        mask = model.apply(picture(True)) > 0
        expected = np.zeros((96, 128), bool)
        expected[30:70, 40:80] = True
        self.assertGreater((mask & expected).sum() / (mask | expected).sum(), 0.9)

    def test_refuses_other_types(self):
        with self.assertRaises(vantage.Error) as raised:
            vantage.Foreground().apply(np.zeros((10, 10)))
        self.assertIn("uint8", raised.exception.what)


class TrackerTest(unittest.TestCase):
    def test_keeps_numbers_of_people_who_pass(self):
        tracker = vantage.Tracker(25.0, confirm_frames=3)
        numbers = []
        for frame in range(50):
            step = frame / 25
            numbers.append(tracker.update(frame, [[step - 1, 0.0, 1.8], [1 - step, 1.0, 1.6]]).tolist())
        self.assertEqual(numbers[0], [0, 0])
        self.assertEqual(numbers[10:], [[1, 2]] * 40)

    def test_refuses_frames_out_of_order(self):
        tracker = vantage.Tracker(25.0)
        tracker.update(5, np.zeros((0, 2)))
        with self.assertRaises(vantage.Error):
            tracker.update(5, np.zeros((0, 2)))


class TrackTest(unittest.TestCase):
    def test_bridges_a_gap_and_keeps_identities(self):
        truth, seen = [], []
        for frame in range(60):
            for person, (x, y, height) in enumerate([(frame / 25 - 1.2, 0.0, 1.85), (1.2 - frame / 25, 1.0, 1.6)], 1):
                truth.append([frame, person, x, y, height])
                if person == 1 or not 20 <= frame < 30:
                    seen.append([frame, x, y, height])
        paths = vantage.track(seen, 25.0)
        self.assertEqual(len(np.unique(paths[:, 1])), 2)
        self.assertEqual(len(paths), len(truth))
        self.assertEqual((paths[:, 5] == 0).sum(), 10)
        self.assertEqual(vantage.evaluate(truth, paths[:, :5])["idf1"], 1)

    def test_refuses_what_does_not_fit(self):
        self.assertEqual(vantage.track(np.zeros((0, 3)), 25.0).shape, (0, 6))
        with self.assertRaises(vantage.Error):
            vantage.track(np.zeros((4, 2)), 25.0)
        with self.assertRaises(vantage.Error):
            vantage.track(np.zeros((4, 3)), 0.0)
        with self.assertRaises(vantage.Error) as raised:
            vantage.track(np.zeros((4, 3)), 25.0, jiter_m=1)
        self.assertIn("jitter_m", str(raised.exception))


class EvaluateTest(unittest.TestCase):
    def test_counts_what_differs(self):
        truth = [[frame, person, person, frame / 10] for frame in range(1, 11) for person in (1, 2)]
        self.assertEqual(vantage.evaluate(truth, truth)["idf1"], 1)
        given = [row for row in truth if row[0] > 2 or row[1] == 1]  # two rows are missing
        figures = vantage.evaluate(truth, given)
        self.assertEqual(figures["false_negatives"], 2)
        self.assertAlmostEqual(figures["moda"], 0.9)

    def test_says_ospa_gospa_and_intervals(self):
        truth = [[frame, 1, 0.0, 0.0] for frame in range(1, 201)]
        given = [[frame, 1, 0.1, 0.0] for frame in range(1, 201) if frame % 5]
        figures = vantage.evaluate(truth, given, cutoff=1.0, intervals=True)
        self.assertAlmostEqual(figures["gospa_m"], 0.8 * 0.1 + 0.2 * 0.5)
        self.assertAlmostEqual(figures["ospa_m"], 0.8 * 0.1 + 0.2 * 1.0)
        self.assertAlmostEqual(figures["gospa_missed"], 0.1)
        self.assertEqual(figures["gospa_false"], 0)
        self.assertIn("moda", figures["intervals"])
        short = vantage.evaluate(truth[:5], given[:4], intervals=True)
        self.assertIsNone(short["intervals"]["moda"])
        boxes = [[1, 1, 0, 0, 10, 20]]
        self.assertIsNone(vantage.evaluate(boxes, boxes, space="image")["ospa_m"])
        with self.assertRaises(vantage.Error):
            vantage.evaluate(truth, given, order=0.5)

    def test_reads_files_with_and_without_names_of_columns(self):
        rows = "1,1,-1,-1,-1,-1,1,0.5,0.5,0\n2,1,-1,-1,-1,-1,1,0.6,0.5,0\n"
        with tempfile.TemporaryDirectory() as folder:
            plain, named = pathlib.Path(folder, "plain.csv"), pathlib.Path(folder, "named.csv")
            plain.write_text(rows)
            named.write_text("frame,id,left,top,width,height,confidence,x,y,z\n" + rows)
            figures = vantage.evaluate(plain, named)
        self.assertEqual((figures["true_rows"], figures["moda"]), (2, 1))


if __name__ == "__main__":
    unittest.main()
