"""`keno audit`: everything recomputed from the ledger, and whether it is sound.

The chain is verified and played again, and what it tells is compared with the tables row by row;
then prices, books, roots, grades, awards, payments and drawers are worked out from first
principles. The audit shares no code with the commands that wrote the ledger, and writes nothing.
"""

from keno.audit.context import SAMPLE
from keno.audit.findings import Step
from keno.audit.run import AuditError, audit, terminal_progress

__all__ = ["SAMPLE", "AuditError", "Step", "audit", "terminal_progress"]
