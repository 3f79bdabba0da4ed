"""The fake clients for the tests of those who use the package."""

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

    def test_it_mints_and_keeps_what_is_answered(self) -> None:
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

    def test_a_token_is_used_once(self) -> None:
        binding = self.call(self.fake.mint_tokens(respondent_id="ann", session_id="s"))["bindings"]["helpful"]
        self.call(self.fake.dismiss(binding))
        self.assertEqual(self.fake.dismissals, [{"surveyId": "sv_helpful"}])
        with self.assertRaises(CanvassError) as caught:
            self.call(self.fake.rate(binding, rating=1))
        self.assertEqual(caught.exception.code, "token_used")

    def test_who_may_not_be_asked_gets_no_binding(self) -> None:
        self.fake.suppressed.append("ann")
        self.assertEqual(self.call(self.fake.mint_tokens(respondent_id="ann", session_id="s"))["bindings"], {})
        one = self.call(self.fake.mint_tokens(respondent_id="bob", session_id="s", survey_slug="other"))
        self.assertEqual(one["bindings"], {})

    def test_other_routes_reply_what_the_test_says(self) -> None:
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
