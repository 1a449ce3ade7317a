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
"$C2CUDA_BIN/scheduler" --algorithm source "$@" "$work/h.json"
