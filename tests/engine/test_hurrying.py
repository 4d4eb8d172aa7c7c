"""The loop that hurries passes over waiting alone: what comes from outside is waited for."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from palettecheck.engine.driving import drive
from palettecheck.engine.hurrying import HurryingLoop


def hurried(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return drive(coroutine, loop=HurryingLoop())


def test_an_hour_of_sleep_takes_no_time_and_is_an_hour_on_the_loop() -> None:
    async def sleep() -> float:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await asyncio.sleep(3600)
        return loop.time() - begun

    begun = time.monotonic()

    assert hurried(sleep()) == pytest.approx(3600, abs=1)
    assert time.monotonic() - begun < 60


def test_timers_come_in_their_order_each_at_its_time() -> None:
    async def wake() -> list[int]:
        woken: list[int] = []
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for seconds in (300, 100, 200):
            loop.call_later(seconds, lambda: woken.append(round(loop.time() - begun, -2)))
        await asyncio.sleep(1000)
        return woken

    assert hurried(wake()) == [100, 200, 300]


def test_a_deadline_ends_what_waits_for_ever() -> None:
    async def wait() -> None:
        async with asyncio.timeout(3600):
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        hurried(wait())


async def by_executor() -> str:
    await asyncio.to_thread(time.sleep, 0.05)
    return "done"


async def by_socket() -> str:
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)
        threading.Timer(0.05, there.send, [b"done"]).start()
        return (await asyncio.get_running_loop().sock_recv(here, 4)).decode()


@pytest.mark.parametrize("wait", [by_executor, by_socket])
def test_a_timer_is_not_jumped_to_while_something_outside_is_at_work(
    wait: Callable[[], Awaitable[str]],
) -> None:
    async def in_time() -> str:
        async with asyncio.timeout(30):
            return await wait()

    assert hurried(in_time()) == "done"


def test_a_wakeup_from_a_thread_is_heard() -> None:
    async def ready() -> str:
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        thread = threading.Thread(target=lambda: loop.call_soon_threadsafe(woken.set))
        thread.start()
        thread.join()
        await woken.wait()
        return "done"

    assert hurried(ready()) == "done"


def test_it_hurries_again_when_the_thread_is_done() -> None:
    async def sleep_after() -> float:
        await by_executor()
        begun = time.monotonic()
        await asyncio.sleep(3600)
        return time.monotonic() - begun

    assert hurried(sleep_after()) < 60


def test_without_a_timer_it_waits_for_what_comes_from_outside() -> None:
    async def woken() -> str:
        loop, late = asyncio.get_running_loop(), asyncio.Event()
        threading.Timer(0.05, lambda: loop.call_soon_threadsafe(late.set)).start()
        await late.wait()
        return "done"

    assert hurried(woken()) == "done"
