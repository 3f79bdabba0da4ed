"""One HTTP request and its reply, within a time limit."""

from __future__ import annotations

import functools
import http.client
import io
import urllib.request
from typing import Any, Mapping, Tuple

from .time_limit import TimedReader, TimeLimit


class Request(urllib.request.Request):
    """`limit`: the time of this attempt."""

    limit: TimeLimit


class _Reply(http.client.HTTPResponse):
    def __init__(self, limit: TimeLimit, made: Any, *args: Any, **options: Any) -> None:
        super().__init__(made, *args, **options)
        self.fp = io.BufferedReader(TimedReader(made, self.fp.detach(), limit))


class _InTime(http.client.HTTPConnection):
    response_class: Any

    def __init__(self, host: str, *, limit: TimeLimit, **options: Any) -> None:
        super().__init__(host, **options)
        self._limit = limit
        self._create_connection = limit.connect
        self.response_class = functools.partial(_Reply, limit)

    def connect(self) -> None:
        super().connect()
        self.sock.settimeout(self._limit.left())


class _SecureInTime(_InTime, http.client.HTTPSConnection):
    pass


class _PlainHandler(urllib.request.HTTPHandler):
    def do_open(self, http_class: Any, req: Any, **options: Any) -> Any:
        return super().do_open(functools.partial(_InTime, limit=req.limit), req, **options)


class _SecureHandler(urllib.request.HTTPSHandler):
    def do_open(self, http_class: Any, req: Any, **options: Any) -> Any:
        return super().do_open(functools.partial(_SecureInTime, limit=req.limit), req, **options)


class _EveryReply(urllib.request.HTTPErrorProcessor):
    """Returns every reply and follows no redirect, because the key must not reach another address."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def make_opener() -> urllib.request.OpenerDirector:
    """Opens requests through the proxies of the environment. Safe to share between threads."""
    return urllib.request.build_opener(_PlainHandler, _SecureHandler, _EveryReply)


def attempt(opener: urllib.request.OpenerDirector, request: Request) -> Tuple[int, Mapping[str, str], bytes]:
    """Status, headers and body. Raises OSError or HTTPException without a complete reply in time."""
    try:
        with opener.open(request, timeout=request.limit.left()) as reply:
            return reply.status, reply.headers, reply.read()
    finally:
        request.limit.release()
