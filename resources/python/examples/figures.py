"""A figure: a frame's picture with its mask, the carved volume from above, and the paths over the floor.

    python3 figures.py hall.vantage figure.png
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import vantage


def main(path, out):
    project = vantage.Project(path)
    paths = {}
    for frame in project.run():
        for person in frame.people or []:
            paths.setdefault(person.id, []).append((person.x_m, person.y_m))
    camera = project.cameras[0].name
    figure, (picture, above, floor) = plt.subplots(1, 3, figsize=(13, 4))
    mask = frame.masks[0] > 0
    picture.imshow(np.where(mask[..., None], frame.rgb(camera), frame.rgb(camera) // 3))
    picture.set_title("%s, frame %d" % (camera, frame.index))
    picture.axis("off")
    volume = frame.volume
    x0, y0, _ = volume.origin_m
    columns, _ = frame.floor_map
    size = volume.voxel_size_m
    shown = above.imshow(
        columns * size, origin="lower", extent=(x0, x0 + columns.shape[1] * size, y0, y0 + columns.shape[0] * size)
    )
    above.set_title("%.0f litres, metres occupied" % volume.litres)
    figure.colorbar(shown, ax=above)
    for number, places in sorted(paths.items()):
        if number:
            floor.plot(*np.array(places).T, label="person %d" % number)
    floor.set_title("paths, metres")
    floor.set_aspect("equal")
    floor.legend()
    figure.savefig(out, dpi=120)
    print("%s: %d paths" % (out, len([n for n in paths if n])))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
