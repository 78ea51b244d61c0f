#!/usr/bin/env python3
"""Writes single instants of people around a table, as three ceiling cameras of 640x480 detect them.

upper_bodies.py FOLDER SEED FRAMES [hard]

calibration.json and truth.csv (MOTChallenge's columns, x and y in metres, then the height), and per camera:
  boxes_camN.txt  boxes of the visible part of each body
  joints_camN/    the joints that are seen, of four or more, as OpenPose writes them; low scores, some guessed
  hull_camN.json  the same joints as COCO results: the hull of the joints as bbox, the mean over all joints as score
`hard`: a third of the people of a view are lost, a quarter of the others have head and shoulders only. The bodies
are jointed, lean and reach; table, carts, other people and the own trunk hide joints. Nothing is shared with the
model of bodies in core/fusion.
"""
import json
import math
import os
import random
import sys

WIDTH, HEIGHT, FOCAL = 640, 480, 535.0
BODY_25 = ("nose neck right_shoulder right_elbow right_wrist left_shoulder left_elbow left_wrist hip right_hip right_knee "
           "right_ankle left_hip left_knee left_ankle right_eye left_eye right_ear left_ear left_big_toe left_small_toe "
           "left_heel right_big_toe right_small_toe right_heel").split()
COCO_17 = ("nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow right_elbow left_wrist "
           "right_wrist left_hip right_hip left_knee right_knee left_ankle right_ankle").split()


def add(a, b, scale=1.0):
    return [p + scale * q for p, q in zip(a, b)]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    length = math.sqrt(dot(a, a))
    return [p / length for p in a]


class Camera:
    def __init__(self, center, target):
        self.center = center
        forward = unit(add(target, center, -1))
        right = unit(cross(forward, [0, 0, 1]))
        self.rotation = [right, cross(forward, right), forward]

    def pixel(self, point):
        x, y, z = (dot(row, add(point, self.center, -1)) for row in self.rotation)
        if z < 0.1:
            return None
        u, v = FOCAL * x / z + WIDTH / 2, FOCAL * y / z + HEIGHT / 2
        return (u, v) if 0 <= u < WIDTH and 0 <= v < HEIGHT else None

    def away(self, point):
        return math.dist(self.center, point)


class Person:
    def __init__(self, x, y, heading, height, lean, reach):
        self.x, self.y, self.height = x, y, height
        self.front, h = [math.cos(heading), math.sin(heading), 0], height
        left = [-self.front[1], self.front[0], 0]

        def at(front, side, up):
            return add(add([x, y, up], self.front, front), left, side)

        def trunk(along, front=0.0, side=0.0):
            return at(math.sin(lean) * along + math.cos(lean) * front, side,
                      0.53 * h + math.cos(lean) * along - math.sin(lean) * front)

        shoulders = 0.29 * h
        self.head, self.top = trunk(shoulders + 0.1 * h), trunk(shoulders + 0.18 * h)
        self.joints = {"hip": at(0, 0, 0.53 * h), "neck": trunk(shoulders), "nose": trunk(shoulders + 0.085 * h, 0.11)}
        for name, side in (("left_", 1), ("right_", -1)):
            shoulder = trunk(shoulders, 0, 0.115 * h * side)
            elbow = add(add(shoulder, self.front, 0.05 + 0.1 * reach), [0, 0, -0.16 * h])
            wrist = add(add(elbow, self.front, 0.03 + 0.22 * reach), [0, 0, -0.14 * h * (1 - reach)])
            hip = 0.07 * h * side
            self.joints.update({name + "eye": trunk(shoulders + 0.11 * h, 0.09, 0.03 * side),
                                name + "ear": trunk(shoulders + 0.1 * h, 0, 0.075 * side), name + "shoulder": shoulder,
                                name + "elbow": elbow, name + "wrist": wrist, name + "hip": at(0, hip, 0.53 * h),
                                name + "knee": at(0.03, hip, 0.285 * h), name + "ankle": at(-0.03, hip, 0.039 * h),
                                name + "heel": at(-0.08, hip, 0.01), name + "big_toe": at(0.15, hip, 0.01),
                                name + "small_toe": at(0.13, 0.1 * h * side, 0.01)})
        # Capsules: ends and radius.
        self.parts = [(at(0, side * 0.07 * h, 0.05), at(0, side * 0.07 * h, 0.53 * h), 0.09) for side in (1, -1)]
        self.parts += [(self.joints["hip"], self.joints["neck"], 0.17), (trunk(shoulders + 0.05 * h), self.head, 0.11)]

    def turned_to(self, camera):
        """Cosines of the direction to the camera from the front and from the left."""
        to = add(camera.center, self.head, -1)
        to = unit([to[0], to[1], 0])
        return dot(to, self.front), dot(to, [-self.front[1], self.front[0], 0])


