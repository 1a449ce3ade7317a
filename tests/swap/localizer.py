"""A localizer of one's own: all that is used of an array is in the device's global memory, and nothing is anywhere else.

    c2cuda --stage gpulocalizer='python3 tests/swap/localizer.py' examples/matmul.c
"""

import islpy as isl
from scop_document import accesses, parse_tree, transform, union


def place(scop):
    node, device = parse_tree(scop["mapping"]["tree"]).get_root().child(0), []
    for array in scop["arrays"]:
        used, written = (
            union(r for kind in kinds for a, r in accesses(scop, kind) if a["array"] == array["id"]).range()
            for kinds in (("read", "write"), ("write",))
        )
        if not array["extents"] and written.is_empty(): continue  # such a scalar is an argument of kernels
        rows = isl.Set.from_union_set(used).dim_max(0).add_constant_val(1) if array["extents"] else "{ [(1)] }"
        nothing = f"{{ {array['id']}[{', '.join(f'x{k}' for k in range(len(array['extents'])))}] : false }}"
        moved = dict(copy_in=str(used), copy_out=nothing if written.is_empty() else str(written))
        shape = dict(extent=str(rows), inner_extents=[extent["value"] for extent in array["extents"][1:]])
        device.append(dict(array=array["id"], lower="{ [(0)] }", **shape, **moved))
        moves = [isl.UnionMap(f"{{ [] -> {way}_device_{array['id']}[] }}") for way in ("to", "from")]
        node = node.graft_before(isl.ScheduleNode.from_extension(moves[0]))
        node = node if written.is_empty() else node.graft_after(isl.ScheduleNode.from_extension(moves[1]))
    kernels = [dict(kernel=kernel["id"], buffers=[], shared_bytes=0) for kernel in scop["mapping"]["kernels"]]
    scop["placement"] = dict(tree=str(node.get_schedule()), device=device, kernels=kernels)


transform(place)
