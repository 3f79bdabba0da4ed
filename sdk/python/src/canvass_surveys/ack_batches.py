"""Splits delivery results into requests of an accepted size."""

from __future__ import annotations

from typing import Iterator, List, Sequence

from .contract import AckScoresRequestResultsItem
from .fields import body_of

#: Results per request (docs/contract.md §3.8).
MOST_RESULTS = 100
#: Bytes per request, below the limit of 64 KiB (docs/contract.md §3.1).
MOST_BYTES = 60 * 1024


def ack_batches(
    results: Sequence[AckScoresRequestResultsItem],
) -> Iterator[List[AckScoresRequestResultsItem]]:
    batch: List[AckScoresRequestResultsItem] = []
    size = 0
    for result in results:
        bytes_more = len(body_of({"results": [result]}))
        if batch and (len(batch) == MOST_RESULTS or size + bytes_more > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(result)
        size += bytes_more
    if batch:
        yield batch
