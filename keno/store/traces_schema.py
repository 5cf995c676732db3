"""SQL of schema version 9: an index of the audit chain for endings and holds of a ticket (15.7)."""

TRACED = (
    "kind IN ('Redeem', 'Refund', 'Void', 'VoidAndRewrite',"
    " 'DeclareNotIssued', 'TakeNotIssued', 'ConfirmNotIssued')"
)
"""SQL condition of the audit rows that end one ticket or hold it as not issued."""
_ANSWER = "json_extract(body, '$[#-1].row.answer')"
TICKET = (
    f"CASE WHEN json_valid(body) THEN coalesce(json_extract({_ANSWER}, '$.ticket'),"
    f" json_extract({_ANSWER}, '$.voided.ticket')) END"
)
"""SQL expression for the ticket's number in such an audit row.

The last change of the row is the stored answer to the command, which has the number; that of a
rewrite has it in its part `voided`.
"""

TRACES = f"""
    CREATE INDEX audit_of_ticket ON audit ({TICKET}) WHERE {TRACED};
"""
