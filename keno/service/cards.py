"""Rate cards (15.3(d)): post a card for a named first game, judge posted cards, list them."""

import asyncio
import logging
import tomllib
from bisect import bisect_left
from collections.abc import Callable

from keno.domain.cardfile import CardReport, judge_posted
from keno.domain.certify import RULES_NOW
from keno.domain.errors import Refusal, Refused
from keno.domain.game import game_name
from keno.domain.payout import check_not_own_act
from keno.domain.ratecard import RateCard
from keno.domain.request_json import INTEGER_MAX
from keno.domain.roles import CARD_POSTERS
from keno.domain.ticket import MINUTE_MS
from keno.protocol.cards import CardPosting, Cards, EarliestGame, PostCard, PostedCard
from keno.service.common import StaffContext, answer_once, answered_before, require_user
from keno.service.house import House
from keno.store import queries
from keno.store.rows import GameRow, PostingRow
from keno.store.transaction import Reads, Row, Transaction

log = logging.getLogger(__name__)

NOTICE_MS = 30 * MINUTE_MS
"""Minimum milliseconds between posting a card and the opening of its first game: half an hour."""
GAMES_OF_NOTICE_MAX = 10_000
"""Maximum games ahead that are searched for a new card's first game."""


async def post_card(
    house: House, by: StaffContext, command: PostCard, opens_ms: int | None
) -> PostedCard:
    """Certify a rate card and post it for a location; refuse a card that breaks a rule.

    Also refused: too short notice, a version posted before, a changed maximum at a game already
    sold, or in a live house a missing approval or second person. `opens_ms` is when the card's
    first game is due to open, in UTC milliseconds; None if the conductor does not know it yet, and
    then a second card is refused. The first card of a location needs no notice.
    """
    reports: list[CardReport] = []
    given = {"opens_ms": opens_ms}
    if not await answered_before(house, by, command, given):
        await house.ledger.read(lambda reads: _check_posters(house, reads, by))
        reports.append(await _certified(house, command.toml))

    def work(tx: Transaction) -> PostedCard:
        _check_posters(house, tx, by)
        card = _lawful(house, tx, command, reports[0])
        if queries.location(tx, command.location) is None:
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {command.location}.")
        postings = queries.postings(tx, command.location)
        changes = _check_ahead(house, tx, command, opens_ms, card, postings)
        if queries.card_text(tx, card.version) is None:
            tx.insert("cards", version=card.version, toml=command.toml, rules=int(RULES_NOW))
        tx.insert("postings", location=command.location, first_game=command.first_game,
                  card=card.version, posted_ms=tx.now_ms, posted_by=by.person,
                  second=by.second, changes_maximum=int(changes))  # fmt: skip
        return PostedCard(command.location, card.version, command.first_game, tx.now_ms, changes)

    return await answer_once(house, by, command, work, given)


def _check_posters(house: House, reads: Reads, by: StaffContext) -> None:
    require_user(reads, by.person, CARD_POSTERS)
    if by.second is None and house.mode != "live":
        return
    if by.second is None:
        raise Refused(Refusal.OWN_ACT, "A second person must post the card too.")
    check_not_own_act(by.person, by.second)
    require_user(reads, by.second, CARD_POSTERS)


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
    """Certify by today's rules all cards in force or announced, when a house opens.

    A card that fails is noted in `House.not_sold`, and nothing is sold under it. Start-up and
    payouts go on, because each ticket is paid by the card under which it was sold.
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
    """Return the TOML texts of all cards in force or announced, by version."""
    versions: set[str] = set()
    for place in queries.locations(reads):
        game = queries.open_game(reads, place["location"])
        postings = queries.postings(reads, place["location"])
        later = 0 if game is None else game.game
        versions |= {posting.card for posting in postings if posting.first_game > later}
        versions |= set() if game is None else {game.card}
    return {version: queries.card_text(reads, version) or "" for version in sorted(versions)}


def _check_ahead(
    house: House,
    tx: Transaction,
    command: PostCard,
    opens_ms: int | None,
    card: RateCard,
    postings: list[PostingRow],
) -> bool:
    """Check a posting's first game and notice; return whether the maximum or its sharing changes.

    Refused if it changes at a game for which tickets are already sold.
    """
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
    if opens_ms is None:
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW,
            "The open game is not loaded yet after the start. Post the card again in a moment.",
        )
    if command.first_game > INTEGER_MAX or opens_ms < tx.now_ms + NOTICE_MS:
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
    """Return the version of the card in force for a game; refuse if the location has no card.

    In a transaction, a location's second or later card counts only once it was posted `NOTICE_MS`
    ago.
    """
    now_ms = reads.now_ms if isinstance(reads, Transaction) else None
    in_force: str | None = None
    for posting in queries.postings(reads, location):
        if posting.first_game <= game and (in_force is None or _is_announced(posting, now_ms)):
            in_force = posting.card
    if in_force is None:
        raise Refused(Refusal.CARD_CHANGED, "No rate card is posted for this location.")
    return in_force


def _is_announced(posting: PostingRow, now_ms: int | None) -> bool:
    """Return whether the notice of a posted card is over; True if `now_ms` is None.

    It also counts as over if the posting time lies after `now_ms`: the clock was corrected since.
    """
    since_ms = NOTICE_MS if now_ms is None else now_ms - posting.posted_ms
    return not 0 <= since_ms < NOTICE_MS


async def cards(house: House, location: str, opens_ms: Callable[[int], int]) -> Cards:
    """Return every posted card of a location, newest first, and the earliest game for a new one.

    `opens_ms` returns for a game's number when it opens by the schedule, in UTC milliseconds.
    """

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
        EarliestGame(first, game_name(letter, first), opens_ms(first)),
        last_live,
        tuple(
            CardPosting(
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
    """Return the first game after `game` that opens at or after `not_before_ms` (UTC).

    At most GAMES_OF_NOTICE_MAX games are searched.
    """
    first = game + 1
    ahead = range(GAMES_OF_NOTICE_MAX)
    return first + bisect_left(ahead, not_before_ms, key=lambda later: opens_ms(first + later))


def _stands(posting: PostingRow, in_force: str | None, now: int) -> str:
    if posting.card == in_force:
        return "in_force"
    return "announced" if posting.first_game > now else "past"


async def both_sides(house: House, location: str, version: str) -> tuple[RateCard, RateCard, Row]:
    """Return what the printed notice of a new card shows: the card before, `version`, its posting.

    The posting has the location's columns, `first_game` and `posted_ms`. Refused if the version was
    never posted at this location, or was its first card.
    """

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
    """Return the TOML text of a card ever posted at this location; refuse any other version."""

    def load(reads: Reads) -> str:
        posted = {posting.card for posting in queries.postings(reads, location)}
        text = queries.card_text(reads, version) if version in posted else None
        if text is None:
            raise Refused(Refusal.UNKNOWN_CARD, f"No card {version[:32]!r} was ever posted here.")
        return text

    return await house.ledger.read(load)
