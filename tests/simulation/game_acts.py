"""Games, in and out of order, in the house and in its plain model."""

from hypothesis import strategies as st

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.roles import SYSTEM
from keno.domain.wager import KenoRequest
from keno.protocol import Second
from keno.service import games
from keno.service.common import StaffContext
from tests.houses import proof_of, verify
from tests.simulation.acting import act
from tests.simulation.coupon_acts import CouponActs
from tests.simulation.disputes import Disputes
from tests.simulation.halt_acts import Halts
from tests.simulation.machine import DRAWS, REQUESTS, WORDLESS, people, reasons, who
from tests.simulation.model import SUPERVISORS, NotYet
from tests.simulation.not_issued_acts import NotIssuedTickets


class Games(Disputes, NotIssuedTickets, Halts, CouponActs):
    """The states of a game, in and out of order."""

    def some_game(self, index: int) -> int:
        """The open game, one of those before it, or one that does not exist yet."""
        return max(1, self.model.open_game + 1 - index % 4)

    @act(
        2,
        index=st.sampled_from((1, 1, 1, 0, 2, 3)),
        approved_by=st.sampled_from((None, "S1", "W1")),
        by_hand=st.booleans(),
    )
    def lock_out(self, index: int, approved_by: str | None, *, by_hand: bool) -> None:
        number = self.some_game(index)
        game, before = self.model.games.get(number), self.model.games.get(number - 1)
        reason = self.model.halted("main")
        if reason is not None:
            pass
        elif game is None:
            reason = Refusal.UNKNOWN_GAME
        elif game.state != "open":
            reason = Refusal.NOT_POSSIBLE_NOW
        elif approved_by == "W1":
            reason = Refusal.NOT_ALLOWED
        elif by_hand and approved_by is None:
            reason = Refusal.AUTHORISATION_NEEDED
        elif before is not None and before.state == "locked":
            reason = Refusal.NOT_POSSIBLE_NOW
        actor = "W2" if by_hand else SYSTEM
        command = games.LockOut(
            self.acts.id, "main", number, f"commitment {number + 1}", actor, approved_by
        )
        locked = self.agree(reason, games.lock_out(self.house, command))
        if locked is not None:
            self.model.lock_out()
            playing = self.model.playing(number)
            assert locked.last_ticket == len(self.model.tickets)
            assert locked.tickets == len(playing)
            assert locked.handle_cents == sum(ticket.one_game_cents for ticket in playing)

    @act(index=st.integers(1, 3))
    def close_book(self, index: int) -> None:
        number = self.some_game(index)
        game = self.model.games[number]
        reason = Refusal.NOT_POSSIBLE_NOW if game.state == "open" else self.model.halted("main")
        if game.state in ("open", "locked"):
            closed = self.agree(reason, games.close_book(self.house, "main", number))
            game.closed |= closed is not None

    @act(2, index=st.integers(1, 3), drawn=st.sampled_from(DRAWS))
    def draw(self, index: int, drawn: list[int]) -> None:
        number = self.some_game(index)
        game = self.model.games[number]
        if game.state == "locked":
            self.close_book(index)
        reason = self.model.halted("main")
        if game.drawn and game.drawn != drawn:
            reason = Refusal.BAD_DRAW
        elif not game.drawn and (game.state != "locked" or not game.closed):
            reason = Refusal.NOT_POSSIBLE_NOW
        proof = proof_of(drawn)
        recorded = games.record_draw(self.house, "main", number, proof, verify)
        if self.agree(reason, recorded) is not None and game.state == "locked":
            game.state, game.drawn = "drawn", drawn

    @act(2, index=st.integers(1, 3))
    def show(self, index: int) -> None:
        number = self.some_game(index)
        game = self.model.games[number]
        reason = None if game.drawn else Refusal.NOT_POSSIBLE_NOW
        if self.agree(reason, games.show(self.house, "main", number)) is not None:
            game.shown = True

    @act(2, index=st.integers(1, 3))
    def settle(self, index: int) -> None:
        number = self.some_game(index)
        game = self.model.games[number]
        reason = None if game.drawn else Refusal.NOT_POSSIBLE_NOW
        if game.state == "drawn":
            reason = self.model.halted("main")
        settled = self.agree(reason, games.settle(self.house, "main", number))
        if settled is None:
            return
        if game.state == "drawn":
            expected = self.model.settle(number)
            assert (settled.winners, settled.graded_cents, settled.awards_cents) == expected
        assert settled.awards_cents == sum(
            ticket.awards.get(number, 0)
            for ticket in self.model.tickets.values()
            if ticket.not_issued != "declared"
        )

    @act(
        6,
        writer=who,
        wanted=st.lists(
            st.tuples(
                st.sampled_from(REQUESTS),
                st.integers(1, 3),
                st.sampled_from(("currency", "half", "returned")),
            ),
            max_size=3,
        ),
        drawn=st.sampled_from((*DRAWS, *DRAWS, None)),
        unpaid=st.sampled_from((False, False, False, True)),
        halted=st.sampled_from((*[False] * 7, True)),
    )
    def play(
        self,
        writer: str,
        wanted: list[tuple[KenoRequest, int, str]],
        drawn: list[int] | None,
        *,
        unpaid: bool,
        halted: bool,
    ) -> None:
        """A whole game at once, drawn or declared void, so that a run gets somewhere.

        In a halt after its draw it is not settled; then it goes on with the same numbers.
        """
        for request, many, tender in wanted:
            self.sell_one(writer, request, many, tender)
        self.lock_out(1, None, by_hand=False)
        if unpaid:
            self.declare_not_issued(writer, 0)
        if drawn is None:
            self.declare_void(2, "S1", "I1", "the RNG is lost")
            return
        self.draw(2, drawn)
        self.show(2)
        if halted:
            self.find_wrong_record(writer, 0)
            self.settle(2)
            self.resume(0, "S1", "I1", "both")
        self.settle(2)

    @act(index=st.sampled_from((1, 1, 2)), supervisor=people, text=reasons)
    def delay(self, index: int, supervisor: str, text: str) -> None:
        """An override of the open game, which a halt does not let through either."""
        number = self.some_game(index)
        reason = self.model.halted("main")
        if reason is None and text in WORDLESS:
            reason = Refusal.REASON_EMPTY
        elif reason is None and supervisor not in SUPERVISORS:
            reason = Refusal.NOT_ALLOWED
        elif reason is None and self.model.games[number].state != "open":
            reason = Refusal.NOT_POSSIBLE_NOW
        command = protocol.Override(self.acts.id, "main", "delay", text)
        by = StaffContext(supervisor)
        if self.agree(reason, games.override(self.house, by, command, number)) is not None:
            self.model.games[number].delayed = True

    @act(
        index=st.integers(1, 3), supervisor=people, inspector=st.sampled_from(("I1", "I1", "S2")),
        text=reasons,
    )  # fmt: skip
    def declare_void(self, index: int, supervisor: str, inspector: str, text: str) -> None:
        number = self.some_game(index)
        game = self.model.games[number]
        reason: NotYet = None
        if text in WORDLESS:
            reason = Refusal.REASON_EMPTY
        elif supervisor not in SUPERVISORS or inspector != "I1":
            reason = Refusal.NOT_ALLOWED
        elif game.state != "locked":
            reason = Refusal.NOT_POSSIBLE_NOW
        by = StaffContext(supervisor, inspector)
        command = protocol.DeclareVoid(
            self.acts.id, "main", number, text, Second(inspector, ""), {}
        )
        if self.agree(reason, games.declare_void(self.house, by, command)) is not None:
            game.state, game.done_ms = "void", self.model.now_ms
