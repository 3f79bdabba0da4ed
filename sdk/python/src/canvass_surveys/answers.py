"""Answering from a server with a binding, as mint returns it: what its person said in Slack, in a mail, on a phone."""

from __future__ import annotations

from typing import Any, Mapping, Optional, TypedDict

from .exchange import Call

#: What a token may attest; a binding may carry more, as the one of mint does.
_PRESENTED = ("surveyId", "showToken", "sessionId", "traceId", "observationId")


class _Recorded(TypedDict):
    ok: bool
    #: Of the response, or of the dismissal.
    id: str
    #: When it was stored: ISO 8601 UTC with milliseconds.
    at: str


class Recorded(_Recorded, total=False):
    """What a call stored."""

    #: `text` where addresses or numbers in it are not stored, as the project has it.
    redacted: "list[str]"
    #: Paths of what was sent and not kept.
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
