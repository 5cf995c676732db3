"""Exact numbers as text: fractions, percentages, square roots and odds, without any float."""

from fractions import Fraction
from math import isqrt

PLACES = 6


def ratio(value: Fraction) -> str:
    """Return the fraction as ``p/q`` in lowest terms, also if q is 1."""
    return f"{value.numerator}/{value.denominator}"


def decimal(value: Fraction, places: int = PLACES) -> str:
    """Return the value rounded to this number of decimal places (ties to even), never ``-0``."""
    scaled = round(value * 10**places)
    whole, part = divmod(abs(scaled), 10**places)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"


def percent(value: Fraction, places: int = PLACES) -> str:
    """Return the value in percent, rounded to this number of places, without the percent sign."""
    return decimal(value * 100, places)


def square_root(value: Fraction, places: int = PLACES) -> str:
    """Return the square root of a value of at least 0, rounded to this number of decimal places."""
    quarters = isqrt((value.numerator * 4 * 10 ** (2 * places)) // value.denominator)
    return decimal(Fraction((quarters + 1) // 2, 10**places), places)


def odds_to_one(probability: Fraction) -> str:
    """Return the odds against, as on a rate card: ``6.16 to 1``, ``230,113.61 to 1``, ``never``.

    They have two decimals below a million to one, none from there on.
    """
    if probability == 0:
        return "never"
    against = Fraction(1 - probability, probability)
    places = 0 if against >= 1_000_000 else 2
    whole, _, part = decimal(against, places).partition(".")
    return f"{int(whole):,}{'.' + part if part else ''} to 1"
