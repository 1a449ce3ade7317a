"""A scheduler of one's own: islpy finds the order, and the original ties it to blocks and threads.

    c2cuda --stage scheduler='python3 tests/swap/scheduler.py' examples/lu.c
"""

import islpy as isl
from scop_document import domain, relations, transform


def find_order(scop):
    """isl's scheduler, asked for parallel outer loops wherever they exist."""
    isl.DEFAULT_CONTEXT.set_schedule_outer_coincidence(1)
    found = scop["dependences"]
    validity = relations(found["flow"] + found["anti"] + found["output"])
    constraints = isl.ScheduleConstraints.on_domain(domain(scop))
    constraints = constraints.set_validity(validity).set_coincidence(validity)
    constraints = constraints.set_proximity(relations(found["flow"]))
    scop["schedule"] = str(constraints.compute_schedule())
    scop["scheduled_by"] = "islpy"


transform(find_order)
