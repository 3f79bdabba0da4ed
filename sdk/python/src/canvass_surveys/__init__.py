"""The server client of a Canvass service: mint show-tokens, read results and scores, export and erase.

    from canvass_surveys import CanvassClient

    canvass = CanvassClient("https://surveys.example.com", "svc_sk_…")
    reply = canvass.mint_tokens(respondent_id="user-42", session_id="session-8c1f")
"""

from .client import AsyncCanvassClient, CanvassClient
from .errors import CanvassError, CanvassErrorCode, Issue
from .timers import Timers
from .version import __version__

__all__ = [
    "AsyncCanvassClient",
    "CanvassClient",
    "CanvassError",
    "CanvassErrorCode",
    "Issue",
    "Timers",
    "__version__",
]
