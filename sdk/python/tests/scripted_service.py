from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Literal, Mapping, Optional
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: Any = field(default_factory=dict)
    #: Overrides the `date` of the system.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Closes the connection before the end of the body.
    cut: bool = False
    #: Sends nothing until the client has disconnected.
    silent: bool = False
    #: The part that never ends: its `headers` or its `body`.
    endless: Optional[Literal["headers", "body"]] = None


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    query: Dict[str, str]
    headers: Mapping[str, str]
    body: Any


class ScriptedService:
    """Sends `replies` in order and repeats the last one."""

    def __init__(self, *replies: Reply) -> None:
        self.asked: List[Asked] = []
        self._replies = list(replies)
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                service._answer(self)

            do_GET = do_POST = do_PUT = do_DELETE = _answer

            def log_message(self, *_: Any) -> None:
                """Disables logging."""

        #: Released for each request, and for each client that disconnected without its reply.
        self.came = threading.Semaphore(0)
        self.left = threading.Semaphore(0)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "ScriptedService":
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        address = urlsplit(handler.path)
        length: Optional[str] = handler.headers.get("content-length")
        sent = handler.rfile.read(int(length)) if length else b""
        body = json.loads(sent) if sent else None
        query = dict(parse_qsl(address.query))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.asked.append(Asked(handler.command, address.path, query, headers, body))
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        self.came.release()
        if reply.silent:
            handler.connection.recv(1)
            self.left.release()
            return
        if reply.endless is not None:
            self._answer_for_ever(handler, reply)
            return
        text = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        if "date" in reply.headers:
            handler.send_response_only(reply.status)
        else:
            handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(text) + (1 if reply.cut else 0)))
        handler.end_headers()
        handler.wfile.write(text)
        if reply.cut:
            handler.close_connection = True

    def _answer_for_ever(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        handler.close_connection = True
        handler.send_response(reply.status)
        handler.flush_headers()
        if reply.endless == "body":
            handler.end_headers()
        with contextlib.suppress(OSError):
            while True:
                handler.wfile.write(b"x" * 1024)
