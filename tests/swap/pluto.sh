#!/bin/sh
# Pluto finds the order, and the original scheduler ties it to blocks and threads.
#
#     c2cuda --stage scheduler='sh tests/swap/pluto.sh' examples/seidel2d.c

set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/f.json"
"$C2CUDA_BIN/candl-rs" --openscop "$work/f.json" > "$work/f.scop"
pluto --silent --notile --noparallel stdin < "$work/f.scop" > "$work/g.scop"
"$C2CUDA_BIN/candl-rs" --order "$work/g.scop" "$work/f.json" > "$work/h.json"

# Its order becomes the schedule; what the source does stays in the document as it was.
python3 - "$work/f.json" "$work/h.json" <<'END'
import json
import sys

before, after = (json.load(open(path)) for path in sys.argv[1:])
for scop, ordered in zip(before["scops"], after["scops"]):
    scop["schedule"], scop["scheduled_by"] = ordered["order"], "Pluto"
json.dump(before, sys.stdout)
END
