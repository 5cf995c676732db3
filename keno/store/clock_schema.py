"""SQL of schema version 8: the table of clock steps, which put the time in doubt (15.6(c))."""

CLOCK = """
    -- The clock (15.6(c)): times that the machine's clock put in doubt, and who confirmed which.
    CREATE TABLE clock_steps (
        step INTEGER PRIMARY KEY,
        what TEXT NOT NULL CHECK (what IN ('stepped', 'restarted')),
        found_ms INTEGER NOT NULL,
        wall_ms INTEGER NOT NULL,
        confirmed_by TEXT REFERENCES users (person),
        confirmed_ms INTEGER,
        confirmed_wall_ms INTEGER,
        choice TEXT CHECK (choice IN ('machine', 'ledger')),
        CHECK ((confirmed_by IS NULL) = (confirmed_ms IS NULL)),
        CHECK ((confirmed_by IS NULL) = (confirmed_wall_ms IS NULL)),
        CHECK ((confirmed_by IS NULL) = (choice IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX one_unconfirmed_step ON clock_steps (confirmed_ms IS NULL)
        WHERE confirmed_ms IS NULL;
    CREATE TRIGGER clock_steps_are_final BEFORE UPDATE ON clock_steps
        WHEN OLD.confirmed_ms IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a confirmed clock step is never changed'); END;
    CREATE TRIGGER clock_steps_are_kept BEFORE DELETE ON clock_steps
        BEGIN SELECT RAISE(ABORT, 'a clock step is never deleted'); END;
"""
