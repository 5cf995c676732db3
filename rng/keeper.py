"""The keeper: R's parent process, which holds the data key that two keyholders opened.

The keeper starts the worker, which answers the keno server, and restarts it after a crash without
the keyholders. A reboot ends the keeper and with it the key; a changed program locks the generator.
Unlocks come through a console socket in R's own folder.
"""

import asyncio
import signal
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

from rng.canonical import LINE_BYTES_MAX, NotCanonical, decode_line, encode_line
from rng.program import program_digest
from rng.records import BadSignature, check_unlock, read_message
from rng.serving import (
    EXIT_HALTED,
    EXIT_NOT_DURABLE,
    keep_memory_to_itself,
    say,
    unix_socket,
)
from rng.shape import Malformed, exactly, hexadecimal, mapping, text
from rng.worker import EXIT_REFUSED, READY

CONSOLE = "console.socket"
RESTART_S = 0.2
"""Seconds before a worker that ended is started again."""
READY_S = 600
"""Maximum seconds until a started worker is ready: it first replays years of games."""
STOP_S = 10
"""Maximum seconds for a worker to end before it is killed."""

_order = exactly({"dek": hexadecimal(32), "unlock": mapping(text(), lambda *_: None)})
LOCKED: dict[str, Any] = {"dek": "", "unlock": {}}
"""Orders that start a worker locked: without an unlock and a key."""


class Keeper:
    """The keeper of one generator: starts, restarts and stops its worker, and takes unlocks.

    It holds the worker's orders in memory: locked, or an unlock with the data key.
    """

    def __init__(self, folder: Path, address: str) -> None:
        self._folder = folder
        self._address = address
        self._code = program_digest()
        self._orders = LOCKED
        self._worker: Process | None = None
        self._stopping = asyncio.Event()
        self._changing = asyncio.Lock()
        self._exit_code = 0

    async def run(self) -> int:
        """Run the worker and the console socket until a signal or a halt; return the exit code.

        The exit code is 0 after a signal, and the worker's after a halt.
        """
        keep_memory_to_itself()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)
        console = unix_socket(self._folder / CONSOLE, 0o177)  # for this user alone
        server = await asyncio.start_unix_server(
            self._at_console, sock=console, limit=LINE_BYTES_MAX
        )
        try:
            return await self._until_stopped()
        finally:
            server.close()
            (self._folder / CONSOLE).unlink(missing_ok=True)

    async def _until_stopped(self) -> int:
        async with self._changing:
            started = await self._start()
        if not started:
            say("The generator cannot start; the reason is above.")
            return EXIT_HALTED
        say("The generator is locked: an inspector and a supervisor open it with")
        say(f"    keno-rng unlock {self._folder}")
        watching = asyncio.create_task(self._watch())
        await self._stopping.wait()
        watching.cancel()
        await self._stop()
        return self._exit_code

    # ------------------------------------------------------------ the worker

    async def _start(self) -> bool:
        """Start a worker with the present orders.

        Return whether it became ready within READY_S seconds.
        """
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "rng.worker",
            str(self._folder),
            self._address,
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # a key pressed at the console is not for the worker
        )
        self._worker = worker
        if worker.stdin is None or worker.stdout is None:
            raise RuntimeError("the worker has no pipes")
        worker.stdin.write(encode_line(self._orders))
        try:
            line = await asyncio.wait_for(worker.stdout.readline(), READY_S)
        except TimeoutError:
            worker.kill()
            line = b""
        return line == READY.encode()

    async def _stop(self) -> None:
        """End the worker by closing its standard input; kill it after STOP_S seconds."""
        worker, self._worker = self._worker, None
        if worker and worker.stdin:
            worker.stdin.close()
            try:
                await asyncio.wait_for(worker.wait(), STOP_S)
            except TimeoutError:
                worker.kill()
                await worker.wait()

    async def _watch(self) -> None:
        """Wait for the worker to end by itself, for ever, and pass its exit code to `_restart`."""
        while True:
            worker = self._worker
            if worker is None:
                await asyncio.sleep(RESTART_S)
                continue
            code = await worker.wait()
            async with self._changing:
                if self._worker is worker:
                    await self._restart(code)

    async def _restart(self, code: int) -> None:
        if code in (EXIT_HALTED, EXIT_NOT_DURABLE):
            say("The generator has halted. It starts again only when people have looked at it.")
            self._orders = LOCKED
            self._worker = None
            self._exit_code = code
            self._stopping.set()
            return
        if self._orders is not LOCKED and program_digest() != self._code:
            say("ALARM: the program has changed. The generator is locked.")
            self._orders = LOCKED
        elif code == EXIT_REFUSED:
            say("ALARM: the unlock is not taken any more. The generator is locked.")
            self._orders = LOCKED
        else:
            say(f"The worker has ended (code {code}); it is started again as it was.")
        await asyncio.sleep(RESTART_S)
        await self._start()

    # ------------------------------------------------------------ the console

    async def _at_console(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            line = await reader.readline()
            async with self._changing:
                answer = await self._take_order(line)
            writer.write(encode_line(answer))
            await writer.drain()
        except (ConnectionError, ValueError) as error:
            say(f"The console went away: {error}")
        finally:
            writer.close()

    async def _take_order(self, line: bytes) -> dict[str, Any]:
        try:
            order: Any = decode_line(line)
            _order(order, "order")
            unlock = read_message(order["unlock"], "unlock")
            check_unlock(unlock)
        except (NotCanonical, Malformed, BadSignature) as error:
            return {"problem": f"The unlock is not complete: {error}"}
        if self._orders is not LOCKED:
            return {"problem": "The generator is open already."}
        if unlock["code"] != self._code or program_digest() != self._code:
            return {"problem": "The program has changed since it was started: start it again."}
        await self._stop()
        self._orders = order
        if await self._start():
            say(f"The generator is open: boot {unlock['boot']}.")
            return {"boot": unlock["boot"]}
        await self._stop()
        self._orders = LOCKED
        await self._start()
        return {"problem": "The generator did not take the unlock; its log says why."}
