"""SQL of schema version 8: halts, their resumes, papers that disagree with the ledger (15.7)."""

HALTS = """
    CREATE TABLE halts (
        halt TEXT PRIMARY KEY CHECK (length(halt) = 64),
        location TEXT NOT NULL REFERENCES locations,
        scope TEXT NOT NULL CHECK (scope IN ('location', 'house')),
        fault TEXT NOT NULL,
        found TEXT NOT NULL,
        halted_ms INTEGER NOT NULL,
        message TEXT NOT NULL,
        resumed_ms INTEGER,
        resume TEXT,
        resumed_by TEXT REFERENCES users (person),
        second TEXT REFERENCES users (person),
        CHECK ((resumed_ms IS NULL) = (resume IS NULL)),
        CHECK ((resumed_ms IS NULL) = (resumed_by IS NULL)),
        CHECK ((resumed_ms IS NULL) = (second IS NULL)),
        CHECK (resumed_ms IS NULL OR (resumed_ms >= halted_ms AND resumed_by <> second))
    ) STRICT;
    CREATE TRIGGER halts_are_final BEFORE UPDATE ON halts WHEN old.resumed_ms IS NOT NULL
        OR (new.halt, new.location, new.scope, new.fault, new.found, new.halted_ms, new.message)
        IS NOT (old.halt, old.location, old.scope, old.fault, old.found, old.halted_ms, old.message)
        BEGIN SELECT RAISE(ABORT, 'a halt is never changed, only resumed'); END;
    CREATE TRIGGER halts_are_kept BEFORE DELETE ON halts
        BEGIN SELECT RAISE(ABORT, 'a halt is never deleted'); END;

    CREATE TABLE papers (
        paper INTEGER PRIMARY KEY,
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('forged', 'ledger_wrong')),
        content TEXT NOT NULL,
        actor TEXT NOT NULL REFERENCES users (person),
        ms INTEGER NOT NULL,
        FOREIGN KEY (location, ticket) REFERENCES tickets (location, number)
    ) STRICT;
    CREATE INDEX papers_forged ON papers (location, paper) WHERE verdict = 'forged';
    CREATE TRIGGER papers_are_final BEFORE UPDATE ON papers
        BEGIN SELECT RAISE(ABORT, 'a ruling on a paper is never changed'); END;
    CREATE TRIGGER papers_are_kept BEFORE DELETE ON papers
        BEGIN SELECT RAISE(ABORT, 'a ruling on a paper is never deleted'); END;

    -- What a ticket was paid by its paper in games that were graded by other numbers (15.7).
    CREATE TABLE paper_awards (
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        game INTEGER NOT NULL,
        graded_cents INTEGER NOT NULL CHECK (graded_cents >= 0),
        award_cents INTEGER NOT NULL CHECK (award_cents BETWEEN 0 AND graded_cents),
        PRIMARY KEY (location, ticket, game),
        FOREIGN KEY (location, ticket) REFERENCES endings (location, ticket),
        FOREIGN KEY (location, game) REFERENCES games (location, game)
    ) STRICT;
    CREATE TRIGGER paper_awards_need_a_ruling BEFORE INSERT ON paper_awards
        WHEN NOT EXISTS (SELECT 1 FROM papers WHERE location = NEW.location
            AND ticket = NEW.ticket AND verdict = 'ledger_wrong')
        BEGIN SELECT RAISE(ABORT, 'a ticket is paid by a paper that the book confirmed'); END;
    CREATE TRIGGER paper_awards_are_final BEFORE UPDATE ON paper_awards
        BEGIN SELECT RAISE(ABORT, 'an award is never changed'); END;
    CREATE TRIGGER paper_awards_are_kept BEFORE DELETE ON paper_awards
        BEGIN SELECT RAISE(ABORT, 'awards are never deleted'); END;
"""
