"""Why a call failed for good: refused, or still failing when its deadline was near."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal, Mapping, Optional, Tuple, Union

from .contract import ErrorCode


#: The service's codes and this client's own.
CanvassErrorCode = Union[ErrorCode, Literal["network_error", "timeout", "unexpected_reply"]]


@dataclass(frozen=True)
class Issue:
    """What is wrong with one field of a request."""

    path: str
    message: str


@dataclass(eq=False)
class CanvassError(Exception):
    """A call that failed for good.

    `code` is the service's (docs/contract.md §4.1), or one of this client's own: `network_error` (no reply),
    `timeout` (no reply in time), `unexpected_reply` (a reply that is not the service's, but a gateway's or a proxy's).
    """

    message: str
    #: A `CanvassErrorCode`, or one that the service has learnt since.
    code: Union[CanvassErrorCode, str]
    #: HTTP status; 0 when there was no reply.
    status: int = 0
    #: Names the request in the service's logs.
    request_id: Optional[str] = None
    #: Of a 400: which field, and what is wrong with it.
    issues: Tuple[Issue, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        said = "; ".join(f"{issue.path}: {issue.message}" for issue in self.issues)
        return f"{self.code}: {self.message}" + (f" ({said})" if said else "")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def error_of_reply(status: int, headers: Mapping[str, str], body: bytes) -> CanvassError:
    """The error that a refusing reply means; the reply of a gateway or a proxy is one too."""
    try:
        error = _mapping(_mapping(json.loads(body)).get("error"))
    except ValueError:
        error = {}
    code = _text(error.get("code"))
    request_id = _text(error.get("requestId")) or headers.get("x-request-id")
    if code is None:
        message = f"HTTP {status}, and not in the service's words"
        return CanvassError(message, "unexpected_reply", status, request_id or headers.get("apigw-requestid"))
    listed = error.get("issues")
    issues = tuple(
        Issue(_text(_mapping(issue).get("path")) or "", _text(_mapping(issue).get("message")) or "")
        for issue in (listed if isinstance(listed, list) else [])
    )
    return CanvassError(
        _text(error.get("message")) or code, code, status, request_id, issues, _mapping(error.get("details"))
    )
