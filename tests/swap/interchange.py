"""A scheduler that works on OpenScop: it interchanges two loops of every statement that is in both.

It changes nothing but SCATTERING relations, as any tool does that reads and writes OpenScop (Pluto, Clay, pen and paper).
The order that these say becomes the schedule. The driver finds out whether the interchange was legal, and the original
scheduler ties the loops to blocks and threads.

    c2cuda --stage scheduler='python3 tests/swap/interchange.py 1 2' examples/matmul.c
"""

import json
import os
import subprocess
import sys


def interchanged(lines, first, second):
    """The text with two loops interchanged: rows 2 * first and 2 * second of the scattering stand for them, counted from 1."""
    out, rows = [], None
    for line in lines:
        words = line.split()
        if line.strip() == "SCATTERING":
            rows = []
        elif rows is not None and words and not line.lstrip().startswith("#"):
            rows.append(line)
            count = int(rows[0].split()[0])
            if len(rows) <= count:
                continue
            out.extend(swapped(rows, 2 * first, 2 * second))
            rows = None
            continue
        if not rows:
            out.append(line)
    return out


def swapped(rows, one, other):
    """A relation in which two output dimensions changed places; the identity where the statement is not in both loops."""
    head = rows[0].split()
    if int(head[2]) < other:
        return rows
    for position in range(1, len(rows)):
        words = rows[position].split()
        words[one], words[other] = words[other], words[one]
        rows[position] = " ".join(words)
    return rows


def tool(name, *arguments, given):
    """What a tool of the chain makes of a text."""
    command = [os.path.join(os.environ["C2CUDA_BIN"], name), *arguments]
    result = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(result.returncode)
    return result.stdout


def main():
    first, second = sorted(map(int, sys.argv[1:3]))
    given = sys.stdin.read()
    openscop = tool("candl-rs", "--openscop", given=given)
    openscop = "\n".join(interchanged(openscop.splitlines(), first, second)) + "\n"
    interchanged_document = json.loads(tool("candl-rs", given=openscop))
    document = json.loads(given)
    for scop, other in zip(document["scops"], interchanged_document["scops"]):
        scop["schedule"] = other["order"]
        scop["scheduled_by"] = f"loops {first} and {second} interchanged"
    json.dump(document, sys.stdout, indent=2)


main()
