"""The tables are complete: every command has an operation, every function a way to be asked for."""

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, get_args

import pytest

import keno.service
from keno.domain.roles import ROLES
from keno.protocol import Command, ConsoleSays, SignIn, SignOut, StationSays
from keno.service.binding import HANDLERS
from keno.service.house import House
from keno.web.app import PUBLIC, ROUTES, SESSION, STATION
from keno.web.operations import OPERATIONS

ELSEWHERE = {
    "games.open_first": "the conductor opens a location's first game",
    "games.close_book": "the conductor, after a lock-out",
    "games.record_draw": "the conductor, from the draw's proof",
    "games.show": "the conductor, after the last ball",
    "games.settle": "the conductor, after the draw",
    "payouts.expire": "the server, once an hour",
    "payouts.lapse": "the server, every second",
    "incidents.record_start": "the server, when it starts",
    "incidents.record_late_attempt": "the server, when a station is refused after lock-out",
    "access_changes.record_password_set": "keno user password",
    "clock_steps.record_step": "the server, every second",
    "clock_steps.check_open": "the conductor",
    "cards.posted_text": "GET /api/ratecard",
    "cards.both_sides": "GET /api/cards/{location}/{version}/notice.pdf",
    "void_quote.void_request": "GET /api/games/{location}/{number}/void-request",
    "halts.resume_request": "GET /api/halts/{halt}/resume-request",
    "halts.load_halts": "the server, at its start",
    "views.history": "GET /api/games",
    "views.history_of_day": "GET /api/results.json",
    "views.game_proof": "GET /api/games/{location}/{number}/proof",
    "cards.judge_posted_cards": "opening the house",
    "common.answer_once": "a part of every command",
    "common.once": "a part of what the system does by itself",
    "common.answered_before": "a part of posting a card",
    "common.answer_part_once": "a part of looking a ticket up",
    "payouts.look": "a part of looking a ticket up",
    "views.known_answers": "a part of resuming, and of commands that need their first answer",
    "views.ticket_view": "a part of looking a ticket up",
    "claims.refund_quote": "a part of looking a ticket up",
    "claims.claiming": "a part of every command that claims an award",
    "claims.present": "a part of every command that claims an award",
}
"""What no message asks for, and who does."""
AT_THE_DOOR = {SignIn, SignOut}
BOUND = dict(HANDLERS)
"""Functions bound by importing the server alone, before a test imports the rest."""
COMMANDS = [
    each for each in {*get_args(StationSays), *get_args(ConsoleSays)} if issubclass(each, Command)
]


def service_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every public coroutine of the service that acts on a house."""
    for module in pkgutil.iter_modules(keno.service.__path__):
        for name, each in vars(import_module(f"keno.service.{module.name}")).items():
            if (
                inspect.iscoroutinefunction(each)
                and each.__module__ == f"keno.service.{module.name}"
                and not name.startswith("_")
                and next(iter(inspect.signature(each).parameters.values())).annotation is House
            ):
                yield f"{module.name}.{name}", each


@pytest.mark.parametrize("command", sorted(COMMANDS, key=str), ids=lambda each: each.__name__)
def test_a_command_has_an_operation_with_roles(command: type[Command[Any]]) -> None:
    if command in AT_THE_DOOR:
        assert command not in OPERATIONS
        assert command not in BOUND
    else:
        assert command in OPERATIONS or command in BOUND
        assert command.roles
        assert command.roles <= set(ROLES)


def test_no_operation_is_without_its_message() -> None:
    assert {*OPERATIONS, *BOUND} == set(COMMANDS) - AT_THE_DOOR


@pytest.mark.parametrize("route", ROUTES, ids=lambda each: f"{each.method} {each.path}")
def test_a_route_has_a_rule(route: object) -> None:
    assert getattr(route, "rule", None) in (PUBLIC, STATION, SESSION)


def test_every_function_of_the_service_can_be_asked_for() -> None:
    carried = {each for operation in OPERATIONS.values() for each in operation.does}
    carried |= set(BOUND.values())
    functions = dict(service_functions())
    assert len(functions) > 30
    left = {name for name, each in functions.items() if each not in carried}
    assert left == set(ELSEWHERE)