def crosses(start, end, block):
    low, high = 0.0, 1 - 0.05 / math.dist(start, end)
    for axis in range(3):
        way = end[axis] - start[axis]
        if abs(way) < 1e-9:
            if not block[0][axis] <= start[axis] <= block[1][axis]:
                return False
            continue
        a, b = sorted(((block[0][axis] - start[axis]) / way, (block[1][axis] - start[axis]) / way))
        low, high = max(low, a), min(high, b)
    return low <= high


def nearest(a, b, c, d):
    """Distance of the lines from a to b and from c to d, and where on the first."""
    u, v, w = add(b, a, -1), add(d, c, -1), add(a, c, -1)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    across = uu * vv - uv * uv
    s = min(1, max(0, (uv * vw - vv * uw) / across)) if across > 1e-9 else 0
    t = min(1, max(0, (uv * s + vw) / vv))
    s = min(1, max(0, (uv * t - uw) / uu))
    return math.dist(add(a, u, s), add(c, v, t)), s


def is_seen(camera, point, owner, people, blocks):
    if any(crosses(camera.center, point, block) for block in blocks):
        return False
    for person in people:
        for begin, end, radius in person.parts:
            off, share = nearest(camera.center, point, begin, end)
            own = person is owner
            if off >= (0.75 if own else 1) * radius or share > 0.999:
                continue
            if not own or (1 - share) * camera.away(point) >= 1.3 * radius:
                return False
    return True


def people_of(rng, blocks):
    people, count = [], rng.choice([2, 3, 3, 4, 4, 5, 5, 6])
    for _ in range(200):
        if len(people) == count:
            break
        if rng.random() < 0.65:  # at the table
            side = rng.choice([-1, 1])
            place = rng.uniform(-1, 1), side * (0.3 + rng.uniform(0.22, 0.45))
            pose = -side * math.pi / 2 + rng.gauss(0, 0.4), max(0, rng.gauss(0.2, 0.15)), rng.uniform(0.3, 1)
        else:
            place = rng.uniform(-2, 2), rng.uniform(-1.9, 1.9)
            pose = rng.uniform(-math.pi, math.pi), max(0, rng.gauss(0, 0.08)), rng.uniform(0, 0.7)
        if any(math.dist(place, (one.x, one.y)) < 0.45 for one in people) or any(
                all(low[i] - 0.2 < place[i] < high[i] + 0.2 for i in (0, 1)) for low, high in blocks):
            continue
        height = min(1.95, max(1.5, rng.gauss(1.72, 0.085)))
        people.append(Person(*place, pose[0], height, pose[1], pose[2]))
    return people


def joints_seen(rng, camera, people, blocks, hard):
    """Of each person found, and of what is none: name -> x, y, score."""
    found = []
    for person in people:
        joints, (front, left) = {}, person.turned_to(camera)
        for name in BODY_25:
            pixel = camera.pixel(person.joints[name])
            if not pixel:
                continue
            seen = is_seen(camera, person.joints[name], person, people, blocks)
            face, foot = name == "nose" or name.endswith("eye"), name.endswith(("toe", "heel"))
            seen &= not (face and front < -0.1)
            seen &= not (name.endswith("ear") and (left if name[0] == "l" else -left) < -0.3)
            share = 0.55 if face else 0.35 if foot else 0.6 if name.endswith(("knee", "ankle")) else 0.8
            if rng.random() < (share if seen else 0.02 if foot else 0.12):
                off = 0.022 * FOCAL / camera.away(person.joints["neck"]) * (1 if seen else 3)
                score = min(0.95, max(0.06, rng.gauss(0.55 if seen else 0.2, 0.15)))
                joints[name] = rng.gauss(pixel[0], off), rng.gauss(pixel[1], off), score
        if len(joints) < 4 or rng.random() < (0.35 if hard else 0.15):
            continue
        if hard and rng.random() < 0.25:
            joints = {name: joint for name, joint in joints.items()
                      if name in ("nose", "neck") or name.endswith(("shoulder", "eye", "ear"))}
        if len(joints) >= 3:
            found.append(joints)
    while rng.random() < 0.2:
        x, y, size = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.uniform(40, 120)
        found.append({name: (rng.gauss(x, 0.3 * size), rng.gauss(y, 0.5 * size), rng.uniform(0.06, 0.35))
                      for name in rng.sample(BODY_25[:15], rng.randint(4, 7))})
    return found


