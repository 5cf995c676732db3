"""Makes whole chains fast, honest and forged ones, with all keys in one process.

A test can change any field of any record and sign it again, as a cheating party would. The
programs of R and W are not used.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from rng.canonical import encode_line
from rng.draw import draw_numbers
from rng.records import Body, Genesis, SignedMessage, Signer, record, secret_digest, sign
from rng.tree import leaf_hash, root, seal, ticket_leaf
from tests.rng_vector import SEEDS

Alter = dict[str, Callable[[dict[str, Any]], dict[str, Any]]]
"""Changes of record bodies before they are signed, by record name."""

START_MS = 1_794_794_400_000
GAME_MS = 300_000
CODE = "0123456789ABCDEFGHJKMNPQ"


def setting(**fields: object) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a change of a record's body that sets these fields."""
    return lambda body: body | fields


class Chain:
    """A chain that grows by one game at a time; `lines` is its file."""

    def __init__(self, *, first_game: int = 1, seeds: dict[str, bytes] | None = None) -> None:
        self.signers = {name: Signer(seed) for name, seed in (seeds or SEEDS).items()}
        self.messages: list[dict[str, SignedMessage] | SignedMessage] = []
        self.boot = 0
        self.time_ms = START_MS
        self.game_number = first_game - 1
        self.last_ticket = 0
        self.open_genesis()
        self.unlock()

    # ------------------------------------------------------------ genesis and unlocks

    def open_genesis(self, prev: str = "0" * 64, alter: Alter | None = None) -> None:
        """Add a genesis with the keys of `signers`; `prev` is the head that it continues."""
        keys = {role: self.signers[role].key for role in "RWS"}
        body = record(
            "genesis",
            mode="test",
            jurisdiction="US-NJ",
            site="example-casino",
            location="main",
            first_game=self.game_number + 1,
            keys=keys,
            inspectors=[self.signers["inspector"].key],
            supervisors=[self.signers["supervisor"].key],
            prev=prev,
            time_ms=self.time_ms,
        )
        message = self._signed("genesis", body, *"RWS", "inspector", "supervisor", alter=alter)
        self.messages.append(message)
        self.genesis = Genesis(message)
        self.head = self.genesis.chain

    def unlock(self, alter: Alter | None = None, **changed: object) -> SignedMessage:
        """Add and return an unlock of R signed by both keyholders."""
        self.boot += 1
        body = record(
            "unlock",
            **{
                "boot": self.boot,
                "code": "ab" * 32,
                "key": self.signers["R"].key,
                "inspector": self.signers["inspector"].key,
                "supervisor": self.signers["supervisor"].key,
                "heads": {self.genesis.chain: self.head},
                "time_ms": self.time_ms,
                **changed,
            },
        )
        self.unlocked = self._signed("unlock", body, "R", "inspector", "supervisor", alter=alter)
        self.messages.append(self.unlocked)
        return self.unlocked

    # ------------------------------------------------------------ games

    def game(
        self, leaves: Iterable[bytes] = (), alter: Alter | None = None, upto: str = "attest"
    ) -> dict[str, SignedMessage]:
        """Play the next game up to the record `upto` and return its records.

        `alter` changes records before they are signed.
        """
        self.game_number += 1
        self.time_ms += GAME_MS
        made = self._committed(alter)
        leaves = list(leaves)
        if upto not in ("commit_r", "commit_w"):
            self._closed(made, leaves, alter)
        names = ("commit_r", "commit_w", "close", "countersign", "result", "attest")
        made = {name: made[name] for name in names[: names.index(upto) + 1]}
        self.messages.append(made)
        if "result" in made:
            self.head = made["result"].digest
        return made

    def void(
        self, upto: str = "commit_w", alter: Alter | None = None, reveals: str = "RW"
    ) -> dict[str, SignedMessage]:
        """Play the next game up to the record `upto`, void it, and return its records."""
        head = self.head
        made = self.game(alter=alter, upto=upto)
        countersign = made["countersign"].digest if "countersign" in made else ""
        body = self._of_game(
            "void",
            commit=made["commit_w"].digest,
            last_ticket=self.last_ticket,
            countersign=countersign,
            prev=head,
            inspector=self.signers["inspector"].key,
            supervisor=self.signers["supervisor"].key,
            reason="the generator is lost",
            time_ms=self.time_ms + 1000,
        )
        made["void"] = self._signed("void", body, "inspector", "supervisor", alter=alter)
        for role in reveals:
            secret = self.secret(role)
            body = self._of_game("reveal", role=role, secret=secret, void=made["void"].digest)
            name = f"reveal_{role.lower()}"
            made[name] = self._signed(name, body, role, alter=alter)
        self.head = made["void"].digest
        return made

    def secret(self, role: str) -> str:
        """Return the secret of R or W for the current game, in hex."""
        return self.secret_of(role, self.game_number)

    def secret_of(self, role: str, game: int) -> str:
        return sha256(f"{role} {game}".encode()).hexdigest()

    def _hash(self, role: str) -> str:
        return secret_digest(role, self.genesis.chain, self.game_number, self.secret(role))

    def _of_game(self, name: str, **fields: object) -> Body:
        return record(name, chain=self.genesis.chain, game=self.game_number, **fields)

    def _committed(self, alter: Alter | None) -> dict[str, SignedMessage]:
        body = self._of_game(
            "commit-r", hash=self._hash("R"), unlock=self.unlocked.digest, sealed="00" * 60
        )
        commit_r = self._signed("commit_r", body, "R", alter=alter)
        body = self._of_game(
            "commit-w", hash=self._hash("W"), peer=commit_r.digest, time_ms=self.time_ms
        )
        return {"commit_r": commit_r, "commit_w": self._signed("commit_w", body, "W", alter=alter)}

    def _closed(
        self, made: dict[str, SignedMessage], leaves: list[bytes], alter: Alter | None
    ) -> None:
        self.last_ticket += len(leaves)
        body = self._of_game(
            "close",
            commit=made["commit_w"].digest,
            prev=self.head,
            root=root(map(leaf_hash, leaves)).hex(),
            leaves=len(leaves),
            tickets=len(leaves),
            handle_cents=100 * len(leaves),
            last_ticket=self.last_ticket,
            salt=sha256(b"salt %d" % self.game_number).hexdigest(),
            time_ms=self.time_ms + GAME_MS - 100,
        )
        close = made["close"] = self._signed("close", body, "S", alter=alter)
        body = self._of_game(
            "countersign",
            close=close.digest,
            secret=self.secret("W"),
            time_ms=self.time_ms + GAME_MS - 50,
        )
        made["countersign"] = self._signed("countersign", body, "W", alter=alter)
        r, w = bytes.fromhex(self.secret("R")), bytes.fromhex(made["countersign"]["secret"])
        body = self._of_game(
            "result",
            countersign=made["countersign"].digest,
            secret=self.secret("R"),
            numbers=draw_numbers(self.genesis.place(self.game_number), r, w, close.digest),
        )
        made["result"] = self._signed("result", body, "R", alter=alter)
        body = self._of_game("attest", result=made["result"].digest)
        made["attest"] = self._signed("attest", body, "W", alter=alter)

    def _signed(self, name: str, body: Body, *signers: str, alter: Alter | None) -> SignedMessage:
        if alter and name in alter:
            body = alter[name](dict(body))
        return sign(body, *(self.signers[signer] for signer in signers))

    # ------------------------------------------------------------ files

    @property
    def lines(self) -> list[bytes]:
        return [line_of(each) for each in self.messages]


def line_of(messages: dict[str, SignedMessage] | SignedMessage) -> bytes:
    """Return a genesis, an unlock or the records of a game as one line of a chain file."""
    if isinstance(messages, SignedMessage):
        return encode_line(messages.written())
    return encode_line({name: message.written() for name, message in messages.items()})


def straight(number: int, game: int, **changed: Any) -> bytes:
    """Return the leaf of a straight ticket of one dollar for one game."""
    fields: dict[str, Any] = {
        "site": "example-casino",
        "location": "main",
        "ticket": number,
        "first": game,
        "last": game,
        "card": "2026-1",
        "station": "7",
        "writer": "W12",
        "sold_ms": START_MS + game * GAME_MS + 1000,
        "price_cents": 100,
        "request": {
            "games": 1,
            "groups": [[1, 2, 3]],
            "kings": [],
            "lines": [{"rate": "regular", "spots": 3, "wager_cents": 100, "ways": 1}],
        },
        "seal": seal(CODE),
        "state": "live",
    }
    return ticket_leaf(**(fields | changed))
