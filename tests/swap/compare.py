"""Compares the dependences of two documents: python3 compare.py TESTED REFERENCE

The reference lists every pair of instances that meet in memory. The tested analysis has to find the same flow and
the same values from outside; of anti and output dependences it may leave out those that follow from others; and of
the writes it may take those alone whose value can still be there at the end, as long as their elements are the same.
"""

import json
import re
import sys

import islpy as isl
from scop_document import relations

SMALL = 4


def at_small_size(relation):
    for position in range(relation.get_space().dim(isl.dim_type.param)):
        name = relation.get_space().get_dim_name(isl.dim_type.param, position)
        relation = relation.intersect_params(isl.Set(f"[{name}] -> {{ : {name} = {SMALL} }}"))
    return relation


def pairs(relation):
    """The pairs of instances of a finite relation, as texts."""
    found = set()
    relation.wrap().foreach_point(lambda point: found.add(re.search(r"\[(\w+\[.*\]) -> (\w+\[.*\])\]", str(point)).groups()))
    return found


def lost_pairs(reference, tested):
    """The pairs of the reference that no chain of tested ones joins."""
    successors = {}
    for first, second in tested:
        successors.setdefault(first, set()).add(second)
    for first in sorted({first for first, _ in reference}):
        reached, waiting = set(), [first]
        while waiting:
            new = successors.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        yield from sorted(pair for pair in reference if pair[0] == first and pair[1] not in reached)


def order(dependences):
    return at_small_size(relations(dependences["flow"] + dependences["anti"] + dependences["output"]))


def faults(tested, reference):
    for section in ["flow", "live_in"]:
        if not relations(tested[section]).is_equal(relations(reference[section])):
            yield f"{section} differs:\n  {relations(tested[section])}\n  {relations(reference[section])}"
    for section in ["anti", "output", "live_out"]:
        if not relations(tested[section]).is_subset(relations(reference[section])):
            yield f"{section} has too much:\n  {relations(tested[section]).subtract(relations(reference[section]))}"
    if not relations(tested["live_out"]).range().is_equal(relations(reference["live_out"]).range()):
        yield "live_out has other elements"
    for first, second in lost_pairs(pairs(order(reference)), pairs(order(tested))):
        yield f"nothing keeps {first} before {second}, where all parameters are {SMALL}"


def main():
    tested, reference = (json.load(open(path))["scops"] for path in sys.argv[1:])
    found = [fault for a, b in zip(tested, reference) for fault in faults(a["dependences"], b["dependences"])]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
