"""SQL of schema version 8: tickets that were printed and not issued, and their awards (15.3(c))."""

NOT_ISSUED = """
    -- 15.3(c): tickets that were printed and not issued, and what those declared so before the
    -- draw would have been awarded. From now on no other ticket ends as a surrender.
    CREATE TABLE not_issued (
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('declared', 'found')),
        game INTEGER NOT NULL,
        writer TEXT NOT NULL REFERENCES users (person),
        station TEXT NOT NULL REFERENCES stations,
        shift INTEGER NOT NULL REFERENCES shifts,
        taken_by TEXT REFERENCES users (person),
        reason TEXT,
        ms INTEGER NOT NULL,
        decision TEXT CHECK (decision IN ('confirmed', 'issued')),
        decided_by TEXT REFERENCES users (person),
        decided_reason TEXT,
        decided_ms INTEGER,
        PRIMARY KEY (location, ticket),
        FOREIGN KEY (location, ticket) REFERENCES tickets (location, number),
        FOREIGN KEY (location, game) REFERENCES games (location, game),
        CHECK ((kind = 'found') = (taken_by IS NOT NULL)),
        CHECK ((taken_by IS NULL) = (reason IS NULL)),
        CHECK ((decision IS NULL) = (decided_by IS NULL)),
        CHECK ((decision IS NULL) = (decided_reason IS NULL)),
        CHECK ((decision IS NULL) = (decided_ms IS NULL)),
        CHECK (decision IS NULL OR decision <> 'confirmed' OR kind = 'declared'),
        CHECK (taken_by IS NULL OR taken_by <> writer),
        CHECK (decided_by IS NULL OR decided_by <> writer)
    ) STRICT;
    CREATE INDEX not_issued_by_time ON not_issued (location, ms);
    CREATE TRIGGER declared_before_the_draw BEFORE INSERT ON not_issued
        WHEN NEW.kind = 'declared' AND NOT EXISTS (SELECT 1 FROM games
            WHERE location = NEW.location AND game = NEW.game AND state = 'locked')
        BEGIN SELECT RAISE(ABORT, 'a ticket is declared not issued before its draw'); END;
    CREATE TRIGGER not_issued_is_decided_once BEFORE UPDATE ON not_issued
        WHEN OLD.decision IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a ticket that was not issued is decided once'); END;
    CREATE TRIGGER not_issued_is_kept BEFORE DELETE ON not_issued
        BEGIN SELECT RAISE(ABORT, 'a ticket that was not issued is never forgotten'); END;

    CREATE TABLE not_issued_awards (
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        game INTEGER NOT NULL,
        graded_cents INTEGER NOT NULL CHECK (graded_cents > 0),
        award_cents INTEGER NOT NULL CHECK (award_cents BETWEEN 0 AND graded_cents),
        PRIMARY KEY (location, ticket, game),
        FOREIGN KEY (location, ticket) REFERENCES not_issued (location, ticket),
        FOREIGN KEY (location, game) REFERENCES games (location, game)
    ) STRICT;
    CREATE TRIGGER not_issued_awards_are_final BEFORE UPDATE ON not_issued_awards
        BEGIN SELECT RAISE(ABORT, 'an award is never changed'); END;
    CREATE TRIGGER not_issued_awards_are_kept BEFORE DELETE ON not_issued_awards
        BEGIN SELECT RAISE(ABORT, 'awards are never deleted'); END;

    CREATE TRIGGER surrendered_with_its_paper BEFORE INSERT ON endings
        WHEN NEW.kind = 'surrender' AND NOT EXISTS (SELECT 1 FROM not_issued
            WHERE location = NEW.location AND ticket = NEW.ticket AND decision = 'confirmed')
        BEGIN SELECT RAISE(ABORT, 'a ticket ends as not issued with its paper'); END;
    """
