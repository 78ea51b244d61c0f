"""DAISY by scikit-image, for tests/parity/features/daisy_peer_test.cpp.

daisy_skimage.py PICTURE.pgm DESCRIPTORS: binary PGM in; out float32, height - 2 R rows of width - 2 R
descriptors of 25 histograms of 8 bins, R = 15. Exits with 77 where scikit-image is not installed.
"""
import sys

try:
    import numpy
    import skimage
    from skimage.feature import daisy
except ImportError:
    sys.exit(77)

with open(sys.argv[1], "rb") as file:
    kind, width, height, most, pixels = file.read().split(maxsplit=4)[:5]
assert kind == b"P5" and most == b"255"
picture = numpy.frombuffer(pixels, numpy.uint8).reshape(int(height), int(width))
daisy(picture, step=1, radius=15, rings=3, histograms=8, orientations=8, normalization="off").astype(
    "<f4"
).tofile(sys.argv[2])
print("scikit-image", skimage.__version__)
