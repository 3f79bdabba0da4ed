"""Calls a client as standard input says, `[[name, arguments], …]`, and prints the replies as JSON."""

import asyncio
import json
import sys

from canvass_surveys import AsyncCanvassClient, CanvassClient

kind, url, key = sys.argv[1:]
calls = json.load(sys.stdin)


async def awaited() -> list:
    client = AsyncCanvassClient(url, key)
    return [await getattr(client, name)(**arguments) for name, arguments in calls]


if kind == "async":
    replies = asyncio.run(awaited())
else:
    client = CanvassClient(url, key)
    replies = [getattr(client, name)(**arguments) for name, arguments in calls]
print(json.dumps(replies))
