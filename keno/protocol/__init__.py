"""The wire protocol: every message between stations, consoles, boards and the server.

Messages are JSON objects tagged by `type`; docs/wire.md has an example of each. A request with an
unknown field or a wrong type is refused. A request does not name the person who acts: the server
knows the station by its key and the person by their sign-in. It names only the second person who
approves a command, with that person's password.
"""

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from keno.protocol import (
    cards,
    clock,
    coupons,
    floor,
    games,
    halts,
    listings,
    paper,
    payouts,
    people,
    shifts,
    station,
    ticket_record,
    tickets,
)
from keno.protocol.base import (
    CONSOLE,
    PROTOCOL,
    STATION,
    Command,
    KindCents,
    Message,
    Part,
    Second,
    Tendered,
)
from keno.protocol.cards import CheckCard, GetCards, PostCard
from keno.protocol.clock import ClockConfirmed, ClockDoubt, ConfirmClock
from keno.protocol.coupons import (
    CouponBatch,
    CouponView,
    CouponVoided,
    FindCoupon,
    IssueCoupon,
    RegisterCoupons,
    VoidCoupon,
)
from keno.protocol.events import (
    AuthorisationAnswered,
    AuthorisationAsked,
    Ball,
    CardChange,
    Closing,
    DrawingGame,
    Hello,
    Ok,
    OpenGame,
    Opening,
    RefusedReply,
    Result,
    ShownGame,
    State,
    Told,
)
from keno.protocol.floor import GetDrawStatus, GetFloor, Tell
from keno.protocol.games import CloseGame, DeclareVoid, GetExposure, GetVoidQuote, Override
from keno.protocol.halts import GetHalts, HaltList, HaltView, Resumed, ResumeHalt
from keno.protocol.listings import (
    Listing,
)
from keno.protocol.paper import KeyPaper, PaperRuling
from keno.protocol.payouts import (
    Authorise,
    Authorised,
    LookedUp,
    Lookup,
    NoRefund,
    Owed,
    Paid,
    Payment,
    Redeem,
    Refund,
    RefundQuote,
    RequestAuthorisation,
    TicketGame,
    TicketView,
)
from keno.protocol.people import (
    AddLocation,
    AddUser,
    ChangeUser,
    EnableStation,
    EnrolStation,
    GetStaff,
    SetPassword,
    SetSigningKey,
)
from keno.protocol.shifts import (
    CheckedOut,
    CloseOtherShift,
    CloseShift,
    Credit,
    Fill,
    LockShift,
    MoveShift,
    OpenShift,
    ShiftState,
    Slip,
)
from keno.protocol.station import (
    RESUME_MAX,
    GetStationOverview,
    OtherShift,
    Price,
    Prove,
    Resume,
    SignedIn,
    SignIn,
    SignOut,
    StationAuthorisation,
    StationOverview,
    StationPlace,
    StationStatus,
    StationTicket,
    UnprintedTicket,
    WriterShift,
)
from keno.protocol.ticket_record import (
    AuthorisationRecord,
    GetAuthorisation,
    GetTicketRecord,
    PayoutCheck,
    TicketRecord,
)
from keno.protocol.tickets import (
    ConfirmNotIssued,
    ConfirmPrint,
    DeclareNotIssued,
    DigitalOrigin,
    Hold,
    Origin,
    PaperOrigin,
    PreviousOrigin,
    QuickPickOrigin,
    Reprint,
    ResolvePrint,
    Rewritten,
    SellTicket,
    Sold,
    Surrender,
    TakeNotIssued,
    TicketDone,
    Void,
    VoidAndRewrite,
    Voided,
)

TOPICS = (
    cards, clock, coupons, floor, games, halts, listings, paper, payouts, people, shifts, station,
    ticket_record, tickets,
)  # fmt: skip
COMMANDS: tuple[type[Command[Any]], ...] = tuple(
    each
    for module in TOPICS
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Command) and each.__module__ == module.__name__
)
"""All command types that a station or a console can send."""
AFTER_SIGN_IN = tuple(each for each in COMMANDS if each not in (SignIn, SignOut))
"""All command types that need a signed-in person."""
StationSays: Any = reduce(or_, [Prove, *(each for each in COMMANDS if each.asked_at & STATION)])
ConsoleSays: Any = reduce(or_, [each for each in COMMANDS if each.asked_at & CONSOLE])
ServerSays = Hello | Ok | RefusedReply | State | Ball | Closing | Result | AuthorisationAsked | \
    AuthorisationAnswered | Told  # fmt: skip

read_station = msgspec.json.Decoder(StationSays).decode
read_console = msgspec.json.Decoder(ConsoleSays).decode
read_server = msgspec.json.Decoder(ServerSays).decode
_encode = msgspec.json.Encoder().encode


def write(message: msgspec.Struct) -> str:
    """Return a message as JSON text for the wire."""
    return _encode(message).decode()


def proof_of_station(site: str, station: str, nonce: str) -> bytes:
    """Return the bytes that a station signs with its enrolled key when it connects.

    The bytes contain the site, the station and the nonce that the server sent on this connection.
    """
    return f"keno/station/1 {site} {station} {nonce}".encode()
