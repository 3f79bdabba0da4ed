from __future__ import annotations

import inspect
import sys
import unittest
from typing import get_type_hints

from both_clients import KEY, MINTED, SURVEYS, Awaited, Blocking, FakeTimers, OfBothClients, refusal
import canvass_surveys
from canvass_surveys import AsyncCanvassClient, CanvassClient, CanvassError, Issue, contract
from canvass_surveys.testing import AsyncFakeCanvassClient, FakeCanvassClient
from scripted_service import Reply, ScriptedService


class Replies(OfBothClients):
    def test_a_call_sends_the_key_and_only_the_fields_that_were_given(self) -> None:
        with ScriptedService(Reply(200, MINTED)) as service:
            client = self.make(service.url)
            reply = self.call(client.mint_tokens(respondent_id="ann", session_id="s-1", task_type="refund"))
        [asked] = service.asked
        self.assertEqual(reply, MINTED)
        self.assertEqual((asked.method, asked.path), ("POST", "/v1/sdk/tokens"))
        self.assertEqual(asked.headers["authorization"], f"Bearer {KEY}")
        self.assertEqual(asked.headers["content-type"], "application/json")
        self.assertEqual(asked.body, {"respondentId": "ann", "sessionId": "s-1", "taskType": "refund"})

    def test_a_query_accepts_reserved_words_of_python(self) -> None:
        with ScriptedService(Reply(200, {"comments": []})) as service:
            client = self.make(f"{service.url}/")
            self.call(client.list_comments(survey_slug="nps & co", from_="2026-01-01", with_text=False, limit=5))
        self.assertEqual(
            service.asked[0].query,
            {"surveySlug": "nps & co", "from": "2026-01-01", "withText": "false", "limit": "5"},
        )

    def test_busy_and_failing_replies_are_retried_with_growing_pauses(self) -> None:
        busy, broken = refusal("rate_limited", 429), refusal("temporarily_unavailable", 503)
        with ScriptedService(busy, broken, broken, Reply(200, MINTED)) as service:
            client = self.make(service.url, timers=self.timers)
            self.assertEqual(self.call(client.mint_tokens(respondent_id="ann", session_id="s")), MINTED)
        self.assertEqual(self.timers.pauses, [0.1, 0.2, 0.4])

    def test_retry_after_is_honored_in_seconds_and_as_a_date(self) -> None:
        dated = "Fri, 15 Jan 2027 08:00:10 GMT"
        replies = [Reply(429, {}, {"retry-after": "7"}), Reply(503, {}, {"retry-after": dated})]
        with ScriptedService(*replies, Reply(200, SURVEYS)) as service:
            self.call(self.make(service.url, timers=self.timers).list_surveys())
        self.assertEqual(self.timers.pauses[0], 7.1)
        self.assertAlmostEqual(self.timers.pauses[1], 10 - 7.1 + 0.2, places=3)

    def test_a_retry_after_beyond_the_deadline_ends_the_call_at_once(self) -> None:
        with ScriptedService(Reply(429, refusal("rate_limited", 429).body, {"retry-after": "3600"})) as service:
            error = self.refused(service)
        self.assertEqual((error.code, error.status, len(service.asked)), ("rate_limited", 429, 1))

    def test_a_call_is_given_up_near_its_deadline(self) -> None:
        with ScriptedService(refusal("internal_error", 500)) as service:
            error = self.refused(service, deadline=20.0)
        self.assertEqual(error.code, "internal_error")
        self.assertEqual(self.timers.pauses, [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0])

    def test_a_refusal_is_final_and_contains_the_reason(self) -> None:
        issues = [{"path": "from", "message": "after `to`"}]
        with ScriptedService(refusal("invalid_request", 400, issues=issues, details={"most": "400"})) as service:
            error = self.refused(service)
        self.assertEqual((error.code, error.status, error.request_id), ("invalid_request", 400, "req-1"))
        self.assertEqual(error.issues, (Issue("from", "after `to`"),))
        self.assertEqual(error.details, {"most": "400"})
        self.assertEqual(str(error), "invalid_request: It was refused. (from: after `to`)")
        self.assertEqual(len(service.asked), 1)

    def test_a_reply_of_a_gateway_is_an_error(self) -> None:
        with ScriptedService(Reply(403, b"<html>Forbidden</html>", {"apigw-requestid": "gw-1"})) as service:
            error = self.refused(service)
        self.assertEqual((error.code, error.status, error.request_id), ("unexpected_reply", 403, "gw-1"))

    def test_a_success_status_without_json_is_an_error(self) -> None:
        with ScriptedService(Reply(200, b"<html>Welcome</html>")) as service:
            self.assertEqual(self.refused(service).code, "unexpected_reply")

    def test_a_redirect_is_not_followed_because_of_the_key(self) -> None:
        with ScriptedService(Reply(200)) as elsewhere:
            with ScriptedService(Reply(302, {}, {"location": elsewhere.url})) as service:
                self.assertEqual(self.refused(service).status, 302)
        self.assertEqual(elsewhere.asked, [])

    def test_failed_connections_and_truncated_replies_are_retried(self) -> None:
        with ScriptedService(Reply(200, MINTED, cut=True), Reply(200, MINTED)) as service:
            client = self.make(service.url, timers=self.timers)
            self.assertEqual(self.call(client.mint_tokens(respondent_id="ann", session_id="s")), MINTED)
            url = service.url
        client = self.make(url, timers=self.timers, deadline=20.0)
        with self.assertRaises(CanvassError) as caught:
            self.call(client.list_surveys())
        self.assertEqual((caught.exception.code, caught.exception.status), ("network_error", 0))

    def test_a_timeout_is_retried_and_then_raised(self) -> None:
        with ScriptedService(Reply(silent=True)) as service:
            self.timers = FakeTimers(attempts=2)
            error = self.refused(service, attempt_timeout=0.05)
        self.assertEqual((error.code, error.status, self.timers.pauses), ("timeout", 0, [0.1]))

    def test_many_acks_are_split_into_requests(self) -> None:
        results = [{"id": f"r-{n}", "state": "delivered"} for n in range(250)]
        with ScriptedService(Reply(200, {"ok": True, "updated": 80})) as service:
            reply = self.call(self.make(service.url).ack_all_scores(results))
        self.assertEqual(reply, {"ok": True, "updated": 240})
        self.assertEqual([len(asked.body["results"]) for asked in service.asked], [100, 100, 50])

    def test_long_errors_make_smaller_batches(self) -> None:
        results = [{"id": f"r-{n}", "state": "failed", "error": "x" * 1_000} for n in range(90)]
        with ScriptedService(Reply(200, {"ok": True, "updated": 1})) as service:
            self.call(self.make(service.url).ack_all_scores(results))
        self.assertEqual(sum(len(asked.body["results"]) for asked in service.asked), 90)
        self.assertTrue(all(int(asked.headers["content-length"]) <= 64 * 1024 for asked in service.asked))


