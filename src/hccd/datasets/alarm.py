"""The ALARM network: a sample of 2000 rows as an example, and the true edges.

ALARM ("a logical alarm reduction mechanism", Beinlich, Suermondt, Chavez and Cooper, 1989) is a network of 37 discrete
variables and 46 edges about the monitoring of patients under anaesthesia, and the usual first example of structure
learning. The sample was drawn from the network in the bnlearn repository (bnlearn.com/bnrepository) by forward
sampling, with ``numpy.random.default_rng(1989)``; the states are text. This package does not contain the network's
probabilities.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

_EDGES = """
ANAPHYLAXIS TPR
ARTCO2 CATECHOL
ARTCO2 EXPCO2
CATECHOL HR
CO BP
DISCONNECT VENTTUBE
ERRCAUTER HREKG
ERRCAUTER HRSAT
ERRLOWOUTPUT HRBP
FIO2 PVSAT
HR CO
HR HRBP
HR HREKG
HR HRSAT
HYPOVOLEMIA LVEDVOLUME
HYPOVOLEMIA STROKEVOLUME
INSUFFANESTH CATECHOL
INTUBATION MINVOL
INTUBATION PRESS
INTUBATION SHUNT
INTUBATION VENTALV
INTUBATION VENTLUNG
KINKEDTUBE PRESS
KINKEDTUBE VENTLUNG
LVEDVOLUME CVP
LVEDVOLUME PCWP
LVFAILURE HISTORY
LVFAILURE LVEDVOLUME
LVFAILURE STROKEVOLUME
MINVOLSET VENTMACH
PULMEMBOLUS PAP
PULMEMBOLUS SHUNT
PVSAT SAO2
SAO2 CATECHOL
SHUNT SAO2
STROKEVOLUME CO
TPR BP
TPR CATECHOL
VENTALV ARTCO2
VENTALV PVSAT
VENTLUNG EXPCO2
VENTLUNG MINVOL
VENTLUNG VENTALV
VENTMACH VENTTUBE
VENTTUBE PRESS
VENTTUBE VENTLUNG
"""


def alarm_path() -> Path:
    """Return the path of the sample: a CSV file compressed with gzip, with 37 named columns and 2000 rows."""
    return Path(str(resources.files("hccd.datasets") / "alarm.csv.gz"))


def alarm_edges() -> tuple[tuple[str, str], ...]:
    """Return the 46 edges of the network, each as (cause, effect).

    Examples
    --------
    >>> len(alarm_edges()), alarm_edges()[0]
    (46, ('ANAPHYLAXIS', 'TPR'))
    """
    pairs = (line.split() for line in _EDGES.strip().splitlines())
    return tuple((cause, effect) for cause, effect in pairs)
