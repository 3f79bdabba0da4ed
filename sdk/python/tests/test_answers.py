from __future__ import annotations

import unittest
from dataclasses import replace

from both_clients import Awaited, Blocking, OfBothClients, refusal
from canvass_surveys import CanvassError
from scripted_service import Reply, ScriptedService

BINDING = {"surveyId": "sv_1", "showToken": "Ag", "sessionId": "s-1", "slug": "helpful", "taskType": "refund"}
STORED = Reply(201, {"ok": True, "id": "r1", "at": "now"})


#: The refusal's time by the service's clock, not the system's.
DATE = "Fri, 20 Nov 2026 09:30:00 GMT"
WITHIN_THE_CALL = "2026-11-20T09:29:59.900Z"
BEFORE_THE_CALL = "2026-11-20T09:29:57.000Z"


def used(kind: str, status: int = 409, at: str = WITHIN_THE_CALL, date: str = DATE, **more: str) -> Reply:
    refused = refusal("token_used", status, details={"id": "r1", "at": at, "kind": kind, **more})
    return replace(refused, headers={"date": date})


class Answers(OfBothClients):
    def test_a_rating_contains_only_what_the_token_attests(self) -> None:
        with ScriptedService(STORED) as service:
            client = self.make(service.url)
            reply = self.call(
                client.rate(
                    BINDING,
                    rating=0,
                    text="No",
                    follow_up_requested=True,
                    reasons=("slow",),
                    answers={"use": ("reports",), "more": None},
                    channel="slack",
                )
            )
        [asked] = service.asked
        self.assertEqual(reply, STORED.body)
        self.assertEqual((asked.method, asked.path), ("POST", "/v1/sdk/responses"))
        attested = {"surveyId": "sv_1", "showToken": "Ag", "sessionId": "s-1"}
        words = {"text": "No", "followUpRequested": True, "reasons": ["slow"], "channel": "slack"}
        answers = {"use": ["reports"], "more": None}
        self.assertEqual(asked.body, {"rating": 0, **words, "answers": answers, **attested})

    def test_an_answer_is_revised_and_withdrawn_by_revision(self) -> None:
        revised = Reply(200, {"ok": True, "id": "r1", "at": "now", "revision": 1})
        with ScriptedService(revised) as service:
            client = self.make(service.url)
            self.call(client.revise(BINDING, revision=1, rating=1))
            self.call(client.withdraw(BINDING, revision=2))
        changed, taken_back = (asked.body for asked in service.asked)
        self.assertEqual((changed["revision"], changed["rating"]), (1, 1))
        self.assertEqual((taken_back["revision"], taken_back["withdraw"]), (2, True))
        self.assertNotIn("rating", taken_back)

    def test_a_used_token_succeeds_if_the_same_call_used_it_and_lost_the_reply(self) -> None:
        for lost in (Reply(201, STORED.body, cut=True), Reply(504, "<html>")):
            with ScriptedService(lost, used("response")) as service:
                reply = self.call(self.make(service.url, timers=self.timers).rate(BINDING, rating=1))
            self.assertEqual(reply, {"ok": True, "id": "r1", "at": WITHIN_THE_CALL})
        with ScriptedService(Reply(504, "<html>"), used("dismissal", 401)) as service:
            reply = self.call(self.make(service.url, timers=self.timers).dismiss(BINDING))
        self.assertEqual(reply["id"], "r1")

    def test_a_token_used_by_another_call_is_an_error(self) -> None:
        scripts = (
            [used("response")],
            [refusal("rate_limited", 429), used("response")],
            [Reply(504, "<html>"), used("dismissal")],
            [Reply(504, "<html>"), used("response", at=BEFORE_THE_CALL)],
            [Reply(503, cut=True), used("response", at=BEFORE_THE_CALL)],
            [Reply(504, "<html>"), used("response", at="then")],
            [Reply(504, "<html>"), used("response", by="other-token")],
        )
        for script in scripts:
            with ScriptedService(*script) as service:
                client = self.make(service.url, timers=self.timers)
                with self.assertRaises(CanvassError) as caught:
                    self.call(client.rate(BINDING, rating=1))
            self.assertEqual(caught.exception.code, "token_used")


    def test_without_a_date_header_the_local_clock_judges_a_used_token(self) -> None:
        # The time of `FakeTimers`.
        began = "2027-01-15T08:00:00.000Z"
        with ScriptedService(Reply(504, "<html>"), used("response", at=began, date="")) as service:
            reply = self.call(self.make(service.url, timers=self.timers).rate(BINDING, rating=1))
        self.assertEqual(reply["at"], began)
        with ScriptedService(Reply(504, "<html>"), used("response", at=WITHIN_THE_CALL, date="")) as service:
            client = self.make(service.url, timers=self.timers)
            with self.assertRaises(CanvassError) as caught:
                self.call(client.rate(BINDING, rating=1))
        self.assertEqual(caught.exception.code, "token_used")


class BlockingAnswers(Blocking, Answers, unittest.TestCase):
    pass


class AwaitedAnswers(Awaited, Answers, unittest.TestCase):
    pass
