"""The time model, for measurements that price what cudasim counts."""

import json
import math
import os
import subprocess
import sys

from . import ROOT, sass


def build_model():
    """Builds gpu-time and gpu-sass; false if that fails."""
    return succeeds(["cargo", "build", "--release", "--locked", "--quiet", "--package", "gpu", "--bins"], folder=ROOT)


def build(kernels, program, host=None, folder=None):
    """Builds a .cu file for profile mode, and with it a C file that includes headers of a folder; true if that ends
    well."""
    objects = []
    if host:
        objects = [program.with_suffix(".o")]
        flags = ["-std=gnu11", "-O2", "-ffp-contract=off", "-iquote", folder]
        if not succeeds(["gcc", *flags, "-c", host, "-o", *objects]):
            return False
    command = [ROOT / "cudasim/cudasim-cc", "--profile", "-ffp-contract=off", kernels, *objects, "-lm", "-o", program]
    return succeeds(command, {"CUDASIM_CACHE": ROOT / "target/cudasim"})


def price(command, profile, target, source, architecture="sm_90", registers=None):
    """Runs a program that was built for profile mode, and returns what gpu-time says of it, as it writes it in JSON;
    nothing if something failed. The profile is written to a file, if the program uses a GPU.

    If nvcc is installed, it compiles `source`, the .cu file with the kernels, so that instructions are those of the
    architecture. The program then runs again, with the kernels' registers. `registers` replaces those of the kernels
    that it names."""
    environment = {"CUDASIM_PROFILE": profile, "CUDASIM_TARGET": target}
    if not succeeds(command, environment):
        return None
    if not profile.exists() or not json.loads(profile.read_text())["kernels"]:
        return {"kernel_microseconds": 0, "launch_microseconds": 0, "kernels": []}
    options, listing = [], disassembled(source, profile, architecture)
    if listing:
        environment["CUDASIM_REGISTERS"] = ";".join(
            f"{name}={number}" for name, number in {**registers_in(listing, profile, target), **(registers or {})}.items()
        )
        if not succeeds(command, environment):
            return None
        options = ["--cubin-listing", listing]
        options += [word for pair in (registers or {}).items() for word in ["--registers", "=".join(map(str, pair))]]
    said = output_of([ROOT / "target/release/gpu-time", profile, "--target", target, "--json", *options])
    return said and json.loads(said)


def dominant(time):
    """What dominates the kernel that takes longest."""
    return longest(time)["dominant"] if time["kernels"] else "-"


def threads(kernels, time):
    """The threads of a block of the kernel that takes longest; `kernels` are those of the profile."""
    blocks = {kernel["name"]: math.prod(kernel["block"]) for kernel in kernels}
    return blocks[longest(time)["name"]] if time["kernels"] else 0


def launching(time):
    """The share of launches in the time of the kernels, in percent; none without kernels."""
    whole = time["kernel_microseconds"]
    return 100 * time["launch_microseconds"] / whole if whole else 0


def longest(time):
    return max(time["kernels"], key=lambda kernel: kernel["microseconds"])


# ---- instructions -----------------------------------------------------------------------------


def disassembled(source, profile, architecture):
    """The file with the listing of the kernels, beside the profile; nothing without nvcc, or if it failed."""
    tools = sass.found_tools(None)
    if not tools:
        say_once("instructions are estimated: nvcc is not installed (scripts/setup --with-nvcc)")
        return None
    text, listing = sass.listed(source, profile.parent, tools, architecture), profile.with_suffix(".sass")
    if text is None:
        return None
    listing.write_text(text)
    return listing


def registers_in(listing, profile, target):
    """The registers of a thread of each kernel."""
    files = ["--cubin-listing", listing, "--profile", profile, "--target", target]
    said = output_of([ROOT / "target/release/gpu-sass", *files, "--json"])
    return {kernel["name"]: kernel["registers"] for kernel in json.loads(said or "[]")}


SAID = set()


def say_once(text):
    if text not in SAID:
        SAID.add(text)
        print(f"bench: {text}", file=sys.stderr)


# ---- processes --------------------------------------------------------------------------------


def succeeds(command, environment=None, folder=None, limit=None):
    """True if a command ends well; else what it said is shown."""
    return output_of(command, environment, folder, limit) is not None


def output_of(command, environment=None, folder=None, limit=None):
    """What a command prints; nothing if it fails or takes more than `limit` seconds, and then it is shown why."""
    variables = {name: str(value) for name, value in {**os.environ, **(environment or {})}.items()}
    streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    try:
        result = subprocess.run(command, env=variables, cwd=folder, timeout=limit, **streams)
    except subprocess.TimeoutExpired:
        print(f"bench: {command[0]}: more than {limit:g} s", file=sys.stderr)
        return None
    except OSError as error:
        print(f"bench: {command[0]}: {error.strerror}", file=sys.stderr)
        return None
    if result.returncode:
        sys.stderr.write(result.stdout + result.stderr)
        return None
    return result.stdout
