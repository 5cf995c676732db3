"""Style rules as code: import directions, a pure and exact domain, sizes, names, no skipped
tests, no swallowed errors.

A rule is a function that takes a file and yields complaints; test_tidy.py applies each to every
file.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TypeGuard

OURS = ("keno", "writer_station", "rng", "printer")

FUNCTION_LINES_MAX = 75  # a screen and a half
MODULE_LINES_MAX = 500

COMPUTED = "<a computed name>"


# ---------------------------------------------------------------- reading a file


def last_name(node: ast.AST | None) -> str:
    """Return `c` for `a.b.c`, `c` for `c`, and nothing for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def calls(node: ast.AST, *names: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and last_name(node.func) in names


def within(name: str, *packages: str) -> bool:
    """Return whether a dotted name is one of these packages or lies in one."""
    return any(name == package or name.startswith(package + ".") for package in packages)


@dataclass(frozen=True)
class File:
    path: str  # from the project's root, with slashes
    source: str

    @cached_property
    def module(self) -> str:
        return ".".join(PurePosixPath(self.path).with_suffix("").parts).removesuffix(".__init__")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source, self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> tuple[tuple[int, str], ...]:
        """Every imported dotted name with its line; `from a import b` is `a.b`."""
        return tuple(self._imports())

    def _imports(self) -> Iterator[tuple[int, str]]:
        package = PurePosixPath(self.path).parent.parts
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else ()
                stem = ".".join([*base, *([node.module] if node.module else [])])
                yield from ((node.lineno, f"{stem}.{alias.name}") for alias in node.names)
            elif calls(node, "import_module", "__import__"):
                name = node.args[0] if node.args else None
                yield node.lineno, str(name.value) if isinstance(name, ast.Constant) else COMPUTED


Complaints = Iterator[tuple[int, str]]  # line, and what is wrong there
Rule = Callable[[File], Complaints]


# ---------------------------------------------------------------- who may import whom

# Of ours, each may import only itself and these.
MAY_IMPORT = {
    "rng": (),
    "printer": ("keno.domain",),
    "writer_station": ("printer", "keno.domain", "keno.protocol"),
    "keno.domain": (),
    # What audits the commands must not be what they are made of.
    "keno.audit": (
        "keno.store",
        "keno.domain",
        "rng.canonical",
        "rng.records",
        "rng.resuming",
        "rng.tree",
    ),
    "keno.protocol": ("keno.domain",),  # the station imports it, where the server must not follow
}
RNG_FOR_KENO = ("rng.canonical", "rng.records", "rng.resuming", "rng.tree", "rng.verify")
STATION_FOR_KENO = ("keno.demo",)  # its patrons are a station program
# The layers of keno, lowest first: each imports only itself and layers before it. Two folders can
# therefore never import each other.
LAYERS = (
    ("keno.domain",),
    ("keno.config",),
    ("keno.protocol",),
    ("keno.store",),
    ("keno.audit",),
    ("keno.draw",),
    ("keno.service",),
    ("keno.games",),
    ("keno.documents",),
    ("keno.web",),
    ("keno.serve",),
    ("keno.setup", "keno.setup_coupons"),
    ("keno.demo",),
    ("keno.cli",),
    ("keno.__main__",),
)


def layer(name: str) -> int | None:
    return next((rank for rank, parts in enumerate(LAYERS) if within(name, *parts)), None)


def imports_point_one_way(file: File) -> Complaints:
    me = file.module
    if not within(me, *OURS):
        return
    home = next((package for package in MAY_IMPORT if within(me, package)), None)
    mine = layer(me)
    if within(me, "keno") and me != "keno" and mine is None:
        yield 1, f"{me} has no layer; put it into a folder, or into LAYERS"
    for line, name in file.imports:
        if name == COMPUTED:
            yield line, "imports a computed name; write the import out, so that it can be checked"
        if not within(name, *OURS):
            continue
        if home and not within(name, home, *MAY_IMPORT[home]):
            allowed = ", ".join(MAY_IMPORT[home]) or "nothing of ours"
            yield line, f"imports {name}; {home} may import, beside itself, {allowed}"
        if within(me, "keno") and within(name, "rng") and not within(name, *RNG_FOR_KENO):
            yield line, f"imports {name}; keno may take only {', '.join(RNG_FOR_KENO)}"
        if (
            within(me, "keno")
            and within(name, "writer_station")
            and not within(me, *STATION_FOR_KENO)
        ):
            yield line, f"imports {name}; of keno only {', '.join(STATION_FOR_KENO)} may"
        other = layer(name)
        if mine is not None and other is not None and other > mine:
            yield line, f"imports {name}, a layer above {me}; turn the dependency round"


# ---------------------------------------------------------------- the domain is pure and exact

NUMPY_ALLOWED = (
    "keno.domain.grading",
    "keno.domain.aggregate",
    "keno.domain.distribution",
    "keno.domain.second_moment",
)
# fmt: off
IMPURE_MODULES = frozenset({
    "asyncio", "concurrent", "ctypes", "ftplib", "getpass", "glob", "http", "importlib", "io",
    "locale", "logging", "mmap", "multiprocessing", "os", "pathlib", "platform", "queue", "random",
    "sched", "secrets", "select", "selectors", "shelve", "shutil", "signal", "smtplib", "socket",
    "socketserver", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "time",
    "urllib", "uuid",
})
# Integers in, integers out.
EXACT_MATH = frozenset({
    "ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "prod", "trunc",
})
# fmt: on
IMPURE_BUILTINS = frozenset({"breakpoint", "input", "open", "print"})
FLOAT_BUILTINS = re.compile("float|complex")
FLOAT_MODULES = frozenset({"cmath", "statistics"})
# In numpy, and as methods of its arrays.
FLOAT_ATTRIBUTES = re.compile(
    r"(float|complex)(\d+|ing)?|longdouble|double|true_divide|divide|truediv|mean|median|average"
    r"|std|var|sqrt|cbrt|(exp|log)(1p|m1|2|10)?|linspace|nan|inf"
)
# Without a dtype numpy makes these of floating point.
FLOAT_BY_DEFAULT = ("empty", "ones", "zeros")


def domain_imports_only_pure_modules(file: File) -> Complaints:
    me = file.module
    if not within(me, "keno.domain"):
        return
    for line, name in file.imports:
        top = name.split(".")[0]
        if top == "numpy" and me not in NUMPY_ALLOWED:
            yield line, f"imports numpy; in the domain only {', '.join(NUMPY_ALLOWED)} may"
        elif top in IMPURE_MODULES:
            yield line, f"imports {name}; the domain is pure: let the caller pass the value in"
        elif top not in {*sys.stdlib_module_names, "numpy", *OURS}:
            yield line, f"imports {name}; the domain uses the standard library only"


def domain_reads_no_clock_and_does_no_io(file: File) -> Complaints:
    if not within(file.module, "keno.domain"):
        return
    for node in file.nodes:
        if isinstance(node, ast.Attribute) and node.attr in {"now", "utcnow", "today"}:
            yield node.lineno, f"uses .{node.attr}; the domain has no clock: take the time as given"
        elif isinstance(node, ast.Name) and node.id in IMPURE_BUILTINS:
            yield node.lineno, f"uses {node.id}; the domain does no input or output"


def inexact(node: ast.AST) -> str:
    """Return what makes a piece of Python inexact (floating point), in words; empty if nothing."""
    name = last_name(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
        return f"has the literal {node.value}"
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
        return "divides with /"
    floats = FLOAT_BUILTINS if isinstance(node, ast.Name) else FLOAT_ATTRIBUTES
    if floats.fullmatch(name):
        return f"uses {name}"
    if isinstance(node, ast.Attribute) and last_name(node.value) == "math":
        return "" if name in EXACT_MATH else f"uses math.{name}"
    if calls(node, *FLOAT_BY_DEFAULT) and len(node.args) < 2:
        named = any(word.arg == "dtype" for word in node.keywords)
        return "" if named else f"calls {last_name(node.func)} without an integer dtype"
    return ""


def domain_counts_exactly(file: File) -> Complaints:
    if not within(file.module, "keno.domain"):
        return
    for node in file.nodes:
        if isinstance(node, ast.expr | ast.stmt) and (what := inexact(node)):
            yield node.lineno, f"{what}; use integers, // or Fraction(a, b)"
    for line, name in file.imports:
        top, _, last = name.partition(".")
        if top == "math" and last and last not in EXACT_MATH:
            yield line, f"imports {name}; of math only {', '.join(sorted(EXACT_MATH))} are exact"
        elif top in FLOAT_MODULES or FLOAT_ATTRIBUTES.fullmatch(last):
            yield line, f"imports {name}, floating point; use integers or Fraction"


def chance_only_where_it_is_drawn(file: File) -> Complaints:
    if within(file.module, "tests"):
        return
    complaint = "a pseudo-random generator; take chance from the caller, entropy from the system"
    for line, name in file.imports:
        if within(name, "random", "numpy.random"):
            yield line, f"imports {name}, {complaint}"
    for node in file.nodes:
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"np.random", "numpy.random"}:
            yield node.lineno, f"uses numpy.random, {complaint}"


# ---------------------------------------------------------------- tests and errors are honest

# fmt: off
SKIPS = frozenset({
    "skip", "skipif", "importorskip", "xfail", "SkipTest", "skipIf", "skipUnless",
    "expectedFailure", "collect_ignore", "collect_ignore_glob", "pytest_ignore_collect",
})
# fmt: on
NOTHING = (ast.Pass, ast.Continue)


def no_test_is_skipped(file: File) -> Complaints:
    if not within(file.module, "tests"):
        return
    complaint = "a test that does not run proves nothing: provide what it needs, or delete it"
    for node in file.nodes:
        if isinstance(node, ast.Name | ast.Attribute) and last_name(node) in SKIPS:
            yield node.lineno, f"uses {last_name(node)}; {complaint}"
        elif isinstance(node, ast.FunctionDef) and node.name in SKIPS:
            yield node.lineno, f"defines {node.name}; {complaint}"
    for line, name in file.imports:
        if name.split(".")[-1] in SKIPS:
            yield line, f"imports {name}; {complaint}"


def names_every_error(node: ast.AST | None) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(part and last_name(part) in {"Exception", "BaseException"} for part in parts)


def does_nothing(statement: ast.stmt) -> bool:
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    empty_return = isinstance(statement, ast.Return) and statement.value is None
    return constant or empty_return or isinstance(statement, NOTHING)


def errors_are_not_swallowed(file: File) -> Complaints:
    for node in file.nodes:
        if isinstance(node, ast.ExceptHandler):
            if node.type is None:
                yield node.lineno, "has a bare except; name the errors that are expected"
            elif names_every_error(node.type) and all(does_nothing(each) for each in node.body):
                yield node.lineno, "swallows every error; name the expected ones, let others rise"
        elif calls(node, "suppress") and any(names_every_error(each) for each in node.args):
            yield node.lineno, "suppresses every error; name the expected ones"


def type_ignores_name_their_code(file: File) -> Complaints:
    for token in tokenize.generate_tokens(io.StringIO(file.source).readline):
        if token.type == tokenize.COMMENT and re.search(r"type:\s*ignore(?!\[\w)", token.string):
            yield token.start[0], "ignores every type error; name the code: ignore[...]"


def guarded_changes_are_answered_for(file: File) -> Complaints:
    for node in file.nodes:
        if isinstance(node, ast.Expr) and calls(node.value, "change_if"):
            yield node.lineno, "passes over whether the row was changed; refuse, or use change"


# ---------------------------------------------------------------- sizes and names

EMPTY_NAMES = re.compile(r"(.*_)?(utils?|helpers?|managers?|data)")


def functions_fit_a_screen_and_a_half(file: File) -> Complaints:
    for node in file.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                yield node.lineno, f"{node.name} has {lines} lines; at most {FUNCTION_LINES_MAX}"


def modules_are_short(file: File) -> Complaints:
    lines = len(file.source.splitlines())
    if lines > MODULE_LINES_MAX:
        yield lines, f"the module has {lines} lines; at most {MODULE_LINES_MAX}: divide it by topic"


def modules_say_what_they_are_for(file: File) -> Complaints:
    if not (ast.get_docstring(file.tree) or "").strip():
        yield 1, "the module has no docstring; say in one to five lines what it is for"


def names_say_something(file: File) -> Complaints:
    for part in PurePosixPath(file.path).with_suffix("").parts:
        if EMPTY_NAMES.fullmatch(part):
            yield 1, f"the name {part!r} says nothing; name the topic"


def classes_of_one_name(files: Iterable[File]) -> Iterator[str]:
    """Yield a complaint for each name that several public classes of code or tests share."""
    places: dict[tuple[str, str], list[str]] = {}
    for file in files:
        shared = within(file.module, "tests") and not PurePosixPath(file.path).name.startswith(
            "test_"
        )
        if file.path.endswith(".py") and (shared or within(file.module, *OURS)):
            for node in file.nodes:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    key = ("tests" if shared else "ours", node.name)
                    places.setdefault(key, []).append(f"{file.path}:{node.lineno}")
    for (_, name), found in places.items():
        if len(found) > 1:
            yield f"{name} is a class at {', '.join(found)}; one name for one meaning"


def no_path_leads_out_of_the_project(file: File) -> Complaints:
    outside = re.compile("(" + re.escape("..") + "|/work)/" + "shared")
    pages = PurePosixPath(file.path).parent.parent == PurePosixPath("keno/pages")
    beside = re.compile(r"(?<![./])\.\./" + "shared/")  # of one folder of pages: keno/pages/shared
    for line, text in enumerate(file.source.splitlines(), start=1):
        if outside.search(beside.sub("", text) if pages else text):
            yield line, "refers to a folder outside the project; bring what is needed in here"


PYTHON_RULES: tuple[Rule, ...] = (
    imports_point_one_way,
    domain_imports_only_pure_modules,
    domain_reads_no_clock_and_does_no_io,
    domain_counts_exactly,
    chance_only_where_it_is_drawn,
    no_test_is_skipped,
    errors_are_not_swallowed,
    type_ignores_name_their_code,
    guarded_changes_are_answered_for,
    functions_fit_a_screen_and_a_half,
    modules_are_short,
    modules_say_what_they_are_for,
    names_say_something,
)
RULES: tuple[Rule, ...] = (*PYTHON_RULES, no_path_leads_out_of_the_project)
