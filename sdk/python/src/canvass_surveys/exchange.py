"""The request of a call, and the interpretation of its replies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPException
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from .errors import CanvassError
from .fields import body_of, query_of
from .http_attempt import Request
from .replies import error_of_reply, error_of_silence, http_date_seconds, parsed, retry_after_seconds
from .time_limit import TimeLimit
from .timers import Timers
from .version import USER_AGENT


#: Seconds, for the whole seconds of a `Date` header and differences between the service's clocks.
_CLOCK_SLACK = 2.0


def _seconds_of(at: Any) -> Optional[float]:
    """Seconds since 1970 of an ISO 8601 UTC time, or None."""
    try:
        # Python 3.10 does not read `Z`.
        return datetime.fromisoformat(str(at).replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    #: A field of every genuine reply.
    proof: str
    query: Mapping[str, Any]
    body: Optional[Mapping[str, Any]] = None
    #: Seconds for the call with its retries; None for the client's or the usual ones.
    deadline: Optional[float] = None
    usual_deadline: float = 30.0
    usual_attempt: float = 10.0
    #: What it stores with a single-use token; matches `details["kind"]` if the token was used already.
    stored_once: Optional[str] = None


@dataclass(frozen=True)
class Failure:
    error: CanvassError
    retryable: bool
    retry_after: Optional[float] = None


Outcome = Union[Failure, Tuple[Any]]


class Exchange:
    def __init__(self, base_url: str, secret_key: str, call: Call, timers: Timers) -> None:
        self._call = call
        self._timers = timers
        self._began = timers.monotonic()
        self._address = f"{base_url}{call.path}"
        self.where = f"{call.method} {self._address}"
        query = query_of(call.query)
        self._url = self._address + (f"?{query}" if query else "")
        self._data = None if call.body is None else body_of(call.body)
        self._headers: Dict[str, str] = {"accept": "application/json", "user-agent": USER_AGENT}
        self.use_key(secret_key)
        if self._data is not None:
            self._headers["content-type"] = "application/json"
        #: Whether an earlier attempt may have stored the answer.
        self._reply_lost = False

    def use_key(self, secret_key: str) -> None:
        """Applies to later attempts."""
        self._secret_key = secret_key
        self._headers["authorization"] = f"Bearer {secret_key}"

    @property
    def key(self) -> str:
        return self._secret_key

    def request(self, limit: TimeLimit) -> Request:
        made = Request(self._url, data=self._data, headers=self._headers, method=self._call.method)
        made.limit = limit
        return made

    def outcome(self, status: int, headers: Mapping[str, str], body: bytes) -> Outcome:
        now = self._timers.time()
        if not 200 <= status < 300:
            error = error_of_reply(self.where, status, headers, body)
            if self._is_own(error, headers, now):
                return ({"ok": True, "id": error.details.get("id"), "at": error.details.get("at")},)
            self._reply_lost = self._reply_lost or status >= 500
            error.retry_after = retry_after_seconds(headers.get("retry-after"), now)
            return Failure(error, retryable=status == 429 or status >= 500, retry_after=error.retry_after)
        reply = parsed(body)
        if not isinstance(reply, dict) or self._call.proof not in reply:
            return Failure(error_of_reply(self.where, status, headers, b""), retryable=False)
        return (reply,)

    def silence(self, cause: "OSError | HTTPException") -> Failure:
        """No reply, or a partial one."""
        self._reply_lost = True
        return Failure(error_of_silence(self.where, cause), retryable=True)

    def _is_own(self, error: CanvassError, headers: Mapping[str, str], now: float) -> bool:
        """Whether an earlier attempt used the token, and its reply was lost.

        An answer from before the call, or with another token, is another's. The service's `Date` judges its own times; without one, the local
        clock does.
        """
        if not self._reply_lost or error.code != "token_used" or self._call.stored_once is None:
            return False
        at = _seconds_of(error.details.get("at"))
        if error.details.get("kind") != self._call.stored_once or at is None or "by" in error.details:
            return False
        said = http_date_seconds(headers.get("date"))
        replied = now if said is None else said
        return at >= replied - (self._timers.monotonic() - self._began) - _CLOCK_SLACK
