"""The time model, for measurements that price what cudasim counted."""

import json
import os
import subprocess
import sys

from . import ROOT


def build_model():
    """Builds gpu-time; false if that fails."""
    return succeeds(["cargo", "build", "--release", "--locked", "--quiet", "--package", "gpu", "--bins"], folder=ROOT)


def price(profile, target):
    """What gpu-time says of a profile, as it writes it in JSON; nothing if it failed."""
    said = output_of([ROOT / "target/release/gpu-time", profile, "--target", target, "--json"])
    return said and json.loads(said)


def dominant(time):
    """What dominates the kernel that takes longest."""
    return max(time["kernels"], key=lambda kernel: kernel["microseconds"])["dominant"] if time["kernels"] else "-"


def succeeds(command, environment=None, folder=None):
    """True if a command ends well; else what it said is shown."""
    return output_of(command, environment, folder) is not None


def output_of(command, environment=None, folder=None):
    """What a command prints; nothing if it fails, and then what it said is shown."""
    variables = {name: str(value) for name, value in {**os.environ, **(environment or {})}.items()}
    streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    try:
        result = subprocess.run(command, env=variables, cwd=folder, **streams)
    except OSError as error:
        print(f"bench: {command[0]}: {error.strerror}", file=sys.stderr)
        return None
    if result.returncode:
        sys.stderr.write(result.stdout + result.stderr)
        return None
    return result.stdout
