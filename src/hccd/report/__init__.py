"""A run as one page: the graph to explore, and for every pair of variables why it is joined or not.

The page is a single file without anything outside it: no server, no network, no fonts. ``content.py`` turns a result
into plain data, ``assembly.py`` puts them into the page; what is drawn is computed here, what moves is JavaScript.
"""

from hccd.report.assembly import MARK
from hccd.report.check_section import CheckLine, CheckSection, PlainData
from hccd.report.content import report_html
from hccd.report.limits import LARGEST_BY_DEFAULT

__all__ = ["LARGEST_BY_DEFAULT", "MARK", "CheckLine", "CheckSection", "PlainData", "report_html"]
