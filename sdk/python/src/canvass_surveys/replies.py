"""Interprets replies of the service, gateways and proxies."""

from __future__ import annotations

import json
import re
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Mapping, Optional
from urllib.error import URLError
from urllib.parse import urljoin, urlsplit

from .errors import CanvassError, Issue

#: Statuses of a busy gateway: they do not mean that the address is wrong.
_BUSY = (413, 429)


def parsed(body: bytes) -> Any:
    """The JSON of a body, or None."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _leads_to(url: str, headers: Mapping[str, str]) -> str:
    """Describes a redirect or content type. Omits queries, which may identify a person."""
    location = headers.get("location")
    if location is None:
        kind = (headers.get("content-type") or "").partition(";")[0].strip()
        return f" with {kind[:100]}" if kind else ""
    try:
        there = urlsplit(urljoin(url, location))
        return f" to {there.scheme}://{there.netloc.rpartition('@')[2]}{there.path}"[:300]
    except ValueError:
        return ""


def error_of_reply(where: str, status: int, headers: Mapping[str, str], body: bytes) -> CanvassError:
    """The error of an unsuccessful reply, from the service, a gateway or a proxy.

    `where`: method and URL, without a query.
    """
    error = _mapping(_mapping(parsed(body)).get("error"))
    code = _text(error.get("code"))
    request_id = _text(error.get("requestId")) or headers.get("x-request-id")
    if code is None:
        message = f"{where}: HTTP {status}{_leads_to(where.partition(' ')[2], headers)}, which is not a reply of the service"
        if status < 500 and status not in _BUSY:
            message += ". Is base_url the service's address?"
        return CanvassError(message, "unexpected_reply", status, request_id or headers.get("apigw-requestid"))
    listed = error.get("issues")
    issues = tuple(
        Issue(_text(_mapping(issue).get("path")) or "", _text(_mapping(issue).get("message")) or "")
        for issue in (listed if isinstance(listed, list) else [])
    )
    return CanvassError(
        _text(error.get("message")) or code, code, status, request_id, issues, _mapping(error.get("details"))
    )


def error_of_silence(where: str, cause: "OSError | HTTPException") -> CanvassError:
    """The error of an attempt without a complete reply."""
    reason = cause.reason if isinstance(cause, URLError) else cause
    if isinstance(reason, TimeoutError):
        error = CanvassError(f"{where}: no reply in time", "timeout")
    else:
        error = CanvassError(f"{where}: no reply ({str(reason)[:200] or type(reason).__name__})", "network_error")
    error.__cause__ = cause
    return error


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
