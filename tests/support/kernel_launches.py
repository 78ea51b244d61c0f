#!/usr/bin/env python3
"""Fails where a kernel is launched past gpu/runtime, or under another name than its own. Usage: kernel_launches.py REPOSITORY

Outside gpu/runtime nothing says <<< or cudaLaunch...: launch() and KernelSequence::add() (gpu/runtime/work.h, kernel_graph.h)
give every launch its span and its shape in the Timings. Both are told the kernel's name, which must be the kernel's, and no two
kernels of gpu/ share one: the Timings know kernels by their names."""
import collections
import pathlib
import re
import sys

SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
LAYERS = ("app", "core", "gpu", "tests", "tools", "ui")
PAST_RUNTIME = re.compile(r"<<<|\bcudaLaunch\w*|\bcuLaunch\w*")
KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\((?:[^()]|\([^()]*\))*\)\s*)?(\w+)\s*\(")
LAUNCH = re.compile(r"(?:\blaunch\s*\(\s*\w+\s*,|\.add\s*\()\s*\"")
NAME = re.compile(r"\"([^\"]*)\"$")
DIRECT = re.compile(r"(?:\w+::)*(\w+)\s*(?:<.*>)?$", re.S)  # a kernel itself, not an expression that yields one
COMMENT = re.compile(r"//[^\n]*")


def arguments(text: str, begin: int) -> list[str]:
    """What stands between the parenthesis that opens before `begin` and the one that closes it, cut at its commas. Angle
    brackets count as brackets behind a name, as template arguments have them."""
    parts, depth, angle, start = [], 0, 0, begin
    for at in range(begin, len(text)):
        char = text[at]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                return parts + [text[start:at].strip()]
            depth -= 1
        elif char == "<" and depth == 0 and re.search(r"\w$", text[start:at]):
            angle += 1
        elif char == ">" and depth == 0 and angle > 0:
            angle -= 1
        elif char == "," and depth == 0 and angle == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return parts


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def wrong_names(name: str, text: str) -> tuple[int, list[str]]:
    """How many launches there are, and those whose name is not the kernel's."""
    found, problems = 0, []
    for match in LAUNCH.finditer(text):
        parts = arguments(text, match.end() - 1)
        said, kernel = NAME.match(parts[0]), DIRECT.match(parts[2]) if len(parts) > 2 else None
        if not said:
            continue
        found += 1
        if kernel and "." not in parts[2] and "(" not in parts[2] and kernel[1] != said[1]:
            problems.append(f"{name}:{line_of(text, match.start())}: {kernel[1]} is launched as \"{said[1]}\"")
    return found, problems


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    problems, launches = [], 0
    kernels = collections.defaultdict(list)
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            name, text = path.relative_to(root).as_posix(), COMMENT.sub("", path.read_text(encoding="utf-8"))
            if not name.startswith("gpu/runtime/"):
                problems += [f"{name}:{line_of(text, match.start())}: {match[0]}: kernels are launched by launch() of gpu/runtime/work.h"
                             for match in PAST_RUNTIME.finditer(text)]
            if layer == "gpu" or path.suffix in (".cu", ".cuh"):
                found, wrong = wrong_names(name, text)
                launches += found
                problems += wrong
            if layer == "gpu":
                for match in KERNEL.finditer(text):
                    kernels[match[1]].append(name)
    problems += [f"{', '.join(places)}: each has a kernel {kernel}" for kernel, places in sorted(kernels.items()) if len(places) > 1]
    for problem in problems:
        print(problem)
    print(f"{len(kernels)} kernels, {launches} launches, {len(problems)} problems")
    return 1 if problems or not launches or not kernels else 0


sys.exit(main())
