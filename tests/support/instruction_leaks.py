#!/usr/bin/env python3
"""Fails where built code holds instructions that nobody asked the CPU for.
Usage: instruction_leaks.py VANTAGE_CLI OBJDUMP ASSEMBLER FILE_OR_FOLDER...

Code in one of Highway's namespaces (N_AVX2 …) may hold what `vantage-cli doctor --json` says its instruction set asks the CPU
for, all other code what every x86-64 CPU has. Folders are searched for static libraries. What belongs to which extension
the assembler knows: each instruction is disassembled, and assembled again with those extensions alone, in the
encoding that it had."""
import collections
import json
import pathlib
import re
import subprocess
import sys

# Highway's namespace -> our instruction set.
SET_OF = {"N_SCALAR": "sse2", "N_EMU128": "sse2", "N_SSE2": "sse2", "N_SSE4": "sse4", "N_AVX2": "avx2", "N_AVX3": "avx512"}
# Namespaces of targets that no build of ours has: of code that is there nevertheless the same is asked as of the best.
OTHERS = ["N_SSSE3", "N_AVX3_DL", "N_AVX3_ZEN4", "N_AVX3_SPR", "N_AVX10_2", "N_AVX10_2_512"]
# In a mangled name its length stands before each part.
MANGLED = re.compile("|".join(f"{len(name)}{name}" for name in sorted([*SET_OF, *OTHERS], key=len, reverse=True)))
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
NUMBER = re.compile(r"0x[0-9a-f]+")
PREFIXES = {"66", "67", "f2", "f3", "2e", "36", "3e", "26", "64", "65", "f0"}
# Most of all code, and of every x86-64 CPU whatever the operands.
PLAIN = set("mov movabs lea add sub cmp test push pop xor and or not neg ret leave nop nopw nopl cmove cmovne movzbl movzwl movslq movq movl "
            "movb movw cmpb cmpl cmpq cmpw addl addq subl subq shl shr sar imul cltq cwtl cqto sete setne".split())
# Calls, whose places mean nothing elsewhere; what older CPUs take for no operation.
HARMLESS = {"call", "bnd", "notrack", "rex.W", "endbr64"}
# The compiler's runtime, which asks the CPU by itself before it goes on.
ASKS_ITSELF = re.compile(r"^(__cpu_indicator_init|get_available_features)")
SHOWN = 20


def encoding(code: str) -> str:
    """The pseudo prefix with which the assembler takes the same encoding."""
    first = next((byte for byte in code.split() if byte not in PREFIXES), "")
    return {"62": "{evex} ", "c4": "{vex} ", "c5": "{vex} "}.get(first, "")


def as_written(code: str, text: str) -> str:
    """The instruction for the assembler; numbers are made the same, so that few are left."""
    text = text.split("#")[0].split("<")[0].strip()
    while text.startswith("data16 "):  # what fills up to the next function, or a call of a library's thread variables
        text = text[len("data16 "):]
    if text.split(" ", 1)[0] in HARMLESS:
        return ""
    # GCC writes it for BSF where it does not matter which of the two is meant.
    if text.startswith("tzcnt"):
        text = "bsf" + text[len("tzcnt"):]
    return ("" if text.startswith("{") else encoding(code)) + NUMBER.sub("0x1", text)


def target_of(symbol: str) -> str:
    """The namespace whose target the function was compiled for: the lowest of those in its name; empty for all other code."""
    order = [*SET_OF, *OTHERS]
    found = [match.lstrip("0123456789") for match in MANGLED.findall(symbol)]
    return min(found, key=order.index, default="")


def read_instructions(objdump: str, file: pathlib.Path, found: dict) -> None:
    """found[target][instruction] = (file, object, function) of its first appearance."""
    process = subprocess.Popen([objdump, "--disassemble", "--wide", str(file)], stdout=subprocess.PIPE, text=True)
    object_file, function, instructions = "", "", None
    for line in process.stdout:
        parts = line.rstrip("\n").split("\t")
        if len(parts) == 3:
            mnemonic = parts[2].split(" ", 1)[0]
            if instructions is None or mnemonic in PLAIN or mnemonic[0] == "j" or mnemonic in HARMLESS:
                continue
            text = as_written(parts[1], parts[2])
            if text and text not in instructions:
                instructions[text] = (file, object_file, function)
        elif match := FUNCTION.match(parts[0]):
            function = match.group(1)
            instructions = None if ASKS_ITSELF.match(function) else found[target_of(function)]
        elif ":     file format " in line:
            object_file = line.split(":")[0]
    if process.wait() != 0:
        sys.exit(f"{file}: objdump failed")


