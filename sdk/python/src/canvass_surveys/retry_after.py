"""Parses times in the headers of a reply."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Optional


def http_date_seconds(header: Optional[str]) -> Optional[float]:
    """Seconds since 1970 of an HTTP date (RFC 9110, 5.6.7), or None."""
    text = (header or "").strip()
    if not re.match(r"[A-Za-z]{3}", text):
        return None
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def retry_after_seconds(header: Optional[str], now: float) -> Optional[float]:
    """Seconds of a `Retry-After` header, a number or an HTTP date (RFC 9110, 10.2.3), or None.

    `now` is seconds since 1970.
    """
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    date = http_date_seconds(text)
    return None if date is None else max(0.0, date - now)
