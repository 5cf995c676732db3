"""SQL of schema version 10: money that a void, rewrite or refund owes (15.6(b)).

CHECKs cannot be changed, so the table of endings is recreated and refilled.
"""

OWED = """
    -- `owed_cents` is what an ending did not hand over: it waits for a supervisor. Of it: what is
    -- owed in chips, in tokens, and as a coupon. Nothing below $1,500.00 waits.
    PRAGMA defer_foreign_keys = 1;
    CREATE TABLE endings_before AS SELECT * FROM endings;
    DROP TABLE endings;
    CREATE TABLE endings (
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('void', 'payout', 'refund', 'surrender', 'expiry')),
        ms INTEGER NOT NULL,
        actor TEXT NOT NULL,
        station TEXT REFERENCES stations,
        shift INTEGER REFERENCES shifts,
        awards_cents INTEGER NOT NULL CHECK (awards_cents >= 0),
        returns_cents INTEGER NOT NULL CHECK (returns_cents >= 0),
        refund_cents INTEGER NOT NULL CHECK (refund_cents >= 0),
        coupon_cents INTEGER NOT NULL CHECK (coupon_cents >= 0),
        withheld_cents INTEGER NOT NULL CHECK (withheld_cents >= 0),
        cash_cents INTEGER NOT NULL CHECK (cash_cents >= 0),
        check_cents INTEGER NOT NULL CHECK (check_cents >= 0),
        check_number TEXT,
        tax_form TEXT,
        authorisation INTEGER REFERENCES authorisations,
        rewritten_as INTEGER,
        reason TEXT,
        supervisor TEXT REFERENCES users (person),
        in_chips_cents INTEGER NOT NULL DEFAULT 0
            CHECK (in_chips_cents >= 0 AND (in_chips_cents = 0 OR kind = 'void')),
        in_tokens_cents INTEGER NOT NULL DEFAULT 0
            CHECK (in_tokens_cents >= 0 AND (in_tokens_cents = 0 OR kind = 'void')),
        instead_cents INTEGER NOT NULL DEFAULT 0
            CHECK (instead_cents >= 0 AND (instead_cents = 0 OR kind = 'void')
                   AND in_chips_cents + in_tokens_cents + instead_cents <= cash_cents),
        owed_cents INTEGER NOT NULL DEFAULT 0
            CHECK (owed_cents = 0 OR (owed_cents >= 150000 AND authorisation IS NULL
                   AND (kind = 'void' OR (kind = 'refund' AND cash_cents = 0
                        AND check_cents = 0 AND withheld_cents = 0 AND coupon_cents = 0)))),
        owed_chips_cents INTEGER NOT NULL DEFAULT 0
            CHECK (owed_chips_cents >= 0 AND (owed_chips_cents = 0 OR kind = 'void')),
        owed_tokens_cents INTEGER NOT NULL DEFAULT 0
            CHECK (owed_tokens_cents >= 0 AND (owed_tokens_cents = 0 OR kind = 'void')),
        owed_coupon_cents INTEGER NOT NULL DEFAULT 0
            CHECK (owed_coupon_cents >= 0
                   AND owed_chips_cents + owed_tokens_cents + owed_coupon_cents <= owed_cents),
        PRIMARY KEY (location, ticket),
        FOREIGN KEY (location, ticket) REFERENCES tickets (location, number),
        CHECK (kind IN ('surrender', 'expiry')
               OR awards_cents + returns_cents + refund_cents
                  = coupon_cents + withheld_cents + cash_cents + check_cents + owed_cents),
        CHECK ((check_cents > 0) = (check_number IS NOT NULL)),
        CHECK ((supervisor IS NULL) = (reason IS NULL))
    ) STRICT;
    INSERT INTO endings SELECT *, 0, 0, 0, 0 FROM endings_before ORDER BY location, ticket;
    DROP TABLE endings_before;
    CREATE INDEX endings_by_time ON endings (kind, ms);
    CREATE INDEX endings_owed ON endings (location, ms) WHERE owed_cents > 0;
    CREATE TRIGGER endings_are_kept BEFORE DELETE ON endings
        BEGIN SELECT RAISE(ABORT, 'endings are never deleted'); END;
    CREATE TRIGGER surrendered_with_its_paper BEFORE INSERT ON endings
        WHEN NEW.kind = 'surrender' AND NOT EXISTS (SELECT 1 FROM not_issued
            WHERE location = NEW.location AND ticket = NEW.ticket AND decision = 'confirmed')
        BEGIN SELECT RAISE(ABORT, 'a ticket ends as not issued with its paper'); END;

    -- What was owed is handed over once, whichever booth of the house pays it. `cash_cents` is all
    -- that left the drawer, chips and tokens of a void included, as in the table of endings.
    CREATE TABLE owed_payments (
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        ms INTEGER NOT NULL,
        actor TEXT NOT NULL REFERENCES users (person),
        station TEXT NOT NULL REFERENCES stations,
        shift INTEGER NOT NULL REFERENCES shifts,
        coupon_cents INTEGER NOT NULL CHECK (coupon_cents >= 0),
        withheld_cents INTEGER NOT NULL CHECK (withheld_cents >= 0),
        cash_cents INTEGER NOT NULL CHECK (cash_cents >= 0),
        check_cents INTEGER NOT NULL CHECK (check_cents >= 0),
        in_chips_cents INTEGER NOT NULL CHECK (in_chips_cents >= 0),
        in_tokens_cents INTEGER NOT NULL CHECK (in_tokens_cents >= 0),
        instead_cents INTEGER NOT NULL CHECK (instead_cents >= 0
            AND in_chips_cents + in_tokens_cents + instead_cents <= cash_cents),
        check_number TEXT,
        tax_form TEXT,
        authorisation INTEGER NOT NULL UNIQUE REFERENCES authorisations,
        PRIMARY KEY (location, ticket),
        FOREIGN KEY (location, ticket) REFERENCES endings (location, ticket),
        CHECK ((check_cents > 0) = (check_number IS NOT NULL)),
        CHECK (withheld_cents = 0 OR tax_form IS NOT NULL)
    ) STRICT;
    CREATE INDEX owed_payments_by_shift ON owed_payments (shift);
    CREATE INDEX owed_payments_by_check
        ON owed_payments (upper(replace(check_number, ' ', ''))) WHERE check_number IS NOT NULL;
    CREATE TRIGGER paid_as_owed BEFORE INSERT ON owed_payments
        WHEN NOT EXISTS (SELECT 1 FROM endings e WHERE e.location = NEW.location
            AND e.ticket = NEW.ticket AND e.owed_cents > 0
            AND e.owed_coupon_cents = NEW.coupon_cents AND e.owed_cents
                = NEW.coupon_cents + NEW.withheld_cents + NEW.cash_cents + NEW.check_cents)
        BEGIN SELECT RAISE(ABORT, 'what is handed over is what was owed'); END;
    CREATE TRIGGER owed_payments_are_final BEFORE UPDATE ON owed_payments
        BEGIN SELECT RAISE(ABORT, 'a payment is never changed'); END;
    CREATE TRIGGER owed_payments_are_kept BEFORE DELETE ON owed_payments
        BEGIN SELECT RAISE(ABORT, 'payments are never deleted'); END;
    CREATE TRIGGER a_check_of_what_was_owed_works_once BEFORE INSERT ON owed_payments
        WHEN NEW.check_number IS NOT NULL AND (EXISTS (SELECT 1 FROM endings
            WHERE check_number IS NOT NULL AND upper(replace(check_number, ' ', ''))
                = upper(replace(NEW.check_number, ' ', '')))
            OR EXISTS (SELECT 1 FROM owed_payments
            WHERE check_number IS NOT NULL AND upper(replace(check_number, ' ', ''))
                = upper(replace(NEW.check_number, ' ', ''))))
        BEGIN SELECT RAISE(ABORT, 'a check number is used once'); END;
    CREATE TRIGGER a_check_that_paid_what_was_owed BEFORE INSERT ON endings
        WHEN NEW.check_number IS NOT NULL AND EXISTS (SELECT 1 FROM owed_payments
            WHERE check_number IS NOT NULL AND upper(replace(check_number, ' ', ''))
                = upper(replace(NEW.check_number, ' ', '')))
        BEGIN SELECT RAISE(ABORT, 'a check number is used once'); END;
    """
