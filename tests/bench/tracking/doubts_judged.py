#!/usr/bin/env python3
"""Compares the probabilities of `vantage-cli doubts --least 0 --json` with true identities.

doubts_judged.py TRACKS.csv TRUTH.csv DOUBTS.json [TRACKS.csv TRUTH.csv DOUBTS.json ...]

A track's true identity at a moment is that of the true person who is nearest to it, within 0.5 m, in most of its
frames of the second before (or behind). A passage is wrong where one of the two goes on as the true person that the
other was, a gap where the person goes on as another, a restart where both tracks are one true person. Moments without a true identity on
either side are left out. Printed are, for classes of probability, how many there were, what was said in the mean
and the share that was wrong; and the Brier score beside that of always saying the share.
"""
import collections
import json
import math
import sys

REACH_M = 0.5
EDGES = (0, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0001)


def read(path):
    """frame from 0 -> [(id, x, y)]"""
    frames = collections.defaultdict(list)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.split(",")
            if len(fields) < 10 or not fields[0].strip().isdigit():
                continue
            frames[int(fields[0]) - 1].append((int(fields[1]), float(fields[7]), float(fields[8])))
    return frames


def identity(tracks, truth, track, frames):
    votes = collections.Counter()
    for frame in frames:
        for one, x, y in tracks.get(frame, ()):
            if one != track:
                continue
            near = [(math.hypot(tx - x, ty - y), true) for true, tx, ty in truth.get(frame, ())]
            if near and min(near)[0] <= REACH_M:
                votes[min(near)[1]] += 1
    return votes.most_common(1)[0][0] if votes else None


def judge(tracks, truth, doubt, second):
    """Whether the tracks are wrong there; None: the truth does not tell."""
    first, last = doubt["first_frame"], doubt["last_frame"]
    before, behind = range(first - second, first + 1), range(last, last + second + 1)

    def of(track, frames):
        return identity(tracks, truth, track, frames)

    a, other = of(doubt["person"], before), doubt.get("other")
    if doubt["kind"] == "restart":
        b = of(other, behind)
        return None if a is None or b is None else a == b
    a_behind = of(doubt["person"], behind)
    if a is None or a_behind is None:
        return None
    if doubt["kind"] == "gap":
        return a != a_behind
    b, b_behind = of(other, before), of(other, behind)
    if b is None or b_behind is None or a == b or a_behind == b_behind:
        return None
    return a_behind == b or b_behind == a


def table(judged):
    print("  said          count  mean said  share wrong")
    for low, high in zip(EDGES, EDGES[1:]):
        some = [(p, wrong) for p, wrong in judged if low <= p < high]
        if some:
            print(
                f"  {low:.2f} to {min(high, 1):.2f}  {len(some):5}  {sum(p for p, _ in some) / len(some):9.3f}"
                f"  {sum(wrong for _, wrong in some) / len(some):11.3f}"
            )
    share = sum(wrong for _, wrong in judged) / len(judged)
    brier = sum((p - wrong) ** 2 for p, wrong in judged) / len(judged)
    print(f"  {len(judged)} in all, {share:.3f} wrong; Brier {brier:.4f}, of the share alone {share * (1 - share):.4f}")


def main():
    if len(sys.argv) < 4 or (len(sys.argv) - 1) % 3:
        sys.exit(__doc__)
    judged = collections.defaultdict(list)
    for i in range(1, len(sys.argv), 3):
        tracks, truth = read(sys.argv[i]), read(sys.argv[i + 1])
        with open(sys.argv[i + 2], encoding="utf-8") as file:
            said = json.load(file)
        second = max(1, round(said["frame_rate"]))
        for doubt in said["doubts"]:
            wrong = judge(tracks, truth, doubt, second)
            if wrong is not None:
                judged[doubt["kind"]].append((doubt["wrong"], wrong))
    for kind, pairs in sorted(judged.items()):
        print(kind)
        table(pairs)


if __name__ == "__main__":
    main()
