"""A run that is interrupted when everything is learned, and only the files are to be written."""

from functools import partial

import numpy as np
import pytest

from hccd.checkpoint.folder import CheckpointFolder
from hccd.cli.console import Console
from hccd.cli.tasks import learn
from hccd.cli.tasks.output import Output
from hccd.cli.tasks.request import Request


def interrupted(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("step", ["write", "write_report"])
def test_what_is_kept_is_said(step, tmp_path, monkeypatch, capsys):
    values = np.cumsum(np.random.default_rng(0).normal(size=(200, 6)), axis=1)
    np.savetxt(tmp_path / "table.csv", values, delimiter=",", header="a,b,c,d,e,f", comments="")
    monkeypatch.setattr(learn, "CheckpointFolder", partial(CheckpointFolder, every=0.0))
    request = Request(data=tmp_path / "table.csv", out=str(tmp_path / "run"), force=False, report=None)
    with monkeypatch.context() as patched:
        patched.setattr(Output, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            learn.run(request, Console(quiet=False))
    assert "repeat the command to continue" in capsys.readouterr().err
    assert list((tmp_path / "run").glob(".hccd-partial-*.npz"))
    learn.run(request, Console(quiet=False))
    assert "continuing the interrupted run" in capsys.readouterr().err
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"graph.json", "report.html"}
