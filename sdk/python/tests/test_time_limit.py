from __future__ import annotations

import socket
import unittest
from typing import Any
from unittest import mock

from both_clients import SURVEYS, Awaited, Blocking, FakeTimers, OfBothClients
from scripted_service import Reply, ScriptedService


class HastyTimers(FakeTimers):
    """A clock that advances a second on each read."""

    def monotonic(self) -> float:
        self.now += 1
        return self.now


class SlowReplies(OfBothClients):
    def test_headers_that_never_end_are_given_up_in_time(self) -> None:
        self.timers = HastyTimers()
        with ScriptedService(Reply(endless="headers")) as service:
            self.assertEqual(self.refused(service, attempt_timeout=4.0).code, "timeout")

    def test_a_body_that_never_ends_is_given_up_in_time(self) -> None:
        self.timers = HastyTimers()
        with ScriptedService(Reply(endless="body")) as service:
            self.assertEqual(self.refused(service, attempt_timeout=4.0).code, "timeout")

    def test_a_silent_connection_is_given_up_in_time(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            for scheme in ("http", "https"):
                service: Any = mock.Mock(url=f"{scheme}://127.0.0.1:{server.getsockname()[1]}")
                self.assertEqual(self.refused(service, deadline=0.05).code, "timeout")

    def test_an_unreachable_address_leaves_time_for_the_next(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            closed = server.getsockname()[1]
        with ScriptedService(Reply(200, SURVEYS)) as service:
            port = int(service.url.rpartition(":")[2])
            found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", one)) for one in (closed, port)]
            with mock.patch("socket.getaddrinfo", return_value=found):
                self.assertEqual(self.call(self.make("http://canvass.test").list_surveys()), SURVEYS)


class BlockingSlowReplies(Blocking, SlowReplies, unittest.TestCase):
    pass


class AwaitedSlowReplies(Awaited, SlowReplies, unittest.TestCase):
    pass


if __name__ == "__main__":
    unittest.main()
