from __future__ import annotations

import math
import unittest
from typing import Any

from both_clients import KEY, SURVEYS, Awaited, Blocking, FakeTimers, OfBothClients, refusal
from canvass_surveys import AsyncCanvassClient, CanvassClient, CanvassError
from scripted_service import Reply, ScriptedService

WRONG_TIMES: Any = (math.nan, 0, -1.0, -math.inf, "5", True)


class Options(OfBothClients):
    made: Any

    def refusal_of(self, base_url: Any, secret_key: Any = KEY) -> str:
        with self.assertRaises(ValueError) as caught:
            self.made(base_url, secret_key)
        return str(caught.exception)

    def test_an_invalid_address_is_refused_by_name(self) -> None:
        for given, said in (
            (None, "not None"),
            (b"http://x", "not bytes"),
            ("", "not empty text"),
            ("surveys.example.com", "not 'surveys.example.com'"),
            ("ftp://x", "not 'ftp://x'"),
            ("http://", "not 'http://'"),
            ("http://localhost:abc", "not 'http://localhost:abc'"),
            ("http://localhost:70000", "not 'http://localhost:70000'"),
            ("http://local host", "not 'http://local host'"),
            ("http://a..b", "not 'http://a..b'"),
            ("http://h?x=1", "without a query"),
            ("http://h#x", "without a query"),
            ("http://ann:pw@h", "without a user"),
        ):
            message = self.refusal_of(given)
            self.assertRegex(message, "^base_url must be .*https://surveys.example.com")
            self.assertIn(said, message)
            self.assertNotIn("pw", message)

    def test_an_invalid_key_is_refused_by_name_and_not_repeated(self) -> None:
        for given, said in (
            (None, "not None"),
            (7, "not int"),
            ("", "not empty text"),
            ("svc_pk_test_1", "not a publishable key"),
            (f"{KEY}\n", "line break"),
            ("nonsense", "begins"),
        ):
            message = self.refusal_of("http://x", given)
            self.assertRegex(message, "^secret_key must be a secret key")
            self.assertIn(said, message)
            self.assertNotRegex(message, "test|nonsense")
        self.assertNotIn(KEY, self.refusal_of(KEY, "http://x"))

    def test_blanks_and_slashes_around_an_address_are_ignored(self) -> None:
        with ScriptedService(Reply(200, SURVEYS)) as service:
            for address in (f" {service.url}\n", f"{service.url}//", f"{service.url}/v1/", f"{service.url}/a/"):
                self.call(self.make(address).list_surveys())
        self.assertEqual([asked.path for asked in service.asked], ["/v1/surveys"] * 3 + ["/a/v1/surveys"])

    def test_exports_and_erasures_have_more_time_by_default(self) -> None:
        for call in ("export_responses", "erase"):
            for options, own, least, most in (
                ({}, None, 60.0, 90.0),
                ({"deadline": 10.0}, None, 5.0, 10.0),
                ({"deadline": 10.0}, 40.0, 30.0, 40.0),
            ):
                self.setUp()
                with ScriptedService(refusal("temporarily_unavailable", 503)) as service:
                    client = self.make(service.url, timers=self.timers, **options)
                    with self.assertRaises(CanvassError):
                        self.call(getattr(client, call)(survey_slug="x", deadline=own))
                self.assertTrue(least < self.timers.now < most, self.timers.now)

    def test_an_attempt_of_an_export_uses_the_timeout_of_the_client(self) -> None:
        with ScriptedService(Reply(silent=True)) as service:
            client = self.make(service.url, timers=FakeTimers(attempts=1), attempt_timeout=0.05)
            with self.assertRaises(CanvassError) as caught:
                self.call(client.export_responses())
        self.assertEqual(caught.exception.code, "timeout")

    def test_an_invalid_time_is_refused_by_name(self) -> None:
        for wrong in WRONG_TIMES:
            for option in ("deadline", "attempt_timeout"):
                with self.assertRaisesRegex(ValueError, f"^{option} must be .*above 0"):
                    self.make("http://x", **{option: wrong})
        with ScriptedService(Reply(200, SURVEYS)) as service:
            client = self.make(service.url)
            for wrong in WRONG_TIMES:
                with self.assertRaisesRegex(ValueError, "^deadline must be .*above 0"):
                    self.call(client.list_surveys(deadline=wrong))
        self.assertEqual(service.asked, [])

    def test_an_infinite_time_is_accepted(self) -> None:
        with ScriptedService(Reply(200, SURVEYS)) as service:
            client = self.make(service.url, deadline=math.inf, attempt_timeout=math.inf)
            self.assertEqual(self.call(client.list_surveys()), SURVEYS)
            self.assertEqual(self.call(client.list_surveys(deadline=math.inf)), SURVEYS)


class BlockingOptions(Blocking, Options, unittest.TestCase):
    made = CanvassClient


class AwaitedOptions(Awaited, Options, unittest.TestCase):
    made = AsyncCanvassClient


if __name__ == "__main__":
    unittest.main()
