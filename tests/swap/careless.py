"""A scheduler that is wrong: it believes that nothing depends on anything. The driver must not let its work pass."""

import json
import os
import subprocess
import sys

document = json.load(sys.stdin)
dependences = [scop["dependences"] for scop in document["scops"]]
for scop in document["scops"]:
    scop["dependences"] = {**scop["dependences"], "flow": [], "anti": [], "output": []}
original = os.path.join(os.environ["C2CUDA_BIN"], "scheduler")
document = json.loads(subprocess.check_output([original], input=json.dumps(document), text=True))
for scop, found in zip(document["scops"], dependences):
    scop["dependences"] = found
json.dump(document, sys.stdout)
