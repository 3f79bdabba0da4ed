"""How long a reply asks to wait."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Optional


def retry_after_seconds(header: Optional[str], now: float) -> Optional[float]:
    """Seconds that a `Retry-After` header asks to wait: a number or an HTTP date (RFC 9110, 10.2.3).

    None when there is no header, or none that can be read. `now` is seconds since 1970.
    """
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    if not re.match(r"[A-Za-z]{3}", text):
        return None
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (TypeError, ValueError):
        return None
