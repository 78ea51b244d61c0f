#!/usr/bin/env python3
"""Fails where a sentence of the code is hard to read. Usage: code_words.py REPOSITORY

Strings that people read and comments keep to CONTRIBUTING.md ("Words"): no word that it rules out, and no comment that opens with
a preposition in place of its subject. What is not yet so is counted in LIMITS: a count may only fall, and the limit with it."""
import pathlib
import re
import sys

from document_words import RULED_OUT

FOLDERS = ("core", "gpu", "ui", "app", "tools")
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
MAX_HEADER_LINES = 15
LIMITS = {
    "a comment says a word that is ruled out": 0,
    "a file begins with a comment of more than 15 lines": 0,
    "a control searches for another by findChild": 13,
}
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
COMMENT = re.compile(r'^((?:[^"/]|"(?:[^"\\]|\\.)*"|/(?!/))*)//\s?(.*)$')
OPENING = re.compile(r"(?:Of|From|By|That|Those)\b")
WORDS = re.compile(r"(?<![\w-])(?:" + "|".join(RULED_OUT) + r")(?![\w-])", re.I)
CONTROL = re.compile(r"findChild<[\w:]*Control\b")
# Values of file formats, and names that users type.
KEPT = re.compile(
    r"--moments|moments\.csv|MOMENT|frames with somebody seated|frames with nobody but|frames that say nobody"
    r"|person people pedestrian somebody"
)


def lines_of(root: pathlib.Path):
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SUFFIXES:
                yield file.relative_to(root), file.read_text().split("\n")


def counted_problems(file, lines):
    header = next((n for n, line in enumerate(lines) if not line.startswith("//")), len(lines))
    if header > MAX_HEADER_LINES:
        yield 1, "a file begins with a comment of more than 15 lines"
    for number, line in enumerate(lines, 1):
        comment = COMMENT.match(line)
        if comment and WORDS.search(re.sub(r"`[^`]*`|\"[^\"]*\"", "", comment[2])):
            yield number, "a comment says a word that is ruled out"
        if CONTROL.search(line):
            yield number, "a control searches for another by findChild"


def problems(lines):
    before = False  # the line before is a comment
    for number, line in enumerate(lines, 1):
        comment = COMMENT.match(line)
        code = comment[1] if comment else line
        if not code.lstrip().startswith("#include"):
            for text in STRING.findall(code):
                said = WORDS.search(KEPT.sub("", text)) if " " in text else None
                if said:
                    yield number, f'a string says "{said[0]}"'
        alone = bool(comment) and not comment[1].strip()
        if alone and not before and OPENING.match(comment[2]):
            yield number, f'a comment opens with "{comment[2].split()[0]}": begin with its subject'
        before = alone


def main():
    root = pathlib.Path(sys.argv[1])
    found, counts = [], dict.fromkeys(LIMITS, 0)
    places = {what: [] for what in LIMITS}
    for file, lines in lines_of(root):
        found += [f"{file}:{number} {what}" for number, what in problems(lines)]
        for number, what in counted_problems(file, lines):
            counts[what] += 1
            places[what].append(f"{file}:{number}")
    for what, count in counts.items():
        if count > LIMITS[what]:
            found.append(f"{what}: {count} times, {LIMITS[what]} were left: " + ", ".join(places[what][-8:]))
        elif count < LIMITS[what]:
            found.append(f"{what}: {count} times, fewer than the limit of {LIMITS[what]} in code_words.py: lower it")
    print("\n".join(found + [f"{len(found)} to mend"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
