"""The console's draw status: generator and witness as this server sees them, and recent draws.

Facts that this server cannot know are listed as unknown. A drawn number is shown only when its ball
is on the board.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from keno.domain.errors import Refused
from keno.domain.game import game_name
from keno.domain.states import GameState
from keno.draw.coordinator import STEPS, genesis_of, load, verifier
from keno.draw.links import PartyLink
from keno.protocol.floor import Boot, Commitment, DrawRecord, DrawStatus, LocationDraws, PartyStatus
from keno.protocol.games import Alarm
from keno.service import views
from keno.service.house import House
from keno.service.signed_numbers import drawn_numbers
from keno.store import draw_status_queries as stored
from keno.store import queries
from keno.store.rows import GameRow
from keno.store.transaction import Reads, Row
from rng.records import BadSignature, Genesis, SignedMessage, check_unlock, read_message
from rng.verify import NotVerified, check_game

GAMES = BOOTS = 10
"""Maximum games and maximum unlocks of the generator that are listed for a location."""
ORDER = (*STEPS, "void", "reveal_w", "reveal_r")
"""The order in which the steps of a game's record are listed."""
NO_CHAIN = "No chain of this location is in the record yet."
NO_BOOT = "No unlock of the generator is in the record yet."
NO_NAMES = "Who holds a key: the record has the public keys of those who unlocked, not their names."
NO_WITNESS = (
    "The witness's boots and its program: they are recorded at the witness, not at this server."
)
NOT_RUN = "Whether R and W answer: this server does not run the games of this location."
NOT_ASKED = "Whether the {} answers: it was not asked since this server started."


@dataclass(frozen=True, slots=True)
class LocationLinks:
    """The links to the generator (R) and the witness (W), and the alarms, of one location."""

    generator: PartyLink
    witness: PartyLink
    alarms: Sequence[Alarm]


@dataclass(frozen=True)
class _Record:
    """The ledger's rows about a location's draws: genesis, unlocks, commitments and last games."""

    place: Row
    genesis: Genesis | None
    unlocks: list[SignedMessage]
    promises: dict[int, dict[str, SignedMessage]]
    games: list[tuple[GameRow, dict[str, SignedMessage]]]


async def draw_status(house: House, seen: Mapping[str, LocationLinks]) -> DrawStatus:
    """Return the draw status of all locations.

    `seen` has the links and alarms of the locations whose games this server runs.
    """
    records = await house.ledger.read(
        lambda reads: [_record(reads, place) for place in queries.locations(reads)]
    )
    locations = await asyncio.to_thread(
        lambda: tuple(_location(each, seen.get(each.place["location"])) for each in records)
    )
    return DrawStatus(house.ledger.clock(), locations)


def _record(reads: Reads, place: Row) -> _Record:
    location = place["location"]
    now = queries.open_game(reads, location)
    waiting = [] if now is None else [now.game, now.game + 1]
    return _Record(
        place,
        genesis_of(reads, location),
        [
            read_message(msgspec.json.decode(text), "unlock")
            for text in stored.last_unlocks(reads, location, BOOTS)
        ],
        {game: load(reads, location, game) for game in waiting},
        [
            (game, load(reads, location, game.game))
            for game in stored.last_games(reads, location, GAMES)
        ],
    )


def _location(record: _Record, seen: LocationLinks | None) -> LocationDraws:
    place, genesis = record.place, record.genesis
    boots = tuple(_boot(each, genesis) for each in record.unlocks)
    lines = (None, None) if seen is None else (seen.generator, seen.witness)
    return LocationDraws(
        location=place["location"],
        letter=place["letter"],
        name=place["name"],
        chain=None if genesis is None else genesis.chain,
        mode=None if genesis is None else genesis.message["mode"],
        first_game=None if genesis is None else genesis.first_game,
        generator=_party(lines[0], None if genesis is None else genesis.key("R")),
        witness=_party(lines[1], None if genesis is None else genesis.key("W")),
        program=boots[0].program if boots else None,
        boots=boots,
        commitments=tuple(_promises(record)),
        draws=tuple(_draw(place["letter"], game, made, genesis) for game, made in record.games),
        alarms=() if seen is None else tuple(seen.alarms),
        unknown=tuple(_unknown(record, seen)),
    )


def _party(line: PartyLink | None, key: str | None) -> PartyStatus:
    if line is None:
        return PartyStatus(key, None, None, None, None)
    return PartyStatus(key, line.answering, line.since_ms, line.asked_ms, line.refused)


def _boot(unlock: SignedMessage, genesis: Genesis | None) -> Boot:
    people = unlock["inspector"], unlock["supervisor"]
    return Boot(
        unlock["boot"],
        unlock["time_ms"],
        unlock["code"],
        *people,
        verified=genesis is not None
        and unlock["key"] == genesis.key("R")
        and genesis.lists(*people)
        and _is_signed(unlock),
    )


def _is_signed(unlock: SignedMessage) -> bool:
    try:
        check_unlock(unlock)
    except BadSignature:
        return False
    return True


def _promises(record: _Record) -> Iterator[Commitment]:
    """Yield the commitments of the open game, and of the next game if they are made."""
    boots = {unlock.digest: unlock["boot"] for unlock in record.unlocks}
    for game, made in sorted(record.promises.items()):
        if "commit_w" in made:
            yield Commitment(
                game,
                game_name(record.place["letter"], game),
                made["commit_w"].digest,
                made["commit_r"].digest,
                boots.get(made["commit_r"]["unlock"]),
                made["commit_w"]["time_ms"],
            )


def _draw(
    letter: str, game: GameRow, made: Mapping[str, SignedMessage], genesis: Genesis | None
) -> DrawRecord:
    view = views.game_view(letter, game)
    return DrawRecord(
        game=game.game,
        name=view.name,
        state=view.state,
        locked_ms=game.locked_ms,
        drawn_ms=game.drawn_ms,
        voided_ms=game.voided_ms,
        tickets=game.tickets,
        root=game.root,
        steps=tuple(step for step in ORDER if step in made),
        numbers=view.numbers,
        verified=None if genesis is None else is_verified(game, made, genesis),
    )


def is_verified(game: GameRow, made: Mapping[str, SignedMessage], genesis: Genesis) -> bool | None:
    """Return whether a game's signed messages prove its result or its void.

    None if the game has neither a result nor a void.
    """
    try:
        if game.proof is not None:
            return verifier(genesis)(game, game.proof) == drawn_numbers(game)
        return check_game(made, genesis).state == "void" if game.state == GameState.VOID else None
    except (Refused, NotVerified):
        return False


def _unknown(record: _Record, seen: LocationLinks | None) -> Iterator[str]:
    """Yield sentences about facts that this server cannot know."""
    if record.genesis is None:
        yield NO_CHAIN
    if not record.unlocks:
        yield NO_BOOT
    if seen is None:
        yield NOT_RUN
    else:
        for name, line in (("generator", seen.generator), ("witness", seen.witness)):
            if line.answering is None:
                yield NOT_ASKED.format(name)
    yield NO_NAMES
    yield NO_WITNESS
