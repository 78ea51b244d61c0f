"""Vantage from Python: projects, the chain frame by frame, and its algorithms by themselves.

    import vantage

    project = vantage.Project("hall.vantage")
    project.parameters["carving.threshold"] = 0.6
    for frame in project.run(range(100)):
        for person in frame.people:
            print(frame.index, person.id, person.x_m, person.y_m)

Arrays that come out are read-only views of the program's own memory where that is the host's. Lengths are
metres (`_m`), places in pictures pixels (`_px`). Failures are raised as `vantage.Error`, with the sentences of
the command line.
"""

from ._core import *  # noqa: F401,F403
from ._core import __all__, __version__  # noqa: F401
