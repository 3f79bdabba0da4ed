"""Calls a client as standard input says, `[[name, arguments], …]`, and prints the replies as JSON.

A refusal is `{"refused": code}`.
"""

import asyncio
import json
import sys

from canvass_surveys import AsyncCanvassClient, CanvassClient, CanvassError

kind, url, key = sys.argv[1:]
calls = json.load(sys.stdin)


async def awaited() -> list:
    client = AsyncCanvassClient(url, key)
    replies = []
    for name, arguments in calls:
        try:
            replies.append(await getattr(client, name)(**arguments))
        except CanvassError as error:
            replies.append({"refused": error.code})
    return replies


def blocking() -> list:
    client = CanvassClient(url, key)
    replies = []
    for name, arguments in calls:
        try:
            replies.append(getattr(client, name)(**arguments))
        except CanvassError as error:
            replies.append({"refused": error.code})
    return replies


print(json.dumps(asyncio.run(awaited()) if kind == "async" else blocking()))
