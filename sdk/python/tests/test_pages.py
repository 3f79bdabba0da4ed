from __future__ import annotations

import unittest
from typing import Any, Dict, Optional

from both_clients import Awaited, Blocking, OfBothClients
from scripted_service import Reply, ScriptedService


def page(items: str, item: str, **cursor: Optional[str]) -> Reply:
    body: Dict[str, Any] = {items: [{"id": item}], **cursor}
    return Reply(200, body)


class Pages(OfBothClients):
    def sequences(self, client: Any) -> Any:
        return [("comments", lambda: client.each_comment(survey_slug="nps")), ("scores", client.each_pending_score)]

    def ids(self, items: str, *pages: Reply) -> Any:
        with ScriptedService(*pages) as service:
            sequence = dict(self.sequences(self.make(service.url)))[items]
            ids = [one["id"] for one in self.collect(sequence())]
        return ids, [asked.query.get("cursor") for asked in service.asked]

    def test_each_page_is_requested_with_the_previous_cursor(self) -> None:
        for items in ("comments", "scores"):
            pages = [page(items, "a", nextCursor="c1"), page(items, "b", nextCursor="c2"), page(items, "c")]
            self.assertEqual(self.ids(items, *pages), (["a", "b", "c"], [None, "c1", "c2"]))

    def test_filters_stay_the_same_on_each_page(self) -> None:
        with ScriptedService(page("comments", "a", nextCursor="c1"), page("comments", "b")) as service:
            self.collect(self.make(service.url).each_comment(survey_slug="nps"))
        self.assertEqual(service.asked[1].query, {"surveySlug": "nps", "cursor": "c1"})

    def test_a_null_cursor_ends_the_sequence(self) -> None:
        for items in ("comments", "scores"):
            pages = [page(items, "a", nextCursor="c1"), page(items, "b", nextCursor=None)]
            self.assertEqual(self.ids(items, *pages), (["a", "b"], [None, "c1"]))

    def test_a_repeated_cursor_ends_the_sequence(self) -> None:
        for items in ("comments", "scores"):
            self.assertEqual(self.ids(items, page(items, "a", nextCursor="c1")), (["a", "a"], [None, "c1"]))


class BlockingPages(Blocking, Pages, unittest.TestCase):
    pass


class AwaitedPages(Awaited, Pages, unittest.TestCase):
    pass


if __name__ == "__main__":
    unittest.main()
