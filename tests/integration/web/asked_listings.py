"""Asks a house of two days at two locations for every listing in every form."""

import shutil
from pathlib import Path

from keno.protocol import Listing, Ok
from keno.service.listing_registry import REPORTS
from tests.integration.web.served import new_id, serving
from tests.integration.web.told import WHERE_AND_WHEN, Told
from tests.integration.web.two_days import two_days


async def asked_for_everything(folder: Path) -> Told:
    told = Told(folder / "after.db")
    async with serving(folder) as served:
        served.server.conductors["east"] = served.conductor  # it is asked nothing but its name
        await two_days(served.floor)
        async with served.console("I1") as console:
            for listing in REPORTS:
                for location, day in WHERE_AND_WHEN:
                    key = (listing, location, day)
                    said = await console.command(Listing(new_id(), location, listing, day))
                    assert isinstance(said, Ok), said
                    assert isinstance(said.answer, list)
                    told.rows[key] = said.answer
                    told.heads[key] = []
                    for ending in ("csv", "pdf"):
                        path = f"/api/listings/{location}/{listing}.{ending}?day={day}"
                        async with console.session.get(path) as response:
                            body = await response.read()
                            assert response.status == 200, body
                            told.heads[key].append(dict(response.headers))
                        if ending == "csv":
                            told.files[key] = body.decode("utf-8")
                        else:
                            told.papers[key] = body
        assert served.troubles == []
    shutil.copy(folder / "ledger.db", told.ledger)
    return told
