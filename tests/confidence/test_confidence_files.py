"""How sure edges are, in the files and objects of others, and on the command line."""

import csv
import json
import subprocess
import sys

import networkx as nx
import pandas as pd
import pytest
from confidence_cases import table

import hccd
from hccd.result.graph_files import read_graph

WITH_NUMBERS = ["graphml", "gml", "dot", "edges"]
WITHOUT = ["adjacency", "amat", "dagitty", "tetrad"]


@pytest.fixture(scope="module")
def result():
    return hccd.discover(table("numbers"), bootstrap=12)


def test_networkx_has_attributes(result):
    graph = result.to_networkx()
    for edge in result.edges():
        source, target, kind = edge
        said = graph.edges[source, target]
        assert said["confidence"] == pytest.approx(edge.confidence)
        assert said["forward"] == edge.probabilities.forward
        if kind == "undirected":
            assert graph.edges[target, source]["forward"] == edge.probabilities.backward


@pytest.mark.parametrize("format", WITH_NUMBERS + WITHOUT)
def test_files_are_read_back(result, format, tmp_path):
    file = result.export(tmp_path / "file", format)
    assert read_graph(file, format).graph == result.graph
    assert ("confidence" in file.read_text()) == (format in WITH_NUMBERS)


def test_networkx_reads_the_numbers(result, tmp_path):
    first = result.edges()[0]
    graphs = (
        nx.read_graphml(result.export(tmp_path / "graph.graphml")),
        nx.read_gml(result.export(tmp_path / "graph.gml")),
    )
    for graph in graphs:
        assert graph.edges[first[0], first[1]]["confidence"] == pytest.approx(first.confidence)
        assert sum(graph.edges[first[0], first[1]][name] for name in first.probabilities._fields) == pytest.approx(1.0)


def test_the_list_of_edges_has_columns(result, tmp_path):
    file = result.export(tmp_path / "graph.edges.csv")
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert float(rows[0]["confidence"]) == pytest.approx(result.edges()[0].confidence)


def test_the_command_line_draws_and_says(tmp_path):
    pd.DataFrame(table("numbers")).to_csv(tmp_path / "data.csv", index=False)

    def command(*words):
        return subprocess.run([sys.executable, "-m", "hccd", *words], cwd=tmp_path, capture_output=True, text=True)

    said = command("learn", "data.csv", "--bootstrap", "10", "--no-report")
    assert said.returncode == 0 and "confidence 10 resamples" in said.stdout
    assert json.loads((tmp_path / "hccd-out/graph.json").read_text())["confidence"]["resamples"] == 10
    none = command("learn", "data.csv", "--bootstrap", "none", "--out", "other", "--no-report")
    assert "confidence none: add --bootstrap 100" in none.stdout
    auto = command("learn", "data.csv", "--out", "third", "--no-report")
    assert "confidence 100 resamples" in auto.stdout
    wrong = command("learn", "data.csv", "--bootstrap", "many")
    assert wrong.returncode == 2 and "bootstrap" in wrong.stderr and "Traceback" not in wrong.stderr
    sure = command("convert", "hccd-out", "sure.edges.csv", "--consensus", "0.9")
    assert sure.returncode == 0 and (tmp_path / "sure.edges.csv").exists()
    refused = command("convert", "other", "never.dot", "--consensus", "0.9")
    assert refused.returncode == 2 and "no resamples were drawn" in refused.stderr
    assert command("convert", "hccd-out", "never.dot", "--consensus", "2").returncode == 2
