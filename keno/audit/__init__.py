"""The command `keno audit`: recomputes everything from a ledger and reports whether it is sound.

It compares the schema, verifies the audit chain, replays it, and compares the result with the
tables row by row. Then it computes prices, books, roots, grades, awards, payments and drawers from
first principles. It shares no code with the commands that wrote the ledger, and writes nothing.
"""

from keno.audit.context import SAMPLE
from keno.audit.findings import Step
from keno.audit.run import AuditError, audit, terminal_progress

__all__ = ["SAMPLE", "AuditError", "Step", "audit", "terminal_progress"]
