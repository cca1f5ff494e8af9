"""Independent work on several workers, here or elsewhere: the one place that knows joblib and Dask.

``here`` are threads and processes of this machine, ``cluster`` is a Dask cluster; ``engine`` decides who does what.
"""

from hccd.parallel.blas import one_blas_thread
from hccd.parallel.cluster import Cluster
from hccd.parallel.engine import (
    as_they_come,
    cluster_in_use,
    in_order,
    map_independent,
    working_on,
)
from hccd.parallel.here import even_chunks, in_threads, one_ahead, shares_memory, worker_count
from hccd.parallel.here import in_order as in_threads_in_order

__all__ = [
    "Cluster",
    "as_they_come",
    "cluster_in_use",
    "even_chunks",
    "in_order",
    "in_threads",
    "in_threads_in_order",
    "map_independent",
    "one_ahead",
    "one_blas_thread",
    "shares_memory",
    "worker_count",
    "working_on",
]
