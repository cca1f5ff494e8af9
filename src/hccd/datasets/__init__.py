"""Data with a known truth: random linear models, published networks, and the data sets of the paper's studies."""

from hccd.datasets.alarm import alarm_edges, alarm_path
from hccd.datasets.bif import parse_bif, read_bif
from hccd.datasets.bif_writer import bif_text, save_bif
from hccd.datasets.discrete_network import DiscreteNetwork
from hccd.datasets.gaussian_network import GaussianNetwork, RandomNetwork, random_network
from hccd.datasets.mmhc import MMHCArchive
from hccd.datasets.networks import load_network, network_names
from hccd.datasets.neuropain import NeuroPain, load_neuropain
from hccd.datasets.paper_data import PAPER_DATA_SETS, PaperData, paper_data
from hccd.datasets.synthetic import LinearGaussian, RandomDAG, random_dag

__all__ = [
    "PAPER_DATA_SETS",
    "DiscreteNetwork",
    "GaussianNetwork",
    "LinearGaussian",
    "MMHCArchive",
    "NeuroPain",
    "PaperData",
    "RandomDAG",
    "RandomNetwork",
    "alarm_edges",
    "alarm_path",
    "bif_text",
    "load_network",
    "load_neuropain",
    "network_names",
    "paper_data",
    "parse_bif",
    "random_dag",
    "random_network",
    "read_bif",
    "save_bif",
]
