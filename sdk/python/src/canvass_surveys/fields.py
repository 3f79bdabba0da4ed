"""Fields of a request: checked by name, and as text. Fields that are None are left out."""

from __future__ import annotations

import json
import operator
from typing import Any, Mapping
from urllib.parse import quote

#: The default of a filter of an erasure or an export: None is refused there.
NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda _: "NOT_GIVEN"})()


def given(name: str, value: Any) -> Any:
    """A filter's value, None when it was left out.

    Raises ValueError when it is None: without the filter, more would be erased or exported than was meant.
    """
    if value is None:
        raise ValueError(f"{name} must not be None; leave it out")
    return None if value is NOT_GIVEN else value


def _query_text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return str.__str__(value)
    try:
        return str(operator.index(value))
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"{name} must be text, a whole number or a boolean, not {kind}") from None


def query_of(fields: Mapping[str, Any]) -> str:
    """A query string. Raises TypeError or ValueError that names the parameter which cannot be sent."""
    parts = []
    for name, value in fields.items():
        if value is None:
            continue
        try:
            parts.append(f"{name}={quote(_query_text(name, value), safe='')}")
        except UnicodeEncodeError:
            raise ValueError(f"{name} must be whole characters") from None
    return "&".join(parts)


def body_of(fields: Mapping[str, Any]) -> bytes:
    """A JSON body. Raises TypeError or ValueError that names the field which is no JSON."""
    parts = []
    for name, value in fields.items():
        if value is None:
            continue
        try:
            parts.append(f"{json.dumps(name)}: {json.dumps(value, allow_nan=False)}")
        except (TypeError, ValueError, RecursionError) as cause:
            kind = TypeError if isinstance(cause, TypeError) else ValueError
            raise kind(f"{name} must be JSON: {cause}") from cause
    return f"{{{', '.join(parts)}}}".encode()
