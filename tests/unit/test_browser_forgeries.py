"""Forgeries, each rightly signed by whoever made it: both verifiers stop at the same step."""

from collections.abc import Callable
from pathlib import Path

from rng.records import SignedMessage, Signer, add_signature, sign
from tests import rng_vector
from tests.browser_verifier import Case, agreeing, alone
from tests.rng_chain import Alter, Chain, setting, straight
from tests.unit.rng.test_verify import FORGED, VOIDS, Repeating, continue_with


def forged_chain(alter: Alter) -> Chain:
    chain = Chain()
    chain.game([straight(1, 1)])
    chain.game()
    chain.game(alter=alter)
    chain.game()
    return chain


def test_forgeries_signed_by_their_own_party_fail_at_the_same_step(tmp_path: Path) -> None:
    chains = [forged_chain(alter).lines for _, _, alter in FORGED]
    said = agreeing(tmp_path / "whole", [Case(tuple(lines)) for lines in chains])
    assert [each.fault for each in said] == [step for _, step, _ in FORGED]
    parts = [Case(alone(lines, 3), part=True) for lines in chains]
    said = agreeing(tmp_path / "parts", parts)
    assert sum(each.fault is not None for each in said) >= len(FORGED) - 5


def test_bad_voids_fail_at_the_same_step(tmp_path: Path) -> None:
    cases = []
    for _, upto, alter in VOIDS:
        chain = Chain()
        chain.game()
        chain.void(upto=upto, alter=alter)
        cases += [Case(tuple(chain.lines)), Case(alone(chain.lines, 2), part=True)]
        chain.game()  # the fault is in a game that nobody asked about
        cases.append(Case(tuple(chain.lines)))
    said = agreeing(tmp_path, cases)
    assert [each.fault for each in said[::3]] == [8] * len(VOIDS)
    assert [each.fault for each in said[2::3]] == [8] * len(VOIDS)
    assert not any(each.report["proven"] for each in said[2::3])


def changed_game(change: Callable[[Chain, dict[str, SignedMessage]], None], *, void: bool) -> Case:
    """A chain whose second game was changed after it was made."""
    chain = Chain()
    chain.game()
    made = chain.void(upto="result") if void else chain.game()
    change(chain, made)
    chain.messages[-1] = made
    return Case(tuple(chain.lines))


def test_records_too_many_too_few_and_of_others_fail_at_the_same_step(tmp_path: Path) -> None:
    def one_more_signature(chain: Chain, made: dict[str, SignedMessage]) -> None:
        made["close"] = add_signature(made["close"], chain.signers["R"])

    def another_signer(chain: Chain, made: dict[str, SignedMessage]) -> None:
        made["close"] = sign(made["close"].body, chain.signers["R"])

    def another_game(chain: Chain, made: dict[str, SignedMessage]) -> None:
        made["attest"] = sign({**made["attest"].body, "game": 1}, chain.signers["W"])

    def stranger(chain: Chain, made: dict[str, SignedMessage]) -> None:
        other = Signer(b"\x55" * 32)
        body = {**made["void"].body, "inspector": other.key}
        made["void"] = sign(body, other, chain.signers["supervisor"])
        del made["reveal_r"], made["reveal_w"]

    def without(*names: str) -> Callable[[Chain, dict[str, SignedMessage]], None]:
        def change(_: Chain, made: dict[str, SignedMessage]) -> None:
            for name in names:
                del made[name]

        return change

    cases = [
        changed_game(one_more_signature, void=False),
        changed_game(another_signer, void=False),
        changed_game(another_game, void=False),
        changed_game(stranger, void=True),
        *(changed_game(without(name), void=True) for name in ("close", "countersign", "commit_w")),
        changed_game(without("close", "countersign"), void=True),
        changed_game(without("result", "countersign"), void=True),
        *(changed_game(without(name), void=False) for name in ("commit_r", "close", "result")),
    ]
    said = agreeing(tmp_path, cases)
    assert [each.fault for each in said] == [3, 3, 2, 8, 2, 2, 2, 2, 8, 2, 2, 2]


class Same(Chain):
    """R and W have one secret between them."""

    def secret_of(self, role: str, game: int) -> str:
        return super().secret_of("R" if role else role, game)


