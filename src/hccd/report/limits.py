"""How much goes into a page: it must open at once, and the picture must be worth looking at.

Everything is in the page up to 500 variables. What a larger result has to leave out is said in the page itself, with
what answers instead.
"""

from __future__ import annotations

#: Up to so many variables one picture shows the whole graph; of a larger graph clusters are drawn up to a size.
DRAWN = 500
CLUSTER_DRAWN = 300
#: A picture of many more edges than this opens with the strongest alone: two for each variable, within these bounds.
FEWEST_FIRST, MOST_FIRST = 60, 120
#: Up to so many variables the p-value of every pair that is independent without condition is in the page.
P_VALUES = 500
#: So many edges have their explanation in the page, the strongest first, and so many pairs their separating sets.
EXPLAINED = 4_000
SEPARATIONS = 40_000
#: Pictures of clusters hold so many variables in all, the largest clusters first; all clusters of a usual run do.
DRAWN_IN_CLUSTERS = 4_000
#: ``hccd learn`` writes a report without being asked up to so many variables.
LARGEST_BY_DEFAULT = 500
#: So many pairs without an edge have their probabilities in the page, those that were adjacent most often first.
UNJOINED = 5_000