def refused(assembler: str, extensions: list, instructions: list) -> dict:
    """instruction -> what the assembler says of it, where it knows these extensions alone."""
    # What SSE4.2 brings along in the assembler's view, only if it is asked for by name.
    march = "generic64" + "".join("+" + name for name in extensions) + ("" if "popcnt" in extensions else "+nopopcnt")
    done = subprocess.run([assembler, f"-march={march}", "-o", "/dev/null", "-"], input="\n".join(instructions) + "\n",
                          capture_output=True, text=True)
    said = {}
    for line in done.stderr.splitlines():
        if match := re.match(r"\{standard input\}:(\d+): Error: (.*)", line):
            said[instructions[int(match.group(1)) - 1]] = match.group(2)
    if done.returncode != 0 and not said:
        sys.exit(f"{assembler} -march={march}: {done.stderr.strip()}")
    return said


def check_the_check(assembler: str, extensions: dict) -> None:
    """Leaks as they happened, and what is none."""
    for name, instruction, leaks in [
            ("sse2", "paddd %xmm1,%xmm0", False), ("sse2", "pshufb %xmm1,%xmm0", True), ("sse2", "popcnt %rax,%rax", True),
            ("sse2", "{vex} vpaddd %xmm0,%xmm1,%xmm2", True), ("sse4", "pshufb %xmm1,%xmm0", False),
            ("sse4", "lzcnt %rax,%rax", True), ("avx2", "{vex} vpdpbusd %ymm0,%ymm1,%ymm2", True),
            ("avx2", "{evex} vpaddd %ymm0,%ymm1,%ymm2", True), ("avx512", "{evex} vpaddd %ymm0,%ymm1,%ymm2", False),
            ("avx512", "{vex} vpdpbusd %ymm0,%ymm1,%ymm2", True), ("avx512", "{evex} vpdpbusd %ymm0,%ymm1,%ymm2", True),
            ("avx512", "{evex} vpermb %zmm0,%zmm1,%zmm2", True), ("avx512", "{evex} vgf2p8mulb %zmm0,%zmm1,%zmm2", True),
            ("avx512", "{evex} vaesenc %zmm0,%zmm1,%zmm2", True), ("avx512", "{evex} vpclmulqdq $1,%zmm0,%zmm1,%zmm2", True)]:
        if bool(refused(assembler, extensions[name], [instruction])) != leaks:
            sys.exit(f"this check is blind: {instruction} under {name} should {'' if leaks else 'not '}be refused")


def readable(symbol: str) -> str:
    try:
        return subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return symbol


def main() -> int:
    cli, objdump, assembler, *places = sys.argv[1:]
    sets = json.loads(subprocess.run([cli, "doctor", "--json"], capture_output=True, text=True, check=True).stdout)["instruction_sets"]
    extensions = sets["extensions"]
    check_the_check(assembler, extensions)
    files = []
    for place in map(pathlib.Path, places):
        files += sorted(place.rglob("*.a")) if place.is_dir() else [place]
    found = collections.defaultdict(dict)
    for file in files:
        read_instructions(objdump, file, found)

    problems = []
    missing = set(sets["build"]) - {SET_OF.get(target) for target in found}
    if missing:
        problems.append(f"no code was found for {', '.join(sorted(missing))}, which the build has")
    for target, instructions in found.items():
        asked = extensions[SET_OF.get(target, "avx512")] if target else []
        if target in OTHERS:
            problems.append(f"{target}: there is code for this target, which no program asks the CPU for")
        told = set()
        for instruction, why in refused(assembler, asked, list(instructions)).items():
            file, object_file, function = instructions[instruction]
            mnemonic = re.sub(r"^(\{\w+\} )*", "", instruction).split()[0]
            if (function, mnemonic) in told:
                continue
            told.add((function, mnemonic))
            problems.append(f"{file} {object_file}: {readable(function)} of {target or 'no target'} holds\n    {instruction}\n"
                            f"  though the CPU was asked for {' '.join(asked) or 'nothing'} alone (assembler: {why.split(' on `')[0]})")
    for problem in problems[:SHOWN]:
        print(problem)
    if len(problems) > SHOWN:
        print(f"and {len(problems) - SHOWN} more")
    counted = ", ".join(f"{target or 'elsewhere'} {len(instructions)}" for target, instructions in sorted(found.items()))
    print(f"{len(files)} files, kinds of instructions: {counted}; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
