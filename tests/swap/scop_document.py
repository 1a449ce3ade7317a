"""What every stage in Python needs: the document on both ends, and its texts as isl objects."""

import json
import sys

import islpy as isl


def transform(stage):
    """Reads a document, lets `stage` change each of its scops, and writes it."""
    document = json.load(sys.stdin)
    for scop in document["scops"]:
        stage(scop)
    json.dump(document, sys.stdout, indent=2)
    print()


def domain(scop):
    """The instances of all statements that the parameters allow."""
    instances = isl.UnionSet("{ }")
    for statement in scop["statements"]:
        instances = instances.union(isl.UnionSet(statement["domain"]))
    return instances.intersect_params(isl.Set(scop["context"]).params())


def relations(dependences):
    """The union of the relations of a list of dependences."""
    union = isl.UnionMap("{ }")
    for dependence in dependences:
        union = union.union(isl.UnionMap(dependence["relation"]))
    return union


def parse_tree(text):
    """A schedule tree, which a document holds as one string or as a list of lines."""
    return isl.Schedule(text if isinstance(text, str) else "\n".join(text))


def tree_lines(tree):
    """A schedule tree as a list of lines."""
    printer = isl.Printer.to_str(isl.DEFAULT_CONTEXT).set_yaml_style(isl.yaml_style.BLOCK)
    return printer.print_schedule(tree).get_str().splitlines()
