"""A localizer that is wrong: it believes that host code never reads what regions wrote. The driver must not let its work
pass."""

import json
import os
import subprocess
import sys

localizer = os.path.join(os.environ["C2CUDA_BIN"], "gpulocalizer")
document = json.loads(subprocess.run([localizer, *sys.argv[1:]], stdin=sys.stdin, stdout=subprocess.PIPE, check=True).stdout)
plan = document["residency"]
plan["actions"] = [action for action in plan["actions"] if action["op"]["do"] not in ("reads", "reads_class")]
json.dump(document, sys.stdout)
