# %% [markdown]
# # Penguins: do long bills grow at the cost of deep ones?
#
# 344 penguins of three species near Palmer Station, Antarctica (Gorman et al. 2014; the table comes with the package
# palmerpenguins). Some values are missing.
#
# **Question.** Penguins with longer bills have *less deep* bills: the correlation is negative. Does one dimension grow at
# the cost of the other?

# %%
import warnings

from palmerpenguins import load_penguins

import hccd
from hccd.errors import DataWarning

warnings.simplefilter("ignore", DataWarning)  # result.warnings keeps them

data = load_penguins().drop(columns="year")
data.columns = [name.removesuffix("_mm").removesuffix("_g") for name in data.columns]
print("correlation of length and depth:", round(data["bill_length"].corr(data["bill_depth"]), 2))
print(hccd.check_data(data))

# %% [markdown]
# 19 cells are missing. Leaving out their rows would be simple; here the covariances are estimated from all rows (EM), which
# uses the information of the incomplete rows.
#
# ## What we know beforehand
#
# Nothing we measured changes the species or the sex of a penguin: they come first.

# %%
result = hccd.discover(
    data,
    tiers=[["species", "sex"], ["island", "bill_length", "bill_depth", "flipper_length", "body_mass"]],
)
axes = result.plot()

# %% [markdown]
# There is no edge between `bill_length` and `bill_depth`. Both depend on species, on sex, and on body mass.

# %%
print(result.explain("bill_length", "bill_depth"))

# %% [markdown]
# ## How much to believe
#
# The probability of each edge, from 100 resamples of the rows:

# %%
for edge in sorted(result.edges(), key=lambda edge: -edge.confidence):
    print(f"{edge.confidence:.2f}", *edge)

# %% [markdown]
# The edges from species and sex are certain. The two between body mass and the bill are undirected, and the one from bill
# length to flipper length is a guess: it is missing in almost half of the resamples. Do the missing values matter?
# Learn again from complete rows only:

# %%
complete = hccd.discover(
    data,
    missing="rows",
    tiers=[["species", "sex"], ["island", "bill_length", "bill_depth", "flipper_length", "body_mass"]],
)
print("the same graph:", complete.graph == result.graph)

# %% [markdown]
# And within a species, is the correlation still negative?

# %%
for species, group in data.groupby("species"):
    print(species, round(group["bill_length"].corr(group["bill_depth"]), 2))

# %% [markdown]
# ## The answer
#
# **No. The negative correlation comes from the species.** Gentoo penguins have long and flat bills, Adelie penguins short
# and deep ones; within each species long bills are deep bills, since large birds have large bills (Simpson's paradox).
# The graph says the same: given species, sex and body mass, too little is left between the two for an edge. That is true if
# no common cause of the measures is missing from the table; age is a candidate.
#
# One effect is certain enough for a number:

# %%
print(result.effect("sex", "body_mass"))

# %% [markdown]
# ## What to report
#
# The graph with the probabilities of its edges; that 19 of 2,408 cells were missing, how they were treated, and that complete
# rows give the same graph; the two tiers; and that directions among the body measures are open or uncertain.
