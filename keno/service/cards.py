"""Rate cards: posted ahead, by two people in live mode, in force from a named game (15.3(d))."""

import asyncio
import logging
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from keno.domain.cardfile import CardReport, judge_posted
from keno.domain.certify import RULES_NOW
from keno.domain.errors import Refusal, Refused
from keno.domain.game import game_name
from keno.domain.payout import check_not_own_act
from keno.domain.ratecard import RateCard
from keno.domain.request_json import INTEGER_MAX
from keno.domain.ticket import MINUTE_MS
from keno.protocol.base import LedgerForm
from keno.service.common import answered_before, once, require_user
from keno.service.house import House
from keno.store import queries
from keno.store.rows import GameRow, PostingRow
from keno.store.transaction import Reads, Row, Transaction

log = logging.getLogger(__name__)

NOTICE_MS = 30 * MINUTE_MS
"""A card is posted half an hour before it takes effect."""
POSTERS = frozenset({"administrator", "manager", "supervisor"})


@dataclass(frozen=True, slots=True)
class PostCard:
    """A card for a location from a future game on, and when that game is due to open."""

    ledger: ClassVar = LedgerForm(
        "PostCard", "request_id location toml first_game opens_ms posted_by second"
    )

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
    """Check a card and announce it; the first card of a location needs no notice.

    The card is certified outside the writer, and only for people who may post one.
    """
    reports: list[CardReport] = []
    if not await answered_before(house, command):
        await house.ledger.read(lambda reads: _check_posters(house, reads, command))
        reports.append(await _certified(house, command.toml))

    def work(tx: Transaction) -> Posted:
        _check_posters(house, tx, command)
        card = _lawful(house, tx, command, reports[0])
        if queries.location(tx, command.location) is None:
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {command.location}.")
        postings = queries.postings(tx, command.location)
        changes = _check_ahead(house, tx, command, card, postings)
        if queries.card_text(tx, card.version) is None:
            tx.insert("cards", version=card.version, toml=command.toml, rules=int(RULES_NOW))
        tx.insert("postings", location=command.location, first_game=command.first_game,
                  card=card.version, posted_ms=tx.now_ms, posted_by=command.posted_by,
                  second=command.second, changes_maximum=int(changes))  # fmt: skip
        return Posted(command.location, card.version, command.first_game, tx.now_ms, changes)

    return await once(house, command.posted_by, command, work, Posted)


def _check_posters(house: House, reads: Reads, command: PostCard) -> None:
    require_user(reads, command.posted_by, POSTERS)
    if command.second is None and house.mode != "live":
        return
    if command.second is None:
        raise Refused(Refusal.OWN_ACT, "A second person must post the card too.")
    check_not_own_act(command.posted_by, command.second)
    require_user(reads, command.second, POSTERS)


async def _certified(house: House, toml: str) -> CardReport:
    try:
        return await house.certify(toml)
    except tomllib.TOMLDecodeError as error:
        raise Refused(Refusal.CARD_NOT_LAWFUL, f"The card is no TOML: {error}.") from None


def _lawful(house: House, tx: Transaction, command: PostCard, report: CardReport) -> RateCard:
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


async def judge_posted_cards(house: House) -> None:
    """Judge the cards in force and announced by the rules of today; what fails is not sold.

    Such a card stops no start and no payout: tickets sold under it are paid by it for life.
    """
    texts = await house.ledger.read(_current_cards)
    for version, text in texts.items():
        report = await asyncio.to_thread(judge_posted, text)
        if report.certified:
            house.not_sold.pop(version, None)
            continue
        house.not_sold[version] = report.faults[0].message
        log.error("nothing is sold under rate card %s: %s", version, report.faults[0].message)


def _current_cards(reads: Reads) -> dict[str, str]:
    """The texts of all cards in force or announced, by version."""
    versions: set[str] = set()
    for place in queries.locations(reads):
        game = queries.open_game(reads, place["location"])
        postings = queries.postings(reads, place["location"])
        later = 0 if game is None else game.game
        versions |= {posting.card for posting in postings if posting.first_game > later}
        versions |= set() if game is None else {game.card}
    return {version: queries.card_text(reads, version) or "" for version in sorted(versions)}


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


