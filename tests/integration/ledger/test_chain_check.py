"""15.7: the audit chain and the cards that it posts, checked at every start and once a day."""

import pytest

from keno.domain.errors import Refusal, Refused
from keno.games.chain_check import check_chain
from keno.service.common import WriterContext
from tests.halting import alter, find_break, give_keyholders, the_halt
from tests.houses import Floor
from tests.integration.ledger.asking import value
from tests.rng_house import Keys


@pytest.fixture
async def booth(floor: Floor) -> WriterContext:
    await give_keyholders(floor, Keys())
    return await floor.booth()


async def test_15_7_a_sound_chain_does_not_halt(floor: Floor, booth: WriterContext) -> None:
    for _ in range(3):
        await floor.sell(booth)
    await find_break(floor.house)
    assert floor.house.halts.in_force == {}


@pytest.mark.parametrize("naive", [False, True], ids=["as posted", "the row alone"])
async def test_15_7_a_rate_card_that_is_not_as_posted_halts_the_house(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    """After a restart its payoffs would be believed."""
    if naive:
        monkeypatch.setattr("keno.games.chain_check.changed_cards", lambda *_: ())
    version = await value(floor, "SELECT version FROM cards")
    alter(floor.path, "UPDATE cards SET toml = toml || '# 4.00'")
    await find_break(floor.house)
    if naive:
        assert floor.house.halts.in_force == {}
        return
    halt = the_halt(floor.house)
    assert (halt.scope, halt.fault) == ("house", "chain")
    assert halt.found == f"The rate card {version} is not stored as it was posted."
    with pytest.raises(Refused) as refused:
        await floor.sell(booth)
    assert refused.value.reason is Refusal.HALTED


async def test_15_7_the_chain_is_checked_to_its_end_with_pauses(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keno.games.chain_check.PIECE_ROWS", 3)
    await floor.sell(booth)
    last = await value(floor, "SELECT max(seq) FROM audit")
    alter(floor.path, "UPDATE audit SET actor = 'W2' WHERE seq = ?", last)
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    await check_chain(floor.house, pause)
    assert the_halt(floor.house).found == f"The audit chain breaks at row {last}."
    assert len(pauses) >= -(-last // 3)
    assert min(pauses) > 0
