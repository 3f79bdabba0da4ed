from __future__ import annotations

import asyncio
import unittest
from typing import Any

from canvass_surveys import AsyncCanvassClient, CanvassClient, CanvassError
from canvass_surveys.testing import AsyncFakeCanvassClient, FakeCanvassClient


class Fakes:
    fake: Any

    def call(self, made: Any) -> Any:
        raise NotImplementedError

    def test_it_mints_and_records_answers(self) -> None:
        minted = self.call(self.fake.mint_tokens(respondent_id="ann", session_id="s", trace_id="t"))
        binding = minted["bindings"]["helpful"]
        self.assertEqual((binding["surveyId"], binding["traceId"]), ("sv_helpful", "t"))
        self.call(self.fake.rate(binding, rating=0, text="Wrong invoice"))
        reply = self.call(self.fake.revise(binding, revision=1, rating=1))
        self.assertEqual((reply["ok"], reply["revision"]), (True, 1))
        self.call(self.fake.withdraw(binding, revision=2))
        self.assertEqual(
            self.fake.answers,
            [
                {"surveyId": "sv_helpful", "rating": 0, "text": "Wrong invoice"},
                {"surveyId": "sv_helpful", "rating": 1, "revision": 1},
            ],
        )
        self.assertEqual(self.fake.withdrawals, [{"surveyId": "sv_helpful", "revision": 2}])
        self.assertEqual([call["method"] for call in self.fake.calls], ["POST"] * 4)

    def binding(self) -> Any:
        return self.call(self.fake.mint_tokens(respondent_id="ann", session_id="s"))["bindings"]["helpful"]

    def test_a_token_is_used_once_and_the_refusal_names_how(self) -> None:
        for use, kind in ((self.fake.dismiss, "dismissal"), (self.rate, "response")):
            binding = self.binding()
            stored = self.call(use(binding))
            for again, status in ((self.rate, 409), (self.fake.dismiss, 401)):
                error = self.refusal(again, binding)
                self.assertEqual((error.code, error.status), ("token_used", status))
                self.assertEqual(error.details, {"id": stored["id"], "at": stored["at"], "kind": kind})
        self.assertEqual((len(self.fake.dismissals), len(self.fake.answers)), (1, 1))

    def test_a_call_that_a_test_made_fail_uses_no_token(self) -> None:
        binding = self.binding()
        self.fake.replies["/v1/sdk/responses"] = CanvassError("Not now.", "temporarily_unavailable", 503)
        self.assertEqual(self.refusal(self.rate, binding).code, "temporarily_unavailable")
        del self.fake.replies["/v1/sdk/responses"]
        self.call(self.rate(binding))
        self.assertEqual(self.fake.answers, [{"surveyId": "sv_helpful", "rating": 1}])

    def test_an_answer_that_is_not_stored_cannot_be_revised(self) -> None:
        binding = self.binding()
        for change in (self.revise, self.withdraw):
            error = self.refusal(change, binding, 1)
            self.assertEqual((error.code, error.status), ("response_not_found", 404))
        self.call(self.fake.dismiss(binding))
        error = self.refusal(self.revise, binding, 1)
        self.assertEqual((error.code, error.status, error.details["kind"]), ("token_used", 409, "dismissal"))

    def test_a_revision_must_be_the_next_one_or_a_repeat(self) -> None:
        binding = self.binding()
        self.call(self.rate(binding))
        for _ in range(2):
            self.assertEqual(self.call(self.revise(binding, 1))["revision"], 1)
        self.assertEqual(len(self.fake.answers), 2)
        for change, revision in ((self.revise, 3), (self.withdraw, 1)):
            error = self.refusal(change, binding, revision)
            self.assertEqual((error.code, error.status), ("revision_conflict", 409))
            self.assertEqual(error.details, {"revision": 1})
        self.assertEqual(self.fake.withdrawals, [])

    def rate(self, binding: Any) -> Any:
        return self.fake.rate(binding, rating=1)

    def revise(self, binding: Any, revision: int) -> Any:
        return self.fake.revise(binding, revision=revision, rating=0)

    def withdraw(self, binding: Any, revision: int) -> Any:
        return self.fake.withdraw(binding, revision=revision)

    def refusal(self, made: Any, *arguments: Any) -> CanvassError:
        with self.assertRaises(CanvassError) as caught:
            self.call(made(*arguments))
        return caught.exception

    def test_minting_gives_a_binding_or_the_reason_why_there_is_none(self) -> None:
        self.fake.suppressed.append("ann")
        suppressed, unknown = {"helpful": "suppressed"}, {"other": "unknown_survey"}
        for person, survey, none in (
            ("ann", {}, suppressed),
            ("ann", {"survey_slug": "helpful"}, suppressed),
            ("ann", {"survey_slug": "other"}, unknown),
            ("bob", {"survey_slug": "other"}, unknown),
            ("bob", {"survey_id": "sv_helpful"}, None),
            ("bob", {}, None),
        ):
            with self.subTest(person=person, survey=survey):
                reply = self.call(self.fake.mint_tokens(respondent_id=person, session_id="s", **survey))
                self.assertEqual(list(reply["bindings"]), [] if none else ["helpful"])
                self.assertEqual(reply.get("none"), none)

    def test_a_link_has_a_token_to_answer_with_or_the_reason_why_there_is_none(self) -> None:
        self.fake.suppressed.append("ann")
        with_slug = {"survey_slug": "helpful"}
        link = self.call(self.fake.deferred_ask_link(respondent_id="bob", **with_slug))
        self.assertTrue(link["url"].endswith(link["showToken"]))
        self.call(self.rate(link))
        self.assertEqual(self.refusal(self.rate, link).code, "token_used")
        none = self.call(self.fake.deferred_ask_link(respondent_id="ann", **with_slug))
        self.assertEqual((none["ok"], none["reason"]), (False, "suppressed"))
        with self.assertRaises(CanvassError) as caught:
            self.call(self.fake.deferred_ask_link(respondent_id="bob", survey_slug="other"))
        self.assertEqual(caught.exception.code, "survey_not_found")

    def test_answers_that_fit_no_question_are_dropped_and_named(self) -> None:
        codes = [{"code": "reports"}, {"code": "alerts"}]
        self.fake.questions["helpful"] = [
            {"id": "use", "kind": "many", "choices": codes, "ratings": [1]},
            {"id": "effort", "kind": "scale", "min": 0, "max": 7},
            {"id": "more", "kind": "text"},
        ]
        for sent, kept, dropped in (
            ({"use": ("alerts", "x", "reports"), "more": None}, {"use": ["reports", "alerts"], "more": None}, ["use.1"]),
            ({"use": [], "effort": 0, "more": "x" * 1_001}, {"use": None, "effort": 0, "more": "x" * 1_000}, ["more"]),
            ({"use": "alerts", "effort": True, "more": 3, "role": "dev"}, None, ["use", "effort", "more", "role"]),
            ({"use": ["x"], "effort": 8, "more": " "}, {"more": None}, ["use.0", "effort"]),
        ):
            with self.subTest(sent=sent):
                binding = self.binding()
                reply = self.call(self.fake.rate(binding, rating=1, answers=sent))
                self.assertEqual(reply["dropped"], [f"answers.{path}" for path in dropped])
                self.assertEqual(self.fake.answers[-1].get("answers"), kept)
                revised = self.call(self.fake.revise(binding, revision=1, rating=0, answers={"use": ["alerts"]}))
                self.assertEqual(revised["dropped"], ["answers.use"])

    def test_a_rating_must_be_on_the_widest_scale(self) -> None:
        binding = self.binding()
        with self.assertRaises(CanvassError) as caught:
            self.call(self.fake.rate(binding, rating=11))
        error = caught.exception
        self.assertEqual((error.status, error.code, error.issues[0].path), (400, "invalid_request", "rating"))
        self.call(self.rate(binding))

    def test_a_reply_can_depend_on_the_request(self) -> None:
        pages = {None: {"surveys": ["a"], "nextCursor": "2"}, "2": CanvassError("No.", "invalid_request", 400)}
        self.fake.replies["/v1/results/comments"] = lambda sent: pages[sent.get("cursor")]
        first = self.call(self.fake.list_comments(survey_slug="x"))
        self.assertEqual(first["nextCursor"], "2")
        with self.assertRaises(CanvassError):
            self.call(self.fake.list_comments(survey_slug="x", cursor="2"))

    def test_other_routes_return_the_configured_replies(self) -> None:
        with self.assertRaisesRegex(LookupError, "/v1/surveys"):
            self.call(self.fake.list_surveys())
        self.fake.replies["/v1/surveys"] = {"surveys": []}
        self.assertEqual(self.call(self.fake.list_surveys()), {"surveys": []})
        self.fake.replies["/v1/results"] = CanvassError("No.", "survey_not_found", 404)
        with self.assertRaises(CanvassError):
            self.call(self.fake.get_results(survey_slug="x"))


class BlockingFakes(Fakes, unittest.TestCase):
    def setUp(self) -> None:
        self.fake = FakeCanvassClient()

    def call(self, made: Any) -> Any:
        return made

    def test_it_is_a_client(self) -> None:
        self.assertIsInstance(self.fake, CanvassClient)


class AwaitedFakes(Fakes, unittest.TestCase):
    def setUp(self) -> None:
        self.fake = AsyncFakeCanvassClient()

    def call(self, made: Any) -> Any:
        return asyncio.run(made)

    def test_it_is_a_client(self) -> None:
        self.assertIsInstance(self.fake, AsyncCanvassClient)
