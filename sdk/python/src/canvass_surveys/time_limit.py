"""The time limit of one attempt. A socket's own timeout applies to each read, so a slow reply never reaches it."""

from __future__ import annotations

import contextlib
import io
import math
import socket
import threading
from typing import Any, Callable, Optional, Tuple


class TimeLimit:
    """Seconds shared by connecting, TLS, headers and body. Another thread can end the attempt."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._until = math.inf
        self._lock = threading.Lock()
        self._ended = False
        #: A duplicate of the attempt's socket, because the owner may close the original at any time.
        self._socket: Optional[socket.socket] = None

    def begin(self, seconds: float) -> None:
        self._until = self._monotonic() + seconds

    def left(self) -> float:
        """Seconds. Raises TimeoutError if none are left."""
        left = self._until - self._monotonic()
        if self._ended or left <= 0:
            raise TimeoutError("timed out")
        return left

    def connect(self, address: Tuple[str, int], _timeout: Any = None, _source: Any = None) -> socket.socket:
        """Connects to one of the host's addresses, which share the time. Raises OSError if none works.

        The system limits the time of the name lookup.
        """
        found = socket.getaddrinfo(*address, 0, socket.SOCK_STREAM)
        error = OSError("the host has no address")
        for index, (family, kind, protocol, _, where) in enumerate(found):
            try:
                made = socket.socket(family, kind, protocol)
            except OSError as cause:
                error = cause
                continue
            try:
                self._watch(made)
                made.settimeout(self.left() / (len(found) - index))
                made.connect(where)
                made.settimeout(self.left())
                return made
            except OSError as cause:
                made.close()
                error = cause
        raise error

    def _watch(self, made: socket.socket) -> None:
        self.release()
        with self._lock:
            self._socket = made.dup()

    def end(self) -> None:
        with self._lock, contextlib.suppress(OSError):
            self._ended = True
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        """Call when the attempt is over."""
        with self._lock:
            if self._socket is not None:
                self._socket.close()
            self._socket = None


class TimedReader(io.RawIOBase):
    """Reads from a socket within the time of its attempt."""

    def __init__(self, made: socket.socket, raw: io.RawIOBase, limit: TimeLimit) -> None:
        self._made = made
        self._raw = raw
        self._limit = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._made.settimeout(self._limit.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()
