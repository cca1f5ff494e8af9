"""Errors that a user can cause and mend: one sentence each, saying what is wrong, where, and what to do."""


class HCCDError(Exception):
    """Base of every error this library raises on purpose; its text is fit to be shown to a user."""


class InvalidParameterError(HCCDError, ValueError):
    """A parameter has a value that cannot be used."""


class InvalidDataError(HCCDError, ValueError):
    """The data cannot be used as they are: missing values, too few rows, a wrong type of column."""


class NotEnoughDataError(InvalidDataError):
    """Too few rows or columns to learn anything."""


class InvalidGraphError(HCCDError, ValueError):
    """A graph does not have the property that an operation needs."""


class NotExtendableError(InvalidGraphError):
    """A partially directed graph has no consistent DAG extension."""


class FileFormatError(HCCDError, ValueError):
    """A file does not hold what its reader expects."""


class NotInstalledError(HCCDError, ImportError):
    """A package is needed that comes with an extra only."""


class DataWarning(UserWarning):
    """The data can be used, but something about them may surprise: constants, duplicates, collinear columns."""
