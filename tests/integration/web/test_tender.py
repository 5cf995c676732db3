"""Second persons of sales, rewrites and banks over real sockets."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from keno.domain.errors import Refusal as Code
from keno.protocol import OpenShift, Second, SellTicket, Tendered, VoidAndRewrite
from tests.integration.ledger.asking import value
from tests.integration.web.served import PASSWORD, Served, new_id, sale, serving

LARGE = [Tendered("gaming_chips", 1_501_00)]
"""For a ticket of $1.00: change of $1,500.00."""


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path, live=True) as made:
        yield made


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path) as made:
        yield made


def approved(request_id: str, person: str, password: str = PASSWORD, **changes: Any) -> SellTicket:
    return sale(request_id, tender=LARGE, second=Second(person, password), **changes)


async def test_large_change_is_approved_with_a_password_at_the_station(served: Served) -> None:
    line = await served.station(bank_cents=2_000_00)
    assert await line.no(sale("q", tender=LARGE)) == Code.AUTHORISATION_NEEDED
    assert await line.no(approved("q", "S1", "a guess")) == Code.SIGN_IN_FAILED
    assert await line.no(approved("q", "W1")) == Code.OWN_ACT
    assert await line.no(approved("q", "W2")) == Code.NOT_ALLOWED
    sold = await line.ask(approved("q", "S1"))
    assert sold["change_cents"] == 1_500_00
    assert await line.ask(approved("q", "S1")) == sold
    assert await value(served.floor, "SELECT supervisor FROM approvals") == "S1"
    again = (new_id(), sold["ticket"], sold["code"], sale(tender=LARGE))
    assert await line.no(VoidAndRewrite(*again)) == Code.AUTHORISATION_NEEDED
    poor = VoidAndRewrite(*again, second=Second("S1", PASSWORD))
    assert await line.no(poor) == Code.PAYMENT_DIFFERS  # $500.00 are left in the drawer


async def test_a_bank_is_issued_by_two_persons_in_live_mode(live: Served) -> None:
    line = await live.station(bank_cents=None)
    assert await line.no(OpenShift(new_id(), 100_00)) == Code.AUTHORISATION_NEEDED
    assert await line.no(OpenShift(new_id(), 100_00, Second("W2", PASSWORD))) == Code.NOT_ALLOWED
    wrong = OpenShift(new_id(), 100_00, Second("S1", "a guess"))
    assert await line.no(wrong) == Code.SIGN_IN_FAILED
    state = await line.ask(OpenShift(new_id(), 100_00, Second("S1", PASSWORD)))
    assert state["opening"]["kind"] == "opening"
    assert await value(live.floor, "SELECT second FROM slips") == "S1"
    other = await live.station("s2", "W2", bank_cents=None)
    assert (await other.ask(OpenShift(new_id(), 0)))["opening"] is None
