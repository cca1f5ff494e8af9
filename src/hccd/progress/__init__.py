"""A run in progress: the events of it, what they mean in words, and where these are shown."""

from hccd.progress.events import Progress, ProgressFunction, silent

__all__ = ["Progress", "ProgressFunction", "silent"]
