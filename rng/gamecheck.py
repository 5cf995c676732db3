"""Checks the messages of one game by themselves: steps 2 to 8 of the verification.

These steps are form, signatures, links, secrets, times, numbers and void. The verifier checks each
game of a chain by them; R, W and the keno server check the running game. sequence.py checks what
depends on other games.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rng.canonical import NotCanonical, decode_line
from rng.draw import draw_numbers
from rng.records import (
    BadSignature,
    Genesis,
    SignedMessage,
    check_signed,
    check_void,
    read_message,
    secret_digest,
)
from rng.shape import Malformed

STEPS = ("commit_r", "commit_w", "close", "countersign", "result", "attest")
"""Names of the messages of a drawn game, in order; an open game has only the first ones."""
_VOID_NEEDS = {"commit_r", "commit_w", "void"}
_VOID_ALLOWS = _VOID_NEEDS | {"close", "countersign", "result", "reveal_r", "reveal_w"}
_SIGNERS = {
    "commit_r": "R",
    "commit_w": "W",
    "close": "S",
    "countersign": "W",
    "result": "R",
    "attest": "W",
}


class NotVerified(Exception):
    """Raised for the first fault found: the step of the verification, a sentence, and the game.

    `game` is None if the fault is of the chain.
    """

    def __init__(self, step: int, message: str, game: int | None = None) -> None:
        super().__init__(step, message, game)
        self.step = step
        self.message = message
        self.game = game

    def __str__(self) -> str:
        where = f"game {self.game}" if self.game is not None else "the chain"
        return f"{where}, step {self.step}: {self.message}"


@dataclass(frozen=True)
class BookSummary:
    """Root and totals of a game's tickets, as the server signed them in the close.

    `leaves` counts all tickets, `tickets` and `handle_cents` only the live ones.
    """

    root: str
    leaves: int
    tickets: int
    handle_cents: int
    last_ticket: int


@dataclass(frozen=True)
class Game:
    """The result of checking one game: its facts, for the checks of the chain and of tickets.

    `fault` is the first fault of steps 3 to 8; None if there is none.
    """

    number: int
    state: str  # "attested", "void", or the last step of an open game
    unlock: str
    head: str | None  # digest of the result or the void; None while open
    prev: str | None = None
    r: str | None = None
    w: str | None = None
    numbers: tuple[int, ...] | None = None
    commit_w_ms: int | None = None
    close_ms: int | None = None
    countersign_ms: int | None = None
    book: BookSummary | None = None
    void_last_ticket: int | None = None
    missing_reveals: tuple[str, ...] = ()
    fault: tuple[int, str] | None = None  # first fault of steps 3 to 8: step and sentence


Messages = Mapping[str, SignedMessage]


def check_line(line: bytes, genesis: Genesis) -> Game:
    """Check one game's line of a chain file by steps 2 to 8; return the game's facts.

    Raise `NotVerified` at step 2. The first fault of a later step is returned in `fault`.
    """
    return _examine(read_line(line, genesis), genesis)


def check_game(messages: Mapping[str, object], genesis: Genesis) -> Game:
    """Check a game's messages by steps 2 to 8, also of an unfinished game; return the game's facts.

    Raise `NotVerified` on a fault.
    """
    game = _examine(_read_messages(messages, genesis), genesis)
    if game.fault:
        raise NotVerified(*game.fault, game.number)
    return game


# ---------------------------------------------------------------- step 2: form


def read_line(line: bytes, genesis: Genesis) -> dict[str, SignedMessage]:
    """Return the messages in a game's line of a chain file, by name.

    Raise `NotVerified` (step 2) if the line is malformed or of another chain.
    """
    try:
        decoded = decode_line(line)
    except NotCanonical as error:
        raise NotVerified(2, f"the line is not canonical: {error}") from None
    if not isinstance(decoded, Mapping):
        raise NotVerified(2, "the line is not an object")
    return _read_messages(decoded, genesis)


def _read_messages(decoded: Mapping[str, object], genesis: Genesis) -> dict[str, SignedMessage]:
    _check_names(set(decoded))
    try:
        messages = {
            name: each
            if isinstance(each, SignedMessage)
            else read_message(each, name.split("_")[0] if "reveal" in name else _dashed(name))
            for name, each in decoded.items()
        }
    except Malformed as error:
        raise NotVerified(2, str(error)) from None
    game = messages["commit_r"]["game"]
    for name, message in messages.items():
        if message["chain"] != genesis.chain:
            raise NotVerified(2, f"{name} is of another chain", game)
        if message["game"] != game:
            raise NotVerified(2, f"{name} is of another game", game)
    return messages


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _check_names(names: set[str]) -> None:
    if "void" in names:
        fits = names >= _VOID_NEEDS and names <= _VOID_ALLOWS
        fits = fits and ("close" in names or "countersign" not in names)
        fits = fits and ("countersign" in names or "result" not in names)
    else:
        fits = names == set(STEPS[: len(names)]) and bool(names)
    if not fits:
        raise NotVerified(2, "the line has not the records of a drawn, a void or an open game")


# ---------------------------------------------------------------- steps 3 to 8

Step = Callable[[Messages, Genesis], None]


def _examine(messages: Messages, genesis: Genesis) -> Game:
    fault = None
    try:
        for step in (_signatures, _links, _secrets, _times, _numbers, _void):
            step(messages, genesis)
    except NotVerified as error:
        fault = (error.step, error.message)
    return _facts(messages, genesis, fault)


def _signatures(messages: Messages, genesis: Genesis) -> None:
    try:
        for name, role in _SIGNERS.items():
            if name in messages:
                check_signed(messages[name], genesis.key(role))
    except BadSignature as error:
        raise NotVerified(3, str(error)) from None


def _links(messages: Messages, genesis: Genesis) -> None:
    del genesis
    for name, field, to in (
        ("commit_w", "peer", "commit_r"),
        ("close", "commit", "commit_w"),
        ("countersign", "close", "close"),
        ("result", "countersign", "countersign"),
        ("attest", "result", "result"),
    ):
        if name in messages and messages[name][field] != messages[to].digest:
            raise NotVerified(4, f"{field} of {_dashed(name)} is not the digest of {_dashed(to)}")


def _opens(messages: Messages, role: str, holder: str) -> bool:
    """Return whether the secret in a record matches its party's commitment."""
    commit = messages[f"commit_{role.lower()}"]
    secret = messages[holder]["secret"]
    return bool(secret_digest(role, commit["chain"], commit["game"], secret) == commit["hash"])


