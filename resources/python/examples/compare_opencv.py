"""Optical flow beside OpenCV's on two pictures of a recording.

    python3 compare_opencv.py hall.vantage [flows.png]

With a second argument both flows are drawn side by side: directions as hues, lengths as brightness.
"""

import sys

import cv2
import numpy as np
import vantage


def drawn(flow, longest):
    length, angle = cv2.cartToPolar(flow[..., 0], flow[..., 1], angleInDegrees=True)
    hsv = np.dstack([angle / 2, np.full_like(length, 255), np.minimum(255, 255 * length / longest)])
    return cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)


def main(path, out=None):
    project = vantage.Project(path)
    earlier, later = [frame.luma(0) for frame in project.run(range(10, 12))]
    ours = vantage.farneback(earlier, later, levels=3, window_px=15, iterations=3)
    theirs = cv2.calcOpticalFlowFarneback(earlier, later, None, 0.5, 3, 15, 3, 11, 1.1, 0)
    difference = np.linalg.norm(ours - theirs, axis=2)
    print("largest difference %.4f px, median %.6f px" % (difference.max(), np.median(difference)))
    longest = np.linalg.norm(ours, axis=2).max()
    print("longest flow %.2f px" % longest)
    if out:
        cv2.imwrite(out, np.hstack([drawn(ours, longest), drawn(theirs, longest)]))


if __name__ == "__main__":
    main(*sys.argv[1:3])
