"""Files of tables."""

import pytest


@pytest.fixture
def put(tmp_path):
    """A function that writes a file."""

    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
