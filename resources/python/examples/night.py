"""What happened in a night: a folder of results minute by minute, without running anything.

    python3 night.py hall.results

Reads with vantage_results.py, which lies beside this folder and needs nothing but Python.
"""

import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from vantage_results import Results


def main(folder):
    results = Results(folder)
    rate = results.header.get("frame_rate") or 25
    people, seen = collections.defaultdict(set), collections.Counter()
    for row in results.tracks():
        minute = int(row.frame / rate / 60)
        people[minute].add(row.id)
        seen[row.id] += 1
    for minute in sorted(people):
        print("minute %d: %d people" % (minute, len(people[minute])))
    for person, frames in seen.most_common(5):
        print("person %d: %.1f s" % (person, frames / rate))


if __name__ == "__main__":
    main(sys.argv[1])
