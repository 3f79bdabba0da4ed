"""Time and randomness, which tests replace."""

from __future__ import annotations

import asyncio
import random
import time


class Timers:
    def monotonic(self) -> float:
        """Seconds of a clock that never goes backward."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def random(self) -> float:
        """At least 0, below 1."""
        return random.random()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def sleep_async(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
