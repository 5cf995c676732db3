"""SQL of schema version 8: final winning numbers, who counts drawers, access changes, starts."""

PEOPLE = """
    -- Winning numbers (15.5(h)): once recorded they are never changed, nor is what proves them.
    CREATE TRIGGER numbers_are_final BEFORE UPDATE OF numbers, proof, drawn_ms ON games
        WHEN OLD.numbers IS NOT NULL AND (NEW.numbers IS NOT OLD.numbers
             OR NEW.proof IS NOT OLD.proof OR NEW.drawn_ms IS NOT OLD.drawn_ms)
        BEGIN SELECT RAISE(ABORT, 'the winning numbers of a game are never changed'); END;

    -- Who counted a drawer. A drawer that its writer abandoned is counted and closed by two
    -- others, with a reason. Drawers closed before this version have NULL in all three.
    ALTER TABLE shifts ADD COLUMN closed_by TEXT REFERENCES users (person)
        CHECK (closed_by IS NULL OR closed_ms IS NOT NULL);
    ALTER TABLE shifts ADD COLUMN closed_second TEXT REFERENCES users (person)
        CHECK ((closed_second IS NULL) = (closed_by IS NULL)
               AND (closed_second IS NULL OR closed_second NOT IN (closed_by, writer)));
    ALTER TABLE shifts ADD COLUMN closed_reason TEXT
        CHECK ((closed_reason IS NOT NULL) = (closed_by IS NOT NULL AND closed_by <> writer));
    CREATE INDEX shifts_closed_by_others ON shifts (location, closed_ms)
        WHERE closed_by <> writer;

    -- Changes of people, keys and stations: who made them, with whom and why. In a live house the
    -- second person is always there.
    CREATE TABLE access_changes (
        change INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN (
            'person_added', 'person_changed', 'password_set', 'signing_key', 'station_enrolled',
            'station_on', 'station_off')),
        subject TEXT NOT NULL,
        detail TEXT NOT NULL,
        actor TEXT NOT NULL REFERENCES users (person),
        second TEXT REFERENCES users (person),
        reason TEXT,
        ms INTEGER NOT NULL,
        CHECK (second IS NULL OR (second <> actor AND length(trim(reason)) > 0)),
        CHECK (second IS NULL OR kind LIKE 'station%' OR second <> subject)
    ) STRICT;
    CREATE INDEX access_changes_by_time ON access_changes (ms);
    CREATE TRIGGER access_changes_are_final BEFORE UPDATE ON access_changes
        BEGIN SELECT RAISE(ABORT, 'a change of access is never changed'); END;
    CREATE TRIGGER access_changes_are_kept BEFORE DELETE ON access_changes
        BEGIN SELECT RAISE(ABORT, 'a change of access is never deleted'); END;

    -- Starts of the server; attempts to sell or void after lock-out (15.5(d)): at most five of a
    -- station while one game is open, so that no station fills the disk.
    CREATE TABLE starts (start INTEGER PRIMARY KEY, ms INTEGER NOT NULL) STRICT;
    CREATE TABLE late_attempts (
        location TEXT NOT NULL REFERENCES locations,
        station TEXT NOT NULL REFERENCES stations,
        open_game INTEGER NOT NULL,
        attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 5),
        act TEXT NOT NULL CHECK (act IN ('sale', 'void', 'rewrite')),
        game INTEGER NOT NULL CHECK (game < open_game),
        ticket INTEGER,
        writer TEXT NOT NULL REFERENCES users (person),
        ms INTEGER NOT NULL,
        PRIMARY KEY (location, station, open_game, attempt)
    ) STRICT;
    CREATE INDEX late_attempts_by_time ON late_attempts (location, ms);
"""
