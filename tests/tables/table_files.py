"""Tables and their files, for the tests of reading."""

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, settings

from hccd.tables import read_table

ROWS = 12
FRAME = pd.DataFrame(
    {
        "whole": np.arange(ROWS) * 3,
        "real": np.arange(ROWS) / 7,
        "text": ["b", "a", "c"] * 4,
        "truth": [True, False] * 6,
        "few": [1, 2, 3] * 4,
    }
)
FUZZ = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
#: Names with signs that mean something in a list of columns.
ODDLY_NAMED = pd.DataFrame(
    {
        "id": np.arange(1, 25),
        "grade": np.arange(24) % 3,
        "dose": np.random.default_rng(0).normal(size=24).round(3),
        "a,b": [f"s{i % 2}" for i in range(24)],
        "x:y": np.arange(24) % 4 < 2,
    }
)


def text_of(frame=FRAME, **options):
    return frame.to_csv(index=False, **options)


def column(put, cells, sep=",", **options):
    lines = "".join(f"{cell}{sep}{i}\n" for i, cell in enumerate(cells))
    return read_table(put(f"v{sep}w\n" + lines), **options)
