"""Knowledge in other forms: plain data, the name of a file, causal-learn's ``BackgroundKnowledge``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from hccd.errors import InvalidParameterError
from hccd.knowledge.files import from_plain, read_knowledge
from hccd.knowledge.value import Knowledge


def as_knowledge(value: Any) -> Knowledge:
    """Return knowledge, whatever form it has."""
    if isinstance(value, Knowledge):
        return value
    if isinstance(value, str | os.PathLike):
        return read_knowledge(value)
    if isinstance(value, Mapping):
        return from_plain(value, "the knowledge")
    if hasattr(value, "tier_map") and hasattr(value, "forbidden_rules_specs"):
        return _from_causallearn(value)
    raise InvalidParameterError(
        f"knowledge is {value!r}; give a Knowledge, such as Knowledge(roots=['age']), or a file"
    )


def _from_causallearn(value: Any) -> Knowledge:
    """Translate the rules of an object with causal-learn's attributes; its patterns have no counterpart here."""
    if value.forbidden_pattern_rules_specs or value.required_pattern_rules_specs:
        raise InvalidParameterError(
            "the knowledge has rules by pattern, which are not read: add the edges one by one "
            "(add_forbidden_by_node, add_required_by_node)"
        )

    def pairs(rules: Any) -> list[tuple[str, str]]:
        return sorted((a.get_name(), b.get_name()) for a, b in rules)

    numbers = sorted(number for number, nodes in value.tier_map.items() if nodes)
    return Knowledge(
        tiers=[sorted(node.get_name() for node in value.tier_map[number]) for number in numbers],
        forbidden=pairs(value.forbidden_rules_specs),
        required=pairs(value.required_rules_specs),
    )
