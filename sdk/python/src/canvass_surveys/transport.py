"""One call of the service: attempts with full jitter between them, all inside a deadline."""

from __future__ import annotations

import asyncio
import http.client
from typing import Any, Optional, Tuple

from .exchange import Call, Exchange, Failure, Outcome
from .http_attempt import attempt, make_opener
from .options import address_of, key_of, seconds
from .replies import error_of_silence
from .threads import DaemonThreads
from .time_limit import TimeLimit
from .timers import Timers

FIRST_BACKOFF = 0.2
LONGEST_BACKOFF = 10.0


class Schedule:
    """When a call is tried again, and when it is given up."""

    def __init__(self, timers: Timers, deadline: float, attempt_timeout: float) -> None:
        self._timers = timers
        self._until = timers.monotonic() + deadline
        self._attempt_timeout = attempt_timeout
        self._backoff = FIRST_BACKOFF

    def left(self) -> float:
        """Seconds until the deadline."""
        return max(0.001, self._until - self._timers.monotonic())

    def timeout(self) -> float:
        """Seconds for the next attempt."""
        return min(self._attempt_timeout, self.left())

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
        self,
        base_url: Any,
        secret_key: Any,
        deadline: Optional[float],
        attempt_timeout: Optional[float],
        timers: Timers,
    ) -> None:
        self._base_url = address_of(base_url)
        self._secret_key = key_of(secret_key)
        self._deadline = None if deadline is None else seconds("deadline", deadline)
        self._attempt_timeout = None if attempt_timeout is None else seconds("attempt_timeout", attempt_timeout)
        self._timers = timers
        self._opener = make_opener()
        self._threads = DaemonThreads()

    def send(self, call: Call) -> Any:
        """The reply's JSON object; that it has the rest of its fields is taken on trust."""
        schedule, exchange = self._begin(call)
        while isinstance(outcome := self._attempt(exchange, schedule, self._limit()), Failure):
            self._timers.sleep(schedule.pause(outcome))
        return outcome[0]

    async def send_async(self, call: Call) -> Any:
        """As `send`, each attempt on a thread of the client's own."""
        schedule, exchange = self._begin(call)
        while isinstance(outcome := await self._attempt_async(exchange, schedule), Failure):
            await self._timers.sleep_async(schedule.pause(outcome))
        return outcome[0]

    def _begin(self, call: Call) -> Tuple[Schedule, Exchange]:
        own = self._deadline if call.deadline is None else seconds("deadline", call.deadline)
        deadline = call.usual_deadline if own is None else own
        schedule = Schedule(self._timers, deadline, self._attempt_timeout or call.usual_attempt)
        return schedule, Exchange(self._base_url, self._secret_key, call)

    def _limit(self) -> TimeLimit:
        return TimeLimit(self._timers.monotonic)

    def _attempt(self, exchange: Exchange, schedule: Schedule, limit: TimeLimit) -> Outcome:
        limit.begin(schedule.timeout())
        try:
            status, headers, body = attempt(self._opener, exchange.request(limit))
        except (OSError, http.client.HTTPException) as cause:
            return exchange.silence(cause)
        return exchange.outcome(status, headers, body, self._timers.time())

    async def _attempt_async(self, exchange: Exchange, schedule: Schedule) -> Outcome:
        """Whoever waits leaves at the deadline, or when cancelled; the attempt then ends too."""
        limit = self._limit()
        waited: "asyncio.Future[Outcome]" = asyncio.wrap_future(self._threads.submit(self._attempt, exchange, schedule, limit))
        try:
            await asyncio.wait({waited}, timeout=schedule.left())
            if waited.done():
                return waited.result()
            return Failure(error_of_silence(exchange.where, TimeoutError()), retryable=False)
        finally:
            waited.cancel()
            limit.end()
