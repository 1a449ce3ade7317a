#!/bin/sh
# Pluto finds the order, and the original scheduler maps it to the GPU.
#
#     c2cuda --stage scheduler='sh tests/swap/pluto.sh "$@"' examples/seidel2d.c

set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/f.json"
"$C2CUDA_BIN/candl-rs" --openscop "$work/f.json" > "$work/f.scop"
pluto --silent --notile --noparallel stdin < "$work/f.scop" > "$work/g.scop"
"$C2CUDA_BIN/candl-rs" --order "$work/g.scop" "$work/f.json" > "$work/h.json"
"$C2CUDA_BIN/scheduler" --algorithm source "$@" "$work/h.json" > "$work/k.json"

# Pluto's order became the schedule; what the source does stays in the document as it was.
python3 - "$work/f.json" "$work/k.json" <<'END'
import json
import sys

before, after = (json.load(open(path)) for path in sys.argv[1:])
for scop, scheduled in zip(before["scops"], after["scops"]):
    scop.update({key: scheduled[key] for key in ("schedule", "mapping")})
json.dump(before, sys.stdout)
END
