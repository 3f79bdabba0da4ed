"""One call of the service: attempts with full jitter between them, all inside a deadline."""

from __future__ import annotations

import asyncio
import http.client
import json
import urllib.request
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Tuple, Union
from urllib.parse import urlencode

from .errors import CanvassError, error_of_reply
from .retry_after import retry_after_seconds
from .timers import Timers

FIRST_BACKOFF = 0.2
LONGEST_BACKOFF = 10.0


@dataclass(frozen=True)
class Call:
    """What is sent, and for how long it may be tried. Fields that are None are left out."""

    method: str
    path: str
    query: Mapping[str, Any]
    body: Optional[Mapping[str, Any]] = None
    #: Seconds for the call with its retries, and for one attempt; the client's own when None.
    deadline: Optional[float] = None
    attempt_timeout: Optional[float] = None


@dataclass(frozen=True)
class Failure:
    error: CanvassError
    retryable: bool
    retry_after: Optional[float] = None


class _EveryReply(urllib.request.HTTPErrorProcessor):
    """Hands every reply back as it is. A redirect is not followed: the key is for the service alone."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def _query_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _present(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


class Schedule:
    """When a call is tried again, and when it is given up."""

    def __init__(self, timers: Timers, deadline: float, attempt_timeout: float) -> None:
        self._timers = timers
        self._until = timers.monotonic() + deadline
        self._attempt_timeout = attempt_timeout
        self._backoff = FIRST_BACKOFF

    def timeout(self) -> float:
        """Seconds for the next attempt."""
        return max(0.001, min(self._attempt_timeout, self._until - self._timers.monotonic()))

    def pause(self, failure: Failure) -> float:
        """Seconds until the next attempt.

        Raises the failure's error when it is final, or the deadline too near.
        """
        pause = (failure.retry_after or 0) + self._timers.random() * self._backoff
        self._backoff = min(LONGEST_BACKOFF, self._backoff * 2)
        if not failure.retryable or self._timers.monotonic() + pause >= self._until:
            raise failure.error
        return pause


class Transport:
    def __init__(
        self, base_url: str, secret_key: str, deadline: float, attempt_timeout: float, timers: Timers
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._secret_key = secret_key
        self._deadline = deadline
        self._attempt_timeout = attempt_timeout
        self._timers = timers
        self._opener = urllib.request.build_opener(_EveryReply)

    def send(self, call: Call) -> Any:
        """The reply's JSON; that the service keeps its contract is taken on trust."""
        schedule = self._schedule(call)
        while isinstance(outcome := self._attempt(call, schedule.timeout()), Failure):
            self._timers.sleep(schedule.pause(outcome))
        return outcome[0]

    async def send_async(self, call: Call) -> Any:
        """As `send`, each attempt on a thread of its own. A cancelled call lets its attempt end unheard."""
        schedule = self._schedule(call)
        while isinstance(outcome := await asyncio.to_thread(self._attempt, call, schedule.timeout()), Failure):
            await self._timers.sleep_async(schedule.pause(outcome))
        return outcome[0]

    def _schedule(self, call: Call) -> Schedule:
        deadline = self._deadline if call.deadline is None else call.deadline
        return Schedule(self._timers, deadline, call.attempt_timeout or self._attempt_timeout)

    def _request(self, call: Call) -> urllib.request.Request:
        query = urlencode([(name, _query_value(value)) for name, value in _present(call.query).items()])
        headers = {"authorization": f"Bearer {self._secret_key}", "accept": "application/json"}
        data = None
        if call.body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(_present(call.body)).encode()
        url = f"{self._base_url}{call.path}" + (f"?{query}" if query else "")
        return urllib.request.Request(url, data=data, headers=headers, method=call.method)

    def _attempt(self, call: Call, timeout: float) -> Union[Failure, Tuple[Any]]:
        where = f"{call.method} {call.path}"
        try:
            with self._opener.open(self._request(call), timeout=timeout) as reply:
                status, headers, body = reply.status, reply.headers, self._read(reply, timeout)
        except (OSError, http.client.HTTPException) as cause:
            late = isinstance(getattr(cause, "reason", cause), TimeoutError)
            error = (
                CanvassError(f"{where}: no reply in time", "timeout")
                if late
                else CanvassError(f"{where}: no reply", "network_error")
            )
            error.__cause__ = cause
            return Failure(error, retryable=True)
        if not 200 <= status < 300:
            return Failure(
                error_of_reply(status, headers, body),
                retryable=status == 429 or status >= 500,
                retry_after=retry_after_seconds(headers.get("retry-after"), self._timers.time()),
            )
        try:
            return (json.loads(body),)
        except ValueError:
            return Failure(error_of_reply(status, headers, b""), retryable=False)

    def _read(self, reply: http.client.HTTPResponse, timeout: float) -> bytes:
        """The whole body. The socket's own limit holds for each read, so a slow reply would never meet it."""
        until = self._timers.monotonic() + timeout
        parts = []
        while part := reply.read1(65_536):
            parts.append(part)
            if self._timers.monotonic() > until:
                raise TimeoutError
        return b"".join(parts)
