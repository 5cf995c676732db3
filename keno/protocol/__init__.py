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

from keno.protocol import console, station
from keno.protocol.base import (
    CONSOLE,
    PROTOCOL,
    STATION,
    Command,
    DigitalOrigin,
    Message,
    Origin,
    PaperOrigin,
    Part,
    Payment,
    PreviousOrigin,
    QuickPickOrigin,
    Second,
    Tendered,
)
from keno.protocol.console import (
    AddLocation,
    AddUser,
    Authorisation,
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
    TicketRecord,
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
from keno.protocol.station import (
    Authorise,
    CloseShift,
    ConfirmPrint,
    Credit,
    Desk,
    Fill,
    Hold,
    LockShift,
    Lookup,
    MoveShift,
    OpenShift,
    Price,
    Prove,
    Redeem,
    Refund,
    Reprint,
    RequestAuthorisation,
    ResolvePrint,
    Resume,
    SellTicket,
    SignIn,
    SignOut,
    StationStatus,
    Surrender,
    Void,
    VoidAndRewrite,
)

__all__ = [
    "COMMANDS",
    "PROTOCOL",
    "AddLocation",
    "AddUser",
    "Authorisation",
    "AuthorisationAnswered",
    "AuthorisationAsked",
    "Authorise",
    "Ball",
    "CardChange",
    "Cards",
    "ChangeUser",
    "CheckCard",
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
    "Hello",
    "Hold",
    "Listing",
    "LockShift",
    "Lookup",
    "Message",
    "MoveShift",
    "Ok",
    "OpenGame",
    "OpenShift",
    "Origin",
    "Override",
    "PaperOrigin",
    "Part",
    "Payment",
    "PostCard",
    "PreviousOrigin",
    "Price",
    "Prove",
    "QuickPickOrigin",
    "Redeem",
    "Refund",
    "RefusedReply",
    "Reprint",
    "RequestAuthorisation",
    "ResolvePrint",
    "Result",
    "Resume",
    "Second",
    "SellTicket",
    "ServerSays",
    "SetPassword",
    "SetSigningKey",
    "ShownGame",
    "SignIn",
    "SignOut",
    "Staff",
    "State",
    "StationSays",
    "StationStatus",
    "Surrender",
    "Tell",
    "Tendered",
    "TicketRecord",
    "Told",
    "Void",
    "VoidAndRewrite",
    "VoidQuote",
    "proof_of_station",
    "read_console",
    "read_server",
    "read_station",
    "write",
]

COMMANDS: tuple[type[Command[Any]], ...] = tuple(
    each
    for module in (console, station)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Command) and each.__module__ == module.__name__
)
"""Every command there is."""
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
