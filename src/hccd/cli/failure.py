"""What went wrong, as one sentence and an exit code.

====  ===========================================================================
code  meaning
====  ===========================================================================
0     done, perhaps with warnings
1     a bug in this program; ``HCCD_DEBUG=1`` shows where
2     something the user can mend: options, data, the output folder, memory, a full disk
130   interrupted
====  ===========================================================================
"""

from __future__ import annotations

import os
import shlex
import sys
import traceback

from hccd.cli.console import Console
from hccd.cli.interruptible import INTERRUPTED
from hccd.errors import HCCDError

BUG, MENDABLE = 1, 2


def exit_code_of(error: BaseException, console: Console) -> int:
    """Say what ``error`` means to a user, and return the exit code for it."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    if isinstance(error, KeyboardInterrupt):
        return interrupted(console)
    if isinstance(error, HCCDError):
        for line in _with_flags(error).splitlines():
            console.error(line)
        return MENDABLE
    if isinstance(error, MemoryError):
        console.error("there is not enough memory for this run: use fewer columns or rows, or a larger machine")
        return MENDABLE
    if isinstance(error, OSError):
        console.error(f"the operating system reports an error ({error.strerror or error}): solve it and try again")
        return MENDABLE
    usage = _usage_sentence(error)
    if usage:
        console.error(usage)
        return MENDABLE
    if os.environ.get("HCCD_DEBUG") == "1":
        traceback.print_exception(error, file=sys.stderr)
    console.error(f"this is a bug in hccd ({_short(error)}): please report it; HCCD_DEBUG=1 shows where it happened")
    return BUG


def _with_flags(error: HCCDError) -> str:
    """Return what is wrong, with the flags that would go on; a value of None is the default, which no flag gives."""
    words = [
        f"--{name.replace('_', '-')} {shlex.quote(str(each))}"
        for name, value in error.go_on.items()
        for each in (value if isinstance(value, list) else [value])
        if each is not None
    ]
    words += [f"without --{name.replace('_', '-')}" for name, value in error.go_on.items() if value is None]
    between = "\n" if "\n" in error.sentence else "; "
    return f"{error.sentence}{between}to continue: {' '.join(words)}" if words else error.sentence


def interrupted(console: Console) -> int:
    """Say that the user stopped the run."""
    console.error("interrupted")
    return INTERRUPTED


def _usage_sentence(error: BaseException) -> str:
    """Return the sentence of an error in the options, or nothing for other errors.

    Some versions of typer bring their own copy of click, so the class is told by what it offers.
    """
    message = getattr(error, "format_message", None)
    if not callable(message):
        return ""
    sentence = " ".join(str(message()).split()).rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "hccd"
    return f"{sentence[:1].lower()}{sentence[1:]}; see {where} --help"


def _short(error: BaseException) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
