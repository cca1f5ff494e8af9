"""The work behind ``hccd plot``: read a run, draw it, write the file whole or not at all."""

from __future__ import annotations

from pathlib import Path

from hccd.cli.tasks.run_folder import load_run
from hccd.drawing.picture import figure_bytes, new_figure
from hccd.errors import InvalidParameterError
from hccd.files.replaceable import check_free
from hccd.files.whole import write_whole
from hccd.wording import quoted


def check_target(target: Path, *, force: bool) -> None:
    """Refuse a file that must not be replaced and a folder that does not exist, before anything is drawn."""
    check_free(target, force=force)
    if not target.parent.is_dir():
        raise InvalidParameterError(f"there is no folder {quoted(target.parent, longest=4096)}: make it first")


def write_picture(run: str, target: Path, kind: str, around: tuple[str, ...], distance: int) -> None:
    """Draw a run into ``target``."""
    result = load_run(run)
    figure = new_figure()
    result.plot(kind, ax=figure, around=around or None, distance=distance)
    picture = figure_bytes(figure, target.suffix)
    try:
        write_whole(target, [picture])
    except OSError as error:
        reason = error.strerror or error
        raise InvalidParameterError(
            f"{quoted(target, longest=4096)} cannot be written ({reason}): choose another --out"
        ) from None
