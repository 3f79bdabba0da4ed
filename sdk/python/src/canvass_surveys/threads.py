"""Threads for the attempts of the asyncio client."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from typing import Any, Callable, Deque, Optional, Tuple

#: Concurrent attempts of one client. More are queued, so that the process does not run out of file descriptors.
MOST_THREADS = 64

Task = Tuple["Future[Any]", Callable[..., Any], Tuple[Any, ...]]


class DaemonThreads:
    """Threads that end with their work and do not block the program's exit, unlike those of the loop's executor."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._waiting: Deque[Task] = deque()

    def submit(self, work: Callable[..., Any], /, *args: Any) -> "Future[Any]":
        future: "Future[Any]" = Future()
        with self._lock:
            if self._running >= MOST_THREADS:
                self._waiting.append((future, work, args))
            else:
                threading.Thread(target=self._run, args=((future, work, args),), daemon=True).start()
                self._running += 1
        return future

    def _run(self, task: Optional[Task]) -> None:
        while task is not None:
            _fulfil(*task)
            task = self._next()

    def _next(self) -> Optional[Task]:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._running -= 1
            return None


def _fulfil(future: "Future[Any]", work: Callable[..., Any], args: Tuple[Any, ...]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work(*args))
    except BaseException as error:
        future.set_exception(error)
