"""What can be seen once a graph is learned: does it fit the data, and do its families look as they should?"""

from hccd.fit.judgement import Judged, judge

__all__ = ["Judged", "judge"]
