from __future__ import annotations

import asyncio
import math
from typing import Any, List

from canvass_surveys import AsyncCanvassClient, CanvassClient, CanvassError, Timers
from scripted_service import Reply, ScriptedService

KEY = "svc_sk_test_0123456789"
MINTED = {"tokens": {"sv_1": "Ag"}, "bindings": {}, "suppression": [], "issuedAt": "2026-11-22T00:00:00.000Z"}
SURVEYS = {"surveys": []}


class FakeTimers(Timers):
    """A clock that only pauses advance, with randomness of one half. After `attempts`, a pause never ends."""

    def __init__(self, attempts: float = math.inf) -> None:
        self.now = 0.0
        self.pauses: List[float] = []
        self.attempts = attempts

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return 1_800_000_000 + self.now

    def random(self) -> float:
        return 0.5 if len(self.pauses) + 1 < self.attempts else math.inf

    def sleep(self, seconds: float) -> None:
        self.pauses.append(round(seconds, 3))
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


def refusal(code: str, status: int, **more: Any) -> Reply:
    error = {"code": code, "message": "It was refused.", "requestId": "req-1", **more}
    return Reply(status, {"error": error})


class OfBothClients:
    """Tests that run for the blocking and the asyncio client."""

    def make(self, url: str, **options: Any) -> Any:
        raise NotImplementedError

    def call(self, made: Any) -> Any:
        raise NotImplementedError

    def collect(self, made: Any) -> List[Any]:
        raise NotImplementedError

    def setUp(self) -> None:
        self.timers = FakeTimers()

    def refused(self, service: ScriptedService, **options: Any) -> CanvassError:
        client = self.make(service.url, timers=self.timers, **options)
        with self.assertRaises(CanvassError) as caught:
            self.call(client.list_surveys())
        return caught.exception


class Blocking:
    def make(self, url: str, **options: Any) -> CanvassClient:
        return CanvassClient(url, KEY, **options)

    def call(self, made: Any) -> Any:
        return made

    def collect(self, made: Any) -> List[Any]:
        return list(made)


class Awaited:
    def make(self, url: str, **options: Any) -> AsyncCanvassClient:
        return AsyncCanvassClient(url, KEY, **options)

    def call(self, made: Any) -> Any:
        return asyncio.run(made)

    def collect(self, made: Any) -> List[Any]:
        async def gather() -> List[Any]:
            return [one async for one in made]

        return asyncio.run(gather())
