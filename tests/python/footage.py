"""Rendered footage for the tests: made once a process."""

import atexit
import os
import pathlib
import struct
import subprocess
import tempfile
import zlib

import numpy as np

_folder = tempfile.TemporaryDirectory()
atexit.register(_folder.cleanup)


def cli(*arguments):
    return subprocess.run(
        [os.environ["VANTAGE_CLI"], *map(str, arguments)], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def project():
    """The project file of three seconds of two people."""
    folder = pathlib.Path(_folder.name, "hall")
    if not folder.exists():
        cli("synth", "--out", folder, "--people", 2, "--area", 4, "--size", "320x240", "--seconds", 3)
    return next(folder.glob("*.vantage"))


def write_png(path, grey):
    """A (height, width) uint8 array as a PNG file."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    height, width = grey.shape
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    pathlib.Path(path).write_bytes(png)


def picture_of_board(camera, world_from_board, columns, rows, square_m):
    """What a calibrated camera (vantage.Camera) sees of a chessboard with so many inner corners; grey elsewhere.

    world_from_board (4, 4): corner (column, row) lies at (column, row, 0) * square_m of the board. White margin of half a square.
    """
    width, height = camera.size_px
    fine = 3  # samples of a pixel in each direction
    steps = (np.arange(fine) + 0.5) / fine - 0.5
    u, v = np.meshgrid((np.arange(width)[:, None] + steps).ravel(), (np.arange(height)[:, None] + steps).ravel())
    seen = (np.stack([u, v, np.ones_like(u)], -1) @ np.linalg.inv(camera.intrinsics).T)[..., :2]
    k1, k2, p1, p2, k3 = camera.distortion
    flat = seen.copy()
    for _ in range(20):  # the lens undone
        x, y = flat[..., 0], flat[..., 1]
        r2 = x * x + y * y
        bent = np.stack([2 * p1 * x * y + p2 * (r2 + 2 * x * x), p1 * (r2 + 2 * y * y) + 2 * p2 * x * y], -1)
        flat = (seen - bent) / (1 + k1 * r2 + k2 * r2**2 + k3 * r2**3)[..., None]
    board_from_cam = np.linalg.inv(camera.cam_from_world @ world_from_board)
    rays = np.concatenate([flat, np.ones_like(flat[..., :1])], -1) @ board_from_cam[:3, :3].T
    with np.errstate(divide="ignore", invalid="ignore"):
        depth = -board_from_cam[2, 3] / rays[..., 2]
        place = (board_from_cam[:2, 3] + depth[..., None] * rays[..., :2]) / square_m
    inside = (depth > 0) & (place > -1.5).all(-1) & (place < (columns + 0.5, rows + 0.5)).all(-1)
    squares = inside & (place > -1).all(-1) & (place < (columns, rows)).all(-1)
    with np.errstate(invalid="ignore"):
        dark = squares & (np.floor(place).sum(-1) % 2 == 0)
    levels = np.where(dark, 25.0, np.where(inside, 230.0, 120.0))
    return levels.reshape(height, fine, width, fine).mean((1, 3)).round().astype(np.uint8)
