"""Finds mistakes to plant in Python code, by its syntax tree.

Texts of refusals, faults and logs are left alone, because they decide no rule. So are measures and
spaces of papers.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TypeVar

from tests.compliance import ROOT
from tests.mistakes_text import Edit, is_sql, without_conditions

PAPERS = ("keno/documents/", "printer/")
"""Folders of printed documents, where texts are the requirement and numbers are measures."""
_BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_WORDS_ONLY = re.compile(
    r"^(Refused|Rejected|FoundFault|\w*Problem|log\.\w+|self\._say|self\.fault|About)$"
)
_NOTHING_SAID = re.compile(r"^log\.|^sheet\.feed$")
_NO_RULES = ("strict", "compress", "dash", "repr")
"""Keyword arguments that decide no rule, so that no mistake is planted in them."""
T = TypeVar("T")
_Literal = ast.Tuple | ast.List | ast.Set


def find(tree: ast.Module, name: str) -> ast.AST | None:
    """Return the function, class, method or constant of this dotted name; None without one."""
    scope: ast.AST = tree
    for part in name.split("."):
        found = [node for node in getattr(scope, "body", []) if _name_of(node) == part]
        if not found:
            return None
        scope = found[0]
    return scope


def _name_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    return getattr(node, "name", None)


def python_edits(path: str, source: bytes, name: str, apart: Sequence[str]) -> Iterator[Edit]:
    """Yield the mistakes in the definition `name` of a file, without the definitions `apart`."""
    tree = ast.parse(source)
    scope = find(tree, name)
    if scope is None:
        return
    planter = _Planter(path, source, [find(tree, each) for each in apart])
    planter.visit(scope)
    if not planter.found:
        planter.drop_result(scope)
    yield from planter.found


@cache
def _enumerations() -> dict[str, list[str]]:
    """Return the member names of every enumeration of the project, by its name."""
    members: dict[str, list[str]] = {}
    for file in [file for part in ("keno", "rng") for file in (ROOT / part).rglob("*.py")]:
        text = file.read_text(encoding="utf-8")
        if "Enum)" not in text and "Worded)" not in text:
            continue
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and is_enumeration(node):
                members[node.name] = [name for each in node.body if (name := _name_of(each))]
    return members


def is_enumeration(node: ast.ClassDef) -> bool:
    """Return whether a class is an enumeration."""
    return any(ast.unparse(base).endswith(("Enum", "Worded")) for base in node.bases)


class _Planter(ast.NodeVisitor):
    """Collects the edits for one definition."""

    def __init__(self, path: str, source: bytes, apart: Sequence[ast.AST | None]) -> None:
        self.found: list[Edit] = []
        self._paper = path.startswith(PAPERS)
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._apart = apart
        self._around = ""

    # ------------------------------------------------------------ edits

    def _plant(self, what: str, old: ast.AST | Sequence[ast.AST], new: ast.expr | str) -> None:
        nodes = [old] if isinstance(old, ast.AST) else list(old)
        start = self._at(nodes[0], "")
        end = self._at(nodes[-1], "end_")
        text = new if isinstance(new, str) else f"({ast.unparse(new)})"
        said = _shown(nodes[0])
        inside = f" in {self._around}" if self._around not in ("", said) else ""
        self.found.append(Edit(start, end, text, f"{what}: {said}{inside}"))

    def _at(self, node: ast.AST, which: str) -> int:
        line, column = getattr(node, f"{which}lineno"), getattr(node, f"{which}col_offset")
        return int(self._lines[line - 1] + column)

    def drop_result(self, scope: ast.AST) -> None:
        """Plant a dropped result or field, for code without any other mistake."""
        for node in ast.walk(scope):
            self._around = ""
            if isinstance(node, ast.Return) and node.value is not None:
                self._plant("result dropped", node, "return None")
            elif isinstance(node, ast.ClassDef):
                for field in node.body:
                    if isinstance(field, ast.AnnAssign):
                        self._plant("field dropped", field, "pass")

    # ------------------------------------------------------------ walking

    def visit(self, node: ast.AST) -> None:
        if any(node is each for each in self._apart):
            return
        if isinstance(node, ast.stmt):
            self._around = _shown(node)
        super().visit(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for each in node.body:
            self.visit(each)

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815 # as ast calls them

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for each in node.body:
            if is_enumeration(node) and isinstance(each, ast.Assign):
                self._around = ""
                self._plant("member dropped", each, "pass")
            else:
                self.visit(each)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_arguments(self, node: ast.arguments) -> None:
        """Plant nothing in a signature, defaults included."""

    # ------------------------------------------------------------ statements

    def visit_If(self, node: ast.If) -> None:
        if any(_says_no(each) for each in node.body):
            self._plant("rule deleted", node.body, "pass")
            self._around = _shown(node)
        else:
            self._plant("condition negated", node.test, ast.UnaryOp(ast.Not(), node.test))
        self._condition(node.test)
        for each in node.body:
            if not _says_no(each):
                self.visit(each)
        for each in node.orelse:
            self.visit(each)

    def _condition(self, test: ast.expr) -> None:
        """Visit a condition without planting its negation, which is planted already."""
        if isinstance(test, ast.Compare):
            self._compare(test, turned=False)
        else:
            self.visit(test)

    def visit_While(self, node: ast.While) -> None:
        for each in node.body:
            self.visit(each)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._plant("raise dropped", node, "pass")

    def visit_Expr(self, node: ast.Expr) -> None:
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(value, ast.Call):
            if not _NOTHING_SAID.search(ast.unparse(value.func)):
                self._plant("call deleted", node, "pass")
            self.visit(value)
        elif isinstance(value, ast.Yield):
            self._plant("yield dropped", node, "pass")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._plant("statement deleted", node, "pass")
        self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
            self._plant("statement deleted", node, "pass")
        self.visit(node.value)

    # ------------------------------------------------------------ conditions

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._plant("condition negated", node.test, ast.UnaryOp(ast.Not(), node.test))
        self._condition(node.test)
        self.visit(node.body)
        self.visit(node.orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for index, operand in enumerate(node.values):
            rest = [each for at, each in enumerate(node.values) if at != index]
            new = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            start = len(self.found)
            self._plant("condition dropped", node, new)
            said = f"condition dropped: {_shown(operand)} in {self._around}"
            edit = self.found[start]
            self.found[start] = Edit(edit.start, edit.end, edit.new, said)
        for operand in node.values:
            self._condition(operand)

    def visit_Compare(self, node: ast.Compare) -> None:
        self._compare(node, turned=True)

    def _compare(self, node: ast.Compare, *, turned: bool) -> None:
        for index, op in enumerate(node.ops):
            other = _BOUNDARY.get(type(op))
            what = "limit moved"
            if other is None and turned:
                other, what = _TURNED.get(type(op)), "comparison turned"
            if other is not None:
                ops = [other() if at == index else each for at, each in enumerate(node.ops)]
                self._plant(what, node, ast.Compare(node.left, ops, node.comparators))
        sides = (node.left, *node.comparators)
        for one, two in pairwise(sides):
            if isinstance(one, ast.Tuple) and isinstance(two, ast.Tuple):
                self._parts(node, one, two)
        for each in sides:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                self._plant("word swapped", each, repr(each.value + "?"))
            else:
                self.visit(each)

    def _parts(self, node: ast.Compare, one: ast.Tuple, two: ast.Tuple) -> None:
        for index in range(len(one.elts)):
            left, right = (
                ast.Tuple([each for at, each in enumerate(side.elts) if at != index], ast.Load())
                for side in (one, two)
            )
            self._plant(f"part {index + 1} dropped", node, ast.Compare(left, node.ops, [right]))

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.visit(node.iter)
        for each in node.ifs:
            self._plant("filter dropped", each, "True")
            self._condition(each)

    # ------------------------------------------------------------ values

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        if _WORDS_ONLY.match(called):
            return
        if called in _FUNCTIONS:
            self._plant("function swapped", node.func, _FUNCTIONS[called])
        self.visit(node.func)
        for each in node.args:
            self.visit(each)
        for keyword in [each for each in node.keywords if each.arg not in _NO_RULES]:
            if keyword.arg == "only_if" and isinstance(keyword.value, ast.Dict):
                self._members(keyword.value, keyword.value.keys, least=1)
            elif isinstance(keyword.value, ast.Constant):
                self._constant(keyword.value)
            else:
                self.visit(keyword.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        self.visit(node.slice)

    def _literal(self, node: _Literal) -> None:
        if isinstance(node.ctx if not isinstance(node, ast.Set) else ast.Load(), ast.Load):
            if len(node.elts) > 1 and all(map(_is_plain, node.elts)):
                self._members(node, node.elts)
            for each in node.elts:
                self.visit(each)

    visit_Tuple = visit_List = visit_Set = _literal  # noqa: N815 # as ast calls them

    def visit_Dict(self, node: ast.Dict) -> None:
        self._members(node, node.keys)
        for key in node.keys:
            if key is not None and not isinstance(key, ast.Constant):
                self.visit(key)
        for each in node.values:
            if isinstance(each, ast.Constant):
                self._constant(each)
            else:
                self.visit(each)

    def _members(
        self, node: _Literal | ast.Dict, members: Sequence[ast.expr | None], least: int = 2
    ) -> None:
        """Plant the drop of each member of a literal with at least `least` members."""
        if len(members) < least:
            return
        for index, member in enumerate(members):
            text = ast.unparse(_without(node, index))
            self._plant(f"member dropped: {'**' if member is None else ast.unparse(member)}",
                        node, text)  # fmt: skip

    def visit_Attribute(self, node: ast.Attribute) -> None:
        members = _enumerations().get(getattr(node.value, "id", ""), [])
        if node.attr in members and len(members) > 1:
            other = members[(members.index(node.attr) + 1) % len(members)]
            self._plant("member swapped", node, f"{ast.unparse(node.value)}.{other}")
        else:
            self.visit(node.value)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = _ARITHMETIC.get(type(node.op))
        if other is not None and not self._paper and not _is_text(node.left, node.right):
            self._plant("arithmetic turned", node, ast.BinOp(node.left, other(), node.right))
        self.visit(node.left)
        self.visit(node.right)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            if is_sql(node.value):
                for condition, sql in without_conditions(node.value):
                    self._plant(f"condition dropped: {condition}", node, repr(sql))
            elif self._paper and (" " in node.value or node.value[:1].isupper()):
                self._plant("text dropped", node, '""')
        else:
            self._constant(node)

    def _constant(self, node: ast.Constant) -> None:
        """Plant another value for a constant that decides a rule."""
        if isinstance(node.value, bool):
            self._plant("flag turned", node, str(not node.value))
        elif isinstance(node.value, int) and not self._paper:
            self._plant("number swapped", node, str(node.value + 1))
        elif isinstance(node.value, str) and not is_sql(node.value):
            if not self._paper:
                self._plant("word swapped", node, repr(node.value + "?"))
            else:
                self.visit_Constant(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Plant the drop of each value of an f-string and, in a paper, of each text.

        The expressions inside are skipped, because their place in the file is not known.
        """
        for index, part in enumerate(node.values):
            words = isinstance(part, ast.Constant) and re.search("[A-Za-z]", str(part.value))
            if isinstance(part, ast.FormattedValue) or (self._paper and words):
                rest = [each for at, each in enumerate(node.values) if at != index]
                said = ast.unparse(ast.JoinedStr([part]))[2:-1]
                self._plant(f"text dropped: {said}", node, ast.unparse(ast.JoinedStr(rest)))


def _shown(node: ast.AST) -> str:
    """Return the first line of a piece of code, at most 75 characters."""
    line = ast.unparse(node).splitlines()[0]
    return line if len(line) <= 75 else line[:72] + "..."


def _says_no(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)


def _is_plain(node: ast.expr) -> bool:
    """Return whether an expression is a constant, a member of an enumeration or a tuple."""
    if isinstance(node, ast.Attribute):
        return getattr(node.value, "id", "") in _enumerations()
    return isinstance(node, ast.Constant | ast.Tuple)


def _is_text(*nodes: ast.expr) -> bool:
    return any(
        isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        for node in nodes
    )


def _without(node: _Literal | ast.Dict, index: int) -> ast.expr:
    def rest(members: Sequence[T]) -> list[T]:
        return [each for at, each in enumerate(members) if at != index]

    if isinstance(node, ast.Dict):
        return ast.Dict(rest(node.keys), rest(node.values))
    if isinstance(node, ast.Set):
        return ast.Set(rest(node.elts))
    return type(node)(rest(node.elts), ast.Load())
