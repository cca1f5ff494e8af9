"""Every table and figure of the paper as a study that one command repeats, with the paper's figures beside ours.

A study is described by a file in ``descriptions``. `cases` lists its runs, `measure` carries one out, `run_store`
keeps what is finished, `report` writes tables and figures, and `reproduce` does all of it in order.
"""

from hccd.studies.description import Method, Metric, Study, load_study, study_names
from hccd.studies.reproduce import Outcome, reproduce
from hccd.studies.sources import Folders

__all__ = ["Folders", "Method", "Metric", "Outcome", "Study", "load_study", "reproduce", "study_names"]
