"""Version 9: an index that finds payouts and holds of a ticket in the audit chain (15.7)."""

TRACED = "kind IN ('Redeem', 'Refund', 'DeclareNotIssued', 'TakeNotIssued')"
"""Kinds of audit rows that pay one ticket or hold it as not issued."""
TICKET = (
    "CASE WHEN json_valid(body)"
    " THEN json_extract(json_extract(body, '$[#-1].row.answer'), '$.ticket') END"
)
"""The ticket of such a row: its last change is the stored answer, which has the number."""

TRACES = f"""
    CREATE INDEX audit_of_ticket ON audit ({TICKET}) WHERE {TRACED};
"""
