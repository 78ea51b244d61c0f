#!/usr/bin/env python3
"""How many people keep their identity over the seams of merged results.

    seam_identity.py ONE/tracks.csv MERGED/merge.json MERGED/tracks.csv [--frames 25] [--truth truth/tracks.csv]

Of the people whom the single run sees in the last frame before a seam and in the first behind it, under one ID: whom the
merged tracks give the same ID in the frames before (of --frames) and in those behind. Theirs is the ID that is found within
half a metre most often. People who are no longer found by the merged tracks on one side count as lost. With the truth, those
whom the single run itself takes for somebody else in these frames are no measure and are counted apart. Prints JSON.
"""

import argparse
import collections
import json

NEAR_M = 0.5


def read_tracks(path):
    """{frame: {id: (x, y)}}, of rows where somebody was seen; frames from 0."""
    frames = collections.defaultdict(dict)
    with open(path, encoding="ascii") as file:
        for line in file:
            v = line.split(",")
            if float(v[6]) > 0:
                frames[int(v[0]) - 1][int(v[1])] = (float(v[7]), float(v[8]))
    return frames


def identity_of(person, one, merged, frames):
    """The merged ID of a person of the single run in these frames, None where there is none."""
    votes = collections.Counter()
    for frame in frames:
        place = one[frame].get(person)
        if place is None:
            continue
        near = [
            (((x - place[0]) ** 2 + (y - place[1]) ** 2) ** 0.5, other) for other, (x, y) in merged[frame].items()
        ]
        if near and min(near)[0] < NEAR_M:
            votes[min(near)[1]] += 1
    return votes.most_common(1)[0][0] if votes else None


def compare(one_file, report_file, merged_file, frames, truth_file=None):
    """The figures, as a dictionary."""
    one, merged = read_tracks(one_file), read_tracks(merged_file)
    truth = read_tracks(truth_file) if truth_file else None
    with open(report_file, encoding="utf-8") as file:
        seams = [seam["frame"] for seam in json.load(file)["seams"]]
    lost = []
    present = confused = 0
    for seam in seams:
        for person in one[seam - 1].keys() & one[seam].keys():
            sides = range(seam - frames, seam), range(seam, seam + frames)
            if truth and len({identity_of(person, one, truth, side) for side in sides}) > 1:
                confused += 1
                continue
            present += 1
            before, after = (identity_of(person, one, merged, side) for side in sides)
            if before is None or before != after:
                lost.append({"seam": seam, "person": person, "before": before, "after": after})
    return {"seams": len(seams), "confused": confused, "present": present, "kept": present - len(lost), "lost": lost}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one"), parser.add_argument("report"), parser.add_argument("merged")
    parser.add_argument("--frames", type=int, default=25)
    parser.add_argument("--truth")
    options = parser.parse_args()
    print(json.dumps(compare(options.one, options.report, options.merged, options.frames, options.truth)))


if __name__ == "__main__":
    main()
