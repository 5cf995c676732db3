"""TypeScript declarations of the protocol, for the type checker of the pages.

`python -m keno.protocol.typescript` prints keno/pages/shared/protocol.d.ts; a test compares them.
"""

import sys
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from keno import protocol
from keno.protocol.base import answer_type

HEAD = "// Made by `python -m keno.protocol.typescript` from keno/protocol. Do not edit.\n"
ANSWERS = "/** The answer to each command, by its type. */\nexport interface Answers {\n"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def declarations() -> str:
    """Every command, answer and event as an exported interface, by name."""
    known: dict[str, str] = {}
    for command in protocol.COMMANDS:
        _declare(command, known)
        _mention(answer_type(command), known)
    for event in get_args(protocol.ServerSays):
        _declare(event, known)
    answers = "".join(
        f"  {command.__struct_config__.tag}: {_mention(answer_type(command), known)};\n"
        for command in sorted(protocol.COMMANDS, key=lambda each: str(each.__struct_config__.tag))
    )
    written = [known[name] for name in sorted(known)]
    return "\n".join([HEAD, *written, f"{ANSWERS}{answers}}}\n"])


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
        # A request may leave out what has a default; the server's answers hold every field.
        optional = "?" if not field.required and _is_asked(struct) else ""
        lines.append(f"  {field.encode_name}{optional}: {_mention(hints[field.name], known)};\n")
    words = (struct.__doc__ or name).partition("\n")[0]
    known[name] = f"/** {words} */\nexport interface {name} {{\n{''.join(lines)}}}\n"
    return name


def _is_asked(struct: type[msgspec.Struct]) -> bool:
    return struct.__struct_config__.forbid_unknown_fields


def _mention(kind: Any, known: dict[str, str]) -> str:
    """A type as TypeScript writes it; structs that it mentions are declared."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None:
        return PLAIN.get(kind) or _mention_class(kind, known)
    if origin is Literal:
        return " | ".join(_literal(each) for each in parts)
    kinds = parts[:1] if origin is Annotated else [each for each in parts if each is not ...]
    written = [_mention(each, known) for each in kinds]
    if origin in (UnionType, Union):
        return " | ".join(dict.fromkeys(written))
    if origin is dict:
        return f"Record<string, {written[1]}>"
    if origin is tuple and parts[-1] is not ...:
        return f"[{', '.join(written)}]"
    return written[0] if origin is Annotated else f"Array<{written[0]}>"


def _mention_class(kind: Any, known: dict[str, str]) -> str:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _declare(kind, known)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " | ".join(_literal(each.value) for each in kind)
    return "unknown"


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


if __name__ == "__main__":
    sys.stdout.write(declarations())
