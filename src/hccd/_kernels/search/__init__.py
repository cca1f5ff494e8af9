"""The search over conditioning sets, and what a set says: partial correlations and contingency tables."""
