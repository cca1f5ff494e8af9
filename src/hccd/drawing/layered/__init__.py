"""The layered layout of a graph, step by step."""
