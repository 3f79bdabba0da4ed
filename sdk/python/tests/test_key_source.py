from __future__ import annotations

import unittest
from typing import Any, List

from both_clients import KEY, SURVEYS, Awaited, Blocking, OfBothClients, refusal
from canvass_surveys import AsyncCanvassClient, CanvassClient, CanvassError, __version__
from scripted_service import Reply, ScriptedService

OTHER = "svc_sk_test_other"


class ReadKeys(OfBothClients):
    client_of: Any

    def reading(self, url: str, *keys: Any) -> Any:
        """A client that reads these keys in order and repeats the last one."""
        self.reads: List[Any] = []

        def read() -> str:
            key = keys[min(len(self.reads), len(keys) - 1)]
            self.reads.append(key)
            if isinstance(key, Exception):
                raise key
            return str(key)

        return type(self).client_of(url, read, timers=self.timers)

    def sent(self, service: ScriptedService) -> List[str]:
        return [asked.headers["authorization"].partition(" ")[2] for asked in service.asked]

    def test_it_is_read_with_the_first_call_and_then_kept(self) -> None:
        with ScriptedService(Reply(200, SURVEYS)) as service:
            client = self.reading(service.url, KEY)
            self.assertEqual(self.reads, [])
            self.call(client.list_surveys())
            self.call(client.list_surveys())
        self.assertEqual((len(self.reads), self.sent(service)), (1, [KEY, KEY]))

    def test_it_is_read_again_when_it_is_refused(self) -> None:
        with ScriptedService(refusal("invalid_key", 401), Reply(200, SURVEYS)) as service:
            client = self.reading(service.url, KEY, OTHER)
            self.assertEqual(self.call(client.list_surveys()), SURVEYS)
            self.call(client.list_surveys())
        self.assertEqual((len(self.reads), self.sent(service)), (2, [KEY, OTHER, OTHER]))

    def test_an_unchanged_key_is_refused_for_good(self) -> None:
        with ScriptedService(refusal("invalid_key", 401)) as service:
            client = self.reading(service.url, KEY)
            with self.assertRaises(CanvassError) as caught:
                self.call(client.list_surveys())
        self.assertEqual((caught.exception.code, len(self.reads), self.sent(service)), ("invalid_key", 2, [KEY]))

    def test_a_fixed_key_is_not_retried(self) -> None:
        with ScriptedService(refusal("invalid_key", 401)) as service:
            self.assertEqual(self.refused(service).code, "invalid_key")
        self.assertEqual(self.sent(service), [KEY])

    def test_a_failed_read_is_raised_and_retried_by_the_next_call(self) -> None:
        with ScriptedService(Reply(200, SURVEYS)) as service:
            client = self.reading(service.url, LookupError("no secret"), "svc_pk_test_1", KEY)
            with self.assertRaisesRegex(LookupError, "no secret"):
                self.call(client.list_surveys())
            with self.assertRaisesRegex(ValueError, "not a publishable key"):
                self.call(client.list_surveys())
            self.assertEqual(self.call(client.list_surveys()), SURVEYS)

    def test_the_error_contains_how_long_to_wait(self) -> None:
        with ScriptedService(Reply(429, refusal("rate_limited", 429).body, {"retry-after": "3600"})) as service:
            self.assertEqual(self.refused(service).retry_after, 3600)
        with ScriptedService(refusal("invalid_key", 401)) as service:
            self.assertIsNone(self.refused(service).retry_after)

    def test_requests_identify_the_client(self) -> None:
        with ScriptedService(Reply(200, SURVEYS)) as service:
            self.call(self.make(service.url).list_surveys())
        self.assertEqual(service.asked[0].headers["user-agent"], f"canvass-server-python/{__version__}")
        self.assertRegex(__version__, r"^\d+\.\d+\.\d+")


class BlockingReadKeys(Blocking, ReadKeys, unittest.TestCase):
    client_of = CanvassClient


class AwaitedReadKeys(Awaited, ReadKeys, unittest.TestCase):
    client_of = AsyncCanvassClient
