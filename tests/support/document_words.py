#!/usr/bin/env python3
"""Fails where a document is hard to read. Usage: document_words.py REPOSITORY

A paragraph has at most 120 words and a line at most 160 columns, in tables, too. Links between pages and to headings hold.
Words that CONTRIBUTING.md ("Words") rules out are allowed there, in `code`, in "quotes" and in *labels of the window* only.
The generated page parameters.md is left out: its sentences are in the tables of the algorithms."""
import pathlib
import re
import sys

from docs import broken_links

MAX_WORDS = 120
MAX_COLUMNS = 160
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
QUOTED = re.compile(r"`[^`]*`|(?<!\*)\*[^*\n]+\*(?!\*)|\]\([^)]*\)|\"[^\"\n]*\"")
BEGINS = re.compile(r"\s*(?:[-*+]|\d+\.)\s")  # an item of a list is a paragraph of its own
RULED_OUT = {
    r"beside": "compared with, next to",
    r"nobody|somebody|somebody's|whoever|whomever": "no one, a person, anyone who",
    r"moments?": "instant, time",
    r"anew|begins? again": "again, restart, reopen",
    r"(?:takes?|took|taken|taking) (?:over|back)": "restore, apply, undo",
    r"held against": "compared with",
    r"looked (?:for|at)|sought": "searched for, examined",
    r"reckoned|worked out": "estimated, computed",
    r"under way": "in flight, in progress",
    r"stand-in cameras?": "test camera",
    r"cut short": "truncated",
    r"twin lines": "epipolar line pairs",
    r"the file says": "the file states",
}


def without_fences(text: str) -> str:
    """The text with examples emptied, so that lines keep their numbers."""
    return FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)


def paragraphs(text: str):
    """The first line's number and the words of each paragraph or item of a list; tables and headings are none."""
    begin, words = 0, []
    for number, line in enumerate([*without_fences(text).split("\n"), ""], 1):
        apart = not line.strip() or line.lstrip().startswith(("|", "#"))
        if (apart or BEGINS.match(line)) and words:
            yield begin, words
            words = []
        if not apart:
            begin = begin if words else number
            words += BEGINS.sub("", line, count=1).split()
    if words:
        yield begin, words


def ruled_out(text: str):
    quiet = QUOTED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), without_fences(text))
    for words, instead in RULED_OUT.items():
        pattern = words.replace(" ", r"\s+")  # a sentence may break between two words
        for match in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", quiet, re.I):
            said = " ".join(match[0].split())
            yield quiet.count("\n", 0, match.start()) + 1, f'says "{said}": say {instead}'


def line_of(text: str, what: str) -> int:
    link = re.search(r"links to ([^,:]+(?::[^,\s]+)?)", what)
    at = text.find(link[1]) if link else -1
    return text.count("\n", 0, max(at, 0)) + 1


def problems(page: pathlib.Path, glossary: bool):
    text = page.read_text()
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_COLUMNS:
            yield number, f"has {len(line)} columns: break it at {MAX_COLUMNS}; a cell of a table into two rows or a footnote"
    for number, words in paragraphs(text):
        if len(words) > MAX_WORDS:
            yield number, f"begins a paragraph of {len(words)} words: split it, or make a table of it ({MAX_WORDS} at most)"
    for what in broken_links(page, text):
        yield line_of(text, what), what + ": correct the link, or the heading"
    if not glossary:
        yield from ruled_out(text)


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    docs = root / "resources/docs"
    generated = docs / "parameters.md"
    pages = [root / "README.md", root / "CONTRIBUTING.md", root / "SECURITY.md", root / "tests/reports/README.md",
             *sorted(docs.rglob("*.md"))]
    pages.remove(generated)
    found = 0
    for page in pages:
        for number, what in sorted(problems(page, page.name == "CONTRIBUTING.md")):
            print(f"{page.relative_to(root)}:{number} {what}", file=sys.stderr)
            found += 1
    print(f"{len(pages)} pages, {found} to mend")
    return 1 if found or len(pages) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
