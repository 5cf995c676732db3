"""Records the house of enormous amounts with the programs of commit 1455387.

Run `.venv/bin/python -m tests.recorded.amounts FOLDER` as `record.py` says.
"""

import asyncio
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.recorded import AMOUNTS
from tests.recorded.keeping import keep

LARGE = {"base_cents": 100, "min_cents": 100, "max_cents": 10**12, "step_cents": 100, "mark": "L",
         "pays": {"1": {"1": 2_80}}}  # fmt: skip
ENORMOUS = "1: 1/1@10000000000.00L x100000"
"""The dearest ticket of that card: 10^17 cents."""
DRAWS = [[2, 3, *range(61, 79)], [2, *range(60, 79)], [2, *range(60, 79)]]


async def enormous_house(folder: Path) -> list[dict[str, Any]]:
    """A ledger with tickets that no limit allows today, and with checks and forms as they were."""
    houses = import_module("tests.houses")
    text = import_module("tests.cards").card_text(
        version="enormous", ticket_max_cents=10**12, multi_race_games_max=100_000,
        aggregate_max_cents=10**12, rates__large=LARGE,
    )  # fmt: skip
    sell = import_module("keno.service.sell")
    payouts = import_module("keno.service.payouts")
    tickets = import_module("keno.service.tickets")
    (folder / "code.key").write_text(f"{houses.CODE_KEY.hex()}\n")
    sold: dict[str, Any] = {}
    async with houses.new_floor(folder, card_toml=text) as made:
        rich, poor = await made.booth(bank_cents=0), await made.booth("W2", "2")

        async def redeem(name: str, *payment: object) -> None:
            command = payouts.Redeem(
                made.id(), poor, sold[name].ticket, sold[name].code, payouts.Payment(*payment)
            )
            await payouts.redeem(made.house, command)

        sold["voided"] = await made.sell(rich, ENORMOUS)
        void = tickets.Void(made.id(), rich, sold["voided"].ticket, sold["voided"].code)
        await tickets.void(made.house, void)
        for number in range(95):
            sold[f"enormous {number}"] = await made.sell(rich, ENORMOUS)
        sold["race"] = await made.sell(poor, "1: 1/1@10000000000.00L x5")
        sold["still in play"] = await made.sell(poor, "1: 1/1@10000000000.00L x5")
        sold["one check"] = await made.sell(poor, "2: 1/1@1.00")
        sold["same check"] = await made.sell(poor, "2: 1/1@2.00")
        sold["withheld"] = await made.sell(poor, "2 3: 1/2@1.00")
        sold["refunded"] = await made.sell(poor, "4: 1/1@1.00 x3")
        made.clock.forward(minutes=5)
        await made.play(DRAWS[0])
        await redeem("one check", 0, 3_00, "1001")
        await redeem("same check", 0, 6_00, "1001")
        await redeem("withheld", 0, 0, None, 12_00)
        refund = payouts.Refund(made.id(), poor, sold["refunded"].ticket, sold["refunded"].code,
                                payouts.Payment(2_00))  # fmt: skip
        await payouts.refund(made.house, refund)
        for numbers in DRAWS[1:]:
            made.clock.forward(minutes=5)
            await made.play(numbers)
        origin = sell.Previous(sold["refunded"].ticket, sold["refunded"].code)
        again = await made.sale(poor, "4: 1/1@1.00 x3", origin=origin)
        sold["played again"] = await sell.sell(made.house, again)
    return [
        {"name": name, "location": "main", "ticket": each.ticket, "code": each.code,
         "price_cents": each.price_cents}
        for name, each in sold.items()
    ]  # fmt: skip


def main() -> None:
    with TemporaryDirectory() as made:
        tickets = asyncio.run(enormous_house(Path(made)))
        keep(Path(made), Path(sys.argv[1]) / AMOUNTS, {"tickets": tickets})


if __name__ == "__main__":
    main()