def repeating(*moves: str) -> Chain:
    chain = Repeating()
    for move in moves:
        chain.void() if move == "void" else chain.game()
    return chain


def test_repeats_and_gaps_fail_at_the_same_step(tmp_path: Path) -> None:
    same = Same()
    same.game()
    chain = Chain()
    for _ in range(4):
        chain.game()
    one, two, three, four = chain.lines[2:]
    other = Chain(first_game=2)
    other.game()
    waiting = Chain()
    for _ in range(3):
        waiting.game(upto="commit_w")
    behind = Chain()
    behind.game(upto="countersign")
    behind.game(upto="close")
    unsealed = Chain()
    unsealed.game(upto="commit_r")
    unsealed.game(upto="commit_w")
    orders = [[one, three], [one, one], [two, one, three], [one, other.lines[2]], [four, three]]
    cases = [
        Case(tuple(same.lines)),
        Case(tuple(repeating("game", "game", "game").lines)),
        Case(tuple(repeating("game", "game", "void").lines)),
        Case(tuple(waiting.lines)),
        Case(tuple(behind.lines)),
        Case(tuple(unsealed.lines)),
        *(Case((*chain.lines[:2], *order), part=order[0] != one) for order in orders),
        Case(tuple(chain.lines), genesis="00" * 32),
        Case(tuple(chain.lines[1:])),
        Case((*chain.lines, b"\n")),
        Case((*chain.lines[:-1], four[:-1])),
    ]
    said = agreeing(tmp_path, cases)
    assert [each.fault for each in said] == [5, 5, 5, 6, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2]


def changed_chain(change: Callable[[Chain], object], then: int = 1) -> Case:
    made = Chain()
    made.game()
    change(made)
    for _ in range(then):
        made.game()
    return Case(tuple(made.lines))


def skip_a_boot(made: Chain) -> None:
    made.boot += 1
    made.unlock()


def strangers(who: str) -> Callable[[Chain], None]:
    def change(made: Chain) -> None:
        listed = made.signers[who]
        made.signers[who] = Signer(b"\x55" * 32)
        made.unlock()
        made.signers[who] = listed

    return change


def new_people(made: Chain) -> None:
    made.signers["inspector"] = Signer(b"\x99" * 32)
    made.open_genesis(prev=made.head)


def genesis(**changed: object) -> Callable[[Chain], None]:
    alter: Alter = {"genesis": setting(**changed)}
    return lambda made: made.open_genesis(prev=made.head, alter=alter)


def fall_back(made: Chain) -> None:
    first = made.unlocked
    made.unlock()
    made.game()
    made.unlocked = first


def people_to_come(made: Chain) -> None:
    """R is unlocked by an inspector whom only the next genesis lists, and plays before it."""
    old, new = made.signers["inspector"], Signer(b"\x99" * 32)
    made.signers["inspector"] = new
    made.unlock()
    made.game()
    continue_with(made, old)


def in_the_middle(made: Chain) -> None:
    head = made.head
    made.game(upto="close")
    made.open_genesis(prev=head)


def continuing_nothing() -> Case:
    made = Chain()
    made.messages.clear()
    made.open_genesis(prev="11" * 32)
    made.boot = 0
    made.unlock()
    made.game()
    return Case(tuple(made.lines))


def test_bad_unlocks_and_geneses_fail_at_the_same_step(tmp_path: Path) -> None:
    small = f"ed{'ff' * 30}7f"
    cases = [
        *(changed_chain(change) for change in (skip_a_boot, strangers("inspector"), fall_back)),
        changed_chain(people_to_come, then=0),
        changed_chain(strangers("supervisor"), then=0),
        changed_chain(lambda made: made.unlock(boot=9)),
        *(changed_chain(change, then=0) for change in (new_people, genesis(prev="11" * 32))),
        changed_chain(in_the_middle, then=0),
        continuing_nothing(),
        changed_chain(genesis(first_game=5)),
        changed_chain(genesis(mode="live")),
        changed_chain(genesis(location="roof")),
        changed_chain(genesis(inspectors=[rng_vector.KEYS["R"]])),
        changed_chain(genesis(supervisors=[rng_vector.KEYS["supervisor"], small])),
    ]
    said = agreeing(tmp_path, cases)
    assert [each.fault for each in said] == [3] * 6 + [1] * 9
