"""The options that say how a table is to be read: the same for every command that reads one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from hccd.cli.completion import complete_column
from hccd.cli.options import choice, typed_name, whole_number
from hccd.errors import InvalidParameterError

DROP_MISSING = ("rows", "columns")
_COLUMNS = ("drop", "index", "discrete", "continuous", "ordinal")
DATA_HELP = (
    "A table, one row per observation and one column per variable: CSV, TSV or other delimited text, Parquet, Feather "
    "or Arrow, compressed with gzip or not; a folder of such files; - for standard input."
)

Data = Annotated[str, typer.Argument(metavar="DATA", help=DATA_HELP, show_default=False)]
Streaming = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="Read the rows batch by batch, in bounded memory; tables of more than 100 million cells always are.",
    ),
]


@dataclass(kw_only=True, eq=False)
class ReadingOptions:
    """How the table is read."""

    drop: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            autocompletion=complete_column,
            help="Leave a column out. All options for columns can be repeated, and take a list a,b or a range "
            "first:last, unless a column has that very name.",
        ),
    ] = None
    index: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", autocompletion=complete_column, help="A column of row labels; it is left out."),
    ] = None
    discrete: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", autocompletion=complete_column, help="Treat a column as discrete, whatever it holds."
        ),
    ] = None
    continuous: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            autocompletion=complete_column,
            help="Treat a column as continuous, whatever it holds.",
        ),
    ] = None
    ordinal: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            autocompletion=complete_column,
            help="Treat the numbers of a column as ordered states (for mixed tables).",
        ),
    ] = None
    discretize: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=K",
            help="Group the numbers of a column into K classes of about equal size; K alone does so for all "
            "continuous columns.",
        ),
    ] = None
    drop_missing: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(DROP_MISSING),
            help="Leave out the columns, or the rows, with missing values; --missing rows also drops rows.",
        ),
    ] = None
    na: Annotated[
        list[str] | None,
        typer.Option(metavar="TOKENS", help="Cells that mean a missing value, separated by commas, such as NA,-999."),
    ] = None
    delimiter: Annotated[
        str | None,
        typer.Option(metavar="C", help="What separates the cells of a text file: a character, tab or blank."),
    ] = None
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Encoding of a text file, such as utf-8 or latin-1.")
    ] = None
    decimal: Annotated[str | None, typer.Option(metavar=".|,", help="The decimal sign in a text file.")] = None
    header: Annotated[
        bool | None,
        typer.Option("--header/--no-header", help="Whether the first line of a text file holds the column names."),
    ] = None

    def arguments(self) -> dict[str, Any]:
        """Return the options as arguments for ``read_table``."""
        return {
            **vars(self),
            **{name: tuple(map(typed_name, getattr(self, name) or ())) for name in _COLUMNS},
            "discretize": _classes([typed_name(item) for item in self.discretize or ()]),
            "drop_missing": None
            if self.drop_missing is None
            else choice("--drop-missing", self.drop_missing, DROP_MISSING),
            "na": tuple(token for tokens in self.na or () for token in tokens.split(",")),
        }


def _classes(items: Sequence[str]) -> dict[str, int] | int | None:
    """Return the numbers of classes by column, or one for all; the last ``=`` separates, for names may hold some."""
    if len(items) == 1 and re.fullmatch(r"[0-9]+", items[0]):
        return whole_number("--discretize", items[0], least=2)
    classes = {}
    for item in items:
        column, separator, number = item.rpartition("=")
        if not separator or not column:
            raise InvalidParameterError(f"--discretize is {item!r}; give COLUMN=K, or K alone for all columns")
        classes[column] = whole_number("--discretize", number, least=2)
    return classes or None
