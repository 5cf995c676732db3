"""Types of wire fields that hold a state or a kind.

Each is plain text, so that a reader accepts a value that it does not know. `typescript.py`
generates the pages' types and display words from these declarations.
"""

from dataclasses import dataclass
from typing import Annotated

from keno.domain.states import (
    AuthorisationState,
    DrawerKind,
    Ending,
    GameState,
    ShownGameState,
    TenderKind,
    TicketCondition,
    TicketState,
    Worded,
)


@dataclass(frozen=True)
class MemberOf:
    """Annotation of a text field: the enums whose values it holds, and its names in the pages.

    `name` is the type in protocol.d.ts, `words_name` the table of display words in words.js.
    """

    name: str
    words_name: str
    enums: tuple[type[Worded], ...]


GAME_STATE = MemberOf("GameState", "GAME_STATES", (GameState,))
SHOWN_GAME_STATE = MemberOf("ShownGameState", "SHOWN_GAME_STATES", (ShownGameState,))
TICKET_STATE = MemberOf("TicketState", "TICKET_STATES", (TicketState, Ending))
TICKET_CONDITION = MemberOf("TicketCondition", "TICKET_CONDITIONS", (TicketCondition,))
AUTHORISATION_STATE = MemberOf("AuthorisationState", "AUTHORISATION_STATES", (AuthorisationState,))
TENDER_KIND = MemberOf("TenderKind", "TENDER_KINDS", (TenderKind,))
DRAWER_KIND = MemberOf("DrawerKind", "DRAWER_KINDS", (DrawerKind,))

GameStateText = Annotated[str, GAME_STATE]
ShownGameStateText = Annotated[str, SHOWN_GAME_STATE]
TicketStateText = Annotated[str, TICKET_STATE]
"""The state of a ticket, or its ending."""
AuthorisationStateText = Annotated[str, AUTHORISATION_STATE]
TenderKindText = Annotated[str, TENDER_KIND]
DrawerKindText = Annotated[str, DRAWER_KIND]

WORDED = (
    SHOWN_GAME_STATE, TICKET_STATE, TICKET_CONDITION, AUTHORISATION_STATE, TENDER_KIND, DRAWER_KIND,
)  # fmt: skip
"""The states and kinds whose display words are generated for the pages."""
