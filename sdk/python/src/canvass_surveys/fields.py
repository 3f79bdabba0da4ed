"""Checks and encodes the fields of a request. Fields that are None are omitted."""

from __future__ import annotations

import json
import operator
from typing import Any, Mapping
from urllib.parse import quote

#: The default of filters of an erasure or export, which refuse None.
NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda _: "NOT_GIVEN"})()


def given(name: str, value: Any) -> Any:
    """A filter's value, or None if it was omitted.

    Raises ValueError for None: without the filter, more would be erased or exported than intended.
    """
    if value is None:
        raise ValueError(f"{name} must not be None: set a value, or omit it")
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


def check_id(fields: Mapping[str, Any]) -> None:
    """Raises TypeError or ValueError for a respondent's id that is not text, or is blank: it would name nobody."""
    if "respondentId" not in fields:
        return
    value = fields["respondentId"]
    if value is None:
        return
    if not isinstance(value, str):
        raise TypeError(f"respondentId must be text, not {type(value).__name__}")
    if not value.strip():
        raise ValueError("respondentId must not be blank")


def query_of(fields: Mapping[str, Any]) -> str:
    """A query string. Raises TypeError or ValueError that names an invalid parameter."""
    check_id(fields)
    parts = []
    for name, value in fields.items():
        if value is None:
            continue
        try:
            parts.append(f"{name}={quote(_query_text(name, value), safe='')}")
        except UnicodeEncodeError:
            raise ValueError(f"{name} must not contain half of a surrogate pair") from None
    return "&".join(parts)


def body_of(fields: Mapping[str, Any]) -> bytes:
    """A JSON body. Raises TypeError or ValueError that names a field that is not JSON."""
    check_id(fields)
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
