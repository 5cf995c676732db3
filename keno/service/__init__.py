"""The commands of the keno business: one async function each, by topic.

Every one has the same shape: load, decide by the domain's rules, persist with its audit row, all
in one transaction; what is to be printed or shown comes back as the answer.
"""
