"""A detector of one's own inside the chain: people from what a function finds in each picture.

    python3 own_detector.py hall.vantage

Any function does: it gets the picture as an array (height, width, 3), the camera's name and the frame, and gives
rows of left, top, width, height, score. This one takes what moves before the median of 15 pictures; a network's
outputs would stand in its place.
"""

import sys

import numpy as np
import vantage


def spans(covered, shortest):
    """(begin, end) of the runs of True that are long enough."""
    edges = np.flatnonzero(np.diff(np.r_[0, covered.astype(np.int8), 0]))
    return [(b, e) for b, e in zip(edges[::2], edges[1::2]) if e - b >= shortest]


class MovingBoxes:
    def __init__(self, project):
        frames = range(len(project.run()))
        every = max(1, len(frames) // 15)
        pictures = {camera.name: [] for camera in project.cameras}
        for frame in project.run():
            if frame.index % every == 0:
                for name, seen in pictures.items():
                    seen.append(frame.rgb(name))
        self.scenes = {name: np.median([p for p in seen if p is not None], 0) for name, seen in pictures.items()}

    def __call__(self, rgb, camera, frame):
        moving = np.abs(rgb - self.scenes[camera]).max(2) > 40
        height, width = moving.shape
        boxes = []
        for left, right in spans(moving.sum(0) > height // 30, width // 60):
            rows = np.flatnonzero(moving[:, left:right].any(1))
            if len(rows) > height // 12:
                boxes.append([left, rows[0], right - left, rows[-1] - rows[0] + 1, 0.9])
        return boxes


def main(path):
    project = vantage.Project(path)
    found = 0
    for frame in project.run(detector=MovingBoxes(project)):
        people = frame.people or []
        found += len(people)
        if frame.index % 25 == 0:
            print("frame %d: %d people, boxes by camera %s" % (frame.index, len(people), [len(d) for d in frame.detections]))
    print("%d positions of people" % found)


if __name__ == "__main__":
    main(sys.argv[1])
