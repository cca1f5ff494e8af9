# %% [markdown]
# # Continuous data: tests, score, and how strict to be
#
# Simulated measurements with a known truth: 30 variables, each a linear function of its causes plus Gaussian noise.

# %%
import hccd
from hccd.datasets import random_network
from hccd.metrics import compare

network = random_network(30, 3, seed=7).network
data = network.sample(1000, seed=7)
print(data.shape, int(network.dag.sum()), "true arrows")

# %% [markdown]
# Continuous columns are tested with Fisher's z: are x and y still correlated given the others? Then the score search (BIC)
# starts from the graph of the tests.

# %%
result = hccd.discover(data, names=network.names)
print(result)
print(result.parameters["test"])
print(result.score.name, "score:", result.score.changes(result.graph))

# %%
axes = result.plot()

# %% [markdown]
# A conflict is a test for a collider that the graph disagrees with. Some are to be expected with 1000 rows and 53 effects, many
# of them weak; the graph is the one with the higher score.

# %%
print(len(result.conflicts), "conflicts")
for reason in sorted({conflict.reason for conflict in result.conflicts}):
    print("-", reason)

# %% [markdown]
# `network.cpdag()` is the most that any method can learn from such data: the equivalence class of the true graph.

# %%
truth = network.cpdag()
print(compare(network, result))

# %% [markdown]
# ## With and without the score search
#
# `scoring="none"` gives the graph of the tests. Then `alpha` decides: it is the false-positive rate of a conditional test, and
# the false discovery rate of the unconditional ones. Small values give fewer wrong edges and more missing ones; large values do
# the reverse. The known truth shows it:


# %%
def table_of_levels(scoring):
    print("alpha    edges  missing  extra  SHD")
    for alpha in (0.2, 0.05, 0.01, 0.001, 0.0001):
        learned = hccd.discover(data, names=network.names, alpha=alpha, scoring=scoring)
        errors = compare(truth, learned)
        edges, missing, extra = learned.skeleton.n_edges, errors.edges.missing, errors.edges.extra
        print(f"{alpha:<7}  {edges:5}  {missing:7}  {extra:5}  {errors.shd.total:3}")


table_of_levels("none")

# %% [markdown]
# No level is right: a large `alpha` adds wrong edges, a small one misses true ones. With the score search, `alpha` only
# determines the start, and hardly matters:

# %%
table_of_levels("auto")

# %% [markdown]
# ## Which edges can you trust?
#
# For your own data the truth is unknown. But an edge that is found again in half of the rows is safer than one that is not.
# For every edge that is found in any of 50 random halves, in how many is it found?

# %%
import numpy as np

rng = np.random.default_rng(1)
seen = np.zeros((30, 30), int)
for _ in range(50):
    half = data[rng.choice(1000, size=500, replace=False)]
    seen += hccd.discover(half, names=network.names).skeleton.adjacency
kinds = {"true edges": [], "wrong edges": []}
for i, j in np.argwhere(np.triu(seen)).tolist():
    real = network.dag[i, j] or network.dag[j, i]
    kinds["true edges" if real else "wrong edges"].append(int(seen[i, j]))
for kind, times in kinds.items():
    print(f"{kind}: in {np.median(times):.0f} of 50 halves (median)", sorted(times))

# %% [markdown]
# ## More rows, better graph
#
# Most errors come from sampling noise. With more rows of the same network there are fewer; from 10,000 rows on the graph is
# the true CPDAG:

# %%
print("rows     missing  extra  SHD")
for rows in (300, 1000, 10_000, 100_000):
    learned = hccd.discover(network.sample(rows, seed=7), names=network.names)
    errors = compare(truth, learned)
    missing, extra = errors.edges.missing, errors.edges.extra
    print(f"{rows:<7}  {missing:7}  {extra:5}  {errors.shd.total:3}")
