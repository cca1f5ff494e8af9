# %% [markdown]
# # Diabetes: does body mass matter for the course of the disease?
#
# 442 patients (Efron et al. 2004; the table comes with scikit-learn): age, sex, body mass index (`bmi`), blood pressure
# (`bp`), six blood values (`s1` to `s6`), and `progression`, a measure of the disease one year later.
#
# **Question.** If the body mass of these patients were lower, would the disease progress less?

# %%
import warnings

from sklearn.datasets import load_diabetes

import hccd
from hccd.errors import DataWarning

warnings.simplefilter("ignore", DataWarning)  # result.warnings keeps them

data = load_diabetes(as_frame=True, scaled=False).frame.rename(columns={"target": "progression"})
print(hccd.check_data(data))

# %% [markdown]
# Nothing suspicious: no missing values, and enough rows for eleven columns.
#
# ## What we know beforehand
#
# Nothing in the table changes a patient's age or sex, and `progression` was measured a year after the rest. So there are
# three tiers: no edge may point from a later tier to an earlier one.

# %%
result = hccd.discover(
    data,
    tiers=[["age", "sex"], ["bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"], ["progression"]],
)
axes = result.plot(around="progression")

# %% [markdown]
# The picture shows `progression` and its neighbours. A wide, dark line is a probable edge.
#
# ## How much to believe
#
# Its edges, each after its probability, from 100 resamples of the rows:

# %%
for edge in result.edges():
    if "progression" in edge:
        print(f"{edge.confidence:.2f}", *edge)
for warning in result.warnings:
    print("warning:", warning)

# %% [markdown]
# The edges from `bmi`, `bp` and `s5` are there in almost every resample of the rows; those from `sex` and `s3` are less
# certain. The warning concerns two blood values and not our question.
#
# Is it the body mass itself? `explain` says why an edge is there:

# %%
print(result.explain("bmi", "progression"))

# %% [markdown]
# ## How large is the effect?
#
# `bmi -- s5` is undirected: graphs with either direction fit the data equally well. They differ in what has to be held
# fixed, so there are two possible effects, one for each direction.

# %%
print(result.effect("bmi", "progression"))

# %% [markdown]
# ## The answer
#
# **If no common cause of body mass and progression is missing from the table, one unit more of body mass index raises
# the progression score by about 6 to 8 points** (from 5 to 9 with the 95 % intervals; the score ranges from 25 to 346).
#
# The condition is a strong one. Diet and exercise are not in the table, and both may act on body mass and on the
# disease. The result says where a trial would be worth while; it does not replace one.
#
# ## What to report
#
# The text for the methods section, with what to cite below it (`result.methods_text()` prints both):

# %%
print(result.methods_text().split("\n\n")[0])
