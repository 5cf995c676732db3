"""Halts: how they are said, and the claims that do not run during one."""

import pytest

from keno.domain.errors import Refusal
from keno.domain.halt import HaltFault, Span, claim_end_ms, halt_words, halted, without_halts
from keno.domain.ticket import Claim


@pytest.mark.parametrize(
    ("halts", "ends"),
    [
        ([], 1_100),
        ([(10, 90)], 1_100),  # over before the claim began
        ([(90, 110)], 1_110),  # only the part since it began
        ([(200, 300)], 1_200),
        ([(200, 300), (250, 350)], 1_250),  # overlapping: once
        ([(200, 300), (220, 280)], 1_200),  # one inside the other
        ([(500, 700), (200, 300)], 1_400),
        ([(1_100, 1_200)], 1_200),  # it began in the last moment
        ([(1_101, 1_200)], 1_100),  # the claim was over
        ([(200, 300), (1_150, 1_250)], 1_300),  # within the time that the first one added
        ([(200, None)], None),
        ([(1_101, None)], 1_100),
    ],
)
def test_15_7_the_time_of_halts_is_added_to_a_claim_once(
    halts: list[Span], ends: int | None
) -> None:
    assert claim_end_ms(100, 1_100, halts) == ends


@pytest.mark.parametrize(
    ("claim", "halts", "ends"),
    [
        (Claim(None, 1_500), [(200, 300)], None),  # its last game is not settled
        (Claim(1_100, 1_500), [], 1_500),
        (Claim(1_100, 1_500), [(1_200, 1_250)], 1_550),  # after its time, while it is under way
        (Claim(1_100, 1_500), [(200, 300)], 1_500),  # before it was under way: not twice
        (Claim(1_100, 1_500), [(1_200, None)], None),
        (Claim(1_100, None, 2_000), [(1_200, 1_300)], 2_100),  # while it is held
        (Claim(1_100, None, 2_000), [(200, 300)], 2_000),  # the end of a hold is a date
        (Claim(1_100, None, 2_000), [(1_200, None)], None),
        (Claim(1_100, None, 1_050), [(1_000, 1_010)], 1_110),
        (Claim(1_100, 1_500, 2_000), [(1_200, None)], None),
    ],
)
def test_15_7_a_claim_under_way_or_held_does_not_run_during_a_halt(
    claim: Claim, halts: list[Span], ends: int | None
) -> None:
    under_way = None if claim.presented_until_ms is None else 1_000
    assert without_halts(claim, 100, under_way, halts).ends_ms == ends


@pytest.mark.parametrize("fault", [*HaltFault, "a fault of tomorrow"])
def test_every_halt_is_said_in_plain_words(fault: str) -> None:
    words = halt_words(fault)
    assert words.startswith("Keno is halted: ")
    assert words.endswith(". Tickets stay good.")
    assert (halted(fault).reason, halted(fault).message) == (Refusal.HALTED, words)
