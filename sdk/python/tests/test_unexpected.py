from __future__ import annotations

import socket
import unittest
from typing import Any

from both_clients import Awaited, Blocking, FakeTimers, OfBothClients
from canvass_surveys import CanvassError
from scripted_service import Reply, ScriptedService

CALLS = {
    "mint_tokens": {"respondent_id": "ann", "session_id": "s"},
    "deferred_ask_link": {"respondent_id": "ann"},
    "list_pending_scores": {},
    "ack_scores": {"results": []},
    "export_responses": {},
    "erase": {"respondent_id": "ann"},
    "get_results": {"survey_slug": "x"},
    "list_comments": {"survey_slug": "x"},
    "list_surveys": {},
}
OK = b'{"ok":true}'
OTHERS = [b"null", b"{}", b"[]", b'"ok"', b"7", b"", b"\xff", b"[" * 200_000, OK]
ASKED = "Is base_url the service's address?"


class Unexpected(OfBothClients):
    def error_of(self, url: str) -> CanvassError:
        return self.error_at(self.make(url, timers=FakeTimers(attempts=1)), "export_responses")

    def error_at(self, client: Any, call: str) -> CanvassError:
        with self.assertRaises(CanvassError) as caught:
            self.call(getattr(client, call)(**CALLS[call]))
        return caught.exception

    def test_a_success_status_with_another_body_is_an_unexpected_reply(self) -> None:
        # The replies of `deferred_ask_link` share only `ok`.
        cases = [(call, body) for call in CALLS for body in OTHERS if (call, body) != ("deferred_ask_link", OK)]
        with ScriptedService(*(Reply(200, body) for _, body in cases)) as service:
            client = self.make(service.url)
            for asked, (call, body) in enumerate(cases, 1):
                with self.subTest(call=call, body=body[:12]):
                    error = self.error_at(client, call)
                    self.assertEqual((error.code, error.status), ("unexpected_reply", 200))
                    self.assertEqual(len(service.asked), asked)

    def test_a_deeply_nested_refusal_is_an_unexpected_reply(self) -> None:
        with ScriptedService(Reply(403, b"[" * 200_000)) as service:
            self.assertEqual(self.error_of(service.url).code, "unexpected_reply")

    def test_new_fields_are_accepted(self) -> None:
        reply = {"surveys": [], "learnt": {"since": 1}}
        with ScriptedService(Reply(200, reply)) as service:
            self.assertEqual(self.call(self.make(service.url).list_surveys()), reply)

    def test_the_error_of_a_redirect_contains_its_target_without_secrets(self) -> None:
        for location, told in (
            ("https://login.test/sso?back=ann#ann", " to https://login.test/sso"),
            ("/login?back=ann", " to {url}/login"),
            ("http://[", ""),
        ):
            with ScriptedService(Reply(302, {}, {"location": location})) as service:
                where = f"GET {service.url}/v1/privacy/export"
                message = self.error_of(service.url).message
            told = told.format(url=service.url)
            self.assertEqual(message, f"{where}: HTTP 302{told}, which is not a reply of the service. {ASKED}")

    def test_the_error_of_a_web_page_mentions_its_content_type(self) -> None:
        with ScriptedService(Reply(200, b"<html>", {"content-type": "text/html; charset=utf-8"})) as service:
            where = f"GET {service.url}/v1/privacy/export"
            message = self.error_of(service.url).message
        self.assertEqual(message, f"{where}: HTTP 200 with text/html, which is not a reply of the service. {ASKED}")

    def test_the_error_of_a_busy_gateway_does_not_question_the_address(self) -> None:
        for status in (413, 429, 503):
            with ScriptedService(Reply(status, {"message": "Busy"})) as service:
                self.assertNotIn("base_url", self.error_of(service.url).message)

    def test_the_error_without_a_reply_contains_host_and_cause(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            url = f"http://127.0.0.1:{server.getsockname()[1]}"
        error = self.error_of(url)
        self.assertEqual(error.code, "network_error")
        self.assertRegex(error.message, rf"^GET {url}/v1/privacy/export: no reply \(.*refused.*\)$")
        self.assertIsNotNone(error.__cause__)

    def test_the_error_of_a_failed_tls_handshake_contains_the_cause(self) -> None:
        with ScriptedService(Reply()) as service:
            error = self.error_of(service.url.replace("http:", "https:"))
        self.assertEqual(error.code, "network_error")
        self.assertRegex(error.message, r"no reply \(.*SSL.*\)$")


class BlockingUnexpected(Blocking, Unexpected, unittest.TestCase):
    pass


class AwaitedUnexpected(Awaited, Unexpected, unittest.TestCase):
    pass


if __name__ == "__main__":
    unittest.main()
