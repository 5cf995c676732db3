"""Records the houses of this folder with the programs of commit 1455387, and with nothing newer.

Copy this folder into a checkout of that commit that has a virtual environment of its own, and run
there `.venv/bin/python -m tests.recorded.record FOLDER`: all that is imported is the old version.
"""

import asyncio
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.recorded import CARD, HOUSE
from tests.recorded.day import whole_house
from tests.recorded.keeping import COMMIT, keep, one_file, pack, write_facts
from tests.recorded.stations import PLACE, demo, rows

# ---------------------------------------------------------------- a card that was lawful then

DRAWS = ([*range(1, 7), *range(61, 75)], [*range(21, 41)])
NINE = "1 2 3 4 5 6 7 8 9: 1/9@2.50S"
SOLD = {  # what each wins in the first game and in the second, worked out by hand
    "nine paid": (NINE, 80_00, 0),
    "nine unpaid": (NINE, 80_00, 0),
    "nine race": (f"{NINE} x10", 80_00, 0),
    "large unpaid": ("1 2 3 4 5 6: 1/6@2.50S", 9_000_00, 0),
    "regular unpaid": ("61 62 63: 1/3@2.50", 105_00, 0),
    "both games unpaid": ("61 62/21 22: A,B@1.25 x2", 15_00, 15_00),
    "lost": ("41 42 43 44 45 46 47 48 49: 1/9@2.50S", 0, 0),
    "second game": ("21 22 23: 1/3@2.50 x2", 0, 105_00),
}


async def card_house(folder: Path) -> list[dict[str, Any]]:
    """A ledger whose card has a ticket minimum under which a lone nine is above 30%."""
    houses = import_module("tests.houses")
    people = import_module("keno.service.people")
    text = import_module("keno.service.counter").card_text("example")
    old = "ticket_min_cents =     1_00"
    if text.count(old) != 1 or text.count('"26-3"') != 1:
        raise ValueError("This is another card than that of the commit.")
    text = text.replace(old, "ticket_min_cents =     2_50").replace('"26-3"', '"26-3-250"')
    (folder / "code.key").write_text(f"{houses.CODE_KEY.hex()}\n")
    async with houses.new_floor(folder, card_toml=text) as made:
        public, sealed = people.new_signing_key(houses.PASSPHRASE)
        await people.set_signing_key(
            made.house, people.SetSigningKey(made.id(), "S1", public, sealed)
        )
        at = await made.booth()
        sold = {name: await made.sell(at, request) for name, (request, *_) in SOLD.items()}
        made.clock.forward(minutes=5)
        for numbers in DRAWS:
            await made.play(numbers)
            made.clock.forward(minutes=5)
        await made.pay(at, sold["nine paid"], 80_00)
        sold["open"] = await made.sell(at, NINE)
        return [
            {
                "name": name, "location": "main", "ticket": each.ticket, "code": each.code,
                "price_cents": each.price_cents, "request": SOLD.get(name, (NINE,))[0],
                "awards_cents": list(SOLD[name][1:]) if name in SOLD else [],
                "paid": name == "nine paid",
            }
            for name, each in sold.items()
        ]  # fmt: skip


# ---------------------------------------------------------------- keeping it

TICKETS = """
    SELECT t.*, e.kind AS ending, e.cash_cents, (SELECT coalesce(sum(award_cents), 0) FROM awards a
        WHERE (a.location, a.ticket) = (t.location, t.number)) AS awards_cents
    FROM tickets t LEFT JOIN endings e ON (e.location, e.ticket) = (t.location, t.number)
    WHERE t.location = ? AND t.number = ?
"""
KEPT_OF_TICKET = (
    "code", "price_cents", "first_game", "last_game", "state", "printed", "ending", "cash_cents",
    "awards_cents",
)  # fmt: skip


def record_house(to: Path) -> None:
    stations = asyncio.run(whole_house())
    one_file(PLACE / "ledger.db")
    tickets = []
    for each in stations:
        for name, number in each.named.items():
            row = rows(TICKETS, each.location, number)[0]
            tickets.append({"name": name, "location": each.location, "ticket": number}
                           | {key: row[key] for key in KEPT_OF_TICKET})  # fmt: skip
    last_ms = rows("SELECT max(ms) AS ms FROM audit")[0]["ms"]
    pack(PLACE, to / HOUSE / "house.tar.xz")
    facts = {"folder": str(PLACE), "last_ms": last_ms, "tickets": tickets}
    write_facts(to / HOUSE / "facts.json", facts)


def record_card(to: Path) -> None:
    with TemporaryDirectory() as made:
        tickets = asyncio.run(card_house(Path(made)))
        draws = [list(numbers) for numbers in DRAWS]
        keep(Path(made), to / CARD, {"draws": draws, "tickets": tickets})


def main() -> None:
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout
    ours = Path(str(demo.__file__)).resolve().is_relative_to(Path.cwd().resolve())
    if not head.startswith(COMMIT) or not ours:
        sys.exit(f"Run this in a checkout of {COMMIT}, with its own programs.")
    to = Path(sys.argv[1])
    record_card(to)
    record_house(to)


if __name__ == "__main__":
    main()
