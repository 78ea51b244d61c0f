"""Optical flow beside OpenCV's on two pictures of a recording.

    python3 compare_opencv.py hall.vantage
"""

import sys

import cv2
import numpy as np
import vantage


def main(path):
    project = vantage.Project(path)
    earlier, later = [frame.luma(0) for frame in project.run(range(10, 12))]
    ours = vantage.farneback(earlier, later, levels=3, window_px=15, iterations=3)
    theirs = cv2.calcOpticalFlowFarneback(earlier, later, None, 0.5, 3, 15, 3, 11, 1.1, 0)
    difference = np.linalg.norm(ours - theirs, axis=2)
    print("largest difference %.4f px, median %.6f px" % (difference.max(), np.median(difference)))
    print("longest flow %.2f px" % np.linalg.norm(ours, axis=2).max())


if __name__ == "__main__":
    main(sys.argv[1])
