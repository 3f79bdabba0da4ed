"""The clients. Their calls, one for each route of a secret key, are in `routes.py`, which is made of the route table."""

from __future__ import annotations

import re
from typing import Any, AsyncIterator, Iterator, Optional, Sequence, Union
from urllib.parse import urlsplit

from .ack_batches import ack_batches
from .contract import AckScoresReply, AckScoresRequestResultsItem, Comment, PendingScore, WithdrawnScore
from .routes import AsyncRoutes, Routes
from .timers import Timers
from .transport import Call, Transport


def _transport(
    base_url: str, secret_key: str, deadline: float, attempt_timeout: float, timers: Optional[Timers]
) -> Transport:
    address = urlsplit(base_url)
    if address.scheme not in ("http", "https") or not address.netloc:
        raise ValueError("base_url must be an http(s) URL")
    if not re.fullmatch(r"[a-z0-9]+_sk_[\x21-\x7e]+", secret_key):
        raise ValueError("secret_key must be a secret key")
    return Transport(base_url, secret_key, deadline, attempt_timeout, timers or Timers())


class CanvassClient(Routes):
    """The service's client for servers, safe to share between threads.

    Every call is repeated on network errors, 429 (honouring `Retry-After`) and 5xx, with full jitter, until its
    deadline is near; all of them bear repetition. What then still fails, and any other refusal, raises
    `CanvassError`.

    `base_url`: where the service is, without a path. `secret_key`: `svc_sk_…`; it must never reach a browser.
    `deadline`: seconds for one call with all its retries. `attempt_timeout`: seconds for one attempt.
    Raises ValueError when `base_url` is not a URL or `secret_key` is not a secret key.
    """

    def __init__(
        self,
        base_url: str,
        secret_key: str,
        *,
        deadline: float = 30.0,
        attempt_timeout: float = 10.0,
        timers: Optional[Timers] = None,
    ) -> None:
        self._transport = _transport(base_url, secret_key, deadline, attempt_timeout, timers)

    def _send(self, call: Call) -> Any:
        return self._transport.send(call)

    def each_pending_score(self, **query: Any) -> Iterator[Union[PendingScore, WithdrawnScore]]:
        """Every pending score of one sweep, page by page. Takes what `list_pending_scores` takes."""
        while True:
            page = self.list_pending_scores(**query)
            yield from page["scores"]
            if "nextCursor" not in page:
                return
            query["cursor"] = page["nextCursor"]

    def each_comment(self, **query: Any) -> Iterator[Comment]:
        """Every comment, newest first, page by page. Takes what `list_comments` takes."""
        while True:
            page = self.list_comments(**query)
            yield from page["comments"]
            if "nextCursor" not in page:
                return
            query["cursor"] = page["nextCursor"]

    def ack_all_scores(self, results: Sequence[AckScoresRequestResultsItem]) -> AckScoresReply:
        """Any number of results, in as many requests as that takes; `updated` is their sum."""
        replies = [self.ack_scores(results=batch) for batch in ack_batches(results)]
        return {"ok": True, "updated": sum(reply["updated"] for reply in replies)}


class AsyncCanvassClient(AsyncRoutes):
    """`CanvassClient` for asyncio: the same calls, awaited. Each attempt runs on a thread."""

    def __init__(
        self,
        base_url: str,
        secret_key: str,
        *,
        deadline: float = 30.0,
        attempt_timeout: float = 10.0,
        timers: Optional[Timers] = None,
    ) -> None:
        self._transport = _transport(base_url, secret_key, deadline, attempt_timeout, timers)

    async def _send(self, call: Call) -> Any:
        return await self._transport.send_async(call)

    async def each_pending_score(self, **query: Any) -> AsyncIterator[Union[PendingScore, WithdrawnScore]]:
        """Every pending score of one sweep, page by page. Takes what `list_pending_scores` takes."""
        while True:
            page = await self.list_pending_scores(**query)
            for score in page["scores"]:
                yield score
            if "nextCursor" not in page:
                return
            query["cursor"] = page["nextCursor"]

    async def each_comment(self, **query: Any) -> AsyncIterator[Comment]:
        """Every comment, newest first, page by page. Takes what `list_comments` takes."""
        while True:
            page = await self.list_comments(**query)
            for comment in page["comments"]:
                yield comment
            if "nextCursor" not in page:
                return
            query["cursor"] = page["nextCursor"]

    async def ack_all_scores(self, results: Sequence[AckScoresRequestResultsItem]) -> AckScoresReply:
        """Any number of results, in as many requests as that takes; `updated` is their sum."""
        updated = 0
        for batch in ack_batches(results):
            updated += (await self.ack_scores(results=batch))["updated"]
        return {"ok": True, "updated": updated}
