"""The state of an interrupted run on disk."""
