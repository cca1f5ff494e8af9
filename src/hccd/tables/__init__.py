"""From a user's data, in memory or in a file, to numbers: checked tables, discrete codes, warnings.

Everything a user can have wrong in the data is told here, by column name and in one sentence.
"""

from hccd.tables.codes import Codes
from hccd.tables.columns import Kind
from hccd.tables.doubtful_kinds import guessed_kinds
from hccd.tables.findings import Finding, FindingKind, copies, gravest_first
from hccd.tables.frames import as_raw_table, as_table, own_names
from hccd.tables.inspect import inspect_kinds, inspect_table
from hccd.tables.keys import column_keys
from hccd.tables.mixed import MixedColumns, mixed_columns
from hccd.tables.numbers import code_columns
from hccd.tables.raw_table import RawTable
from hccd.tables.read import Reading, read_raw_table, read_table
from hccd.tables.table import Table

__all__ = [
    "Codes",
    "Finding",
    "FindingKind",
    "Kind",
    "MixedColumns",
    "RawTable",
    "Reading",
    "Table",
    "as_raw_table",
    "as_table",
    "code_columns",
    "column_keys",
    "copies",
    "gravest_first",
    "guessed_kinds",
    "inspect_kinds",
    "inspect_table",
    "mixed_columns",
    "own_names",
    "read_raw_table",
    "read_table",
]
