"""Tables for the tests of streams, and what is compared: the data as a run starts from them, in memory and streamed."""

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from hccd.run.options import Options
from hccd.run.prepared import prepare


def numbers(n_rows=50_000, seed=0):
    """Columns of a linear network."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, 6))
    x[:, 2] += 0.8 * x[:, 0] - 0.5 * x[:, 1]
    x[:, 3] += 0.7 * x[:, 2]
    x[:, 5] += 0.4 * x[:, 3] + 0.6 * x[:, 4]
    return {f"v{i}": x[:, i] for i in range(6)}


def states(n_rows=50_000, seed=0):
    """Columns of states: small numbers, text, truth values, and a rare one."""
    columns = list(numbers(n_rows, seed).values())
    rare = np.zeros(n_rows, int)
    rare[[n_rows // 2, n_rows - 3]] = 1
    return {
        "small": np.digitize(columns[0], [-1, 1]) - 1,
        "word": np.array(["low", "mid", "Ünïcödé"])[np.digitize(columns[1], [-0.5, 1])],
        "truth": columns[2] > 0,
        "other": np.digitize(columns[3], [-1, 0, 1]).astype(float),
        "rare": rare,
        # Begins as the one before and goes on otherwise.
        "seldom": np.where(np.arange(n_rows) > 400, (columns[4] > 1).astype(int), 0),
    }


def mixed(n_rows=50_000, seed=0):
    """Columns of both kinds."""
    of_states = states(n_rows, seed)
    own = {name: values for name, values in numbers(n_rows, seed).items() if name < "v4"}
    return {**own, "word": of_states["word"], "small": of_states["small"]}


def written(path, columns, **how):
    """Write columns as Parquet."""
    parquet.write_table(pa.table(columns), path, **how)
    return path


def written_parts(folder, columns, rows):
    """Write columns into a new folder, as Parquet files of so many rows each, in batches of different sizes."""
    folder.mkdir()
    table = pa.table(columns)
    for k, start in enumerate(range(0, len(table), rows)):
        written(folder / f"p{k}.parquet", table.slice(start, rows), row_group_size=1000 + 777 * k)
    return folder


def ready(data, **options):
    """Return data ready to learn from."""
    return prepare(data, Options(**options))


def same_start(one, two, within=0.0, in_order=True):
    """Two runs start from the same: columns in their order and kinds, the test, and all it knows of rows."""
    assert one.binding.names == two.binding.names and one.table.kinds == two.table.kinds
    if in_order:
        assert one.binding.columns.tolist() == two.binding.columns.tolist()
    assert one.binding.n_samples == two.binding.n_samples
    assert one.binding.ci.describe() == two.binding.ci.describe()
    own, other = (np.ix_(np.argsort(each.binding.columns), np.argsort(each.binding.columns)) for each in (one, two))
    assert np.array_equal(one.marginals.independent[own], two.marginals.independent[other])
    np.testing.assert_allclose(one.marginals.strength[own], two.marginals.strength[other], rtol=0, atol=within)
