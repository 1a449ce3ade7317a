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


def accesses(scop, kind):
    """Every access of a kind, with its relation restricted to the instances that there are."""
    instances = domain(scop)
    for statement in scop["statements"]:
        for access in statement["accesses"]:
            if access["kind"] == kind:
                yield access, isl.UnionMap(access["relation"]).intersect_domain(instances)


def is_must(access):
    """True if an access certainly happens."""
    return access.get("certainty", "must") == "must"


def union(relations):
    """The union of some relations."""
    result = isl.UnionMap("{ }")
    for relation in relations:
        result = result.union(relation)
    return result


def relations(dependences):
    """The union of the relations of a list of dependences."""
    return union(isl.UnionMap(dependence["relation"]) for dependence in dependences)


def dependences(triples):
    """A list of dependences, from pairs of accesses and their relation; empty ones are left out."""
    return [
        {"source": source["id"], "sink": sink["id"], "relation": str(relation.coalesce())}
        for source, sink, relation in triples
        if not relation.is_empty()
    ]


def live(pairs):
    """A list of live accesses, from accesses and their relation; empty ones are left out."""
    return [
        {"access": access["id"], "relation": str(relation), "elements": str(relation.range())}
        for access, relation in pairs
        if not relation.is_empty()
    ]


def parse_tree(text):
    """A schedule tree, which a document holds as one string or as a list of lines."""
    return isl.Schedule(text if isinstance(text, str) else "\n".join(text))
