"""Rate cards: posted ahead, by two people in live mode, in force from a named game (15.3(d))."""

import tomllib
from dataclasses import dataclass

from keno.domain.cardfile import read_card
from keno.domain.errors import Refusal, Refused
from keno.domain.payout import check_not_own_act
from keno.domain.ratecard import RateCard
from keno.domain.written import INTEGER_MAX
from keno.house import House
from keno.service.common import once, require_user
from keno.store import queries
from keno.store.rows import PostingRow
from keno.store.transaction import Reads, Transaction

NOTICE_MS = 30 * 60_000
"""A card is posted half an hour before it takes effect."""
POSTERS = frozenset({"administrator", "manager", "supervisor"})


@dataclass(frozen=True, slots=True)
class PostCard:
    """A card for a location from a future game on, and when that game is due to open."""

    request_id: str
    location: str
    toml: str
    first_game: int
    opens_ms: int
    posted_by: str
    second: str | None


@dataclass(frozen=True, slots=True)
class Posted:
    """What boards and stations announce until the card is in force."""

    location: str
    card: str
    first_game: int
    posted_ms: int
    changes_maximum: bool


async def post_card(house: House, command: PostCard) -> Posted:
    """Check a card and announce it; the first card of a location needs no notice."""

    def work(tx: Transaction) -> Posted:
        card = _lawful(house, tx, command)
        require_user(tx, command.posted_by, POSTERS)
        if command.second is not None or house.mode == "live":
            if command.second is None:
                raise Refused(Refusal.OWN_ACT, "A second person must post the card too.")
            check_not_own_act(command.posted_by, command.second)
            require_user(tx, command.second, POSTERS)
        if queries.location(tx, command.location) is None:
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {command.location}.")
        postings = queries.postings(tx, command.location)
        changes = _check_ahead(house, tx, command, card, postings)
        if queries.card_text(tx, card.version) is None:
            tx.insert("cards", version=card.version, toml=command.toml)
        tx.insert("postings", location=command.location, first_game=command.first_game,
                  card=card.version, posted_ms=tx.now_ms, posted_by=command.posted_by,
                  second=command.second, changes_maximum=int(changes))  # fmt: skip
        return Posted(command.location, card.version, command.first_game, tx.now_ms, changes)

    return await once(house, command.posted_by, command, work, Posted)


def _lawful(house: House, tx: Transaction, command: PostCard) -> RateCard:
    try:
        report = read_card(command.toml)
    except tomllib.TOMLDecodeError as error:
        raise Refused(Refusal.CARD_NOT_LAWFUL, f"The card is no TOML: {error}.") from None
    if report.card is None or not report.certified:
        raise Refused(Refusal.CARD_NOT_LAWFUL, f"The card is rejected: {report.faults[0].message}")
    if house.mode == "live" and report.card.approval is None:
        raise Refused(Refusal.APPROVAL_MISSING, "In live mode a card names its approval.")
    known = queries.card_text(tx, report.card.version)
    posted = {posting.card for posting in queries.postings(tx, command.location)}
    # Another location may play by the same card; a version never means two texts.
    if known not in (None, command.toml) or report.card.version in posted:
        raise Refused(
            Refusal.CARD_KNOWN, f"Version {report.card.version} was posted before: name a new one."
        )
    return report.card


def _check_ahead(
    house: House, tx: Transaction, command: PostCard, card: RateCard, postings: list[PostingRow]
) -> bool:
    """The notice, and whether the card changes the game's maximum; both protect sold tickets."""
    game = queries.open_game(tx, command.location)
    if game is None:
        if postings:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "Open the first game before a second card.")
        if not 1 <= command.first_game <= INTEGER_MAX:
            raise Refused(Refusal.UNKNOWN_GAME, "A card begins at a game from 1 on.")
        return False
    last = postings[-1]
    if command.first_game <= max(game.game, last.first_game):
        raise Refused(
            Refusal.NOTICE_TOO_SHORT,
            f"Name a game after {max(game.game, last.first_game)} for the card to begin.",
        )
    if command.first_game > INTEGER_MAX or command.opens_ms < tx.now_ms + NOTICE_MS:
        raise Refused(Refusal.NOTICE_TOO_SHORT, "A card is posted at least 30 minutes ahead.")
    before = house.card(tx, last.card)
    changes = (before.aggregate_max_cents, before.aggregate_share) != (
        card.aggregate_max_cents,
        card.aggregate_share,
    )
    if changes and command.first_game <= queries.last_live_game(tx, command.location):
        raise Refused(
            Refusal.MAXIMUM_IN_PLAY,
            "Tickets are sold under the old maximum for that game: name a later one.",
        )
    return changes


def card_for_game(reads: Reads, location: str, game: int) -> str:
    """The card in force when a game opens: named for it, and announced long enough."""
    now_ms = reads.now_ms if isinstance(reads, Transaction) else None
    in_force: str | None = None
    for posting in queries.postings(reads, location):
        announced = in_force is None or now_ms is None or posting.posted_ms + NOTICE_MS <= now_ms
        if posting.first_game <= game and announced:
            in_force = posting.card
    if in_force is None:
        raise Refused(Refusal.CARD_CHANGED, "No rate card is posted for this location.")
    return in_force


async def posted_text(house: House, location: str, version: str) -> str:
    """The file of a card that was ever posted at this location, in force or not."""

    def load(reads: Reads) -> str:
        posted = {posting.card for posting in queries.postings(reads, location)}
        text = queries.card_text(reads, version) if version in posted else None
        if text is None:
            raise Refused(Refusal.UNKNOWN_CARD, f"No card {version[:32]!r} was ever posted here.")
        return text

    return await house.ledger.read(load)
