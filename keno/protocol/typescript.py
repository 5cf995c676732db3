"""Generator of the protocol's TypeScript types and of the display words for states and kinds.

`python -m keno.protocol.typescript` writes protocol.d.ts and words.js in keno/pages/shared. A test
checks that the files are up to date.
"""

from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from keno import protocol
from keno.domain.states import NOT_ANSWERED
from keno.protocol.base import answer_type
from keno.protocol.states import WORDED, MemberOf

HEAD = "// Made by `python -m keno.protocol.typescript` from keno/protocol. Do not edit.\n"
SHARED = Path(__file__).parents[1] / "pages" / "shared"
ANSWERS = "/** The answer to each command, by its type. */\nexport interface Answers {\n"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def declarations() -> str:
    """Return the text of protocol.d.ts, in the order of names.

    Every command, answer and event is an exported interface and every state a union of its values.
    The interface `Answers` maps each command's tag to its answer.
    """
    known: dict[str, str] = {}
    for command in protocol.COMMANDS:
        _declare(command, known)
        _mention(answer_type(command), known)
    for event in get_args(protocol.ServerSays):
        _declare(event, known)
    for each in WORDED:
        _declare_members(each, known)
    answers = "".join(
        f"  {command.__struct_config__.tag}: {_mention(answer_type(command), known)};\n"
        for command in sorted(protocol.COMMANDS, key=lambda each: str(each.__struct_config__.tag))
    )
    written = [known[name] for name in sorted(known)]
    return "\n".join([HEAD, *written, f"{ANSWERS}{answers}}}\n"])


def words() -> str:
    """Return the text of words.js: a table of display words for each enum of states or kinds."""
    written = [HEAD]
    for each in WORDED:
        members = {member.value: member.word for enum in each.enums for member in enum}
        lines = "".join(f"  {value}: '{word}',\n" for value, word in members.items())
        kind = f"Readonly<Record<import('./protocol.js').{each.name}, string>>"
        written.append(
            f"/** @type {{{kind}}} */\nexport const {each.words_name} = {{\n{lines}}};\n"
        )
    why = "/** Why an authorisation lapsed. */"
    written.append(f"{why}\nexport const NOT_ANSWERED = '{NOT_ANSWERED}';\n")
    return "\n".join(written)


def _declare_members(of: MemberOf, known: dict[str, str]) -> str:
    values = dict.fromkeys(member.value for enum in of.enums for member in enum)
    union = "".join(f"\n  | {_literal(value)}" for value in values)
    about = (of.enums[0].__doc__ or "").partition("\n")[0]
    known[of.name] = f"/** {about} */\nexport type {of.name} ={union};\n"
    return of.name


def _declare(struct: type[msgspec.Struct], known: dict[str, str]) -> str:
    name = struct.__name__
    if name in known:
        return name
    known[name] = ""  # it may mention itself
    config = struct.__struct_config__
    lines = []
    if config.tag is not None:
        lines.append(f"  {config.tag_field}: {_literal(config.tag)};\n")
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        # A request may omit a field with a default; an answer only if it is declared so.
        may_omit = config.forbid_unknown_fields or config.omit_defaults
        optional = "?" if not field.required and may_omit else ""
        lines.append(f"  {field.encode_name}{optional}: {_mention(hints[field.name], known)};\n")
    words = (struct.__doc__ or name).partition("\n")[0]
    known[name] = f"/** {words} */\nexport interface {name} {{\n{''.join(lines)}}}\n"
    return name


def _mention(kind: Any, known: dict[str, str]) -> str:
    """Return a Python type as TypeScript; add declarations of structs in the type to `known`."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None:
        return PLAIN.get(kind) or _mention_class(kind, known)
    if origin is Annotated:
        of = parts[1]
        return (
            _declare_members(of, known) if isinstance(of, MemberOf) else _mention(parts[0], known)
        )
    if origin is Literal:
        return " | ".join(_literal(each) for each in parts)
    written = [_mention(each, known) for each in parts if each is not ...]
    if origin in (UnionType, Union):
        return " | ".join(dict.fromkeys(written))
    if origin is dict:
        return f"Record<string, {written[1]}>"
    fixed = origin is tuple and parts[-1] is not ...
    return f"[{', '.join(written)}]" if fixed else f"Array<{written[0]}>"


def _mention_class(kind: Any, known: dict[str, str]) -> str:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _declare(kind, known)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " | ".join(_literal(each.value) for each in kind)
    return "unknown"


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


if __name__ == "__main__":
    (SHARED / "protocol.d.ts").write_text(declarations(), encoding="utf-8")
    (SHARED / "words.js").write_text(words(), encoding="utf-8")
