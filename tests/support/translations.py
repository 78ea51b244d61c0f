#!/usr/bin/env python3
"""Compares resources/translations with the strings of the window: translations.py ROOT [--update]

Every string has one translation, whatever class shows it: the files hold one context (ui/platform/language.h).
Found by lupdate, in the declarations of actions, whose texts stand in braces, and in the list of parameters.
With --update the files get the strings that they lack, unfinished and empty, and lose those that are gone."""
import collections
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

CONTEXT = "Vantage"
# German, and of English what differs between one and several.
LANGUAGES = {"de": False, "en": True}
STRING = r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*'
# {"name", "Text", "Keys", "Tip", true, "On the button"}
ACTION = re.compile(rf'([{{(]\s*(?:"\w+"|k\w+(?:\[\d\])?|\w+),\s*)({STRING})(,\s*(?:"[^"]*"|\w+),\s*)({STRING})((?:,\s*(?:true|false))?)((?:,\s*{STRING})?)')
# Names, units and help of parameters, as another test compares them with the code.
PARAMETERS = re.compile(r"^## (.+?): `|^\| `\w+` \*(.+?)\*(?: \+)? \| [^|]*?(?: to [\d.e+]+ ([^)|]+)\))? \| (.+?)(?: Formerly `\w+`\.)? \|$", re.M)
# Words of core that the window shows.
CORE = ("trails", "density", "dwell", "speed", "in the results", "greedy", "paths on the graph", "paths on the grid", "paths by motion")
WRAPPER = re.compile(r"QString (\w+)\(const char\* text\) \{\s*return QCoreApplication::translate\(")


def lupdate():
    found = shutil.which("lupdate", path="/usr/lib/qt6/bin") or shutil.which("lupdate6") or shutil.which("lupdate")
    if not found:
        sys.exit("translations: lupdate was not found; install qt6-l10n-tools")
    return found


def marked(text):
    """The declarations of actions, as lupdate recognises strings."""
    def mark(action):
        begin, words, keys, tip, checkable, button = action.groups()
        if not re.search("[A-Z]", words):
            return action[0]
        if button:
            button = ", QT_TR_NOOP(" + button[1:].strip() + ")"
        return f"{begin}QT_TR_NOOP({words}){keys}QT_TR_NOOP({tip}){checkable}{button}"
    return ACTION.sub(mark, text)


def strings_of(root):
    """(source, comment) -> has plural forms."""
    listed = (root / "resources/docs/parameters.md").read_text(encoding="utf-8")
    found = {(text, ""): False for row in PARAMETERS.findall(listed) for text in row if text}
    found.update(((text, ""), False) for text in CORE)
    with tempfile.TemporaryDirectory() as folder:
        wrappers = set()
        for part in ("ui", "app/workbench"):
            for file in sorted((root / part).rglob("*")):
                if file.suffix not in (".cpp", ".h"):
                    continue
                text = file.read_text(encoding="utf-8")
                wrappers.update(WRAPPER.findall(text))
                copy = pathlib.Path(folder) / file.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(marked(text), encoding="utf-8")
        aliases = ",".join(f"tr+={name}" for name in sorted(wrappers - {"tr"}))
        made = pathlib.Path(folder) / "found.ts"
        subprocess.run([lupdate(), "-silent", "-locations", "none", "-tr-function-alias", aliases, "-I", folder, folder,
                        "-source-language", "en", "-target-language", "de", "-ts", str(made)],
                       check=True, stderr=subprocess.DEVNULL)
        for message in tree.parse(made).iter("message"):
            key = (message.findtext("source"), message.findtext("comment") or "")
            found[key] = found.get(key, False) or message.get("numerus") == "yes"
    return found


def read(file):
    """(source, comment) -> (translations, what is said against it)."""
    read = {}
    if not file.exists():
        return read
    for message in tree.parse(file).iter("message"):
        made = message.find("translation")
        forms = [form.text or "" for form in made.findall("numerusform")] or [made.text or ""]
        read[(message.findtext("source"), message.findtext("comment") or "")] = (forms, made.get("type", ""))
    return read


def quoted(text):
    return html.escape(text, quote=False).replace("\u00a0", "&#xa0;")


def write(file, language, strings, known):
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>",
             f'<TS version="2.1" language="{language}" sourcelanguage="en">', "<context>", f"    <name>{CONTEXT}</name>"]
    for key in sorted(strings, key=lambda key: (key[0].replace("&", "").casefold(), key)):
        source, comment = key
        plural = strings[key]
        forms, kind = known.get(key, ([""], "unfinished"))
        if plural and len(forms) != 2:
            forms, kind = [forms[0]] * 2, "unfinished"
        lines.append('    <message numerus="yes">' if plural else "    <message>")
        lines.append(f"        <source>{quoted(source)}</source>")
        if comment:
            lines.append(f"        <comment>{quoted(comment)}</comment>")
        attribute = f' type="{kind}"' if kind else ""
        if plural:
            lines.append(f"        <translation{attribute}>")
            lines += [f"            <numerusform>{quoted(form)}</numerusform>" for form in forms]
            lines.append("        </translation>")
        else:
            lines.append(f"        <translation{attribute}>{quoted(forms[0])}</translation>")
        lines.append("    </message>")
    lines += ["</context>", "</TS>"]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def parts_of(text):
    """What a translation has to keep: numbers of values, tags, whether a letter is given by '&', line ends."""
    letters = len(re.findall(r"&(?=\w)", re.sub(r"&\w+;", "", text.replace("&&", ""))))
    return {"values": collections.Counter(number.replace("L", "") for number in re.findall(r"%L?[1-9]|%n", text)),
            "tags": collections.Counter(re.findall(r"</?\w+", text)),
            "letters behind '&'": letters,
            "spaces at its ends": (text[:1].isspace(), text[-1:].isspace()),
            "dots at its end": text.endswith("\u2026")}


def faults_of(root):
    found = strings_of(root)
    if len(found) < 2000:
        yield f"only {len(found)} strings were found in the sources"
    for language, plurals_alone in LANGUAGES.items():
        strings = {key: plural for key, plural in found.items() if plural or not plurals_alone}
        known = read(root / f"resources/translations/vantage_{language}.ts")
        for key in known.keys() - strings.keys():
            yield f"{language}: is no string of the window any more: {key[0]!r}"
        for key, plural in strings.items():
            forms, kind = known.get(key, ([], "not there"))
            if kind:
                yield f"{language}: {kind}: {key[0]!r}"
                continue
            if len(forms) != (2 if plural else 1):
                yield f"{language}: has {len(forms)} forms: {key[0]!r}"
            for form in forms:
                if not form:
                    yield f"{language}: empty: {key[0]!r}"
                    continue
                needed, there = parts_of(key[0]), parts_of(form)
                if plural and form == forms[0]:
                    needed["values"].pop("%n", None), there["values"].pop("%n", None)  # "one frame"
                for what in needed:
                    if needed[what] != there[what]:
                        yield f"{language}: other {what}: {key[0]!r}: {form!r}"


def main():
    root = pathlib.Path(sys.argv[1])
    if "--update" in sys.argv[2:]:
        found = strings_of(root)
        for language, plurals_alone in LANGUAGES.items():
            file = root / f"resources/translations/vantage_{language}.ts"
            strings = {key: plural for key, plural in found.items() if plural or not plurals_alone}
            write(file, language, strings, read(file))
    faults = list(faults_of(root))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
