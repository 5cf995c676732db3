"""SQL of schema version 8 for claims: where versions begin, ends of holds, lapsed approvals."""

CLAIMS = """
    -- Where each version's rules begin: the last audit row before the ledger was migrated to it.
    CREATE TABLE migrations (
        version INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL CHECK (seq >= 0),
        ms INTEGER NOT NULL CHECK (ms >= 0)
    ) STRICT;
    INSERT INTO migrations (version, seq, ms)
        SELECT 8, coalesce(max(seq), 0), coalesce(max(ms), 0) FROM audit;
    CREATE TRIGGER migrations_are_final BEFORE UPDATE ON migrations
        BEGIN SELECT RAISE(ABORT, 'a migration is never changed'); END;
    CREATE TRIGGER migrations_are_kept BEFORE DELETE ON migrations
        BEGIN SELECT RAISE(ABORT, 'a migration is never deleted'); END;

    -- 15.6(c): every hold in dispute has an end; one from before ends thirty days from here.
    CREATE TABLE held_before AS
        SELECT location, number, held_by, held_reason FROM tickets WHERE held_by IS NOT NULL;
    UPDATE tickets SET held_by = NULL, held_reason = NULL WHERE held_by IS NOT NULL;
    ALTER TABLE tickets ADD COLUMN held_until_ms INTEGER
        CHECK ((held_by IS NULL) = (held_until_ms IS NULL));
    UPDATE tickets SET held_by = before.held_by, held_reason = before.held_reason,
                       held_until_ms = (SELECT ms FROM migrations WHERE version = 8) + 2592000000
        FROM held_before AS before WHERE before.location = tickets.location
                                     AND before.number = tickets.number;
    DROP TABLE held_before;

    -- 15.6(b): an approval that is not used in its gaming day lapses; who had given it.
    ALTER TABLE authorisations ADD COLUMN given_by TEXT REFERENCES users (person)
        CHECK (given_by IS NULL OR state = 'lapsed');
"""
