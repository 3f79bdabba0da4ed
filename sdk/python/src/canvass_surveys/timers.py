"""Time and randomness, which tests replace."""

from __future__ import annotations

import asyncio
import random
import time


class Timers:
    """Time and randomness, replaceable in tests."""

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
        """Blocks the thread."""
        time.sleep(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Lets other tasks run."""
        await asyncio.sleep(seconds)
