# %% [markdown]
# # Marriage: which came first, the unhappy marriage or the affair?
#
# A magazine asked 6,366 married women about their marriage (Fair 1978; the table comes with statsmodels). All columns are
# answers from a short list, so all of them are discrete.
#
# **Question.** Women who rate their marriage as poor report an affair more often. Does the poor marriage lead to the
# affair, or the affair to the poor rating?

# %%
import warnings

import statsmodels.api as sm

import hccd
from hccd.errors import DataWarning

warnings.simplefilter("ignore", DataWarning)  # result.warnings keeps them

data = sm.datasets.fair.load_pandas().data.drop(columns=["occupation", "occupation_husb"])
data["affair"] = (data.pop("affairs") > 0).map({True: "yes", False: "no"})
data = data.rename(columns={"rate_marriage": "rating", "yrs_married": "years", "educ": "education"})
discrete = list(data.columns)
print(hccd.check_data(data, discrete=discrete))

# %% [markdown]
# The note says how far tests can go: with about five states in each column, 6,366 rows suffice for conditioning sets of two
# variables, but not of three.
#
# ## First without knowledge

# %%
result = hccd.discover(data, discrete=discrete)
axes = result.plot()
print(result.class_size(), "DAGs fit these data equally well")

# %% [markdown]
# No edge has a direction: these data alone do not distinguish cause and effect. But they determine which variables are
# adjacent.
#
# ## Then with what we know
#
# Age comes first; education and the years of marriage before children and religious habits of today; the rating and the
# affair last, in one tier, since their order is the question.

# %%
tiers = [["age"], ["education", "years"], ["children", "religious"], ["rating", "affair"]]
known = hccd.discover(data, discrete=discrete, tiers=tiers)
for edge in known.edges():
    print(f"{edge.confidence:.2f}", *edge)
print()
print(known.explain("rating", "affair"))

# %% [markdown]
# Now there is an arrow from the affair to the rating. Should we believe it? Its reason is indirect: years of marriage and
# religion are neighbours of the affair and not of the rating. That rests on edges that are *missing*, and the fit says that
# some dependence remains there:

# %%
for pair in known.fit.remaining[:5]:
    print(f"{known.names[pair.x]}, {known.names[pair.y]}: still dependent, q = {pair.q_value:.1e}")
probabilities = known.confidence.of(known.index("affair"), known.index("rating"))
print(f"affair -> rating {probabilities.forward:.2f}, undirected {probabilities.undirected:.2f}")

# %% [markdown]
# The rating depends on children, on the years of marriage and on religion, too weakly for an edge and too strongly for
# chance. If any of these edges exists, the argument for the direction is gone.
#
# ## An effect that does not need that arrow
#
# The effect of religion on affairs is adjusted for age only, whichever way the arrow points.

# %%
print(known.effect("religious", "affair"))

# %% [markdown]
# ## The answer
#
# **The data leave it open.** The rating and the affair are directly related, with a probability of 0.98, and the direction is
# open: the arrow in the graph rests on the absence of weak relations, which are not quite absent.
#
# What can be said, if no common cause of religion and affairs is missing (upbringing is a candidate): strongly religious
# women (4) would report an affair with a probability of 0.16, women who are not religious (1) with 0.42.
#
# ## What to report
#
# The undirected graph; the tiers and what they add; the direction in question as open, with its probabilities and the
# remaining dependences. A survey by a magazine selects its readers, which no method here corrects for.
