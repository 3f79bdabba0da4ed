"""The clients. Their calls, one for each route of a secret key, are in `routes.py`, which is made of the route table."""

from __future__ import annotations

import re
import sys
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    Iterator,
    Optional,
    Sequence,
    Union,
)
from urllib.parse import urlsplit

from .ack_batches import ack_batches
from .contract import (
    AckScoresReply,
    AckScoresRequestResultsItem,
    Comment,
    ListCommentsArguments,
    ListPendingScoresArguments,
    PendingScore,
    WithdrawnScore,
)
from .routes import AsyncRoutes, Routes
from .timers import Timers
from .transport import Call, Transport

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


class _Client:
    def __init__(
        self,
        base_url: str,
        secret_key: str,
        *,
        deadline: float = 30.0,
        attempt_timeout: float = 10.0,
        timers: Optional[Timers] = None,
    ) -> None:
        address = urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.netloc:
            raise ValueError("base_url must be an http(s) URL")
        if not re.fullmatch(r"[a-z0-9]+_sk_[\x21-\x7e]+", secret_key):
            raise ValueError("secret_key must be a secret key")
        self._transport = Transport(base_url, secret_key, deadline, attempt_timeout, timers or Timers())


def _each(call: Callable[..., Any], items: str, query: Dict[str, Any]) -> Iterator[Any]:
    """Every item of every page."""
    while True:
        page = call(**query)
        yield from page[items]
        if "nextCursor" not in page:
            return
        query["cursor"] = page["nextCursor"]


async def _each_async(
    call: Callable[..., Awaitable[Any]], items: str, query: Dict[str, Any]
) -> AsyncIterator[Any]:
    while True:
        page = await call(**query)
        for item in page[items]:
            yield item
        if "nextCursor" not in page:
            return
        query["cursor"] = page["nextCursor"]


class CanvassClient(_Client, Routes):
    """The service's client for servers, safe to share between threads.

    Every call is repeated on network errors, 429 (honouring `Retry-After`) and 5xx, with full jitter, until its
    deadline is near; all of them bear repetition, and each says what that does. What then still fails, and any other
    refusal, raises `CanvassError`.

    `base_url`: where the service is, without a path. `secret_key`: `svc_sk_…`; it must never reach a browser.
    `deadline`: seconds for one call with all its retries. `attempt_timeout`: seconds for one attempt.
    Raises ValueError when `base_url` is not a URL or `secret_key` is not a secret key.
    """

    def _send(self, call: Call) -> Any:
        return self._transport.send(call)

    def each_pending_score(
        self, **query: Unpack[ListPendingScoresArguments]
    ) -> Iterator[Union[PendingScore, WithdrawnScore]]:
        """Every pending score of one sweep, page by page. Takes what `list_pending_scores` takes."""
        return _each(self.list_pending_scores, "scores", dict(query))

    def each_comment(self, **query: Unpack[ListCommentsArguments]) -> Iterator[Comment]:
        """Every comment, newest first, page by page. Takes what `list_comments` takes."""
        return _each(self.list_comments, "comments", dict(query))

    def ack_all_scores(self, results: Sequence[AckScoresRequestResultsItem]) -> AckScoresReply:
        """Any number of results, in as many requests as that takes; `updated` is their sum."""
        replies = [self.ack_scores(results=batch) for batch in ack_batches(results)]
        return {"ok": True, "updated": sum(reply["updated"] for reply in replies)}


class AsyncCanvassClient(_Client, AsyncRoutes):
    """`CanvassClient` for asyncio: the same calls, awaited. Each attempt runs on a thread."""

    async def _send(self, call: Call) -> Any:
        return await self._transport.send_async(call)

    def each_pending_score(
        self, **query: Unpack[ListPendingScoresArguments]
    ) -> AsyncIterator[Union[PendingScore, WithdrawnScore]]:
        """Every pending score of one sweep, page by page. Takes what `list_pending_scores` takes."""
        return _each_async(self.list_pending_scores, "scores", dict(query))

    def each_comment(self, **query: Unpack[ListCommentsArguments]) -> AsyncIterator[Comment]:
        """Every comment, newest first, page by page. Takes what `list_comments` takes."""
        return _each_async(self.list_comments, "comments", dict(query))

    async def ack_all_scores(self, results: Sequence[AckScoresRequestResultsItem]) -> AckScoresReply:
        """Any number of results, in as many requests as that takes; `updated` is their sum."""
        replies = [await self.ack_scores(results=batch) for batch in ack_batches(results)]
        return {"ok": True, "updated": sum(reply["updated"] for reply in replies)}
