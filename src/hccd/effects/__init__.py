"""From a graph to effects: what setting one variable does to another, for every graph of the equivalence class."""

from hccd.effects.estimate import effect_of
from hccd.effects.value import Contrast, Effect, Possibility

__all__ = ["Contrast", "Effect", "Possibility", "effect_of"]
