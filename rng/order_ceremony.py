"""The console dialogue in which two keyholders sign an order: a void of a game, or a resume.

A resume ends a halt of the keno server.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from rng.asking import Rejected
from rng.canonical import NotCanonical, encode_line
from rng.ceremony import write_once
from rng.console import TRIES, UNTOUCHED, Stopped, ask, at_console, confirm, show, two_people
from rng.draw import system_entropy
from rng.generator import Generator
from rng.keys import PARTS
from rng.orders import NoOrder
from rng.records import FIELDS, Genesis
from rng.resuming import ResumeRequest
from rng.shape import Malformed, exactly
from rng.voiding import VoidRequest
from rng.worker import JOURNAL

Request = TypeVar("Request", VoidRequest, ResumeRequest)
_a_reason = exactly({"reason": FIELDS["void"]["reason"]})


@dataclass(frozen=True)
class _Words:
    """Texts of an order's dialogue: what the two people read, are asked, and do next."""

    request: Sequence[str]
    why: str
    name: str
    question: str
    next_step: str


@dataclass(frozen=True)
class OrderCeremony(Generic[Request]):
    """The dialogue of one kind of order: how its request is read, checked and shown."""

    read: Callable[[bytes, Mapping[str, Genesis] | None], Request]
    check: Callable[[Generator, Request], None]
    words: Callable[[Request], _Words]

    def sign(self, folder: Path, request_file: Path, order_file: Path) -> None:
        """Let both keyholders read a request and sign its order; write the order to a new file.

        Raise `Stopped` if the request is wrong, R's journal contradicts it, or a person does not
        agree.
        """
        at_console()
        if not folder.is_dir():
            raise Stopped(f"{folder} is not a folder. {UNTOUCHED}")
        if order_file.exists() or not order_file.parent.is_dir():
            raise Stopped(f"The order cannot go to {order_file}: name a new file. {UNTOUCHED}")
        request = self._request(folder, request_file)
        words, genesis = self.words(request), request.genesis
        show(*words.request)
        reason = _ask_reason(words)
        pair = two_people(folder, live=genesis.mode == "live")
        inspector, supervisor = pair.inspector.signer, pair.supervisor.signer
        if not genesis.lists(inspector.key, supervisor.key):
            raise Stopped(f"These two are not keyholders of {genesis.location}. {UNTOUCHED}")
        show(f"  reason       {reason}")
        for person in PARTS:
            confirm(person.capitalize(), words.question)
        try:
            order = request.order(reason, time.time_ns() // 1_000_000, inspector, supervisor)
        except NoOrder as problem:
            raise Stopped(f"{problem} {UNTOUCHED}") from None
        write_once(order_file, encode_line(order.written()), 0o644)
        show(f"The order is in {order_file}. {words.next_step}")

    def _request(self, folder: Path, file: Path) -> Request:
        """Return the server's request from a file; raise `Stopped` if it contradicts R's journal.

        If the folder has no journal, only a warning is shown.
        """
        try:
            line = file.read_bytes()
        except OSError as error:
            raise Stopped(f"{file} cannot be read: {error.strerror}. {UNTOUCHED}") from None
        try:
            if not (folder / JOURNAL).exists():
                request = self.read(line, None)
                show(
                    f"No generator has ever run in {folder}: nothing here can confirm the request.",
                    "Compare the genesis with the digest that is posted.",
                )
                return request
            look = Generator(folder / JOURNAL, system_entropy, show, reading_only=True)
            try:
                request = self.read(line, {key: each.genesis for key, each in look.chains.items()})
                self.check(look, request)
            finally:
                look.close()
        except (NoOrder, Rejected) as problem:
            again = "Let the server write the request again."
            raise Stopped(f"{problem} {again} {UNTOUCHED}") from None
        return request


def _ask_reason(words: _Words) -> str:
    """Ask a person for a reason that a signed record can have, and return it.

    Else raise `Stopped`.
    """
    for _ in range(TRIES):
        given = ask(words.why)
        if not given:
            break
        try:
            _a_reason({"reason": given}, "order")
            encode_line({"reason": given})
        except (Malformed, NotCanonical):
            show("Use at most 1000 plain letters, digits and signs, without quotation marks.")
        else:
            return given
    raise Stopped(f"{words.name} needs a reason. {UNTOUCHED}")


def _value(genesis: Genesis) -> str:
    return "LIVE" if genesis.mode == "live" else "test: NO VALUE"


# ---------------------------------------------------------------- void


def _void_words(request: VoidRequest) -> _Words:
    genesis, game = request.genesis, request.game
    numbers = "As far as the server knows the game is not closed: nobody can know its numbers."
    if request.countersigned:
        numbers = (
            "The witness has closed this game: its numbers exist already. Void it only if the\n"
            "generator is lost for good. The numbers will be shown with the void, to everybody."
        )
    place = f"{genesis.site}, location {genesis.location}"
    return _Words(
        [
            f"The server asks to void game {game} of {place} ({_value(genesis)}).",
            f"  genesis      {genesis.chain}",
            f"  head before  {request.prev}",
            f"  last ticket  {request.last_ticket}",
            "Every wager on this game, and on no other, will be returned.",
            numbers,
        ],
        f"Why is game {game} to be void? ",
        "A void",
        f"shall game {game} of {genesis.location} be void?",
        "Take it to the server, which hands it to the witness.\n"
        "Until the witness has taken it the game is not void.",
    )


VOID = OrderCeremony(VoidRequest.read, Generator.check_request, _void_words)
"""The ceremony of a void order, which ends a game without a result once the witness accepts it."""


# ---------------------------------------------------------------- resume


def _resume_words(request: ResumeRequest) -> _Words:
    genesis, halt = request.genesis, request.halt
    what = "the whole house" if halt["scope"] == "house" else f"location {halt['location']}"
    return _Words(
        [
            f"The server of {genesis.site} has halted {what} ({_value(genesis)}).",
            f"  genesis      {genesis.chain}",
            f"  halt         {halt.digest}",
            f"  fault        {halt['fault']}",
            f"  found        {halt['found']}",
            "Sign only if this was looked into, and both of you know why it is safe to go on.",
        ],
        "Why may keno go on? ",
        "A resume",
        f"shall keno go on after {halt['fault']}?",
        "Take it to the server's console.\nUntil the server has taken it keno stays halted.",
    )


def _nothing_to_compare(_look: Generator, _request: ResumeRequest) -> None:
    """Accept any resume request: R's journal has nothing about a halt beyond the chain."""


RESUME = OrderCeremony(ResumeRequest.read, _nothing_to_compare, _resume_words)
"""The ceremony of a resume: the order that ends a halt."""
