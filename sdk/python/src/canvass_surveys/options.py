"""Checks the options of a client."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import SplitResult, urlsplit

#: 24 days. Longer times overflow the timers of some systems.
LONGEST_SECONDS = 2_147_483.0


def seconds(name: str, value: Any) -> float:
    """A time limit. Raises ValueError if it is not above 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise ValueError(f"{name} must be seconds above 0, not {value!r}")
    return min(float(value), LONGEST_SECONDS)


def _told(value: Any) -> str:
    if value is None:
        return "None"
    return "empty text" if value == "" else type(value).__name__


def _parts(address: str) -> SplitResult:
    """Raises ValueError for an invalid address."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or not re.fullmatch("[!-~]*", parts.path):
        raise ValueError
    if re.search(r"[\s\x00-\x1f\x7f]", parts.netloc) or parts.port == 0:
        raise ValueError
    parts.hostname.encode("idna")
    return parts


def address_of(base_url: Any) -> str:
    """The address without slashes and `/v1` at its end. Raises ValueError if it is invalid."""
    must = "base_url must be the address of the service, like https://surveys.example.com"
    address = base_url.strip() if isinstance(base_url, str) else ""
    if address == "":
        raise ValueError(f"{must}, not {_told(base_url)}")
    try:
        parts = _parts(address)
    except ValueError:
        # It may be the key, passed by mistake.
        shown = "a text that may contain a secret" if re.search("_sk_|@", address) else repr(address)
        raise ValueError(f"{must}, not {shown}") from None
    if "@" in parts.netloc:
        raise ValueError(f"{must}, without a user")
    if parts.query or parts.fragment:
        raise ValueError(f"{must}, without a query or a fragment")
    return address.rstrip("/?#").removesuffix("/v1").rstrip("/")


def key_of(secret_key: Any) -> str:
    """Raises ValueError, which does not contain the key, if it is invalid."""
    must = "secret_key must be a secret key (svc_sk_…)"
    if not isinstance(secret_key, str) or secret_key == "":
        raise ValueError(f"{must}, not {_told(secret_key)}")
    if secret_key != secret_key.strip():
        raise ValueError(f"{must}, without blanks or line breaks around it")
    if re.match(r"[a-z0-9]+_pk_", secret_key):
        raise ValueError(f"{must}, not a publishable key")
    if not re.match(r"[a-z0-9]+_sk_", secret_key):
        raise ValueError(f"{must}, which begins with svc_sk_")
    if not re.fullmatch(r"[\x21-\x7e]+", secret_key):
        raise ValueError(f"{must}, without characters that no key has")
    return secret_key
