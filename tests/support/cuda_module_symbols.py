#!/usr/bin/env python3
"""Fails where a program holds or loads CUDA, or lacks a function that the CUDA module calls.
Usage: cuda_module_symbols.py NM MODULE PROGRAM..."""
import re
import subprocess
import sys

OURS = re.compile(r"_Z(TV|TI|TS)?NK?7vantage")
CUDA = re.compile(r"^(cuda|cu|__cuda)[A-Z]\w+$|^__cudart\w*$|^_ZN7vantage3gpu")


def symbols(nm, file, *options):
    """Names by kind; of a file without such a table none."""
    lines = subprocess.run([nm, *options, file], capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0]: line.split()[-2] for line in lines if len(line.split()) > 1}


def main():
    nm, module, *programs = sys.argv[1:]
    called = {name for name in symbols(nm, module, "-D", "--undefined-only") if OURS.match(name)}
    problems = [] if called and programs else ["the module calls nothing, or no program was given"]
    for program in programs:
        offered = symbols(nm, program, "-D", "--defined-only")
        problems += [f"{program} lacks {name}, which the CUDA module calls" for name in sorted(called - offered.keys())]
        held = {name for name, kind in symbols(nm, program).items() if kind in "TtWwU" and CUDA.match(name)}
        problems += [f"{program} holds {name}" for name in sorted(held)[:5]]
        loaded = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        problems += [f"{program} loads {line.strip()}" for line in loaded.splitlines() if re.search(r"libcuda|libcudart|libnv", line)]
    print("\n".join(problems + [f"{len(called)} functions called by the module, {len(programs)} programs, {len(problems)} problems"]))
    return 1 if problems else 0


sys.exit(main())
