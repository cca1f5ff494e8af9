"""Rows that do not fit into memory: passes over batches of them, and the statistics that these leave.

Accumulators (``Seen``, ``Sample``, ``Moments``, ``BlockMoments``, ``Distinct``) are plain values that take a batch and
merge with those of other rows.
"""

from hccd.streams.opening import Stream, may_be_large, opened, raw_or_stream, read_or_stream, stream

__all__ = ["Stream", "may_be_large", "opened", "raw_or_stream", "read_or_stream", "stream"]
