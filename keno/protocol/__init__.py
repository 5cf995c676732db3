"""The wire: every message between stations, consoles, boards and the server.

JSON objects told apart by `type`. Reading is strict: an unknown field, a wrong type or anything
too deep is refused. docs/wire.md has an example of each; a test keeps both alike. Who acts is
never in a message: the server knows the station by its key and the person by their sign-in. Only
a second person, who stands beside the first, is named, with a password of their own.
"""

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from keno.protocol import console, payouts, shifts, station, ticket_record, tickets
from keno.protocol.base import (
    CONSOLE,
    PROTOCOL,
    STATION,
    Command,
    Message,
    Part,
    Second,
    Tendered,
)
from keno.protocol.console import (
    AddLocation,
    AddUser,
    Cards,
    ChangeUser,
    CheckCard,
    CloseGame,
    DeclareVoid,
    DrawRoom,
    EnableStation,
    EnrolStation,
    Exposure,
    Floor,
    Listing,
    Override,
    PostCard,
    SetPassword,
    SetSigningKey,
    Staff,
    Tell,
    VoidQuote,
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
    RefusedReply,
    Result,
    ShownGame,
    State,
    Told,
)
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
from keno.protocol.shifts import (
    CheckedOut,
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
    Desk,
    Price,
    Prove,
    Resume,
    SignIn,
    SignOut,
    StationStatus,
)
from keno.protocol.ticket_record import (
    AuthorisationRecord,
    GetAuthorisation,
    GetTicketRecord,
    PayoutCheck,
    TicketRecord,
)
from keno.protocol.tickets import (
    ConfirmPrint,
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
    TicketDone,
    Void,
    VoidAndRewrite,
    Voided,
)

__all__ = [
    "AFTER_SIGN_IN",
    "COMMANDS",
    "PROTOCOL",
    "AddLocation",
    "AddUser",
    "AuthorisationAnswered",
    "AuthorisationAsked",
    "AuthorisationRecord",
    "Authorise",
    "Authorised",
    "Ball",
    "CardChange",
    "Cards",
    "ChangeUser",
    "CheckCard",
    "CheckedOut",
    "CloseGame",
    "CloseShift",
    "Closing",
    "Command",
    "ConfirmPrint",
    "ConsoleSays",
    "Credit",
    "DeclareVoid",
    "Desk",
    "DigitalOrigin",
    "DrawRoom",
    "DrawingGame",
    "EnableStation",
    "EnrolStation",
    "Exposure",
    "Fill",
    "Floor",
    "GetAuthorisation",
    "GetTicketRecord",
    "Hello",
    "Hold",
    "Listing",
    "LockShift",
    "LookedUp",
    "Lookup",
    "Message",
    "MoveShift",
    "NoRefund",
    "Ok",
    "OpenGame",
    "OpenShift",
    "Origin",
    "Override",
    "Owed",
    "Paid",
    "PaperOrigin",
    "Part",
    "Payment",
    "PayoutCheck",
    "PostCard",
    "PreviousOrigin",
    "Price",
    "Prove",
    "QuickPickOrigin",
    "Redeem",
    "Refund",
    "RefundQuote",
    "RefusedReply",
    "Reprint",
    "RequestAuthorisation",
    "ResolvePrint",
    "Result",
    "Resume",
    "Rewritten",
    "Second",
    "SellTicket",
    "ServerSays",
    "SetPassword",
    "SetSigningKey",
    "ShiftState",
    "ShownGame",
    "SignIn",
    "SignOut",
    "Slip",
    "Sold",
    "Staff",
    "State",
    "StationSays",
    "StationStatus",
    "Surrender",
    "Tell",
    "Tendered",
    "TicketDone",
    "TicketGame",
    "TicketRecord",
    "TicketView",
    "Told",
    "Void",
    "VoidAndRewrite",
    "VoidQuote",
    "Voided",
    "proof_of_station",
    "read_console",
    "read_server",
    "read_station",
    "write",
]

COMMANDS: tuple[type[Command[Any]], ...] = tuple(
    each
    for module in (console, payouts, shifts, station, ticket_record, tickets)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Command) and each.__module__ == module.__name__
)
"""Every command there is."""
AFTER_SIGN_IN = tuple(each for each in COMMANDS if each not in (SignIn, SignOut))
"""Every command of a person who is signed in."""
StationSays: Any = reduce(or_, [Prove, *(each for each in COMMANDS if each.asked_at & STATION)])
ConsoleSays: Any = reduce(or_, [each for each in COMMANDS if each.asked_at & CONSOLE])
ServerSays = Hello | Ok | RefusedReply | State | Ball | Closing | Result | AuthorisationAsked | \
    AuthorisationAnswered | Told  # fmt: skip

read_station = msgspec.json.Decoder(StationSays).decode
read_console = msgspec.json.Decoder(ConsoleSays).decode
read_server = msgspec.json.Decoder(ServerSays).decode
_encode = msgspec.json.Encoder().encode


def write(message: msgspec.Struct) -> str:
    """A message as it goes over the wire."""
    return _encode(message).decode()


def proof_of_station(site: str, station: str, nonce: str) -> bytes:
    """What a station signs with its enrolled key: this house, this station, this connection."""
    return f"keno/station/1 {site} {station} {nonce}".encode()
