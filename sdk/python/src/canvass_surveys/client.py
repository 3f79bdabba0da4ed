"""The clients. Their calls, one for each route of a secret key, are generated from the route table into `routes.py`."""

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
    answers: Optional[Mapping[str, Any]],
) -> Dict[str, Any]:
    return {
        "rating": rating,
        "text": text,
        "followUpRequested": follow_up_requested,
        "contact": contact,
        "reasons": None if reasons is None else list(reasons),
        "answers": answers,
    }


def _turn(query: Dict[str, Any], page: Any) -> bool:
    """Advances the query to the next page, if there is one. A repeated cursor would loop forever."""
    last, cursor = query.get("cursor"), page.get("nextCursor")
    query["cursor"] = cursor
    return bool(cursor) and cursor != last


def _each(call: Callable[..., Any], items: str, query: Dict[str, Any]) -> Iterator[Any]:
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

    Every call is safe to repeat, and is retried on network errors, 429 (honoring `Retry-After`) and 5xx, with full
    jitter, until its deadline. Failures and refusals raise `CanvassError`.

    `base_url`: address of the service; may contain a path. `secret_key`: `svc_sk_…`, or a function that reads it, such
    as from Secrets Manager. The function is called with the first call, and once more if the service refuses the key.
    Never send the key to a browser.
    `deadline`: seconds for one call with all its retries. Default 30; 90 for exports and erasures.
    `attempt_timeout`: seconds for one attempt, from connecting to the last byte. Default 10; 35 for exports and erasures.
    Raises ValueError if `base_url` is not a URL, `secret_key` is not a secret key, or a time is not above 0.
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
        answers: Optional[Mapping[str, Any]] = None,
        channel: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Recorded:
        """Stores a rating and uses up the token. The key needs the scope `mint`.

        `binding`: one of `mint_tokens`' `bindings`, or `surveyId` and `showToken` of a link. `rating`: for a choice, its
        `rating` in the survey's definition; 0 for an open question. `reasons`: codes of the survey's reasons, kept if the
        rating is low. `answers`: codes, numbers and texts by the id of the survey's `questions`; None for one that the
        person skipped. `channel`: the answer's origin, such as `slack`. A retry after a lost reply stores nothing twice.
        A token that was used before the call raises `token_used`.
        """
        answer = {**_answer(rating, text, follow_up_requested, contact, reasons, answers), "channel": channel}
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
        answers: Optional[Mapping[str, Any]] = None,
        deadline: Optional[float] = None,
    ) -> Revised:
        """Replaces the answer; omitted fields are cleared. `revision`: the last known one + 1, the first is 1."""
        answer = {**_answer(rating, text, follow_up_requested, contact, reasons, answers), "revision": revision}
        reply: Revised = self._send(revise_call(binding, answer, deadline))
        return reply

    def withdraw(
        self, binding: Mapping[str, Any], *, revision: int, deadline: Optional[float] = None
    ) -> Revised:
        """Withdraws the answer. The token stays used."""
        answer = {"revision": revision, "withdraw": True}
        reply: Revised = self._send(revise_call(binding, answer, deadline))
        return reply

    def dismiss(self, binding: Mapping[str, Any], *, deadline: Optional[float] = None) -> Recorded:
        """Records that the person declined to answer, and uses up the token."""
        reply: Recorded = self._send(dismiss_call(binding, deadline))
        return reply

    def each_pending_score(
        self, **query: Unpack[ListPendingScoresArguments]
    ) -> Iterator[Union[PendingScore, WithdrawnScore]]:
        """Iterates over all pending scores. Takes the arguments of `list_pending_scores`."""
        return _each(self.list_pending_scores, "scores", dict(query))

    def each_comment(self, **query: Unpack[ListCommentsArguments]) -> Iterator[Comment]:
        """Iterates over all comments, newest first. Takes the arguments of `list_comments`."""
        return _each(self.list_comments, "comments", dict(query))

    def ack_all_scores(self, results: Sequence[AckScoresRequestResultsItem]) -> AckScoresReply:
        """Acknowledges any number of results, in as many requests as needed; `updated` is their sum."""
        replies = [self.ack_scores(results=batch) for batch in ack_batches(results)]
        return {"ok": True, "updated": sum(reply["updated"] for reply in replies)}


class AsyncCanvassClient(_Client, AsyncRoutes):
    """`CanvassClient` for asyncio: the same calls, awaited.

    Each attempt runs on one of up to 64 threads of the client. A canceled or expired call ends immediately, together
    with its attempt.
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
        answers: Optional[Mapping[str, Any]] = None,
        channel: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Recorded:
        """Stores a rating and uses up the token. The key needs the scope `mint`.

        `binding`: one of `mint_tokens`' `bindings`, or `surveyId` and `showToken` of a link. `rating`: for a choice, its
        `rating` in the survey's definition; 0 for an open question. `reasons`: codes of the survey's reasons, kept if the
        rating is low. `answers`: codes, numbers and texts by the id of the survey's `questions`; None for one that the
        person skipped. `channel`: the answer's origin, such as `slack`. A retry after a lost reply stores nothing twice.
        A token that was used before the call raises `token_used`.
        """
        answer = {**_answer(rating, text, follow_up_requested, contact, reasons, answers), "channel": channel}
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
        answers: Optional[Mapping[str, Any]] = None,
        deadline: Optional[float] = None,
    ) -> Revised:
        """Replaces the answer; omitted fields are cleared. `revision`: the last known one + 1, the first is 1."""
        answer = {**_answer(rating, text, follow_up_requested, contact, reasons, answers), "revision": revision}
        reply: Revised = await self._send(revise_call(binding, answer, deadline))
        return reply

    async def withdraw(
        self, binding: Mapping[str, Any], *, revision: int, deadline: Optional[float] = None
    ) -> Revised:
        """Withdraws the answer. The token stays used."""
        answer = {"revision": revision, "withdraw": True}
        reply: Revised = await self._send(revise_call(binding, answer, deadline))
        return reply

    async def dismiss(self, binding: Mapping[str, Any], *, deadline: Optional[float] = None) -> Recorded:
        """Records that the person declined to answer, and uses up the token."""
        reply: Recorded = await self._send(dismiss_call(binding, deadline))
        return reply

    def each_pending_score(
        self, **query: Unpack[ListPendingScoresArguments]
    ) -> AsyncIterator[Union[PendingScore, WithdrawnScore]]:
        """Iterates over all pending scores. Takes the arguments of `list_pending_scores`."""
        return _each_async(self.list_pending_scores, "scores", dict(query))

    def each_comment(self, **query: Unpack[ListCommentsArguments]) -> AsyncIterator[Comment]:
        """Iterates over all comments, newest first. Takes the arguments of `list_comments`."""
        return _each_async(self.list_comments, "comments", dict(query))

    async def ack_all_scores(self, results: Sequence[AckScoresRequestResultsItem]) -> AckScoresReply:
        """Acknowledges any number of results, in as many requests as needed; `updated` is their sum."""
        replies = [await self.ack_scores(results=batch) for batch in ack_batches(results)]
        return {"ok": True, "updated": sum(reply["updated"] for reply in replies)}
