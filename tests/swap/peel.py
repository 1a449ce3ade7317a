"""A scheduler of one's own: the source's order, with the first iteration of the outermost loop apart.

    c2cuda --stage scheduler='python3 tests/swap/peel.py' examples/matmul.c
"""

import islpy as isl
from scop_document import parse_tree, transform


def peel(scop):
    """The statements become parts of two kernels each: an order may split them."""
    outermost = parse_tree(scop["order"]).get_root().child(0)
    loop = isl.UnionMap.from_multi_union_pw_aff(outermost.band_get_partial_schedule())
    first = loop.intersect_range(isl.UnionSet("{ [i] : i <= 0 }")).domain()
    parts = isl.UnionSetList.from_union_set(first).add(loop.domain().subtract(first))
    scop["schedule"] = str(outermost.insert_sequence(parts).get_schedule())
    scop["scheduled_by"] = "peel"


transform(peel)
