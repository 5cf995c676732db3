"""The commands about a house: init, serve, config, demo, user, location, station, card, coupon."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from keno import config, serve, setup, setup_coupons
from keno.config import WrongSetting
from keno.demo import demonstration
from keno.domain.coupon import BATCH_MAX
from keno.domain.errors import Fault, Refused
from keno.domain.money import Cents, parse_dollars
from keno.domain.roles import ROLES
from keno.service import counter
from keno.service.counter import CounterError
from keno.store.opening import LedgerUnsound

Run = Callable[[argparse.Namespace], object]
"""A function that runs a command; an integer returned is the exit status, any other value 0."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands of this module to the subparsers of `keno`."""
    _add_running(commands)
    _add_people(commands)
    _add_places(commands)
    _add_coupons(commands)


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    summary: str,
    description: str,
    run: Run,
) -> argparse.ArgumentParser:
    made = commands.add_parser(
        name,
        help=summary,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(run=lambda arguments: _guarded(run, arguments), json=False)
    return made


def _guarded(run: Run, arguments: argparse.Namespace) -> int:
    """Run a command and return its exit status.

    An expected error is printed as a sentence and gives 1; Ctrl-C gives 130.
    """
    try:
        code = run(arguments)
    except (Refused, Fault, WrongSetting, LedgerUnsound, CounterError) as error:
        print(f"keno: {error}", file=sys.stderr)
        return 1
    except FileExistsError as error:
        print(f"keno: {error.filename} is there already and stays as it is.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    return code if isinstance(code, int) else 0


def _add_running(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    init = _command(
        commands,
        "init",
        "begin a house: settings, key, ledger, first administrator",
        "Begin a house in an empty folder: its settings (keno.toml, every one explained), the\n"
        "key of its validation codes, its ledger, and its first administrator, whose password\n"
        "is asked for; a live house begins with two administrators, both present. A house is\n"
        "live or test for ever: test prints NO VALUE on everything.",
        lambda a: setup.init(setup.NewHouse(a.folder, a.site, a.mode, a.administrator, a.second)),
    )
    init.add_argument("folder", type=Path, metavar="FOLDER", help="an empty or new folder")
    init.add_argument("--site", required=True, help="the name of the house in every record")
    init.add_argument("--mode", required=True, choices=("live", "test"))
    init.add_argument("--administrator", required=True, metavar="PERSON")
    init.add_argument(
        "--second", metavar="PERSON", help="the second administrator; a live house needs one"
    )
    served = _command(
        commands,
        "serve",
        "open the house: games, stations, boards, pages",
        "Run every location's games and answer stations, boards and pages until SIGTERM or\n"
        "Ctrl-C, which lets what is under way be answered and closes the ledger.",
        lambda a: serve.run(config.load(a.config)),
    )
    _config(served)
    checked = _command(
        commands,
        "config",
        "check the settings, or print an example",
        "check: read the settings as `keno serve` would, name the first that is wrong with what\n"
        "is allowed, else list each with its value and where it came from; then look whether the\n"
        "house, its locations, genesis and keys are there.\n"
        "example: print a file with every setting explained.",
        _config_command,
    )
    checked.add_argument("action", choices=("check", "example"))
    _config(checked)
    shown = _command(
        commands,
        "demo",
        "a whole house on this machine, with made-up patrons; NO VALUE",
        "Start a generator, a witness and a server as processes of their own, with keys that are\n"
        "worth nothing, short games, and made-up patrons who buy and cash tickets of every\n"
        "type. Prints the addresses to open. Ctrl-C stops everything; the next start goes on\n"
        "with the same day.",
        lambda a: demonstration.run(
            demonstration.DemoSettings(a.folder, a.port, a.seconds, a.interval)
        ),
    )
    shown.add_argument(
        "--folder", type=Path, default=Path("demo-house"), help="where it lives (%(default)s)"
    )
    shown.add_argument("--port", type=int, default=8080, help="where it listens (%(default)s)")
    shown.add_argument(
        "--interval",
        type=int,
        default=20,
        metavar="SECONDS",
        help="a game's length in the lounge (%(default)s); on the main floor three times as long",
    )
    shown.add_argument(
        "--seconds", type=int, metavar="N", help="stop by itself after so long (never)"
    )


def _config(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--config",
        type=Path,
        default=Path(setup.CONFIG),
        metavar="FILE",
        help="the settings (%(default)s)",
    )


def _config_command(arguments: argparse.Namespace) -> int:
    if arguments.action == "example":
        print(config.example(), end="")
    else:
        loaded = config.load(arguments.config)
        print(config.report(loaded), end="")
        serve.check_house(loaded)
    return 0


def _acting(arguments: argparse.Namespace) -> setup.ActingPeople:
    reason = getattr(arguments, "reason", None)
    return setup.ActingPeople(arguments.by, getattr(arguments, "second", None), reason or "")


def _approved(command: argparse.ArgumentParser) -> None:
    """Add the options `--second` (who approves) and `--reason`, which a live house requires."""
    command.add_argument(
        "--second", metavar="PERSON", help="who approves it (needed in a live house)"
    )
    command.add_argument("--reason", metavar="TEXT", help="why (needed in a live house)")


def _house(command: argparse.ArgumentParser, *, by: bool = True) -> None:
    command.add_argument(
        "--folder", type=Path, default=Path(), metavar="FOLDER", help="the house (here)"
    )
    if by:
        command.add_argument(
            "--by", required=True, metavar="PERSON", help="who does it; asked for their password"
        )


def _add_people(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    users = commands.add_parser(
        "user",
        help="people: add, change, password, key, list",
        description="The people of a house that is not open; the console does it for one that is.",
    ).add_subparsers(metavar="ACTION", required=True)
    add = _command(
        users, "add", "a new person", "Enter a person; their password is asked for.",
        lambda a: setup.admin_session(
            a.folder, _acting(a),
            lambda session: setup.add_user(session, a.person, a.name or a.person, a.role),
        ),
    )  # fmt: skip
    change = _command(
        users, "change", "another role, or not active", "Nobody changes their own role.",
        lambda a: setup.admin_session(
            a.folder,
            _acting(a),
            lambda session: setup.change_user(session, a.person, a.role, active=not a.inactive),
        ),
    )  # fmt: skip
    password = _command(
        users, "password", "set a password", "One's own, or another's by an administrator.",
        lambda a: setup.admin_session(
            a.folder, _acting(a), lambda session: setup.set_password(session, a.person)
        ),
    )  # fmt: skip
    key = _command(
        users, "key", "make one's signing key",
        "A supervisor's own key, which signs payouts of $1,500.00 and more, sealed under a\n"
        "passphrase that nobody else knows.",
        lambda a: setup.admin_session(a.folder, _acting(a), setup.set_key),
    )  # fmt: skip
    listed = _command(
        users, "list", "who there is", "Every person with their role.",
        lambda a: setup.list_users(a.folder),
    )  # fmt: skip
    for command in (add, change, password):
        command.add_argument("person", metavar="PERSON")
    for command in (add, change):
        command.add_argument("--role", required=True, choices=ROLES)
    add.add_argument("--name", metavar="TEXT", help="the full name")
    change.add_argument("--inactive", action="store_true", help="may do nothing any more")
    for command in (add, change, password, key):
        _approved(command)
        _house(command)
    _house(listed, by=False)


def _add_places(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    locations = commands.add_parser(
        "location", help="locations: add", description="A place with games of its own."
    ).add_subparsers(metavar="ACTION", required=True)
    place = _command(
        locations, "add", "a new location", "Its letter stands before its game numbers.",
        lambda a: setup.admin_session(a.folder, _acting(a), lambda session: setup.add_location(
            session, setup.new_location(a.location, a.letter, a.name or a.location, a.zone,
                                        digital=a.digital_requests))),
    )  # fmt: skip
    place.add_argument("location", metavar="NAME")
    place.add_argument("--letter", required=True, help="one capital letter")
    place.add_argument("--name", metavar="TEXT", help="the name patrons read")
    place.add_argument("--zone", default="America/New_York", help="its time zone (%(default)s)")
    place.add_argument("--digital-requests", action="store_true", help="take requests from phones")
    _house(place)
    stations = commands.add_parser(
        "station", help="stations: enrol", description="Keno work stations."
    ).add_subparsers(metavar="ACTION", required=True)
    enrol = _command(
        stations, "enrol", "make a station's key and enrol it",
        "Makes a key file for the station's own disk and enters its public half.",
        lambda a: setup.admin_session(
            a.folder,
            _acting(a),
            lambda session: setup.enrol_station(session, a.station, a.location, a.key),
        ),
    )  # fmt: skip
    enrol.add_argument("station", metavar="STATION")
    enrol.add_argument("--location", required=True)
    enrol.add_argument("--key", required=True, type=Path, metavar="FILE", help="the new key file")
    _approved(enrol)
    _house(enrol)
    cards = commands.add_parser(
        "card", help="rate cards: post", description="Rate cards of a house that is not open."
    ).add_subparsers(metavar="ACTION", required=True)
    post = _command(
        cards, "post", "post a rate card", "In a live house two people post a card (15.3(e)).",
        lambda a: setup.admin_session(a.folder, _acting(a), lambda session: setup.post_card(
            session, a.location, counter.card_text(a.card), a.first_game)),
    )  # fmt: skip
    post.add_argument("card", metavar="FILE", help="a card in TOML, or the word example")
    post.add_argument("--location", required=True)
    post.add_argument("--first-game", type=int, default=1, metavar="N", help="from this game on")
    post.add_argument("--second", metavar="PERSON", help="the second person")
    _house(post)


def _dollars(text: str) -> Cents:
    try:
        return parse_dollars(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _terms(arguments: argparse.Namespace) -> setup_coupons.CouponTerms:
    return setup_coupons.CouponTerms(arguments.location, arguments.value, arguments.through)


def _add_coupons(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    coupons = commands.add_parser(
        "coupon",
        help="coupons: issue, register, void, list",
        description="The register of coupons. A coupon stands in it before it pays a ticket and\n"
        "works once in the house, at any location. These commands are for a house that is not\n"
        "open; the console does it for one that is. In a live house --second names the\n"
        "supervisor, manager or accountant who approves.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).add_subparsers(metavar="ACTION", required=True)
    issue = _command(
        coupons, "issue", "one coupon, numbered by the house",
        "Enter one coupon and print its serial, which the house numbers.",
        lambda a: setup.admin_session(
            a.folder, _acting(a), lambda session: setup_coupons.issue(session, _terms(a))
        ),
    )  # fmt: skip
    register = _command(
        coupons, "register", "a printed batch, by a range or from a CSV file",
        f"Enter a printed batch of one value, {BATCH_MAX:,} coupons at most, all or none:\n"
        "  keno coupon register PROMO-0001..PROMO-0500 --value 5.00 --through 2026-12-31 ...\n"
        "  keno coupon register --csv serials.csv --value 5.00 --through 2026-12-31 ...\n"
        "A serial has letters A to Z, digits and hyphens; case does not matter. The first column\n"
        "of a CSV file has the serials, with or without the heading serial.",
        lambda a: setup.admin_session(
            a.folder, _acting(a),
            lambda session: setup_coupons.register(session, _terms(a), a.range, a.csv),
        ),
    )  # fmt: skip
    void = _command(
        coupons, "void", "declare an unused coupon void",
        "Nobody takes the coupon any more. One that was used cannot be declared void.",
        lambda a: setup.admin_session(
            a.folder, _acting(a), lambda session: setup_coupons.void(session, a.serial)
        ),
    )  # fmt: skip
    listed = _command(
        coupons, "list", "the register",
        "Print the coupons that are neither used nor void, or with --all every one, as a table or\n"
        "as CSV. The server may run meanwhile. `keno report coupons` has those of one gaming day.",
        lambda a: setup_coupons.list_coupons(a.folder, used_too=a.all, as_csv=a.csv),
    )  # fmt: skip
    for command in (issue, register):
        command.add_argument("--value", required=True, type=_dollars, metavar="DOLLARS")
        command.add_argument(
            "--through", required=True, metavar="DAY", help="last gaming day, such as 2026-12-31"
        )
        command.add_argument("--location", required=True, help="whose gaming days its end is of")
    batch = register.add_mutually_exclusive_group(required=True)
    batch.add_argument("range", nargs="?", metavar="FIRST..LAST", help="a range of serials")
    batch.add_argument("--csv", type=Path, metavar="FILE", help="a file of serials")
    void.add_argument("serial", metavar="SERIAL")
    for command in (issue, register, void):
        _approved(command)
        _house(command)
    listed.add_argument("--all", action="store_true", help="used and void ones too")
    listed.add_argument("--csv", action="store_true", help="as CSV")
    _house(listed, by=False)
