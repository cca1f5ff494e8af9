"""The uncompiled kernels in the place of the compiled ones."""

from importlib import import_module

import pytest

from hccd.independence import degenerate_gaussian, fisher_z, protocol, tables
from uncompiled import uncompiled as plain_kernel

wrapper = import_module("hccd.wrapper.backtrack")  # the name in the package is the function
LEVEL, CALLING, CORRELATION, BLOCKS, COLUMNS, CONTINGENCY, LEDGER = (
    plain_kernel(name)
    for name in ("level", "calling", "correlation", "blocks", "coded_columns", "contingency", "ledger")
)


def plain_columns(ci):
    """The columns of a bound test for the uncompiled kernels."""
    return COLUMNS.CodedColumns(*ci.data.for_kernels())


@pytest.fixture
def uncompiled(monkeypatch):
    """Answer through the uncompiled kernels for as long as the returned context is open."""

    class Switch:
        def __enter__(self):
            self.context = monkeypatch.context()
            patch = self.context.__enter__()
            patch.setattr(fisher_z, "CorrelationSearch", CORRELATION.CorrelationSearch)
            patch.setattr(degenerate_gaussian, "BlockSearch", BLOCKS.BlockSearch)
            patch.setattr(tables, "TableSearch", CONTINGENCY.TableSearch)
            patch.setattr(protocol, "CallingSearch", CALLING.CallingSearch)
            patch.setattr(wrapper, "Ledger", LEDGER.Ledger)
            patch.setattr(tables.BoundTableTest, "_columns", property(plain_columns))

        def __exit__(self, *error):
            self.context.__exit__(*error)

    return Switch
