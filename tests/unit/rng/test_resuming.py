"""15.7: a resume ends exactly the halt that it names, and two listed keyholders sign it."""

import pytest

from rng.records import BadSignature, Genesis, Signer
from rng.resuming import check_resume, signed_halting
from tests.rng_house import Keys

KEYS = Keys()
GENESIS = Genesis(KEYS.genesis())
HALT = signed_halting(
    "halt", KEYS.signers["S"], site="example-casino", location="main", scope="location",
    fault="signed_wrong", found="a record is wrong", time_ms=1,
)  # fmt: skip
STRANGER = Signer(b"\x66" * 32)


def check(changed: dict[str, str], inspector: Signer = KEYS.signers["inspector"]) -> None:
    """Check a resume of the halt, rightly signed by those whom it names, with other fields."""
    people = (inspector, KEYS.signers["supervisor"])
    fields: dict[str, object] = {
        "chain": GENESIS.chain, "halt": HALT.digest, "fault": HALT["fault"],
        "inspector": inspector.key, "supervisor": people[1].key, "reason": "looked into",
        "time_ms": 2,
    }  # fmt: skip
    check_resume(signed_halting("resume", *people, **(fields | changed)), HALT, GENESIS)


def test_15_7_two_listed_keyholders_end_the_halt_that_they_name() -> None:
    check({})


@pytest.mark.parametrize(
    "changed", [{"chain": "11" * 32}, {"halt": "11" * 32}, {"fault": "chain"}], ids=str
)
def test_15_7_a_resume_of_another_halt_fault_or_chain_ends_nothing(
    changed: dict[str, str],
) -> None:
    with pytest.raises(BadSignature, match="another halt, fault or chain"):
        check(changed)


def test_15_7_a_resume_that_a_stranger_signed_ends_nothing() -> None:
    with pytest.raises(BadSignature, match="listed inspector"):
        check({}, STRANGER)
