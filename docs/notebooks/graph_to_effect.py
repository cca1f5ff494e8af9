# %% [markdown]
# # From graph to effect
#
# A graph shows which variables to adjust for. `result.effect` estimates an effect; so do other packages. Here a learned graph
# goes to networkx, DoWhy and pgmpy. The truth is known: one unit of `heat` adds 0.8 to `demand` and 0.8 x 0.9 = 0.72 to `price`.

# %%
import numpy as np
import pandas as pd

import hccd

rng = np.random.default_rng(0)
sun, wind, holiday = rng.normal(size=(3, 2000))
heat = 0.9 * sun + 0.5 * rng.normal(size=2000)
demand = 0.8 * heat - 0.7 * holiday + 0.5 * rng.normal(size=2000)
price = 0.9 * demand - 0.8 * wind + 0.5 * rng.normal(size=2000)
data = pd.DataFrame(
    {
        "sun": sun,
        "heat": heat,
        "holiday": holiday,
        "demand": demand,
        "wind": wind,
        "price": price,
    }
)
result = hccd.discover(data)
result

# %% [markdown]
# ## One graph, or several?
#
# `sun - heat` is undirected: two DAGs fit the data equally well. DoWhy and Bayesian networks need one DAG, so check first
# whether your question depends on the choice.

# %%
print(result.class_size(), "members")
for dag in result.dags():
    arrows = [f"{a} -> {b}" for a, b, _ in dag.edges()]
    print(", ".join(arrows))

# %% [markdown]
# ## networkx

# %%
import networkx as nx

graph = result.dag().to_networkx()
print(nx.is_directed_acyclic_graph(graph))
print("causes of price:", sorted(nx.ancestors(graph, "price")))

# %% [markdown]
# ## DoWhy
#
# `to_dowhy()` is what `CausalModel(graph=...)` takes. The effect is estimated once for each member of the class: if the
# numbers agree, the undirected edge does not matter for this question.

# %%
import importlib.util

has_dowhy = importlib.util.find_spec("dowhy") is not None

# %%
if has_dowhy:
    import logging
    import warnings

    warnings.simplefilter("ignore")  # DoWhy and its dependencies warn about each other
    logging.disable(logging.WARNING)
    from dowhy import CausalModel

    for dag in result.dags():
        model = CausalModel(data, treatment="heat", outcome="price", graph=dag.to_dowhy())
        estimand = model.identify_effect(proceed_when_unidentifiable=True)
        effect = model.estimate_effect(estimand, method_name="backdoor.linear_regression")
        arrow = next(edge for edge in dag.edges() if set(edge[:2]) == {"sun", "heat"})
        print(f"with {arrow[0]} -> {arrow[1]}: effect of heat on price {effect.value:.2f}")

# %% [markdown]
# Both are near 0.72: adjusting for `sun`, a cause of `heat` only, neither helps nor hurts much. Without DoWhy the same
# regression is one line, with the parents of the treatment as covariates:

# %%
for dag in result.dags():
    parents = [a for a, b, _ in dag.edges() if b == "heat"]
    design = np.column_stack([data["heat"], data[parents], np.ones(len(data))])
    print(parents, round(float(np.linalg.lstsq(design, data["price"], rcond=None)[0][0]), 2))

# %% [markdown]
# ## pgmpy
#
# For discrete data `to_pgmpy("network")` gives a Bayesian network to fit and to query.

# %%
from hccd.datasets import alarm_path

ward = pd.read_csv(alarm_path())[["HYPOVOLEMIA", "LVFAILURE", "LVEDVOLUME", "CVP", "PCWP", "HISTORY"]].astype(str)
learned = hccd.discover(ward)
learned.edges()

# %%
has_pgmpy = importlib.util.find_spec("pgmpy") is not None

# %%
if has_pgmpy:
    import warnings

    warnings.simplefilter("ignore")
    from pgmpy.inference import VariableElimination

    model = learned.to_pgmpy("network").fit(ward)
    asked = VariableElimination(model).query(["LVFAILURE"], evidence={"HISTORY": "True"}, show_progress=False)
    for state, share in zip(asked.state_names["LVFAILURE"], asked.values, strict=True):
        print(f"P(LVFAILURE = {state} | HISTORY = True) = {share:.2f}")