def boxes_seen(rng, camera, people, blocks):
    for person in people:
        pixels, points = [], 0
        for begin, end, radius in person.parts:
            axis = unit(add(end, begin, -1))
            aside = unit(cross(axis, unit(add(camera.center, begin, -1))))
            for i in range(27):
                point = add(add(begin, add(end, begin, -1), i // 3 / 8), aside, (i % 3 - 1) * 0.95 * radius)
                pixel, points = camera.pixel(point), points + 1
                if pixel and is_seen(camera, point, person, people, blocks):
                    pixels.append(pixel)
        share = len(pixels) / points
        if share < 0.15 or rng.random() < (0.08 if share > 0.4 else 0.25):
            continue
        top = camera.pixel(person.top)
        if top and is_seen(camera, person.top, person, people, blocks):
            pixels.append(top)
        (left, top), (right, bottom) = ([choose(p[i] for p in pixels) for i in (0, 1)] for choose in (min, max))
        off = 0.03 * (bottom - top)
        left, top, right, bottom = (rng.gauss(edge, off) for edge in (left, top, right, bottom))
        yield left, top, right - left, bottom - top, min(0.99, max(0.1, rng.gauss(0.85, 0.15)))


def coco_entry(frame, joints):
    seen = [joints[name] for name in COCO_17 if name in joints]
    low, high = ([choose(joint[i] for joint in seen) for i in (0, 1)] for choose in (min, max))
    return {"image_id": frame, "category_id": 1, "score": round(sum(joint[2] for joint in seen) / len(COCO_17), 4),
            "bbox": [round(value, 2) for value in (*low, high[0] - low[0], high[1] - low[1])],
            "keypoints": [round(value, 3) for name in COCO_17 for value in joints.get(name, (0, 0, 0))]}


def main():
    folder, seed, frames, hard = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), "hard" in sys.argv[4:]
    rng = random.Random(seed)

    def near(*point):
        return [value + rng.uniform(-0.25, 0.25) for value in point]

    cameras = [Camera(near(*center), near(0, 0, 0.8)) for center in ((-2.7, -2.7, 2.5), (2.8, -2.3, 2.6), (0.2, 3, 2.7))]
    blocks = [([-1, -0.3, 0], [1, 0.3, 1])]  # the table, draped, and three carts
    while len(blocks) < 4:
        x, y = rng.uniform(-2, 2), rng.uniform(-2, 2)
        if abs(x) > 1.5 or abs(y) > 1.1:
            blocks.append(([x - 0.3, y - 0.3, 0], [x + 0.3, y + 0.3, rng.uniform(1, 1.5)]))
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/calibration.json", "w", encoding="utf-8") as file:
        json.dump({"units": "m", "up": "+z", "image_size": [WIDTH, HEIGHT], "cameras": [
            {"name": f"cam{c + 1}", "K": [[FOCAL, 0, WIDTH / 2], [0, FOCAL, HEIGHT / 2], [0, 0, 1]], "dist": [0] * 5,
             "R": camera.rotation, "t": [-dot(row, camera.center) for row in camera.rotation]}
            for c, camera in enumerate(cameras)]}, file)
    truth, boxes, entries, number = [], [[] for _ in cameras], [[] for _ in cameras], 0
    for frame in range(frames):
        people = people_of(rng, blocks)
        for person in people:
            number += 1
            truth.append(f"{frame + 1},{number},-1,-1,-1,-1,1,{person.x:.3f},{person.y:.3f},0,{person.height:.3f}")
        for c, camera in enumerate(cameras):
            found = joints_seen(rng, camera, people, blocks, hard)
            os.makedirs(f"{folder}/joints_cam{c + 1}", exist_ok=True)
            with open(f"{folder}/joints_cam{c + 1}/{frame:06d}_keypoints.json", "w", encoding="utf-8") as file:
                json.dump({"people": [{"pose_keypoints_2d": [round(value, 3) for name in BODY_25
                                                             for value in joints.get(name, (0, 0, 0))]}
                                      for joints in found]}, file)
            entries[c] += [coco_entry(frame, joints) for joints in found if len(joints.keys() & set(COCO_17)) >= 3]
            boxes[c] += [f"{frame + 1},-1," + ",".join(f"{value:.3f}" for value in box)
                         for box in boxes_seen(rng, camera, people, blocks)]
    for name, lines in [("truth.csv", truth)] + [(f"boxes_cam{c + 1}.txt", rows) for c, rows in enumerate(boxes)]:
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    for c, rows in enumerate(entries):
        with open(f"{folder}/hull_cam{c + 1}.json", "w", encoding="utf-8") as file:
            json.dump(rows, file)


main()
