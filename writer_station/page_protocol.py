"""What the page may ask (docs/station.md), as strict objects told apart by `do`."""

from typing import Annotated

import msgspec

from keno.protocol import DigitalOrigin, PaperOrigin, Payment, PreviousOrigin, Second, Tendered
from keno.protocol.base import Cents, Whole

Text = Annotated[str, msgspec.Meta(max_length=60_000)]
Line = Annotated[str, msgspec.Meta(max_length=4_000)]
Short = Annotated[str, msgspec.Meta(max_length=200)]


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ticket as far as it is typed."""

    number: Whole
    groups: list[list[Whole]] = []
    kings: list[Whole] = []
    conditioning: Line = ""
    rate: Short = ""
    games: Short = ""
    quick_pick: Whole | None = None
    origin: PaperOrigin | DigitalOrigin | PreviousOrigin = PaperOrigin()


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Anything the page asks; each states its name as `tag`; its answer carries the same id."""

    id: Whole


class SignIn(Ask, frozen=True, tag="sign_in"):
    person: Short
    password: Short

    def __repr__(self) -> str:
        return f"SignIn({self.person!r})"


class SignOut(Ask, frozen=True, tag="sign_out"):
    pass


class OpenShift(Ask, frozen=True, tag="open_shift"):
    bank_cents: Cents


class MoveShift(Ask, frozen=True, tag="move_shift"):
    pass


class Lock(Ask, frozen=True, tag="lock"):
    pass


class Unlock(Ask, frozen=True, tag="unlock"):
    password: Short

    def __repr__(self) -> str:
        return "Unlock()"


class Fill(Ask, frozen=True, tag="fill"):
    cents: Cents
    second: Second


class Credit(Ask, frozen=True, tag="credit"):
    cents: Cents
    second: Second


class CloseShift(Ask, frozen=True, tag="close_shift"):
    counted: dict[str, Cents]
    second: Second


class AskDraft(Ask, frozen=True, tag="draft"):
    draft: Draft


class Sell(Ask, frozen=True, tag="sell"):
    draft: Draft
    game: Whole
    price_cents: Cents
    tender: list[Tendered]


class Rewrite(Ask, frozen=True, tag="rewrite"):
    ticket: Whole
    code: Short
    draft: Draft
    game: Whole
    price_cents: Cents
    tender: list[Tendered]


class Find(Ask, frozen=True, tag="find"):
    text: Text


class Look(Ask, frozen=True, tag="look"):
    ticket: Whole
    code: Short


class Again(Ask, frozen=True, tag="again"):
    ticket: Whole
    code: Short


class OnePayment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ticket of several that are paid together."""

    ticket: Whole
    code: Short
    payment: Payment


class Pay(Ask, frozen=True, tag="pay"):
    payments: Annotated[list[OnePayment], msgspec.Meta(max_length=100)]


class Refund(Ask, frozen=True, tag="refund"):
    ticket: Whole
    code: Short
    payment: Payment


class AskSupervisor(Ask, frozen=True, tag="ask_supervisor"):
    ticket: Whole
    code: Short
    refund: bool = False


class Authorise(Ask, frozen=True, tag="authorise"):
    authorisation: Whole
    approve: bool
    second: Second
    passphrase: Short = ""
    reason: Short = ""

    def __repr__(self) -> str:
        return f"Authorise({self.authorisation})"


class Void(Ask, frozen=True, tag="void"):
    ticket: Whole
    code: Short | None = None


class Surrender(Ask, frozen=True, tag="surrender"):
    ticket: Whole
    second: Second
    reason: Short


class Reprint(Ask, frozen=True, tag="reprint"):
    ticket: Whole
    second: Second | None = None


class Resolve(Ask, frozen=True, tag="resolve"):
    ticket: Whole
    printed: bool
    second: Second | None = None


class TrialPage(Ask, frozen=True, tag="test_page"):
    pass


class Seen(Ask, frozen=True, tag="seen"):
    ms: Whole


PageSays = SignIn | SignOut | OpenShift | MoveShift | Lock | Unlock | Fill | Credit | \
    CloseShift | AskDraft | Sell | Rewrite | Find | Look | Again | Pay | Refund | AskSupervisor | \
    Authorise | Void | Surrender | Reprint | Resolve | TrialPage | Seen  # fmt: skip

read_page = msgspec.json.Decoder(PageSays).decode


class _Numbered(msgspec.Struct):
    id: Whole = 0


_read_id = msgspec.json.Decoder(_Numbered).decode


def id_of(text: str | bytes) -> int:
    """The id of a message that cannot be read otherwise, or 0."""
    try:
        return _read_id(text).id
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return 0
