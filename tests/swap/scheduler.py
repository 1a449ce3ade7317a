"""A scheduler of one's own: islpy finds the order, and the original tool maps it to blocks and threads.

The original is asked to keep the order of the source, and is shown the new order in its place.

    c2cuda --stage scheduler='python3 tests/swap/scheduler.py' examples/lu.c
"""

import json
import os
import subprocess
import sys

import islpy as isl
from scop_document import domain, relations, tree_lines


def find_order(scop):
    """isl's scheduler, asked for parallel outer loops wherever they exist."""
    isl.DEFAULT_CONTEXT.set_schedule_outer_coincidence(1)
    found = scop["dependences"]
    validity = relations(found["flow"] + found["anti"] + found["output"])
    constraints = isl.ScheduleConstraints.on_domain(domain(scop))
    constraints = constraints.set_validity(validity).set_coincidence(validity)
    return constraints.set_proximity(relations(found["flow"])).compute_schedule()


def map_to_gpu(document):
    """Runs the original scheduler on a document whose source order is the one to use."""
    command = [os.path.join(os.environ["C2CUDA_BIN"], "scheduler"), "--algorithm", "source", *sys.argv[1:]]
    result = subprocess.run(command, input=json.dumps(document), stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(result.returncode)
    return json.loads(result.stdout)


def main():
    document = json.load(sys.stdin)
    originals = [scop["order"] for scop in document["scops"]]
    for scop in document["scops"]:
        scop["order"] = tree_lines(find_order(scop))
    document = map_to_gpu(document)
    for scop, order in zip(document["scops"], originals):
        scop["order"] = order
        scop["mapping"]["algorithm"] = "islpy"
    json.dump(document, sys.stdout, indent=2)


main()