class BlockingReplies(Blocking, Replies, unittest.TestCase):
    pass


class AwaitedReplies(Awaited, Replies, unittest.TestCase):
    pass


class Parity(unittest.TestCase):
    def test_both_clients_have_the_same_calls_with_the_same_parameters(self) -> None:
        def calls(client: type) -> dict:
            return {
                name: str(inspect.signature(member)).split(" -> ")[0]
                for name, member in inspect.getmembers(client, inspect.isfunction)
                if not name.startswith("_")
            }

        self.assertEqual(calls(CanvassClient), calls(AsyncCanvassClient))

    def test_paging_calls_take_the_parameters_of_their_page(self) -> None:
        for call, arguments in (
            (CanvassClient.list_comments, contract.ListCommentsArguments),
            (CanvassClient.list_pending_scores, contract.ListPendingScoresArguments),
        ):
            taken = set(inspect.signature(call).parameters) - {"self"}
            self.assertEqual(set(arguments.__annotations__), taken)
        for client in (CanvassClient, AsyncCanvassClient):
            for each in (client.each_comment, client.each_pending_score):
                self.assertIn("Arguments", str(inspect.signature(each).parameters["query"].annotation))

    def test_public_classes_and_methods_are_described(self) -> None:
        public = [vars(canvass_surveys)[name] for name in canvass_surveys.__all__]
        for made in filter(inspect.isclass, [*public, FakeCanvassClient, AsyncFakeCanvassClient]):
            members = [(made.__name__, made), *inspect.getmembers(made, callable)]
            bare = [name for name, each in members if not name.startswith("_") and not inspect.getdoc(each)]
            self.assertEqual(bare, [], made)

    @unittest.skipUnless(sys.version_info >= (3, 11), "NotRequired came with Python 3.11")
    def test_type_hints_can_be_resolved_at_run_time(self) -> None:
        self.assertIn("bindings", get_type_hints(contract.MintTokensReply))
        self.assertIn("query", get_type_hints(CanvassClient.each_comment))


if __name__ == "__main__":
    unittest.main()
