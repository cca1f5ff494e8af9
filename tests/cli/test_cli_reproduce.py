"""``hccd reproduce``: a study that is finished is printed, and what cannot be done is refused in one sentence."""

import pytest

from hccd.studies import load_study
from hccd.studies import reproduce as carry_out


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (["figure-7"], "no study 'figure-7': choose one of assumption"),
        (["ci-tests", "--scale", "huge"], "--scale is 'huge'; choose one of quick, paper"),
        (["ci-tests", "--jobs", "0"], "--jobs is '0'"),
        (["ci-tests", "--jobs", "many"], "--jobs is 'many'"),
        (["shd", "--mmhc", "nowhere"], "--mmhc is 'nowhere', and there is no such folder"),
        (["ci-tests", "--peers", "python"], "--peers is 'python': it is for the study leaderboard only"),
        (["leaderboard", "--peers", "nowhere"], "--peers is 'nowhere', which is no Python that has numpy"),
        (["shd", "--neuropain", "nowhere"], "--neuropain is 'nowhere', and there is no such folder"),
    ],
)
def test_refusals(hccd, tmp_path, arguments, phrase):
    ran = hccd("reproduce", *arguments)
    assert ran.code == 2 and ran.out == "" and phrase in ran.err and ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to(hccd, tmp_path):
    (tmp_path / "file").write_text("")
    ran = hccd("reproduce", "ci-tests", "--out", "file")
    assert ran.code == 2 and "cannot be written to" in ran.err and ran.err.count("\n") == 1


def test_a_study(hccd, tmp_path, monkeypatch):
    tiny = {"variables": 12, "connectivity": [2], "rows": 200, "alpha": 0.01, "graphs": 1}

    def at_a_tiny_scale(*arguments, **options):
        return carry_out(*arguments, **options, replaced=tiny)

    monkeypatch.setattr("hccd.studies.reproduce", at_a_tiny_scale)
    ran = hccd("reproduce", "completeness", "--out", "out")
    assert ran.code == 0 and ran.err == ""
    assert ran.out.startswith(f"# {load_study('completeness').title}\n")
    assert ran.out.endswith("files in out/completeness\n")
    assert (tmp_path / "out" / "completeness" / "figure.png").exists()
