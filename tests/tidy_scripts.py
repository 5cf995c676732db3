"""Style rules for JavaScript: short functions, 100 columns, no suppressed type error."""

import re
from collections.abc import Iterator

from tests.tidy import FUNCTION_LINES_MAX, Complaints, File, Rule

COLUMNS_MAX = 100  # ruff holds Python to it
SCRIPTS = (".js", ".mjs", ".d.ts")
# prettier breaks lines in one way only, so indentation says where a function ends.
OPENS_A_FUNCTION = re.compile(
    r"\bfunction\b|=>|^ *\) \{$"
    r"|^ *(?!(?:if|for|while|switch|catch)\b)(?:(?:async|static|get|set) )*[#*\w]+\(.*\) \{$"
)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def functions_of(source: str) -> Iterator[tuple[int, int, str]]:
    """Yield the first line's number, the number of lines and the first line of each function."""
    lines = source.splitlines()
    for start, text in enumerate(lines):
        if text.lstrip().startswith(("*", "/*", "//")) or not OPENS_A_FUNCTION.search(text):
            continue
        end = len(lines) - 1
        for at in range(start + 1, len(lines)):
            if not lines[at] or _indent(lines[at]) > _indent(text):
                continue
            first = lines[at].lstrip()[0]
            end = at if first in ")]}" else at - 1
            if not (first == ")" and lines[at].endswith("{")):  # the end of its parameters
                break
        yield start + 1, end - start + 1, text.strip()


def script_functions_are_short(file: File) -> Complaints:
    if not file.path.endswith(SCRIPTS):
        return
    long = [each for each in functions_of(file.source) if each[1] > FUNCTION_LINES_MAX]
    for line, lines, words in long:
        yield line, f"{words:.60} has {lines} lines; at most {FUNCTION_LINES_MAX}"


def scripts_have_100_columns(file: File) -> Complaints:
    if not file.path.endswith(SCRIPTS):
        return
    wide = [at for at, text in enumerate(file.source.splitlines(), 1) if len(text) > COLUMNS_MAX]
    for line in wide:
        yield line, f"is wider than {COLUMNS_MAX} columns"


def scripts_ignore_no_type_error(file: File) -> Complaints:
    if not file.path.endswith(SCRIPTS):
        return
    for line, text in enumerate(file.source.splitlines(), start=1):
        if found := re.search(r"@ts-(ignore|nocheck|expect-error)", text):
            yield line, f"has {found[0]}; write the type"


SCRIPT_RULES: tuple[Rule, ...] = (
    script_functions_are_short,
    scripts_have_100_columns,
    scripts_ignore_no_type_error,
)
