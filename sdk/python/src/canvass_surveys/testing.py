"""A client for tests. It replies and records calls without a network.

    from canvass_surveys.testing import FakeCanvassClient

    canvass = FakeCanvassClient()
    my_agent(canvass)
    assert canvass.answers == [{"surveyId": "sv_helpful", "rating": 0, "text": "Wrong invoice"}]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .client import AsyncCanvassClient, CanvassClient
from .errors import CanvassError, Issue
from .exchange import Call

_DROPPED: Any = object()
_TEXT_CHARACTERS = 1_000
_AT = "2026-01-01T00:00:00.000Z"
_TOKENS = "/v1/sdk/tokens"
_LINK = "/v1/sdk/deferred-ask-link"
_RESPONSES = "/v1/sdk/responses"
_REVISIONS = "/v1/sdk/revisions"
_DISMISSALS = "/v1/dismissals"


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class _Stored:
    """How a token was used, `response` or `dismissal`, and its last revision."""

    kind: str
    revision: int = 0
    said: Optional[Mapping[str, Any]] = None


def _fitting(question: Mapping[str, Any], sent: Any) -> "tuple[Any, List[str]]":
    """What is kept of an answer, or `_DROPPED`, and what is dropped: paths below the answer."""
    kind = question["kind"]
    codes = [choice["code"] for choice in question.get("choices", ())]
    if sent is None:
        return None, []
    if kind == "many" and isinstance(sent, (list, tuple)):
        kept = [code for code in codes if code in sent]
        dropped = [f".{index}" for index, code in enumerate(sent) if code not in codes]
        return (kept or (_DROPPED if sent else None)), dropped
    if kind == "text" and isinstance(sent, str):
        return (sent[:_TEXT_CHARACTERS] if sent.strip() else None), [""] * (len(sent) > _TEXT_CHARACTERS)
    is_on_scale = type(sent) is int and question.get("min", 0) <= sent <= question.get("max", 0)
    fits = is_on_scale if kind == "scale" else kind == "one" and sent in codes
    return (sent, []) if fits else (_DROPPED, [""])


def _token(sent: Mapping[str, Any]) -> str:
    return str(sent.get("showToken", ""))


def _token_used(token: str, kind: str, status: int) -> CanvassError:
    details = {"id": f"fake-{token}", "at": _AT, "kind": kind}
    return CanvassError("The show-token has been used.", "token_used", status, details=details)


class _Fake:
    def __init__(
        self,
        *,
        slugs: Sequence[str] = ("helpful",),
        questions: Optional[Mapping[str, Sequence[Mapping[str, Any]]]] = None,
    ) -> None:
        #: Slugs of surveys that tokens can be minted for.
        self.slugs = list(slugs)
        #: Questions after the rating by slug, as in a survey file. Answers that do not fit are dropped.
        self.questions = dict(questions or {})
        #: Ids of respondents who may not be asked: minting returns the reason `suppressed` in `none` for them.
        self.suppressed: List[str] = []
        #: Answers of `rate` and `revise`, oldest first, without token and session.
        self.answers: List[Dict[str, Any]] = []
        #: Arguments of `withdraw`.
        self.withdrawals: List[Dict[str, Any]] = []
        #: Arguments of `dismiss`.
        self.dismissals: List[Dict[str, Any]] = []
        #: Method, path and fields of every call.
        self.calls: List[Dict[str, Any]] = []
        #: Replies by path, such as `/v1/results`: the reply, an exception to raise, or a function of the sent fields
        #: that returns one. They precede the fake's own.
        self.replies: Dict[str, Any] = {}
        self._stored: Dict[str, _Stored] = {}

    def _reply(self, call: Call) -> Any:
        sent = _given(call.query if call.body is None else call.body)
        self.calls.append({"method": call.method, "path": call.path, "sent": sent})
        if call.path in self.replies:
            reply = self.replies[call.path]
            if callable(reply) and not isinstance(reply, Exception):
                reply = reply(sent)
            if isinstance(reply, Exception):
                raise reply
            if call.stored_once is not None:
                self._stored.setdefault(_token(sent), _Stored(call.stored_once))
            return reply
        if call.path == _TOKENS:
            return self._minted(sent)
        if call.path == _LINK:
            return self._linked(sent)
        if call.path in (_RESPONSES, _REVISIONS, _DISMISSALS):
            return self._recorded(call.path, sent)
        raise LookupError(f"no reply is set for {call.path}: set fake.replies[{call.path!r}] = …")

    def _minted(self, sent: Mapping[str, Any]) -> Dict[str, Any]:
        named = sent.get("surveySlug", sent.get("surveyId"))
        known = [slug for slug in self.slugs if named in (None, slug, f"sv_{slug}")]
        wanted = [] if sent.get("respondentId") in self.suppressed else known
        none = {slug: "suppressed" for slug in known if slug not in wanted}
        if named is not None and not known:
            none[named] = "unknown_survey"
        session = {name: sent[name] for name in ("sessionId", "traceId", "observationId") if name in sent}
        bindings = {
            slug: {"surveyId": f"sv_{slug}", "slug": slug, "showToken": f"fake-{slug}-{len(self.calls)}", **session}
            for slug in wanted
        }
        tokens = {binding["surveyId"]: binding["showToken"] for binding in bindings.values()}
        reply = {"tokens": tokens, "bindings": bindings, "suppression": [], "issuedAt": _AT}
        return {**reply, "none": none} if none else reply

    def _linked(self, sent: Mapping[str, Any]) -> Dict[str, Any]:
        named = sent.get("surveySlug", sent.get("surveyId"))
        slug = next((slug for slug in self.slugs if named in (slug, f"sv_{slug}")), None)
        if slug is None:
            raise CanvassError("The survey does not exist.", "survey_not_found", 404)
        if sent["respondentId"] in self.suppressed:
            return {"ok": False, "reason": "suppressed", "none": {slug: "suppressed"}}
        token = f"fake-{slug}-{len(self.calls)}"
        times = {"issuedAt": _AT, "expiresAt": "2026-01-08T00:00:00.000Z"}
        person = {"respondentId": sent["respondentId"], "sessionId": sent.get("sessionId")}
        url = f"https://canvass.test/l/{token}"
        return {"ok": True, "url": url, "showToken": token, **times, "surveyId": f"sv_{slug}", **person}

    def _recorded(self, path: str, sent: Mapping[str, Any]) -> Dict[str, Any]:
        token = _token(sent)
        hidden = ("showToken", "sessionId", "traceId", "observationId")
        said = {name: value for name, value in sent.items() if name not in hidden}
        rating = sent.get("rating", 0)
        if not isinstance(rating, int) or not 0 <= rating <= 10:
            issue = Issue("rating", "must be a whole number from 0 to 10")
            raise CanvassError("The request is invalid.", "invalid_request", 400, issues=(issue,))
        kept, dropped = self._keep_answers(said)
        recorded = {"ok": True, "id": f"fake-{token}", "at": _AT, **({"dropped": dropped} if dropped else {})}
        if path == _REVISIONS:
            if self._revises(token, said):
                (self.withdrawals if kept.pop("withdraw", False) else self.answers).append(kept)
            return {**recorded, "revision": sent["revision"]}
        kind = "dismissal" if path == _DISMISSALS else "response"
        if token in self._stored:
            raise _token_used(token, self._stored[token].kind, 401 if kind == "dismissal" else 409)
        self._stored[token] = _Stored(kind)
        (self.dismissals if kind == "dismissal" else self.answers).append(kept)
        return recorded

    def _keep_answers(self, said: Mapping[str, Any]) -> "tuple[Dict[str, Any], List[str]]":
        """Drops and names answers to questions like the service."""
        kept = dict(said)
        sent = kept.pop("answers", {})
        if not isinstance(sent, Mapping):
            return kept, ["answers"]
        asked = {
            question["id"]: question
            for question in self.questions.get(str(said.get("surveyId", ""))[len("sv_") :], ())
            if said.get("rating") in question.get("ratings", range(11))
        }
        read = {each: _fitting(asked[each], sent[each]) if each in asked else (_DROPPED, [""]) for each in sent}
        answers = {each: value for each, (value, _) in read.items() if value is not _DROPPED}
        dropped = [f"answers.{each}{path}" for each, (_, paths) in read.items() for path in paths]
        return ({**kept, "answers": answers} if answers else kept), dropped

    def _revises(self, token: str, said: Mapping[str, Any]) -> bool:
        """Returns False for a repeated revision. Refuses like the service."""
        stored = self._stored.get(token)
        if stored is None:
            raise CanvassError("The answer does not exist or was erased.", "response_not_found", 404)
        if stored.kind == "dismissal":
            raise _token_used(token, "dismissal", 409)
        if said == stored.said:
            return False
        if said.get("revision") != stored.revision + 1:
            details = {"revision": stored.revision}
            raise CanvassError("The answer is at another revision.", "revision_conflict", 409, details=details)
        self._stored[token] = _Stored("response", stored.revision + 1, said)
        return True


class FakeCanvassClient(_Fake, CanvassClient):
    """Replaces a `CanvassClient` in tests."""

    def _send(self, call: Call) -> Any:
        return self._reply(call)


class AsyncFakeCanvassClient(_Fake, AsyncCanvassClient):
    """Replaces an `AsyncCanvassClient` in tests."""

    async def _send(self, call: Call) -> Any:
        return self._reply(call)
