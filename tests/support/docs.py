#!/usr/bin/env python3
"""Fails where the documentation names what is not there. Usage: docs.py REPOSITORY

Links between pages and to their headings, files and folders of the repository in `backticks`, and in examples the commands
of vantage-cli with their options (by name, against app/ and tools/). Every file of tests/bench/results is cited by a page."""
import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)", re.M)
HEADING = re.compile(r"^#+ +(.*)$", re.M)
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
PATH = re.compile(r"`((?:core|gpu|ui|app|tools|tests|installer|resources|\.ci)/[A-Za-z0-9_./-]*)`")
COMMAND = re.compile(r"vantage-cli +([a-z][a-z-]*)([^\n#`]*)")
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")


def anchors(page: pathlib.Path) -> set[str]:
    titles = HEADING.findall(FENCE.sub("", page.read_text()))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(page: pathlib.Path, text: str):
    for match in LINK.finditer(FENCE.sub("", text)):
        link = match[1] or match[2]
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            yield f"links to {link}, which is not there"
        elif anchor and anchor not in anchors(target):
            yield f"links to {link}: that page has no such heading"


def missing_files(root: pathlib.Path, text: str):
    for name in PATH.findall(text):
        if "NAME" not in name and not (root / name).exists():
            yield f"names {name}, which is not there"


def unknown_commands(cli: str, text: str):
    for command, rest in COMMAND.findall(text.replace("\\\n", " ")):
        if f'add_subcommand("{command}"' not in cli:
            yield f"calls vantage-cli {command}, which there is not"
        for option in OPTION.findall(rest):
            if option != "help" and not re.search(rf'"(?:[^"]*,)?--{option}[",]', cli):
                yield f"calls vantage-cli {command} --{option}, which there is not"


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    cli = re.sub(r"add_subcommand\(\s+", "add_subcommand(", "".join(f.read_text() for layer in ("app", "tools") for f in (root / layer).rglob("*.cpp")))
    pages = [*root.glob("*.md"), *(root / "resources/docs").rglob("*.md")]
    found = 0
    for page in sorted(pages):
        text = page.read_text()
        for what in [*broken_links(page, text), *missing_files(root, text), *unknown_commands(cli, text)]:
            print(f"{page.relative_to(root)} {what}", file=sys.stderr)
            found += 1
    cited = "".join(page.read_text() for page in pages)
    for rows in sorted((root / "tests/bench/results").iterdir()):
        if rows.name not in cited:
            print(f"no page cites {rows.relative_to(root)}", file=sys.stderr)
            found += 1
    print(f"{len(pages)} pages, {found} mistakes")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
