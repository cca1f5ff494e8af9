"""Scores of families, and the search over DAGs by them."""
