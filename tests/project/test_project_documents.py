"""The documents name what is there; that their examples run is told by tests/documents."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)


def test_readme_example_is_the_example_file():
    script = (ROOT / "examples" / "electricity.py").read_text(encoding="utf-8")
    shown = next(block for block in BLOCKS if "sun, wind, holiday" in block)
    for line in shown.splitlines():
        assert line in script.splitlines(), line


@pytest.mark.parametrize("document", ["README.md", "docs/PAPER_IN_CODE.md", "docs/DATA.md"])
def test_named_files_exist(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / document).parent.joinpath(target).exists(), target
    folders = "clustering|baselines|wrapper|orientation|independence|scoring|_kernels"
    for path in re.findall(rf"`((?:{folders})/[\w/]+\.py)`", text):
        assert (ROOT / "src" / "hccd" / path).exists(), path
