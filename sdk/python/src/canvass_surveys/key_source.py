"""Where the secret key comes from: a text, or a function that reads it, such as from a secret that is rotated."""

from __future__ import annotations

import threading
from typing import Any, Optional

from .options import key_of


class KeySource:
    """The key of a client. Raises ValueError when it cannot be one; what a function reads is checked when it is read."""

    def __init__(self, given: Any) -> None:
        self._read = given if callable(given) else None
        self._last: Optional[str] = None if callable(given) else key_of(given)
        self._lock = threading.Lock()

    @property
    def known(self) -> Optional[str]:
        """What needs no reading."""
        return self._last

    @property
    def may_change(self) -> bool:
        """Whether reading it again may bring another one."""
        return self._read is not None

    def read(self) -> str:
        """The key; of a function, what it said last."""
        with self._lock:
            return self._last if self._last is not None else self._ask()

    def read_again(self, refused: str) -> str:
        """The key after this one was refused: a function is asked once more, unless another call has done so."""
        with self._lock:
            return self._last if self._last is not None and self._last != refused else self._ask()

    def _ask(self) -> str:
        if self._read is None:
            assert self._last is not None
            return self._last
        self._last = None
        self._last = key_of(self._read())
        return self._last
