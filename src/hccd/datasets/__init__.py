"""Data with a known truth: random linear models, published networks, and a sample of the ALARM network."""

from hccd.datasets.alarm import alarm_edges, alarm_path
from hccd.datasets.bif import parse_bif, read_bif
from hccd.datasets.bif_writer import bif_text, save_bif
from hccd.datasets.discrete_network import DiscreteNetwork
from hccd.datasets.gaussian_network import GaussianNetwork, RandomNetwork, random_network
from hccd.datasets.networks import load_network, network_names
from hccd.datasets.synthetic import LinearGaussian, RandomDAG, random_dag

__all__ = [
    "DiscreteNetwork",
    "GaussianNetwork",
    "LinearGaussian",
    "RandomDAG",
    "RandomNetwork",
    "alarm_edges",
    "alarm_path",
    "bif_text",
    "load_network",
    "network_names",
    "parse_bif",
    "random_dag",
    "random_network",
    "read_bif",
    "save_bif",
]
