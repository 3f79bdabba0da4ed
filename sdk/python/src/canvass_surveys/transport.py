"""One call of the service: attempts with full jitter within a deadline."""

from __future__ import annotations

import asyncio
import http.client
from typing import Any, Optional

from .errors import CanvassError
from .exchange import Call, Exchange, Failure, Outcome
from .http_attempt import attempt, make_opener
from .key_source import KeySource
from .options import address_of, seconds
from .replies import error_of_silence
from .threads import DaemonThreads
from .time_limit import TimeLimit
from .timers import Timers

FIRST_BACKOFF = 0.2
LONGEST_BACKOFF = 10.0


class Schedule:
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
        """Seconds until the next attempt. Raises the error if it is final or the deadline is too near."""
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
        self._key = KeySource(secret_key)
        self._deadline = None if deadline is None else seconds("deadline", deadline)
        self._attempt_timeout = None if attempt_timeout is None else seconds("attempt_timeout", attempt_timeout)
        self._timers = timers
        self._opener = make_opener()
        self._threads = DaemonThreads()

    def send(self, call: Call) -> Any:
        """The reply's JSON object, whose fields are not validated."""
        schedule = self._schedule(call)
        exchange = Exchange(self._base_url, self._key.read(), call, self._timers)
        is_key_new = False
        while isinstance(outcome := self._attempt(exchange, schedule, self._limit()), Failure):
            if self._may_be_old(outcome, is_key_new):
                is_key_new = True
                if self._takes(exchange, self._key.read_again(exchange.key)):
                    continue
            self._timers.sleep(schedule.pause(outcome))
        return outcome[0]

    async def send_async(self, call: Call) -> Any:
        """Like `send`, with attempts and key functions on the client's threads."""
        schedule = self._schedule(call)
        key = self._key.known or await self._on_thread(schedule, self._key.read)
        exchange = Exchange(self._base_url, key, call, self._timers)
        is_key_new = False
        while isinstance(outcome := await self._attempt_async(exchange, schedule), Failure):
            if self._may_be_old(outcome, is_key_new):
                is_key_new = True
                if self._takes(exchange, await self._on_thread(schedule, self._key.read_again, exchange.key)):
                    continue
            await self._timers.sleep_async(schedule.pause(outcome))
        return outcome[0]

    async def _on_thread(self, schedule: Schedule, read: Any, *arguments: Any) -> str:
        try:
            reading = asyncio.wrap_future(self._threads.submit(read, *arguments))
            key: str = await asyncio.wait_for(reading, schedule.left())
            return key
        except asyncio.TimeoutError:
            raise CanvassError("the secret key was not read in time", "timeout") from None

    def _may_be_old(self, failure: Failure, is_key_new: bool) -> bool:
        """Whether the key was refused and can be read again."""
        return failure.error.status == 401 and self._key.may_change and not is_key_new

    @staticmethod
    def _takes(exchange: Exchange, key: str) -> bool:
        """Uses the key. Returns whether it differs from the refused one."""
        is_other = key != exchange.key
        exchange.use_key(key)
        return is_other

    def _schedule(self, call: Call) -> Schedule:
        own = self._deadline if call.deadline is None else seconds("deadline", call.deadline)
        deadline = call.usual_deadline if own is None else own
        return Schedule(self._timers, deadline, self._attempt_timeout or call.usual_attempt)

    def _limit(self) -> TimeLimit:
        return TimeLimit(self._timers.monotonic)

    def _attempt(self, exchange: Exchange, schedule: Schedule, limit: TimeLimit) -> Outcome:
        limit.begin(schedule.timeout())
        try:
            status, headers, body = attempt(self._opener, exchange.request(limit))
        except (OSError, http.client.HTTPException) as cause:
            return exchange.silence(cause)
        return exchange.outcome(status, headers, body)

    async def _attempt_async(self, exchange: Exchange, schedule: Schedule) -> Outcome:
        """Ends with its attempt at the deadline or on cancellation."""
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
