# %% [markdown]
# # First steps on ALARM
#
# ALARM describes patients under anaesthesia: 37 discrete variables, 46 arrows. 2000 rows of it come with hccd, and the
# true graph is known, so you can see what the method gets right and what it does not.

# %%
import hccd
from hccd.datasets import alarm_edges, alarm_path

result = hccd.discover(hccd.read_table(alarm_path()))
result.edges()[:5]

# %% [markdown]
# An edge is `(source, target, type)`. *Directed* means: the first is a cause of the second in every graph that fits the data,
# if no common cause is missing from the table. *Undirected* means: they are adjacent, and the data leave the direction open.

# %%
directed = [edge for edge in result.edges() if edge[2] == "directed"]
print(len(directed), "directed,", len(result.edges()) - len(directed), "undirected")
print(len(result.conflicts), "conflicts,", result.tests.total, "independence tests")

# %% [markdown]
# ## Look at it
#
# Colours are the clusters. Lines without a head are undirected.

# %%
axes = result.plot()

# %% [markdown]
# Large graphs are easier to read in parts:

# %%
axes = result.plot(around="LVEDVOLUME", distance=2)

# %% [markdown]
# ## Ask why
#
# Every edge has a reason, and so has every missing edge.

# %%
print(result.explain("CVP", "LVEDVOLUME"))
print()
print(result.explain("CVP", "PCWP"))

# %% [markdown]
# The score search started from the graph of the tests. What did it change, and why did it add this edge?

# %%
print(result.score.name, "score:", result.score.changes(result.graph))
print()
print(result.explain("INTUBATION", "PRESS"))

# %% [markdown]
# `result.tested` is the graph of the tests; `hccd.discover(data, scoring="none")` returns it.

# %%
result.tested

# %% [markdown]
# ## Look at the clusters
#
# hccd divides the variables into clusters that depend strongly on each other, learns small graphs inside the clusters, and
# merges them. The tree of clusters is part of the result.

# %%
for cluster in result.tree.leaves():
    print(", ".join(result.names[v] for v in cluster.variables))

# %%
axes = result.plot("clusters")

# %% [markdown]
# ## Compare with the truth
#
# The truth is a DAG. Data determine only its equivalence class, so the classes are compared.

# %%
import networkx as nx

from hccd.metrics import compare

truth = nx.DiGraph(alarm_edges())
found = compare(truth, result)
print(found)

# %% [markdown]
# Which edges are missing, and which are extra? All of them are around CATECHOL, which has four causes in the truth: one of
# them has no visible effect in 2000 rows, and one edge, from VENTALV, replaces two others.

# %%
learned = {frozenset(edge[:2]) for edge in result.edges()}
for cause, effect in alarm_edges():
    if frozenset((cause, effect)) not in learned:
        print(f"missing {cause} -> {effect}:", result.explain(cause, effect))
true = {frozenset(edge) for edge in alarm_edges()}
for one, other, _ in result.edges():
    if frozenset((one, other)) not in true:
        print(f"extra {one}, {other}:", result.explain(one, other))

# %% [markdown]
# ## Keep it
#
# `graph.json` holds the graph and its evidence, and can be read back.

# %%
result.save("graph.json")
again = hccd.HCCDResult.load("graph.json")
again.graph == result.graph
