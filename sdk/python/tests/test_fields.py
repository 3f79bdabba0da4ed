from __future__ import annotations

import datetime
import enum
import unittest
import uuid
from typing import Any

from both_clients import MINTED, Awaited, Blocking, OfBothClients
from scripted_service import Reply, ScriptedService

ERASED = {"ok": True, "mode": "survey"}
EXPORTED = {"projectId": "p", "exportedAt": "", "count": 0, "responses": [], "dismissals": []}


class Slug(str, enum.Enum):
    NPS = "nps"


class Fields(OfBothClients):
    def refusal_of(self, call: str, kind: Any, **fields: Any) -> str:
        with ScriptedService(Reply(200, {**ERASED, **EXPORTED, **MINTED})) as service:
            with self.assertRaises(kind) as caught:
                self.call(getattr(self.make(service.url, timers=self.timers), call)(**fields))
        self.assertEqual((service.asked, self.timers.pauses), ([], []))
        return str(caught.exception)

    def test_a_filter_of_none_sends_no_erasure_or_export(self) -> None:
        for call, fields, name in (
            ("erase", {"respondent_id": None, "survey_slug": "helpful"}, "respondent_id"),
            ("erase", {"respondent_id": "ann", "email": None}, "email"),
            ("erase", {"account": None}, "account"),
            ("export_responses", {"respondent_id": None}, "respondent_id"),
            ("export_responses", {"survey_slug": "x", "from_": None}, "from_"),
        ):
            self.assertRegex(self.refusal_of(call, ValueError, **fields), f"^{name} ")

    def test_none_is_omitted_if_it_is_not_a_filter(self) -> None:
        with ScriptedService(Reply(200, EXPORTED)) as service:
            client = self.make(service.url)
            self.call(client.export_responses(respondent_id="ann", limit=None, cursor=None, deadline=None))
            self.call(client.export_responses())
        self.assertEqual([asked.query for asked in service.asked], [{"respondentId": "ann"}, {}])

    def test_a_filter_is_text_a_whole_number_or_a_boolean(self) -> None:
        now = datetime.datetime(2026, 11, 22, 15, 34)
        for fields, name in (
            ({"to": now}, "to"),
            ({"from_": now.date()}, "from"),
            ({"respondent_id": ["a", "b"]}, "respondentId"),
            ({"respondent_id": uuid.UUID(int=1)}, "respondentId"),
            ({"limit": 1.5}, "limit"),
        ):
            self.assertRegex(self.refusal_of("export_responses", TypeError, **fields), f"^{name} ")

    def test_half_of_a_surrogate_pair_is_refused_by_name(self) -> None:
        said = self.refusal_of("export_responses", ValueError, respondent_id="\ud800")
        self.assertRegex(said, "^respondentId ")

    def test_an_id_that_names_nobody_is_refused(self) -> None:
        for value, kind in ((7, TypeError), ({}, TypeError), ("", ValueError), ("  ", ValueError)):
            for call, more in (
                ("mint_tokens", {"session_id": "s"}),
                ("deferred_ask_link", {"survey_slug": "nps"}),
                ("erase", {}),
                ("export_responses", {}),
            ):
                said = self.refusal_of(call, kind, respondent_id=value, **more)
                self.assertRegex(said, "^respondentId ")

    def test_values_are_sent_unchanged(self) -> None:
        with ScriptedService(Reply(200, {"comments": []})) as service:
            client = self.make(service.url)
            self.call(client.list_comments(survey_slug=Slug.NPS, from_="😀&+", limit=7, with_text=True))
        self.assertEqual(
            service.asked[0].query, {"surveySlug": "nps", "from": "😀&+", "limit": "7", "withText": "true"}
        )

    def test_a_body_that_is_not_json_is_refused_by_field(self) -> None:
        circle: Any = []
        circle.append(circle)
        for value, kind in (
            (uuid.UUID(int=1), TypeError),
            (b"ann", TypeError),
            (circle, ValueError),
            (float("nan"), ValueError),
        ):
            said = self.refusal_of("mint_tokens", kind, respondent_id="ann", session_id=value)
            self.assertRegex(said, "^sessionId ")


class BlockingFields(Blocking, Fields, unittest.TestCase):
    pass


class AwaitedFields(Awaited, Fields, unittest.TestCase):
    pass


if __name__ == "__main__":
    unittest.main()
