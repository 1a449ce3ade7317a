"""A dependence analysis of one's own, for programs in which no statement reads what it has just written itself.

    c2cuda --stage candl-rs='python3 tests/swap/candl.py' examples/jacobi2d.c
"""

import islpy as isl
from scop_document import domain, parse_tree, transform


def accesses(scop, kind):
    """Every access of a kind, with its relation restricted to the instances that there are."""
    instances = domain(scop)
    for statement in scop["statements"]:
        for access in statement["accesses"]:
            if access["kind"] == kind:
                yield access, isl.UnionMap(access["relation"]).intersect_domain(instances)


def unite(pairs):
    union = isl.UnionMap("{ }")
    for _, relation in pairs:
        union = union.union(relation)
    return union


def is_must(access):
    return access.get("certainty", "must") == "must"


def dataflow(scop, read):
    """From the last writes of each element to the instances that read it, and the reads that no write certainly precedes."""
    writes = list(accesses(scop, "write"))
    info = isl.UnionAccessInfo.from_sink(read)
    info = info.set_must_source(unite(pair for pair in writes if is_must(pair[0])))
    info = info.set_may_source(unite(pair for pair in writes if not is_must(pair[0])))
    flow = info.set_schedule(parse_tree(scop["order"])).compute_flow()
    return flow.get_may_dependence(), flow.get_may_no_source()


def list_dependences(pairs):
    found = []
    for source, sink, relation in pairs:
        if not relation.is_empty():
            found.append({"source": source["id"], "sink": sink["id"], "relation": str(relation.coalesce())})
    return found


def list_live(pairs):
    found = []
    for access, relation in pairs:
        if not relation.is_empty():
            found.append({"access": access["id"], "relation": str(relation), "elements": str(relation.range())})
    return found


def analyse(scop):
    reads, writes = list(accesses(scop, "read")), list(accesses(scop, "write"))
    order = parse_tree(scop["order"]).get_map()
    before = order.lex_lt_union_map(order)

    def same_element_later(first, second):
        for source, read in first:
            for sink, write in second:
                yield source, sink, read.apply_range(write.reverse()).intersect(before)

    def flow():
        for sink, read in reads:
            dependence, _ = dataflow(scop, read)
            for source, write in writes:
                yield source, sink, dependence.intersect(write.apply_range(read.reverse()))

    visible = {array["id"] for array in scop["arrays"] if array["visible"]}
    scop["dependences"] = {
        "flow": list_dependences(flow()),
        "anti": list_dependences(same_element_later(reads, writes)),
        "output": list_dependences(same_element_later(writes, writes)),
        "live_in": list_live((access, dataflow(scop, read)[1]) for access, read in reads),
        "live_out": list_live((access, write) for access, write in writes if access["array"] in visible),
    }


transform(analyse)
