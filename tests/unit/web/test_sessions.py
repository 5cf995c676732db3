"""Sessions: who is signed in, for how long, and that no token is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.errors import Refusal, Refused
from keno.web.auth.sessions import PERSON_SESSIONS_MAX, SESSIONS_MAX, Session, Sessions

IDLE, LIFE = 900, 43_200


class Clock:
    """A clock that goes on when told."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Sessions:
    return Sessions(IDLE, LIFE, clock)


def test_a_token_finds_its_session_with_person_and_role(sessions: Sessions) -> None:
    token = sessions.open("W1", "writer")
    assert sessions.find(token) == Session("W1", "writer", 1_000.0, 1_000.0)
    assert sessions.require(token).person == "W1"


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "\udcff", "é" * 10_000])
def test_what_is_no_token_finds_nothing(sessions: Sessions, token: str) -> None:
    sessions.open("W1", "writer")
    assert sessions.find(token) is None
    sessions.close(token)
    assert len(sessions) == 1


def test_who_is_not_signed_in_is_refused(sessions: Sessions) -> None:
    with pytest.raises(Refused) as exc:
        sessions.require("x")
    assert exc.value.reason is Refusal.NOT_SIGNED_IN


def test_a_token_has_32_random_bytes_and_no_two_are_alike(sessions: Sessions) -> None:
    tokens = {sessions.open(f"W{n}", "writer") for n in range(1_000)}
    assert len(tokens) == 1_000
    assert {len(token) for token in tokens} == {43}  # 32 bytes in base64


def test_a_token_is_kept_nowhere(sessions: Sessions) -> None:
    token = sessions.open("W1", "writer")
    sessions.find(token)
    assert token not in repr(vars(sessions))


@pytest.mark.parametrize(("passed", "found"), [(IDLE - 0.001, True), (IDLE, False)])
def test_idle_ends_a_session_exactly_at_the_limit(
    sessions: Sessions, clock: Clock, *, passed: float, found: bool
) -> None:
    token = sessions.open("W1", "writer")
    clock.now += passed
    assert (sessions.find(token) is not None) is found
    assert len(sessions) == found


def test_each_use_renews_the_idle_time(sessions: Sessions, clock: Clock) -> None:
    token = sessions.open("W1", "writer")
    for _ in range(10):
        clock.now += IDLE - 1
        assert sessions.find(token)


def test_the_life_of_a_session_ends_exactly_at_the_limit_however_busy_it_is(
    sessions: Sessions, clock: Clock
) -> None:
    token = sessions.open("W1", "writer")
    for _ in range(LIFE // 600 - 1):
        clock.now += 600
        assert sessions.find(token)
    clock.now += 599.999
    assert sessions.find(token)
    clock.now = 1_000.0 + LIFE
    assert sessions.find(token) is None


def test_an_ended_session_does_not_come_back(sessions: Sessions, clock: Clock) -> None:
    token = sessions.open("W1", "writer")
    clock.now += IDLE
    assert sessions.find(token) is None
    clock.now -= IDLE
    assert sessions.find(token) is None


def test_closing_ends_one_session_and_closing_twice_is_no_mistake(sessions: Sessions) -> None:
    one, other = sessions.open("W1", "writer"), sessions.open("W1", "writer")
    sessions.close(one)
    sessions.close(one)
    assert sessions.find(one) is None
    assert sessions.find(other)


def test_closing_all_of_a_person_leaves_the_others(sessions: Sessions) -> None:
    mine = [sessions.open("W1", "writer") for _ in range(3)]
    other = sessions.open("W2", "writer")
    sessions.close_all("W1")
    sessions.close_all("nobody")
    assert [sessions.find(token) for token in mine] == [None] * 3
    assert sessions.find(other)


def test_of_too_many_sessions_of_a_person_the_oldest_goes(sessions: Sessions) -> None:
    other = sessions.open("W2", "writer")
    tokens = [sessions.open("W1", "writer") for _ in range(PERSON_SESSIONS_MAX + 1)]
    assert [bool(sessions.find(token)) for token in tokens] == [False] + [True] * 20
    assert sessions.find(other)


def test_a_session_that_is_over_makes_room_before_the_oldest(
    sessions: Sessions, clock: Clock
) -> None:
    tokens = [sessions.open("W1", "writer") for _ in range(PERSON_SESSIONS_MAX)]
    clock.now += IDLE - 1
    sessions.find(tokens[0])
    clock.now += 1  # all but the first are over
    newest = sessions.open("W1", "writer")
    assert sessions.find(tokens[0])
    assert sessions.find(newest)
    assert len(sessions) == 2


def test_of_too_many_sessions_in_all_the_oldest_goes(sessions: Sessions) -> None:
    first, second = (sessions.open(f"A{n}", "writer") for n in range(2))
    for number in range(SESSIONS_MAX - 1):
        sessions.open(f"W{number}", "writer")
    assert len(sessions) == SESSIONS_MAX
    assert sessions.find(first) is None
    assert sessions.find(second)


STEPS = st.lists(
    st.tuples(st.sampled_from(["open", "find", "close", "close_all", "wait"]), st.integers(0, 30)),
    max_size=80,
)


@given(STEPS)
def test_sessions_agree_with_a_plain_list_of_them(steps: list[tuple[str, int]]) -> None:
    clock = Clock()
    sessions = Sessions(10, 40, clock)
    plain: dict[str, tuple[float, float]] = {}  # of a token: opened, seen
    owner: dict[str, str] = {}
    for step, number in steps:
        person, tokens = f"W{number % 3}", list(owner)
        token = tokens[number % len(tokens)] if tokens else ""
        if step == "wait":
            clock.now += number / 2
        elif step == "open" and sum(owner[each] == person for each in plain) < 20:
            new = sessions.open(person, "writer")
            owner[new], plain[new] = person, (clock.now, clock.now)
        elif step == "find":
            opened, seen = plain.pop(token, (-100.0, -100.0))
            alive = clock.now - opened < 40 and clock.now - seen < 10
            assert (sessions.find(token) is not None) == alive
            if alive:
                plain[token] = (opened, clock.now)
        elif step == "close":
            sessions.close(token)
            plain.pop(token, None)
        elif step == "close_all":
            sessions.close_all(person)
            plain = {each: kept for each, kept in plain.items() if owner[each] != person}
    assert len(sessions) == len(plain)
