"""Why a call failed for good: refused, or still failing when its deadline was near."""

from __future__ import annotations

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
    #: Seconds that the reply asks to wait before another call; the client has waited as long as its deadline let it.
    retry_after: Optional[float] = None

    def __str__(self) -> str:
        said = "; ".join(f"{issue.path}: {issue.message}" for issue in self.issues)
        return f"{self.code}: {self.message}" + (f" ({said})" if said else "")
