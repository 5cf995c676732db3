"""A server with a certificate: the station trusts the authority it was given, and nobody else."""

import asyncio
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from printer.address import read_address
from tests.integration.station.booth import SOUND, StationInProcess, prepare
from tests.integration.web.served import Served
from writer_station.serving import StationOptions, read_server, station_up


def certificate(folder: Path, name: str) -> Path:
    """A certificate for 127.0.0.1 that signs itself, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


@asynccontextmanager
async def at(
    served: Served, folder: Path, port: int, trusted: Path
) -> AsyncIterator[StationInProcess]:
    key = await asyncio.to_thread(prepare, folder)
    options = StationOptions(
        read_server(f"wss://127.0.0.1:{port}"), "s1", key,
        read_address(f"virtual:{folder / 'paper'}"), folder / "work", port=0, ca=trusted,
        timeouts=SOUND,
    )  # fmt: skip
    async with station_up(options) as up:
        yield StationInProcess(folder, up, served.http)


async def test_a_station_over_tls(served: Served, tmp_path: Path) -> None:
    ours, other = certificate(tmp_path, "ours"), certificate(tmp_path, "other")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(ours)
    site = web.TCPSite(served.runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    port = served.runner.addresses[-1][1]
    async with at(served, tmp_path / "one", port, ours) as booth, booth.screen() as screen:
        await screen.start()
        await screen.sell_printed()
    async with at(served, tmp_path / "two", port, other) as booth, booth.screen() as screen:
        await screen.until(lambda state: state["printer"]["ok"])
        assert screen.state["place"] is None
        assert not screen.state["line"]["up"]
        await screen.refused("no_line", "sign_in", person="W1", password="")