def _secrets(messages: Messages, genesis: Genesis) -> None:
    del genesis
    for name, role in (("countersign", "W"), ("result", "R")):
        if name in messages and not _opens(messages, role, name):
            raise NotVerified(5, f"the secret in {name} does not open the commitment of {role}")
    if "result" in messages and messages["result"]["secret"] == messages["countersign"]["secret"]:
        raise NotVerified(5, "both secrets are the same")


def _times(messages: Messages, genesis: Genesis) -> None:
    del genesis
    if "countersign" not in messages:
        return
    if messages["commit_w"]["time_ms"] >= messages["countersign"]["time_ms"]:
        raise NotVerified(6, "commit-w is not earlier than countersign")


def _drawn(messages: Messages, genesis: Genesis, r: str) -> tuple[int, ...]:
    close, w = messages["close"], messages["countersign"]["secret"]
    place = genesis.place(close["game"])
    return tuple(draw_numbers(place, bytes.fromhex(r), bytes.fromhex(w), close.digest))


def _numbers(messages: Messages, genesis: Genesis) -> None:
    result = messages.get("result")
    if result is None:
        return
    numbers = _drawn(messages, genesis, result["secret"])
    if list(numbers) != list(result["numbers"]):
        raise NotVerified(7, f"the numbers should be {' '.join(map(str, numbers))}")


def _void(messages: Messages, genesis: Genesis) -> None:
    void = messages.get("void")
    if void is None:
        return
    check_void_order(messages, genesis)
    countersign = messages.get("countersign")
    if void["countersign"] != (countersign.digest if countersign else ""):
        raise NotVerified(8, "void does not name the countersign that is here")
    if "close" in messages and messages["close"]["prev"] != void["prev"]:
        raise NotVerified(8, "void and close have different heads before them")
    for role, known in (("R", "result"), ("W", "countersign")):
        reveal = messages.get(f"reveal_{role.lower()}")
        if reveal and known in messages and messages[known]["secret"] != reveal["secret"]:
            raise NotVerified(8, f"the reveal of {role} is not the secret in {known}")


def check_void_order(messages: Messages, genesis: Genesis) -> None:
    """Step 8: check the signatures of a void order, the commitment that it names, and the reveals.

    Raise `NotVerified` on a fault. Whether the order fits the rest of the game is not checked.
    """
    void = messages["void"]
    reveals = {role: messages.get(f"reveal_{role.lower()}") for role in "RW"}
    try:
        check_void(void, genesis)
        for role, reveal in reveals.items():
            if reveal:
                check_signed(reveal, genesis.key(role))
    except BadSignature as error:
        raise NotVerified(8, str(error)) from None
    if void["commit"] != messages["commit_w"].digest:
        raise NotVerified(8, "commit of void is not the digest of commit-w")
    for role, reveal in reveals.items():
        if reveal is None:
            continue
        if reveal["role"] != role or reveal["void"] != void.digest:
            raise NotVerified(8, f"the reveal of {role} is not for this void")
        if not _opens(messages, role, f"reveal_{role.lower()}"):
            raise NotVerified(8, f"the reveal of {role} does not open its commitment")


# ---------------------------------------------------------------- what the chain needs


def _secret(messages: Messages, *names: str) -> str | None:
    return next((messages[name]["secret"] for name in names if name in messages), None)


def _facts(messages: Messages, genesis: Genesis, fault: tuple[int, str] | None) -> Game:
    void, result, close = messages.get("void"), messages.get("result"), messages.get("close")
    r, w = _secret(messages, "result", "reveal_r"), _secret(messages, "countersign", "reveal_w")
    ends = void or (result if "attest" in messages else None)
    state = "void" if void else "attested" if ends else STEPS[len(messages) - 1]
    link = close or void
    numbers = None
    if r is not None and "countersign" in messages and fault is None:
        numbers = tuple(result["numbers"]) if result else _drawn(messages, genesis, r)
    missing = [role for role in "RW" if void and f"reveal_{role.lower()}" not in messages]
    return Game(
        number=messages["commit_r"]["game"],
        state=state,
        unlock=messages["commit_r"]["unlock"],
        head=ends.digest if ends else None,
        prev=link["prev"] if link else None,
        r=r,
        w=w,
        numbers=numbers,
        commit_w_ms=messages["commit_w"]["time_ms"] if "commit_w" in messages else None,
        close_ms=close["time_ms"] if close else None,
        countersign_ms=(messages["countersign"]["time_ms"] if "countersign" in messages else None),
        book=_book(close) if close else None,
        void_last_ticket=void["last_ticket"] if void else None,
        missing_reveals=tuple(missing),
        fault=fault,
    )


def _book(close: SignedMessage) -> BookSummary:
    fields = ("root", "leaves", "tickets", "handle_cents", "last_ticket")
    return BookSummary(*(close[field] for field in fields))
