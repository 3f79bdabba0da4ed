"""A client for tests: it answers by itself, keeps what was asked of it, and knows no network.

    from canvass_surveys.testing import FakeCanvassClient

    canvass = FakeCanvassClient()
    my_agent(canvass)
    assert canvass.answers == [{"surveyId": "sv_helpful", "rating": 0, "text": "Wrong invoice"}]
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence

from .client import AsyncCanvassClient, CanvassClient
from .errors import CanvassError
from .exchange import Call

_AT = "2026-01-01T00:00:00.000Z"
_TOKENS = "/v1/sdk/tokens"
_RESPONSES = "/v1/sdk/responses"
_REVISIONS = "/v1/sdk/revisions"
_DISMISSALS = "/v1/dismissals"


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


class _Fake:
    """What both fakes do in place of a request."""

    def __init__(self, *, slugs: Sequence[str] = ("helpful",)) -> None:
        #: Surveys that may be minted for, by their slugs.
        self.slugs = list(slugs)
        #: Ids of respondents who may not be asked: minting for them brings no binding.
        self.suppressed: List[str] = []
        #: What `rate` and `revise` were given, oldest first, without the token and its session.
        self.answers: List[Dict[str, Any]] = []
        #: What `withdraw` was given.
        self.withdrawals: List[Dict[str, Any]] = []
        #: What `dismiss` was given.
        self.dismissals: List[Dict[str, Any]] = []
        #: Every call: method, path and what was sent.
        self.calls: List[Dict[str, Any]] = []
        #: Replies of all other routes by their path, such as `/v1/results`; an exception is raised.
        self.replies: Dict[str, Any] = {}

    def _reply(self, call: Call) -> Any:
        sent = _given(call.query if call.body is None else call.body)
        self.calls.append({"method": call.method, "path": call.path, "sent": sent})
        if call.path in self.replies:
            reply = self.replies[call.path]
            if isinstance(reply, Exception):
                raise reply
            return reply
        if call.path == _TOKENS:
            return self._minted(sent)
        if call.path in (_RESPONSES, _REVISIONS, _DISMISSALS):
            return self._recorded(call.path, sent)
        raise LookupError(f"say what {call.path} replies: fake.replies[{call.path!r}] = …")

    def _minted(self, sent: Mapping[str, Any]) -> Dict[str, Any]:
        slugs = [] if sent.get("respondentId") in self.suppressed else self.slugs
        wanted = [slug for slug in slugs if sent.get("surveySlug", slug) == slug]
        session = {name: sent[name] for name in ("sessionId", "traceId", "observationId") if name in sent}
        bindings = {
            slug: {"surveyId": f"sv_{slug}", "slug": slug, "showToken": f"fake-{slug}-{len(self.calls)}", **session}
            for slug in wanted
        }
        tokens = {binding["surveyId"]: binding["showToken"] for binding in bindings.values()}
        return {"tokens": tokens, "bindings": bindings, "suppression": [], "issuedAt": _AT}

    def _recorded(self, path: str, sent: Mapping[str, Any]) -> Dict[str, Any]:
        token = str(sent.get("showToken", ""))
        used = [call["sent"].get("showToken") for call in self.calls[:-1] if call["path"] in (_RESPONSES, _DISMISSALS)]
        if path != _REVISIONS and token in used:
            raise CanvassError("The token was used.", "token_used", 409)
        hidden = ("showToken", "sessionId", "traceId", "observationId")
        said = {name: value for name, value in sent.items() if name not in hidden}
        if path == _DISMISSALS:
            self.dismissals.append(said)
        elif said.pop("withdraw", False):
            self.withdrawals.append(said)
        else:
            self.answers.append(said)
        revised = {"revision": sent["revision"]} if path == _REVISIONS else {}
        return {"ok": True, "id": f"fake-{token}", "at": _AT, **revised}


class FakeCanvassClient(_Fake, CanvassClient):
    """In place of a `CanvassClient`."""

    def _send(self, call: Call) -> Any:
        return self._reply(call)


class AsyncFakeCanvassClient(_Fake, AsyncCanvassClient):
    """In place of an `AsyncCanvassClient`."""

    async def _send(self, call: Call) -> Any:
        return self._reply(call)
