"""Pictures as the bytes of a file: the same bytes for the same picture, no date in them, and no screen needed."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from hccd.drawing.canvas import require_matplotlib
from hccd.errors import InvalidParameterError

#: What each format says about itself, with nothing in it that changes from run to run.
_METADATA: Mapping[str, Mapping[str, Any]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
ENDINGS = tuple(f".{name}" for name in _METADATA)
#: The longer side of a PNG has this many pixels at most: programs that show pictures, and memory, have limits.
_MOST_PIXELS = 8_000


def new_figure() -> Any:
    """Return a figure that pyplot does not know and no screen is needed for."""
    require_matplotlib()
    from matplotlib.figure import Figure

    return Figure()


def figure_bytes(figure: Any, ending: str, *, salt: str = "hccd", dpi: float = 150.0) -> bytes:
    """Return a figure as a file of the format that the ending tells.

    Parameters
    ----------
    figure : Figure
        A figure of matplotlib.
    ending : str
        ``.png``, ``.svg`` (text stays text) or ``.pdf``.
    salt : str
        From which the names of the parts of an SVG are made.
    dpi : float
        Pixels per inch of a PNG; fewer if the picture would become larger than programs can show.
    """
    import matplotlib as mpl

    name = ending.lower().removeprefix(".")
    if name not in _METADATA:
        raise InvalidParameterError(f"pictures cannot be written as {ending!r}: use one of {', '.join(ENDINGS)}")
    with mpl.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none", "pdf.fonttype": 42}):
        file = BytesIO()
        most = _MOST_PIXELS / max(figure.get_size_inches())
        figure.savefig(file, format=name, dpi=min(dpi, most), metadata=dict(_METADATA[name]))
    return file.getvalue()
