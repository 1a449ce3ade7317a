"""A dependence analysis of one's own, for programs in which no statement reads what it has just written itself.

    c2cuda --stage candl-rs='python3 tests/swap/candl.py' examples/jacobi2d.c
"""

import islpy as isl
from scop_document import accesses, dependences, is_must, live, parse_tree, transform, union


def analyse(scop):
    reads, writes = list(accesses(scop, "read")), list(accesses(scop, "write"))
    must, may = ([w for a, w in writes if is_must(a) == wanted] for wanted in (True, False))
    times = parse_tree(scop["order"]).get_map()
    before = times.lex_lt_union_map(times)
    flow, live_in, visible = [], [], {array["id"] for array in scop["arrays"] if array["visible"]}
    for sink, read in reads:
        info = isl.UnionAccessInfo.from_sink(read).set_must_source(union(must)).set_may_source(union(may))
        found = info.set_schedule(parse_tree(scop["order"])).compute_flow()
        last = found.get_may_dependence()
        flow += [(source, sink, last.intersect(write.apply_range(read.reverse()))) for source, write in writes]
        live_in.append((sink, found.get_may_no_source()))
    later = lambda one, other: [(a, b, x.apply_range(y.reverse()).intersect(before)) for a, x in one for b, y in other]
    anti, output = dependences(later(reads, writes)), dependences(later(writes, writes))
    live_out = live(pair for pair in writes if pair[0]["array"] in visible)
    scop["dependences"] = dict(flow=dependences(flow), anti=anti, output=output, live_in=live(live_in), live_out=live_out)


transform(analyse)
