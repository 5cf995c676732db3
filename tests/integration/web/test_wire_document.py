"""docs/wire.md and the server say the same: every message, code, route and the worked proof."""

import re
from collections import Counter
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from keno.domain.errors import Refusal
from keno.protocol import AFTER_SIGN_IN, Hello, Prove, proof_of_station, write
from keno.protocol.base import answer_type
from keno.web.answering import BROKEN, UNAVAILABLE
from keno.web.app import ROUTES, Route
from keno.web.operations import OPERATIONS
from tests.integration.web.documented import GROUPS, PAGE, examples, types
from tests.wire_listings import with_tables

ALL = [(group, name, text) for group in GROUPS for name, text in examples(group)]


@pytest.mark.parametrize(("group", "name", "text"), ALL, ids=[name for _, name, _ in ALL])
def test_an_example_is_what_the_decoder_takes(group: str, name: str, text: str) -> None:
    readers = [GROUPS[each][2] for each in GROUPS if name in types(each)]
    assert name in types(group)
    for read in readers:
        message = read(text)
        assert type(message) is types(group)[name]
        assert read(write(message)) == message


def test_every_type_has_exactly_one_example() -> None:
    known = {name for group in GROUPS for name in types(group)}
    assert Counter(name for _, name, _ in ALL) == Counter(known)
    assert PAGE.count("```json\n") == len(ALL), "an example stands under no heading"
    assert re.findall(r"^### `(\w+)`$", PAGE, re.MULTILINE) == [name for _, name, _ in ALL]


def test_every_command_is_documented() -> None:
    documented = {types(group)[name] for group, name, _ in ALL}
    assert documented >= set(AFTER_SIGN_IN)


def test_the_worked_proof_verifies() -> None:
    rows = dict(re.findall(r"^\| ([a-z ]+) \| `([^`]+)` \|$", PAGE, re.MULTILINE))
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(rows["seed of the key"]))
    assert key.public_key().public_bytes_raw().hex() == rows["public key"]
    signed = proof_of_station(rows["site"], rows["station"], rows["nonce"])
    assert signed.decode("ascii") == rows["signed bytes"]
    assert key.sign(signed).hex() == rows["signature"]
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(rows["public key"]))
    public.verify(bytes.fromhex(rows["signature"]), signed)
    said = {name: GROUPS[group][2](text) for group, name, text in ALL}
    assert said["prove"] == Prove(rows["station"], rows["signature"])
    assert isinstance(said["hello"], Hello)
    assert (said["hello"].site, said["hello"].nonce) == (rows["site"], rows["nonce"])


def test_every_code_is_named_once() -> None:
    part = PAGE.partition("\n## Refusals\n")[2].partition("\n## ")[0]
    table = "\n".join(line for line in part.splitlines() if line.startswith("| "))
    named = Counter(re.findall(r"`([a-z_]+)`", table))
    assert named == Counter([*map(str, Refusal), UNAVAILABLE, BROKEN])


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_route_is_named(route: Route) -> None:
    assert f"| `{route.method} {route.path}` |" in PAGE


def test_every_link_inside_the_page_leads_somewhere() -> None:
    links = set(re.findall(r"\]\(#([a-z_]+)\)", PAGE))
    assert links <= set(re.findall(r"^### `(\w+)`$", PAGE, re.MULTILINE))


def test_the_document_names_every_field_of_every_answer() -> None:
    """Of each command that has an answer of its own in keno/service."""
    told = PAGE.split("## What the answers hold")[1].split("\n## ")[0]
    rows = [line for line in told.splitlines() if line.startswith("| `")]
    for message in AFTER_SIGN_IN:
        name = message.__struct_config__.tag
        row = next((row for row in rows if f"`{name}`" in row.split("|")[1]), None)
        assert row is not None, f"{name} has no row"
        answer: object = answer_type(message)
        operation = OPERATIONS.get(message)
        if answer is Any and operation is not None and operation.does:
            answer = get_type_hints(operation.does[0])["return"]
        if name == "close_game":  # it is locked out later, by the conductor
            answer = None
        names = [each.name for each in fields(answer)] if is_dataclass(answer) else []
        names += list(getattr(answer, "__struct_fields__", ()))
        missing = [each for each in names if f"`{each}`" not in row]
        assert not missing, f"{name} does not name {missing}"


def test_the_tables_of_listings_are_those_of_the_registry() -> None:
    assert with_tables(PAGE) == PAGE, "run python -m tests.wire_listings --write"
