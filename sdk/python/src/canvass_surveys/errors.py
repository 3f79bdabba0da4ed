"""The error of a failed call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Mapping, Optional, Tuple, Union

from .contract import ErrorCode


#: The service's codes and this client's own.
CanvassErrorCode = Union[ErrorCode, Literal["network_error", "timeout", "unexpected_reply"]]


@dataclass(frozen=True)
class Issue:
    """An invalid field of a request."""

    path: str
    message: str


@dataclass(eq=False)
class CanvassError(Exception):
    """A call that was refused, or was still failing at its deadline.

    `code` is the service's (docs/contract.md §4.1), or one of this client's own: `network_error` (no reply),
    `timeout` (no reply in time), `unexpected_reply` (a reply that is not from the service, such as a gateway's).
    """

    message: str
    #: A `CanvassErrorCode`, or a code of a newer service.
    code: Union[CanvassErrorCode, str]
    #: HTTP status; 0 if no reply arrived.
    status: int = 0
    #: Identifies the request in the service's logs.
    request_id: Optional[str] = None
    #: The invalid fields of a 400.
    issues: Tuple[Issue, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    #: Seconds to wait before another call. The client has already waited as long as its deadline allowed.
    retry_after: Optional[float] = None

    def __str__(self) -> str:
        said = "; ".join(f"{issue.path}: {issue.message}" for issue in self.issues)
        return f"{self.code}: {self.message}" + (f" ({said})" if said else "")
