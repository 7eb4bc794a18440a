"""Graphs for other libraries, which are imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ._pessoi import Graph


def networkx(graph: Graph) -> Any:
    """A graph of networkx, whose nodes are cells or positions and whose edges may have labels."""
    nx: Any = import_module("networkx")

    made = nx.DiGraph(name=graph.name) if graph.directed else nx.Graph(name=graph.name)
    nodes, labels = graph.nodes, graph.labels
    made.add_nodes_from(nodes)
    pairs = [(nodes[a], nodes[b]) for a, b in graph.pairs()]
    if labels:
        made.add_edges_from((a, b, {"label": label}) for (a, b), label in zip(pairs, labels))
    else:
        made.add_edges_from(pairs)
    return made


def igraph(graph: Graph) -> Any:
    """A graph of igraph, whose vertices have the attribute ``name``."""
    ig: Any = import_module("igraph")

    names = [str(node) for node in graph.nodes]
    made = ig.Graph(n=len(names), edges=graph.pairs(), directed=graph.directed)
    made.vs["name"] = names
    made["name"] = graph.name
    if graph.labels:
        made.es["label"] = graph.labels
    return made


def scipy(graph: Graph) -> Any:
    """The adjacency matrix as a sparse array; that of an undirected graph is symmetric."""
    np: Any = import_module("numpy")
    coo_array: Any = import_module("scipy.sparse").coo_array

    edges = np.asarray(graph.edges)
    a, b = edges[:, 0], edges[:, 1]
    if not graph.directed:
        a, b = np.concatenate([a, b]), np.concatenate([b, a])
    ones = np.ones(len(a), dtype=np.int8)
    return coo_array((ones, (a, b)), shape=(len(graph), len(graph))).tocsr()
