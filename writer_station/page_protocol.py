"""Messages from the writer's page to the station over its websocket (docs/station.md).

Each kind of request is one class, tagged by `do`.
"""

from typing import Annotated

import msgspec

from keno.protocol import DigitalOrigin, PaperOrigin, Payment, PreviousOrigin, Second, Tendered
from keno.protocol.base import Cents, Whole
from keno.protocol.states import DrawerKindText

LongText = Annotated[str, msgspec.Meta(max_length=60_000)]
LineText = Annotated[str, msgspec.Meta(max_length=4_000)]
ShortText = Annotated[str, msgspec.Meta(max_length=200)]
Letter = Annotated[str, msgspec.Meta(max_length=3)]
"""Letter of the location that sold a ticket; empty if it is the station's own."""


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ticket as the writer has typed it so far; some fields are text and may be incomplete.

    `number` counts the page's drafts, so that the page can tell a late response.
    """

    number: Whole
    groups: list[list[Whole]] = []
    kings: list[Whole] = []
    conditioning: LineText = ""
    rate: ShortText = ""
    games: ShortText = ""
    quick_pick: Whole | None = None
    origin: PaperOrigin | DigitalOrigin | PreviousOrigin = PaperOrigin()


class PageMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base class of the page's requests; the response to a request has the same `id`."""

    id: Whole


class PageSignIn(PageMessage, frozen=True, tag="sign_in"):
    person: ShortText
    password: ShortText

    def __repr__(self) -> str:
        return f"PageSignIn({self.person!r})"


class PageSignOut(PageMessage, frozen=True, tag="sign_out"):
    pass


class PageOpenShift(PageMessage, frozen=True, tag="open_shift"):
    bank_cents: Cents
    second: Second | None = None


class PageMoveShift(PageMessage, frozen=True, tag="move_shift"):
    pass


class PageLock(PageMessage, frozen=True, tag="lock"):
    pass


class PageUnlock(PageMessage, frozen=True, tag="unlock"):
    password: ShortText

    def __repr__(self) -> str:
        return "PageUnlock()"


class PageFill(PageMessage, frozen=True, tag="fill"):
    cents: Cents
    second: Second
    kind: DrawerKindText | None = None


class PageCredit(PageMessage, frozen=True, tag="credit"):
    cents: Cents
    second: Second
    kind: DrawerKindText | None = None


class PageCloseShift(PageMessage, frozen=True, tag="close_shift"):
    counted: dict[str, Cents]
    second: Second
    denominations: dict[str, Whole] | None = None
    """The pieces of the counted cash by the cents of their denomination; None if only summed."""


class PageCloseOtherShift(PageMessage, frozen=True, tag="close_other_shift"):
    shift: Whole
    counted: dict[str, Cents]
    reason: ShortText
    second: Second
    denominations: dict[str, Whole] | None = None


class PageReadDraft(PageMessage, frozen=True, tag="draft"):
    draft: Draft


class PageSell(PageMessage, frozen=True, tag="sell"):
    draft: Draft
    game: Whole
    price_cents: Cents
    tender: list[Tendered]
    second: Second | None = None


class PageRewrite(PageMessage, frozen=True, tag="rewrite"):
    ticket: Whole
    code: ShortText
    draft: Draft
    game: Whole
    price_cents: Cents
    tender: list[Tendered]
    in_cash: bool = False
    """Whether cash is handed back in place of chips and tokens that came in."""
    second: Second | None = None


class PageCoupon(PageMessage, frozen=True, tag="coupon"):
    """Look a coupon up by its serial, typed or scanned."""

    serial: ShortText
    rewrites: Whole | None = None
    """The ticket that is being rewritten, whose own coupons can be used again."""


class PageFind(PageMessage, frozen=True, tag="find"):
    text: LongText
    pay: bool = False
    """Whether the ticket may be of another location: to pay it, decide about it or replay it."""


class PageLook(PageMessage, frozen=True, tag="look"):
    ticket: Whole
    code: ShortText
    letter: Letter = ""


class PageAgain(PageMessage, frozen=True, tag="again"):
    ticket: Whole
    code: ShortText
    letter: Letter = ""


class OnePayment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The payment of one ticket in a `PagePay` request, which pays several tickets."""

    ticket: Whole
    code: ShortText
    payment: Payment
    letter: Letter = ""
    in_cash: bool = False
    """Whether owed chips and tokens are paid in cash, because the drawer lacks them."""


class PagePay(PageMessage, frozen=True, tag="pay"):
    payments: Annotated[list[OnePayment], msgspec.Meta(max_length=100)]


class PageRefund(PageMessage, frozen=True, tag="refund"):
    ticket: Whole
    code: ShortText
    payment: Payment


class PageAskSupervisor(PageMessage, frozen=True, tag="ask_supervisor"):
    ticket: Whole
    code: ShortText
    refund: bool = False
    letter: Letter = ""


class PageAuthorise(PageMessage, frozen=True, tag="authorise"):
    authorisation: Whole
    approve: bool
    second: Second
    passphrase: ShortText = ""
    reason: ShortText = ""

    def __repr__(self) -> str:
        return f"PageAuthorise({self.authorisation})"


class PageVoid(PageMessage, frozen=True, tag="void"):
    ticket: Whole
    code: ShortText | None = None
    in_cash: bool = False


class PageSurrender(PageMessage, frozen=True, tag="surrender"):
    """A request to end a ticket by its number alone, which the server always refuses.

    It is accepted for pages of older versions.
    """

    ticket: Whole
    second: Second
    reason: ShortText


class PageNotIssued(PageMessage, frozen=True, tag="not_issued"):
    ticket: Whole


class PageConfirmNotIssued(PageMessage, frozen=True, tag="confirm_not_issued"):
    ticket: Whole
    code: ShortText
    issued: bool
    reason: ShortText
    second: Second
    location: ShortText = ""
    """The location that sold the ticket; empty if it is the station's own."""


class PageTakeNotIssued(PageMessage, frozen=True, tag="take_not_issued"):
    ticket: Whole
    code: ShortText
    reason: ShortText
    second: Second
    location: ShortText = ""


class PageReprint(PageMessage, frozen=True, tag="reprint"):
    ticket: Whole
    second: Second | None = None


class PageResolve(PageMessage, frozen=True, tag="resolve"):
    ticket: Whole
    printed: bool
    second: Second | None = None


class PageTrialPage(PageMessage, frozen=True, tag="test_page"):
    pass


class PageSeen(PageMessage, frozen=True, tag="seen"):
    ms: Whole


PageSays = PageSignIn | PageSignOut | PageOpenShift | PageMoveShift | PageLock | PageUnlock | \
    PageFill | PageCredit | PageCloseShift | PageCloseOtherShift | PageReadDraft | PageSell | \
    PageRewrite | PageCoupon | PageFind | PageLook | PageAgain | PagePay | PageRefund | \
    PageAskSupervisor | PageAuthorise | PageVoid | PageSurrender | PageNotIssued | \
    PageConfirmNotIssued | PageTakeNotIssued | PageReprint | PageResolve | PageTrialPage | \
    PageSeen  # fmt: skip

read_page = msgspec.json.Decoder(PageSays).decode


class _Numbered(msgspec.Struct):
    id: Whole = 0


_read_id = msgspec.json.Decoder(_Numbered).decode


def id_of(text: str | bytes) -> int:
    """Return the `id` of a page message that cannot be read otherwise, to refuse the message by id.

    It is 0 if the id cannot be read either.
    """
    try:
        return _read_id(text).id
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return 0
