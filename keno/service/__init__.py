"""Commands of the keno business: one async function for each command, grouped by topic.

Each function loads rows, decides by the domain's rules, and writes its changes with an audit row,
all in one transaction. Its return value is the answer; the caller prints or shows it.
"""
