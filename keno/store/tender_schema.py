"""SQL of schema version 10: change, what a void gives back, slips of any kind, counts of cash.

CHECKs cannot be changed, so tables are recreated and refilled.
"""

TENDER = """
    -- Change leaves a drawer beside the sale that brought in what was received. By shift and ticket
    -- it is found what came in for a ticket.
    ALTER TABLE drawer RENAME TO drawer_before;
    CREATE TABLE drawer (
        entry INTEGER PRIMARY KEY,
        shift INTEGER NOT NULL REFERENCES shifts,
        event TEXT NOT NULL CHECK (event IN ('opening', 'sale', 'change', 'fill', 'void', 'refund',
                                             'return', 'payout', 'credit')),
        kind TEXT NOT NULL CHECK (kind IN ('currency', 'coin', 'gaming_chips', 'coupon',
                                           'slot_tokens')),
        cents INTEGER NOT NULL CHECK (cents > 0),
        ticket INTEGER,
        ms INTEGER NOT NULL,
        CHECK (event <> 'change' OR (kind = 'currency' AND ticket IS NOT NULL))
    ) STRICT;
    INSERT INTO drawer SELECT * FROM drawer_before ORDER BY entry;
    DROP TABLE drawer_before;
    CREATE INDEX drawer_of_ticket ON drawer (shift, ticket);

    -- An opening bank has a slip too; one person may issue it in test mode. `tender` is what was
    -- moved, in the kinds of the drawer's entries.
    ALTER TABLE slips RENAME TO slips_before;
    CREATE TABLE slips (
        location TEXT NOT NULL REFERENCES locations,
        slip INTEGER NOT NULL CHECK (slip >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('fill', 'credit', 'opening')),
        shift INTEGER NOT NULL REFERENCES shifts,
        cents INTEGER NOT NULL CHECK (cents > 0),
        actor TEXT NOT NULL REFERENCES users (person),
        second TEXT REFERENCES users (person),
        ms INTEGER NOT NULL,
        tender TEXT NOT NULL DEFAULT 'currency' CHECK (tender IN ('currency', 'gaming_chips',
                                                                  'coupon', 'slot_tokens')),
        PRIMARY KEY (location, slip),
        CHECK (actor <> second),
        CHECK (second IS NOT NULL OR kind = 'opening'),
        CHECK (kind <> 'opening' OR tender = 'currency')
    ) STRICT;
    INSERT INTO slips (location, slip, kind, shift, cents, actor, second, ms)
        SELECT location, slip, kind, shift, cents, actor, second, ms FROM slips_before;
    DROP TABLE slips_before;
    CREATE UNIQUE INDEX one_opening_of_a_shift ON slips (shift) WHERE kind = 'opening';

    -- `cash_cents` of a void is all that left the drawer. Of it: what was chips and tokens, and
    -- what was cash in place of the chips and tokens that came in.
    ALTER TABLE endings ADD COLUMN in_chips_cents INTEGER NOT NULL DEFAULT 0
        CHECK (in_chips_cents >= 0 AND (in_chips_cents = 0 OR kind = 'void'));
    ALTER TABLE endings ADD COLUMN in_tokens_cents INTEGER NOT NULL DEFAULT 0
        CHECK (in_tokens_cents >= 0 AND (in_tokens_cents = 0 OR kind = 'void'));
    ALTER TABLE endings ADD COLUMN instead_cents INTEGER NOT NULL DEFAULT 0
        CHECK (instead_cents >= 0 AND (instead_cents = 0 OR kind = 'void')
               AND in_chips_cents + in_tokens_cents + instead_cents <= cash_cents);

    ALTER TABLE shifts ADD COLUMN denominations TEXT
        CHECK (denominations IS NULL OR closed_ms IS NOT NULL);

    -- A supervisor approves large change for chips or tokens.
    ALTER TABLE approvals RENAME TO approvals_before;
    CREATE TABLE approvals (
        approval INTEGER PRIMARY KEY,
        location TEXT NOT NULL REFERENCES locations,
        kind TEXT NOT NULL CHECK (kind IN ('reprint', 'lock_out', 'hold', 'release', 'change')),
        ticket INTEGER,
        game INTEGER,
        actor TEXT NOT NULL REFERENCES users (person),
        supervisor TEXT NOT NULL REFERENCES users (person),
        reason TEXT,
        ms INTEGER NOT NULL,
        CHECK ((kind = 'lock_out') = (ticket IS NULL)),
        CHECK ((kind = 'lock_out') = (game IS NOT NULL)),
        CHECK (kind NOT IN ('hold', 'release') OR length(trim(reason)) > 0),
        CHECK (kind <> 'change' OR supervisor <> actor)
    ) STRICT;
    INSERT INTO approvals SELECT * FROM approvals_before ORDER BY approval;
    DROP TABLE approvals_before;
    CREATE INDEX approvals_of_ticket ON approvals (ticket, location);
    CREATE TRIGGER approvals_are_final BEFORE UPDATE ON approvals
        BEGIN SELECT RAISE(ABORT, 'an approval is never changed'); END;
    CREATE TRIGGER approvals_are_kept BEFORE DELETE ON approvals
        BEGIN SELECT RAISE(ABORT, 'an approval is never deleted'); END;
"""
