"""The secret key: a text, or a function that reads it, such as from a secret that is rotated."""

from __future__ import annotations

import threading
from typing import Any, Optional

from .options import key_of


class KeySource:
    """Raises ValueError for an invalid key; a function's key is checked when it is read."""

    def __init__(self, given: Any) -> None:
        self._read = given if callable(given) else None
        self._last: Optional[str] = None if callable(given) else key_of(given)
        self._lock = threading.Lock()

    @property
    def known(self) -> Optional[str]:
        """The key, if it needs no reading."""
        return self._last

    @property
    def may_change(self) -> bool:
        return self._read is not None

    def read(self) -> str:
        """The key, or the function's latest result."""
        with self._lock:
            return self._last if self._last is not None else self._ask()

    def read_again(self, refused: str) -> str:
        """Called after the key was refused. Calls the function once for all concurrent calls."""
        with self._lock:
            return self._last if self._last is not None and self._last != refused else self._ask()

    def _ask(self) -> str:
        if self._read is None:
            assert self._last is not None
            return self._last
        self._last = None
        self._last = key_of(self._read())
        return self._last
