from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from both_clients import KEY, SURVEYS
from canvass_surveys import AsyncCanvassClient, CanvassError
from scripted_service import Reply, ScriptedService

#: Longer than any test takes.
NEVER = 1_000.0


def client_of(service: ScriptedService) -> AsyncCanvassClient:
    return AsyncCanvassClient(service.url, KEY, deadline=NEVER, attempt_timeout=NEVER)


async def begun(service: ScriptedService, client: AsyncCanvassClient) -> asyncio.Task:
    """A call in flight that the service does not answer."""
    call = asyncio.ensure_future(client.list_surveys())
    with ThreadPoolExecutor(1) as own:
        await asyncio.get_running_loop().run_in_executor(own, service.came.acquire, True, 60)
    return call


async def cancelled(call: asyncio.Task) -> None:
    call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        pass


class BesideOthers(unittest.TestCase):
    def test_a_hanging_service_blocks_no_thread_of_the_program(self) -> None:
        async def program(service: ScriptedService) -> bool:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
            call = await begun(service, client_of(service))
            await asyncio.to_thread(str)
            goes_on = not call.done()
            await cancelled(call)
            return goes_on

        with ScriptedService(Reply(silent=True)) as service:
            self.assertTrue(asyncio.run(program(service)))

    def test_a_call_that_waits_for_a_thread_ends_at_its_deadline_and_is_never_sent(self) -> None:
        async def program(service: ScriptedService) -> CanvassError:
            client = client_of(service)
            call = await begun(service, client)
            with self.assertRaises(CanvassError) as caught:
                await client.list_surveys(deadline=0.01)
            await cancelled(call)
            return caught.exception

        with mock.patch("canvass_surveys.threads.MOST_THREADS", 1), ScriptedService(Reply(silent=True)) as service:
            self.assertEqual(asyncio.run(program(service)).code, "timeout")
            self.assertTrue(service.left.acquire(timeout=60))
        self.assertEqual(len(service.asked), 1)

    def test_more_calls_than_threads_all_succeed(self) -> None:
        async def program(service: ScriptedService) -> list:
            client = client_of(service)
            return await asyncio.gather(*(client.list_surveys() for _ in range(20)))

        with mock.patch("canvass_surveys.threads.MOST_THREADS", 3), ScriptedService(Reply(200, SURVEYS)) as service:
            self.assertEqual(asyncio.run(program(service)), [SURVEYS] * 20)

    def test_a_canceled_or_late_call_releases_its_connection_and_thread(self) -> None:
        async def program(service: ScriptedService, client: AsyncCanvassClient) -> None:
            await cancelled(await begun(service, client))

        async def late(client: AsyncCanvassClient) -> None:
            with self.assertRaises(CanvassError):
                await client.list_surveys(deadline=0.01)

        before = threading.enumerate()
        with ScriptedService(Reply(silent=True)) as service:
            asyncio.run(program(service, client_of(service)))
            self.assertTrue(service.left.acquire(timeout=60))
            asyncio.run(late(client_of(service)))
        for thread in set(threading.enumerate()) - set(before):
            thread.join()

    def test_a_client_works_in_a_second_event_loop(self) -> None:
        with ScriptedService(Reply(200, SURVEYS)) as service:
            client = client_of(service)
            for _ in range(2):
                self.assertEqual(asyncio.run(client.list_surveys()), SURVEYS)

    def test_a_hanging_attempt_does_not_block_the_exit_of_the_program(self) -> None:
        # A name lookup is the only wait that cannot be interrupted.
        program = f"""
import asyncio, socket, threading
from canvass_surveys import AsyncCanvassClient, CanvassError
socket.getaddrinfo = lambda *_: threading.Event().wait()
client = AsyncCanvassClient("http://canvass.test", "{KEY}", deadline=0.01)
try:
    asyncio.run(client.list_surveys())
except CanvassError as error:
    print(error.code)
"""
        ended = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            timeout=100,
        )
        self.assertEqual((ended.stdout, ended.stderr, ended.returncode), ("timeout\n", "", 0))


if __name__ == "__main__":
    unittest.main()
