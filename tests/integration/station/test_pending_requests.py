"""The notes of open requests on a real disk, and the command line that opens them."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from printer.journal import Journal, SpoolInUse
from tests.integration.web.served import Served, key_of
from writer_station import pending_requests as notes_module
from writer_station.cli import main
from writer_station.pending_requests import Note, open_notes
from writer_station.serving import base_of, read_server


async def test_notes_are_kept_until_they_are_struck(tmp_path: Path) -> None:
    notes = open_notes(tmp_path / "requests")
    for name in ("a", "b", "c"):
        await notes.add(Note(name, "sell", {"writer": "W1"}))
    await notes.strike("b")
    await notes.strike("nobody")
    with pytest.raises(SpoolInUse):
        open_notes(tmp_path / "requests")
    notes.close()
    again = open_notes(tmp_path / "requests")
    assert list(again.open) == ["a", "c"]
    assert again.open["a"] == Note("a", "sell", {"writer": "W1"})
    again.close()


async def test_a_torn_note_was_never_made(tmp_path: Path) -> None:
    notes = open_notes(tmp_path / "requests")
    await notes.add(Note("a", "sell", {}))
    await notes.add(Note("b", "sell", {}))
    notes.close()
    file = tmp_path / "requests"
    os.truncate(file, file.stat().st_size - 3)
    again = open_notes(file)
    assert list(again.open) == ["a"]
    again.close()


async def test_the_file_is_made_short_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes_module, "COMPACT_RECORDS", 10)
    notes = open_notes(tmp_path / "requests")
    await notes.add(Note("kept", "sell", {}))
    for number in range(10):
        await notes.add(Note(str(number), "sell", {}))
        await notes.strike(str(number))
    notes.close()
    open_notes(tmp_path / "requests").close()
    journal = Journal(tmp_path / "requests")
    assert [record["id"] for record in journal.read()] == ["kept"]
    journal.close()


# The command line.


def test_servers() -> None:
    assert read_server("wss://keno.example") == "wss://keno.example/ws/station"
    assert read_server("wss://keno.example:8443/") == "wss://keno.example:8443/ws/station"
    assert read_server("ws://127.0.0.1:80/other") == "ws://127.0.0.1:80/other"
    assert read_server("ws://[::1]:80") == "ws://[::1]:80/ws/station"
    assert base_of("wss://keno.example:8443/ws/station") == "https://keno.example:8443"
    for bad in ("ws://keno.example", "ws://10.0.0.1", "http://127.0.0.1", "keno", "wss://",
                "wss://a:b@c", "wss://a?b", "wss://a:99999"):  # fmt: skip
        with pytest.raises(ValueError, match=r"\S"):
            read_server(bad)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--server", "ws://10.0.0.1"],
        ["--listen", "0.0.0.0:8700"],
        ["--listen", "localhost"],
        ["--printer", "smoke:signals"],
        ["--key", "nowhere"],
    ],
)
def test_a_bad_command_line(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = tmp_path / "station.key"
    key.touch()
    good = ["--server", "wss://keno.example", "--station", "1", "--key", str(key),
            "--printer", "virtual:paper"]  # fmt: skip
    with pytest.raises(SystemExit) as end:
        main([*good, *arguments])
    assert end.value.code == 2
    assert arguments[0] in capsys.readouterr().err


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "examples:" in capsys.readouterr().out


async def start(folder: Path, port: int, name: str = "s1") -> asyncio.subprocess.Process:
    key = folder / "station.key"
    await asyncio.to_thread(key.write_text, key_of(name).private_bytes_raw().hex())
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import sys; from writer_station.cli import main; sys.exit(main())",
        "--server", f"ws://127.0.0.1:{port}", "--station", name, "--key", str(key),
        "--printer", f"virtual:{folder / 'paper'}", "--listen", "127.0.0.1:0",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
async def test_a_station_ends_cleanly(served: Served, tmp_path: Path, end: signal.Signals) -> None:
    process = await start(tmp_path, served.port)
    assert process.stdout is not None
    async with asyncio.timeout(60):
        line = (await process.stdout.readline()).decode()
        assert line.startswith("Station s1: open http://127.0.0.1:")
        async with served.http.get(f"{line.split()[3]}keno/pages/shared/tokens.css") as response:
            assert response.status == 200
        other = await start(tmp_path, served.port)
        _, said = await other.communicate()
        assert (other.returncode, b"open in another process" in said) == (1, True)
        process.send_signal(end)
        out, err = await process.communicate()
    assert process.returncode == 0
    assert b"Traceback" not in err, err.decode()
    assert out == b"Station s1 has ended.\n"


async def test_a_server_that_does_not_want_the_station(served: Served, tmp_path: Path) -> None:
    process = await start(tmp_path, served.port, "stranger")
    assert process.stdout is not None
    async with asyncio.timeout(60):
        address = (await process.stdout.readline()).decode().split()[3]
        async with served.http.ws_connect(f"{address}page") as socket:
            while True:
                said = await socket.receive_json()
                if said["state"]["trouble"] is not None:
                    break
        assert "switched off" in said["state"]["trouble"]
        process.terminate()
        await process.communicate()
    assert process.returncode == 0
