"""The MMHC archives: a small one made here, and the real ones where they are at hand."""

import io
import json
import lzma
import tarfile

import networkx as nx
import numpy as np
import pytest
from network_cases import needs_pgmpy, shared_data
from scipy import stats

from hccd.datasets import PAPER_DATA_SETS, MMHCArchive, load_network, paper_data
from hccd.errors import FileFormatError, InvalidParameterError

GRAPH = "0  1\n0  0\n"
REAL = {"Alarm1": 46, "Barley": 84, "Child": 25, "HailFinder": 66, "Insurance": 52, "Mildew": 46, "Munin1": 282}


def pack(path, files):
    with tarfile.open(path, "w:xz") as archive:
        for name, text in files.items():
            data = text.encode()
            member = tarfile.TarInfo(f"{path.name.split('.')[0]}/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def sample_text(rows, seed, ends="\r\n"):
    values = np.random.default_rng(seed).integers(0, 12, (rows, 2))
    return values, "".join(f" {a:2}  {b:2}{ends}" for a, b in values)


@pytest.fixture
def folder(tmp_path):
    files = {"Toy_graph.txt": GRAPH}
    for rows, seed in ((500, 1), (5000, 2)):
        files[f"Toy_s{rows}_v1.txt"] = sample_text(rows, seed)[1]
    files["Toy_s500_v2.txt"] = sample_text(499, 3)[1]
    files["Toy_s500_v3.txt"] = "a b\n"
    pack(tmp_path / "Toy.tar.xz", files)
    pack(tmp_path / "Bare.tar.xz", {"Bare_graph.txt": "0 2\n0 0\n"})
    (tmp_path / "Toy_graph_fixed.txt").write_text("0 0\n1 0\n")
    (tmp_path / "Toy_testdata_s500_v1.txt.xz").write_bytes(lzma.compress(sample_text(70, 4, "\n")[1].encode()))
    (tmp_path / "mmhc_columns.json").write_text(json.dumps({"Toy": ["left", "right"]}))
    return tmp_path


def test_a_small_archive(folder):
    archive = MMHCArchive(folder)
    assert archive.networks() == ("Bare", "Toy")
    assert archive.names("Toy") == ("left", "right")
    data = archive.training("Toy", 500, 1)
    assert np.array_equal(data, sample_text(500, 1)[0]) and data.dtype == np.int32 and data.flags.f_contiguous
    assert np.array_equal(archive.training("Toy"), data)
    assert np.array_equal(archive.test("Toy", 1), sample_text(5000, 2)[0])
    assert np.array_equal(archive.test("Toy", 1, original=True), sample_text(70, 4)[0])
    assert archive.truth("Toy").tolist() == [[False, False], [True, False]]
    assert archive.truth("Toy", corrected=False).tolist() == [[False, True], [False, False]]
    assert not archive.truth("Toy").flags.writeable


def test_refusals(folder):
    archive = MMHCArchive(folder)
    with pytest.raises(InvalidParameterError, match=r"no archive of 'Alarm' in .*: there are Bare, Toy"):
        archive.training("Alarm")
    with pytest.raises(InvalidParameterError, match=r"holds no Toy_s1000_v1.txt: it holds Toy_graph.txt, Toy_s500_v1"):
        archive.training("Toy", 1000, 1)
    with pytest.raises(InvalidParameterError, match=r"own test set 'Toy_testdata_s500_v2.txt.xz' is not in the folder"):
        archive.test("Toy", 2, original=True)
    with pytest.raises(FileFormatError, match="has 499 rows instead of 500"):
        archive.training("Toy", 500, 2)
    with pytest.raises(FileFormatError, match="not a table of whole numbers"):
        archive.training("Toy", 500, 3)
    with pytest.raises(FileFormatError, match="not a square matrix of 0 and 1"):
        archive.truth("Bare")
    (folder / "Torn.tar.xz").write_bytes((folder / "Toy.tar.xz").read_bytes()[:100])
    with pytest.raises(FileFormatError, match="archive of 'Torn' is damaged"):
        archive.training("Torn")
    (folder / "Toy_testdata_s500_v1.txt.xz").write_bytes(b"x")
    with pytest.raises(FileFormatError, match="is damaged"):
        archive.test("Toy", 1, original=True)
    assert MMHCArchive(folder / "nowhere").networks() == ()


def test_the_real_archives():
    archive = MMHCArchive(shared_data("mmhc", "Alarm1.tar.xz"))
    assert archive.networks() == tuple(REAL)
    for name, edges in REAL.items():
        truth = archive.truth(name)
        assert truth.sum() == archive.truth(name, corrected=False).sum() == edges
        assert nx.is_directed_acyclic_graph(nx.from_numpy_array(truth, create_using=nx.DiGraph))
        last = archive.training(name, 500, 10)
        assert last.shape == (500, len(truth)) == (500, len(set(archive.names(name))))
        assert last.min() == 0
    # The stand-in for a test set is another draw than the training set.
    assert not np.array_equal(archive.test("Child", 1)[:500], archive.training("Child", 500, 1))
    assert archive.test("Alarm1", 1, original=True).shape == (5000, 37)


def test_the_graph_of_hailfinder_had_to_be_corrected():
    """Under the corrected graph parents and children depend on each other; under the distributed one few do."""
    archive = MMHCArchive(shared_data("mmhc", "HailFinder.tar.xz"))
    data = archive.training("HailFinder", 5000, 1)

    def dependent(dag):
        counts = []
        for i, j in zip(*np.nonzero(dag), strict=True):
            table = np.zeros((data[:, i].max() + 1, data[:, j].max() + 1))
            np.add.at(table, (data[:, i], data[:, j]), 1)
            counts.append(stats.chi2_contingency(table[table.any(axis=1)][:, table.any(axis=0)]).pvalue < 0.01)
        return np.mean(counts)

    assert dependent(archive.truth("HailFinder")) > 0.95
    assert dependent(archive.truth("HailFinder", corrected=False)) < 0.5


@needs_pgmpy
def test_archives_fit_the_networks_of_the_same_name():
    archive = MMHCArchive(shared_data("mmhc", "Child.tar.xz"))
    for name, network in (("Child", "child"), ("Alarm1", "alarm"), ("HailFinder", "hailfinder")):
        published = load_network(network)
        place = [published.names.index(column) for column in archive.names(name)]
        assert np.array_equal(archive.truth(name), published.dag[np.ix_(place, place)])


def test_data_sets_of_the_paper_that_are_stored(folder):
    (folder / "mmhc").mkdir()
    pack(folder / "mmhc" / "Child.tar.xz", {"Child_graph.txt": GRAPH, "Child_s500_v4.txt": sample_text(500, 9)[1]})
    data = paper_data("Child", folder)
    assert data.names == ("V1", "V2") and data.truth.tolist() == [[False, True], [False, False]]
    assert np.array_equal(data.training(4), sample_text(500, 9)[0])
    for i in (0, 11):
        with pytest.raises(InvalidParameterError, match=f"set {i} is requested: there are sets 1 to 10"):
            data.test(i)
    with pytest.raises(InvalidParameterError, match="there is no data set 'child': choose one of Alarm, Child"):
        paper_data("child", folder)


@needs_pgmpy
def test_all_data_sets_of_the_paper():
    folder = shared_data("mmhc", "Alarm1.tar.xz").parent
    edges = dict(zip(PAPER_DATA_SETS, (46, 25, 52, 46, 66, 84, 282, 112, 195, 123, 770), strict=True))
    for name in PAPER_DATA_SETS:
        data = paper_data(name, folder)
        assert data.truth.sum() == edges[name] and len(data.names) == len(data.truth)
        assert data.training(2).shape == (500, len(data.names))
        assert not np.array_equal(data.training(1), data.training(2))
    drawn = paper_data("Hepar2", folder)
    assert drawn.test(3).shape == (5000, 70)
    assert np.array_equal(drawn.training(3), paper_data("Hepar2", folder).training(3))
    assert not np.array_equal(drawn.training(3), drawn.test(3)[:500])