@dataclass(frozen=True, slots=True)
class Version:
    """One posting of a card."""

    card: str
    first_game: int
    name: str
    posted_ms: int
    posted_by: str
    second: str | None
    changes_maximum: bool
    state: str
    """past, in_force or announced."""
    not_sold: str | None
    """The rule of today that the card breaks; nothing is sold under it."""


@dataclass(frozen=True, slots=True)
class Earliest:
    """The first game from which a card that is posted now could be in force."""

    game: int
    name: str
    opens_ms: int


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a location, the newest first, and what a new one needs."""

    in_force: str | None
    two_people: bool
    earliest: Earliest
    last_live_game: int
    """A card that changes the maximum begins after it."""
    postings: tuple[Version, ...]


async def cards(house: House, location: str, opens_ms: Callable[[int], int]) -> Cards:
    """Every version that was posted, given when a game opens by the schedule."""

    def load(reads: Reads) -> tuple[str, list[PostingRow], GameRow | None, int]:
        place = queries.location(reads, location)
        return (
            "?" if place is None else place["letter"],
            queries.postings(reads, location),
            queries.open_game(reads, location),
            queries.last_live_game(reads, location),
        )

    letter, postings, game, last_live = await house.ledger.read(load)
    now, in_force = (0, None) if game is None else (game.game, game.card)
    after = max([now, *(posting.first_game for posting in postings)])
    first = _first_after(after, opens_ms, house.ledger.clock() + NOTICE_MS + MINUTE_MS)
    return Cards(
        in_force,
        house.mode == "live",
        Earliest(first, game_name(letter, first), opens_ms(first)),
        last_live,
        tuple(
            Version(
                posting.card,
                posting.first_game,
                game_name(letter, posting.first_game),
                posting.posted_ms,
                posting.posted_by,
                posting.second,
                bool(posting.changes_maximum),
                _stands(posting, in_force, now),
                house.not_sold.get(posting.card),
            )
            for posting in reversed(postings)
        ),
    )


def _first_after(game: int, opens_ms: Callable[[int], int], not_before_ms: int) -> int:
    """The first game after this one that opens late enough; games come at even intervals."""
    first = game + 1
    late_ms, each_ms = not_before_ms - opens_ms(first), opens_ms(first + 1) - opens_ms(first)
    return first + max(0, -(-late_ms // max(each_ms, 1)))


def _stands(posting: PostingRow, in_force: str | None, now: int) -> str:
    if posting.card == in_force:
        return "in_force"
    return "announced" if posting.first_game > now else "past"


async def both_sides(house: House, location: str, version: str) -> tuple[RateCard, RateCard, Row]:
    """A card, the one before it, and its posting: what a notice is made of."""

    def load(reads: Reads) -> tuple[RateCard, RateCard, Row]:
        postings = queries.postings(reads, location)
        at = next((n for n, each in enumerate(postings) if each.card == version), None)
        if at is None:
            raise Refused(Refusal.UNKNOWN_CARD, f"No card {version[:32]!r} was ever posted here.")
        if at == 0:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "The first card replaces none: no notice.")
        place = queries.location(reads, location) or {}
        about = {"first_game": postings[at].first_game, "posted_ms": postings[at].posted_ms}
        old, new = house.card(reads, postings[at - 1].card), house.card(reads, version)
        return old, new, {**place, **about}

    return await house.ledger.read(load)


async def posted_text(house: House, location: str, version: str) -> str:
    """The file of a card that was ever posted at this location, in force or not."""

    def load(reads: Reads) -> str:
        posted = {posting.card for posting in queries.postings(reads, location)}
        text = queries.card_text(reads, version) if version in posted else None
        if text is None:
            raise Refused(Refusal.UNKNOWN_CARD, f"No card {version[:32]!r} was ever posted here.")
        return text

    return await house.ledger.read(load)
