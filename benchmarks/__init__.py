"""Measurements behind the figures in the documentation; ``python -m benchmarks`` lists the commands."""
