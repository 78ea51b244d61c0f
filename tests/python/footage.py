"""Rendered footage for the tests: made once a process."""

import atexit
import os
import pathlib
import subprocess
import tempfile

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
