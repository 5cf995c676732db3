"""SQL of schema version 9: an index of the audit chain for payouts and holds of a ticket (15.7)."""

TRACED = "kind IN ('Redeem', 'Refund', 'DeclareNotIssued', 'TakeNotIssued')"
"""SQL condition of the audit rows that pay one ticket or hold it as not issued."""
TICKET = (
    "CASE WHEN json_valid(body)"
    " THEN json_extract(json_extract(body, '$[#-1].row.answer'), '$.ticket') END"
)
"""SQL expression for the ticket's number in such an audit row.

The last change of the row is the stored answer to the command, which has the number.
"""

TRACES = f"""
    CREATE INDEX audit_of_ticket ON audit ({TICKET}) WHERE {TRACED};
"""
