"""Answers from a server with a minted binding, such as a reply in Slack, by e-mail or on a phone."""

from __future__ import annotations

from typing import Any, Mapping, Optional, TypedDict

from .exchange import Call

#: What a token may attest. A minted binding contains more.
_PRESENTED = ("surveyId", "showToken", "sessionId", "traceId", "observationId")


class _Recorded(TypedDict):
    ok: bool
    #: Id of the response or dismissal.
    id: str
    #: When it was stored: ISO 8601 UTC with milliseconds.
    at: str


class Recorded(_Recorded, total=False):
    """The stored answer."""

    #: Fields, such as `text` or `answers.more`, from which the project removed addresses or numbers.
    redacted: "list[str]"
    #: Paths of fields that were sent but not stored.
    dropped: "list[str]"


class Revised(Recorded):
    revision: int


def _presented(binding: Mapping[str, Any]) -> "dict[str, Any]":
    return {name: binding.get(name) for name in _PRESENTED}


def rate_call(binding: Mapping[str, Any], answer: Mapping[str, Any], deadline: Optional[float]) -> Call:
    body = {**answer, **_presented(binding)}
    return Call("POST", "/v1/sdk/responses", "id", {}, body, deadline, stored_once="response")


def revise_call(binding: Mapping[str, Any], answer: Mapping[str, Any], deadline: Optional[float]) -> Call:
    return Call("POST", "/v1/sdk/revisions", "revision", {}, {**answer, **_presented(binding)}, deadline)


def dismiss_call(binding: Mapping[str, Any], deadline: Optional[float]) -> Call:
    return Call("POST", "/v1/dismissals", "id", {}, _presented(binding), deadline, stored_once="dismissal")
