"""Each study end to end at a tiny scale, and that a killed study goes on as if nothing had happened."""

import shutil
from importlib.util import find_spec

import pytest

from hccd.drawing.picture import figure_bytes
from hccd.errors import InvalidParameterError
from hccd.studies import Folders, load_study, reproduce, study_names

pytestmark = pytest.mark.slow

TINY = {
    "synthetic": {"variables": [12], "connectivity": [2], "rows": 200, "graphs": 2},
    "assumption": {"network": "asia", "rows": 200, "sets": 1},
    "clusters": {},
    "networks": {"data_set": ["Child"], "sets": 1},
}
ALWAYS_THE_SAME = ("runs.csv", "table.md", "figure.png", "figure.svg")
needs_networks = pytest.mark.skipif(find_spec("pgmpy") is None, reason="networks come with the extra experiments")


def tiny(name, out, **options):
    return reproduce(name, out, replaced=TINY[load_study(name).kind], **options)


def content(folder):
    return {name: (folder / name).read_bytes() for name in ALWAYS_THE_SAME}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """One study, made and drawn once for all tests."""
    return tiny("completeness", tmp_path_factory.mktemp("whole"))


@pytest.fixture
def finished(whole, tmp_path):
    """Return a folder with a copy of that study, which may be changed."""
    shutil.copytree(whole.folder, tmp_path / "completeness")
    return tmp_path


@pytest.fixture
def undrawn(whole, monkeypatch):
    """Take the pictures of that study: they are drawn from what the tables hold, and drawing takes long."""

    def copied(_study, _rows, path):
        for ending in (".png", ".svg"):
            shutil.copyfile(whole.folder / f"figure{ending}", path.with_suffix(ending))

    monkeypatch.setattr("hccd.studies.report.draw", copied)


@pytest.fixture
def drawn_quickly(monkeypatch):
    """Draw everything as SVG alone and arrange nothing, which is most of the work."""

    def unarranged(figure, ending, **more):
        figure.set_layout_engine("none")
        return b"" if ending == ".png" else figure_bytes(figure, ending, **more)

    monkeypatch.setattr("hccd.studies.figures.figure_bytes", unarranged)


def test_synthetic_study_as_users_see_it(whole):
    check_files("completeness", whole)
    for name in ("figure", "times"):
        assert (whole.folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("drawn_quickly")
@pytest.mark.parametrize(
    "name", [name for name in study_names() if load_study(name).kind == "synthetic" and name != "completeness"]
)
def test_synthetic_study(name, tmp_path):
    check_files(name, tiny(name, tmp_path))


def test_clusters(tmp_path):
    outcome = tiny("tree", tmp_path)
    check_files("tree", outcome)
    assert "HYPOVOLEMIA" in outcome.table


@needs_networks
@pytest.mark.usefixtures("drawn_quickly")
def test_assumption(tmp_path):
    check_files("assumption", tiny("assumption", tmp_path))


@needs_networks
@pytest.mark.usefixtures("drawn_quickly")
def test_network_studies_share_their_runs(tmp_path):
    names = [name for name in study_names() if load_study(name).runs == "networks"]
    assert len(names) == 4
    for name in names:
        check_files(name, tiny(name, tmp_path))
    assert len((tmp_path / "networks" / "runs.jsonl").read_text(encoding="utf-8").splitlines()) == 2


@needs_networks
@pytest.mark.usefixtures("drawn_quickly")
def test_ideas(tmp_path):
    # On this data set every option changes something.
    outcome = reproduce("ideas", tmp_path, replaced={"data_set": ["Alarm"], "sets": 1})
    check_files("ideas", outcome)
    runs = [line.split(",") for line in (outcome.folder / "runs.csv").read_text(encoding="utf-8").splitlines()]
    at = runs[0].index("method")
    # An option that did not arrive would leave the figures of the reference.
    same = [run[at] for run in runs[1:] if run[at + 1 :] == runs[1][at + 1 :]]
    assert set(same) == {"reference"}


def check_files(name, outcome):
    study = load_study(name)
    assert outcome.table == (outcome.folder / "table.md").read_text(encoding="utf-8")
    assert outcome.table.startswith(f"# {study.title}\n")
    for metric in study.metrics:
        assert f"## {metric.title}\n" in outcome.table
    lines = (outcome.folder / "runs.csv").read_text(encoding="utf-8").splitlines()
    runs = 2 if study.kind == "synthetic" else 1
    assert len(lines) == 1 + runs * len(study.methods)
    assert "seconds" not in lines[0]
    assert "seconds" in (outcome.folder / "times.csv").read_text(encoding="utf-8").splitlines()[0]
    assert "nan" not in outcome.table
    svg = (outcome.folder / "figure.svg").read_text(encoding="utf-8")
    assert svg.count("<svg") == 1 and "dc:date" not in svg


@pytest.mark.usefixtures("undrawn")
def test_a_killed_study_gives_the_same_files(whole, tmp_path):
    head, first, second = (whole.folder / "runs.jsonl").read_bytes().splitlines(keepends=True)
    broken = {
        "nothing": b"",
        "in the first line": head[:20],
        "before the first run": head,
        "in the first run": head + first[: len(first) // 2],
        "after the first run": head + first,
        "in the second run": head + first + second[:-1],
        "second run first": head + second,
        "and went on after half a line": head + first[:30] + b"\n" + second,
    }
    for moment, left in broken.items():
        folder = tmp_path / moment / "completeness"
        folder.mkdir(parents=True)
        (folder / "runs.jsonl").write_bytes(left)
        assert content(tiny("completeness", tmp_path / moment).folder) == content(whole.folder), moment


@pytest.mark.usefixtures("undrawn")
def test_finished_runs_are_not_made_again(whole, finished, monkeypatch):
    def refuse(*_):
        raise AssertionError("this run was finished")

    monkeypatch.setattr("hccd.studies.synthetic_runs.measure_synthetic", refuse)
    (finished / "completeness" / "table.md").unlink()
    assert content(tiny("completeness", finished).folder) == content(whole.folder)
    assert len((finished / "completeness" / "runs.jsonl").read_bytes().splitlines()) == 3
    (finished / "completeness" / "runs.jsonl").unlink()
    with pytest.raises(AssertionError, match="this run was finished"):
        tiny("completeness", finished)


def test_processes_change_nothing(whole, tmp_path):
    """Pictures are drawn again here, and come out the same."""
    assert content(tiny("completeness", tmp_path, n_jobs=2).folder) == content(whole.folder)


@pytest.mark.usefixtures("undrawn")
def test_progress_is_told(tmp_path):
    heard = []
    tiny("completeness", tmp_path, progress=lambda *event: heard.append(event))
    assert [event[:2] for event in heard] == [(0, 2), (1, 2), (2, 2)]
    assert heard[0][2] is None and heard[1][2] > 0 and heard[2][2] == 0


def test_runs_of_other_settings_are_not_mixed(finished):
    with pytest.raises(InvalidParameterError, match="other settings"):
        reproduce("completeness", finished, replaced={**TINY["synthetic"], "rows": 300})


def test_data_that_are_not_to_be_had_are_left_out(tmp_path):
    with pytest.raises(InvalidParameterError, match="nothing to run on"):
        reproduce("shd", tmp_path, replaced={"data_set": ["NeuroPain"]})
    assert not Folders().offers("NeuroPain") and not Folders().offers("Hailfinder as distributed")
    assert Folders().offers("Alarm")
