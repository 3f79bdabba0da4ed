"""The clients. Their calls, one for each route of a secret key, are in `routes.py`, which is made of the route table."""

from __future__ import annotations

import sys
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    Iterator,
    Mapping,
    Optional,
    Sequence,
    Union,
)

from .ack_batches import ack_batches
from .answers import Recorded, Revised, dismiss_call, rate_call, revise_call
from .contract import (
    AckScoresReply,
    AckScoresRequestResultsItem,
    Comment,
    ListCommentsArguments,
    ListPendingScoresArguments,
    PendingScore,
    WithdrawnScore,
)
from .exchange import Call
from .routes import AsyncRoutes, Routes
from .timers import Timers
from .transport import Transport

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


class _Client:
    def __init__(
        self,
        base_url: str,
        secret_key: Union[str, Callable[[], str]],
        *,
        deadline: Optional[float] = None,
        attempt_timeout: Optional[float] = None,
        timers: Optional[Timers] = None,
    ) -> None:
        self._transport = Transport(base_url, secret_key, deadline, attempt_timeout, timers or Timers())


def _answer(
    rating: int,
    text: Optional[str],
    follow_up_requested: Optional[bool],
    contact: Optional[str],
    reasons: Optional[Sequence[str]],
) -> Dict[str, Any]:
    return {
        "rating": rating,
        "text": text,
        "followUpRequested": follow_up_requested,
        "contact": contact,
        "reasons": None if reasons is None else list(reasons),
    }


def _turn(query: Dict[str, Any], page: Any) -> bool:
    """Whether another page follows; the query then asks for it. A cursor that comes again would lead in a circle."""
    last, cursor = query.get("cursor"), page.get("nextCursor")
    query["cursor"] = cursor
    return bool(cursor) and cursor != last


def _each(call: Callable[..., Any], items: str, query: Dict[str, Any]) -> Iterator[Any]:
    """Every item of every page."""
    while True:
        page = call(**query)
        yield from page[items]
        if not _turn(query, page):
            return


async def _each_async(
    call: Callable[..., Awaitable[Any]], items: str, query: Dict[str, Any]
) -> AsyncIterator[Any]:
    while True:
        page = await call(**query)
        for item in page[items]:
            yield item
        if not _turn(query, page):
            return


class CanvassClient(_Client, Routes):
    """The service's client for servers, safe to share between threads.

    Every call is repeated on network errors, 429 (honouring `Retry-After`) and 5xx, with full jitter, until its
    deadline is near; all of them bear repetition, and each says what that does. What then still fails, and any other
    refusal, raises `CanvassError`.

    `base_url`: where the service is; a path is kept. `secret_key`: `svc_sk_…`, or a function that reads it, such as from
    Secrets Manager: it is called with the first call and, where the service refuses the key, once more. It must never
    reach a browser.
    `deadline`: seconds for one call with all its retries; 30 unless said, 90 for an export or an erasure.
    `attempt_timeout`: seconds for one attempt, from connecting to the last byte; 10 unless said, 35 for an export or an
    erasure. Raises ValueError when `base_url` is not a URL, `secret_key` is not a secret key, or a time is not above 0.
    """

    def _send(self, call: Call) -> Any:
        return self._transport.send(call)

    def rate(
        self,
        binding: Mapping[str, Any],
        *,
        rating: int,
        text: Optional[str] = None,
        follow_up_requested: Optional[bool] = None,
        contact: Optional[str] = None,
        reasons: Optional[Sequence[str]] = None,
        channel: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Recorded:
        """Stores a rating and uses the token up. The key needs the scope `mint`.

        `binding`: one of `mint_tokens`' `bindings`, or `surveyId` and `showToken` of a link. `reasons`: codes of the
        survey's, kept where the rating is low. `channel`: through which the answer came, such as `slack`. Repeated by the
        client after a reply that was lost, it stores nothing twice. A token that was used before raises `token_used`.
        """
        answer = {**_answer(rating, text, follow_up_requested, contact, reasons), "channel": channel}
        reply: Recorded = self._send(rate_call(binding, answer, deadline))
        return reply

    def revise(
        self,
        binding: Mapping[str, Any],
        *,
        revision: int,
        rating: int,
        text: Optional[str] = None,
        follow_up_requested: Optional[bool] = None,
        contact: Optional[str] = None,
        reasons: Optional[Sequence[str]] = None,
        deadline: Optional[float] = None,
    ) -> Revised:
        """Replaces the answer; what is left out is cleared. `revision`: the last one known + 1, the first is 1."""
        answer = {**_answer(rating, text, follow_up_requested, contact, reasons), "revision": revision}
        reply: Revised = self._send(revise_call(binding, answer, deadline))
        return reply

    def withdraw(
        self, binding: Mapping[str, Any], *, revision: int, deadline: Optional[float] = None
    ) -> Revised:
        """Takes the answer back. The token stays used."""
        answer = {"revision": revision, "withdraw": True}
        reply: Revised = self._send(revise_call(binding, answer, deadline))
        return reply

    def dismiss(self, binding: Mapping[str, Any], *, deadline: Optional[float] = None) -> Recorded:
        """Records that the person did not want to answer, and uses the token up."""
        reply: Recorded = self._send(dismiss_call(binding, deadline))
        return reply

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
    """`CanvassClient` for asyncio: the same calls, awaited.

    Each attempt runs on a thread of the client's own, 64 of them at most. A call that is cancelled, or whose deadline
    is over, ends at once, and its attempt with it.
    """

    async def _send(self, call: Call) -> Any:
        return await self._transport.send_async(call)

    async def rate(
        self,
        binding: Mapping[str, Any],
        *,
        rating: int,
        text: Optional[str] = None,
        follow_up_requested: Optional[bool] = None,
        contact: Optional[str] = None,
        reasons: Optional[Sequence[str]] = None,
        channel: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Recorded:
        """Stores a rating and uses the token up. The key needs the scope `mint`.

        `binding`: one of `mint_tokens`' `bindings`, or `surveyId` and `showToken` of a link. `reasons`: codes of the
        survey's, kept where the rating is low. `channel`: through which the answer came, such as `slack`. Repeated by the
        client after a reply that was lost, it stores nothing twice. A token that was used before raises `token_used`.
        """
        answer = {**_answer(rating, text, follow_up_requested, contact, reasons), "channel": channel}
        reply: Recorded = await self._send(rate_call(binding, answer, deadline))
        return reply

    async def revise(
        self,
        binding: Mapping[str, Any],
        *,
        revision: int,
        rating: int,
        text: Optional[str] = None,
        follow_up_requested: Optional[bool] = None,
        contact: Optional[str] = None,
        reasons: Optional[Sequence[str]] = None,
        deadline: Optional[float] = None,
    ) -> Revised:
        """Replaces the answer; what is left out is cleared. `revision`: the last one known + 1, the first is 1."""
        answer = {**_answer(rating, text, follow_up_requested, contact, reasons), "revision": revision}
        reply: Revised = await self._send(revise_call(binding, answer, deadline))
        return reply

    async def withdraw(
        self, binding: Mapping[str, Any], *, revision: int, deadline: Optional[float] = None
    ) -> Revised:
        """Takes the answer back. The token stays used."""
        answer = {"revision": revision, "withdraw": True}
        reply: Revised = await self._send(revise_call(binding, answer, deadline))
        return reply

    async def dismiss(self, binding: Mapping[str, Any], *, deadline: Optional[float] = None) -> Recorded:
        """Records that the person did not want to answer, and uses the token up."""
        reply: Recorded = await self._send(dismiss_call(binding, deadline))
        return reply

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
