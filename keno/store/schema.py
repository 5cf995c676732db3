"""The ledger's tables and its migrations: numbered, forward only, run at start.

The schema excludes wrong states where SQL can: strict column types, CHECKs, UNIQUEs and foreign
keys. Rows are changed only through `transaction.py`, which records every change in `audit`; `keno
audit` replays those changes and compares.
"""

from keno.store.claims_schema import CLAIMS
from keno.store.clock_schema import CLOCK
from keno.store.coupons_schema import COUPONS
from keno.store.halts_schema import HALTS
from keno.store.limits_schema import LIMITS
from keno.store.not_issued_schema import NOT_ISSUED
from keno.store.owed_schema import OWED
from keno.store.people_schema import PEOPLE
from keno.store.tender_schema import TENDER
from keno.store.traces_schema import TRACES

BEGINS_10 = """
    -- Where this version's rules begin: the last audit row before the ledger was migrated to it.
    INSERT INTO migrations (version, seq, ms)
        SELECT 10, coalesce(max(seq), 0), coalesce(max(ms), 0) FROM audit;
    """
MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE house (
        site TEXT PRIMARY KEY,
        mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
        created_ms INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE locations (
        location TEXT PRIMARY KEY,
        letter TEXT NOT NULL UNIQUE CHECK (length(letter) = 1),
        name TEXT NOT NULL,
        zone TEXT NOT NULL,
        day_starts TEXT NOT NULL,
        digital_requests INTEGER NOT NULL CHECK (digital_requests IN (0, 1))
    ) STRICT;

    CREATE TABLE users (
        person TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('writer', 'supervisor', 'manager', 'inspector',
                                           'accounting', 'administrator')),
        active INTEGER NOT NULL CHECK (active IN (0, 1)),
        public_key TEXT,
        sealed_key TEXT,
        CHECK ((public_key IS NULL) = (sealed_key IS NULL))
    ) STRICT;

    CREATE TABLE stations (
        station TEXT PRIMARY KEY,
        location TEXT NOT NULL REFERENCES locations,
        public_key TEXT NOT NULL UNIQUE,
        enabled INTEGER NOT NULL CHECK (enabled IN (0, 1))
    ) STRICT;

    CREATE TABLE cards (
        version TEXT PRIMARY KEY,
        toml TEXT NOT NULL
    ) STRICT;

    CREATE TABLE postings (
        location TEXT NOT NULL REFERENCES locations,
        first_game INTEGER NOT NULL CHECK (first_game >= 1),
        card TEXT NOT NULL REFERENCES cards (version),
        posted_ms INTEGER NOT NULL,
        posted_by TEXT NOT NULL REFERENCES users (person),
        second TEXT REFERENCES users (person),
        changes_maximum INTEGER NOT NULL CHECK (changes_maximum IN (0, 1)),
        PRIMARY KEY (location, first_game),
        CHECK (second IS NULL OR second <> posted_by)
    ) STRICT;

    CREATE TABLE shapes (
        shape INTEGER PRIMARY KEY,
        card TEXT NOT NULL REFERENCES cards (version),
        structure TEXT NOT NULL,
        UNIQUE (card, structure)
    ) STRICT;

    CREATE TABLE games (
        location TEXT NOT NULL REFERENCES locations,
        game INTEGER NOT NULL CHECK (game >= 1),
        state TEXT NOT NULL CHECK (state IN ('open', 'locked', 'drawn', 'settled', 'void')),
        card TEXT NOT NULL REFERENCES cards (version),
        commitment TEXT NOT NULL,
        opened_ms INTEGER NOT NULL,
        locked_ms INTEGER,
        last_ticket INTEGER,
        tickets INTEGER,
        handle_cents INTEGER,
        leaves INTEGER,
        root TEXT,
        numbers TEXT,
        proof TEXT,
        drawn_ms INTEGER,
        shown_ms INTEGER,
        settled_ms INTEGER,
        graded_cents INTEGER,
        awards_cents INTEGER,
        voided_ms INTEGER,
        PRIMARY KEY (location, game),
        CHECK ((state = 'open') = (locked_ms IS NULL)),
        CHECK ((locked_ms IS NULL) = (last_ticket IS NULL)),
        CHECK ((locked_ms IS NULL) = (tickets IS NULL)),
        CHECK ((locked_ms IS NULL) = (handle_cents IS NULL)),
        CHECK ((root IS NULL) = (leaves IS NULL)),
        CHECK (root IS NULL OR locked_ms IS NOT NULL),
        CHECK ((state IN ('drawn', 'settled')) = (drawn_ms IS NOT NULL)),
        CHECK ((numbers IS NULL) = (drawn_ms IS NULL)),
        CHECK (numbers IS NULL OR root IS NOT NULL),
        CHECK (shown_ms IS NULL OR drawn_ms IS NOT NULL),
        CHECK ((state = 'settled') = (settled_ms IS NOT NULL)),
        CHECK ((settled_ms IS NULL) = (awards_cents IS NULL)),
        CHECK ((state = 'void') = (voided_ms IS NOT NULL))
    ) STRICT;
    CREATE UNIQUE INDEX one_open_game ON games (location) WHERE state = 'open';

    CREATE TABLE counters (
        location TEXT NOT NULL REFERENCES locations,
        name TEXT NOT NULL CHECK (name IN ('ticket', 'slip', 'coupon')),
        last INTEGER NOT NULL CHECK (last >= 0),
        PRIMARY KEY (location, name)
    ) STRICT;

    CREATE TABLE steps (
        location TEXT NOT NULL REFERENCES locations,
        game INTEGER NOT NULL,
        tickets INTEGER NOT NULL,
        cents INTEGER NOT NULL,
        PRIMARY KEY (location, game)
    ) STRICT;

    CREATE TABLE shifts (
        shift INTEGER PRIMARY KEY,
        location TEXT NOT NULL REFERENCES locations,
        writer TEXT NOT NULL REFERENCES users (person),
        station TEXT NOT NULL REFERENCES stations,
        opened_ms INTEGER NOT NULL,
        locked INTEGER NOT NULL CHECK (locked IN (0, 1)),
        closed_ms INTEGER,
        expected TEXT,
        counted TEXT,
        CHECK ((closed_ms IS NULL) = (counted IS NULL)),
        CHECK ((closed_ms IS NULL) = (expected IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX one_shift_a_writer ON shifts (writer) WHERE closed_ms IS NULL;
    CREATE UNIQUE INDEX one_shift_a_station ON shifts (station) WHERE closed_ms IS NULL;

    CREATE TABLE tickets (
        location TEXT NOT NULL REFERENCES locations,
        number INTEGER NOT NULL CHECK (number >= 1),
        request_id TEXT NOT NULL UNIQUE,
        asked TEXT NOT NULL,
        first_game INTEGER NOT NULL CHECK (first_game >= 1),
        last_game INTEGER NOT NULL CHECK (last_game >= first_game),
        card TEXT NOT NULL REFERENCES cards (version),
        station TEXT NOT NULL REFERENCES stations,
        writer TEXT NOT NULL REFERENCES users (person),
        shift INTEGER NOT NULL REFERENCES shifts,
        sold_ms INTEGER NOT NULL,
        price_cents INTEGER NOT NULL
            CHECK (price_cents > 0 AND price_cents % (last_game - first_game + 1) = 0),
        coupon_cents INTEGER NOT NULL CHECK (coupon_cents BETWEEN 0 AND price_cents),
        request TEXT NOT NULL,
        shape INTEGER NOT NULL REFERENCES shapes,
        masks BLOB NOT NULL CHECK (length(masks) > 0 AND length(masks) % 10 = 0),
        origin TEXT NOT NULL,
        code TEXT NOT NULL,
        leaf BLOB NOT NULL CHECK (length(leaf) = 32),
        state TEXT NOT NULL CHECK (state IN ('live', 'void', 'cancelled')),
        ended_game INTEGER,
        ended_leaf BLOB CHECK (ended_leaf IS NULL OR length(ended_leaf) = 32),
        printed INTEGER NOT NULL CHECK (printed IN (0, 1)),
        reprints INTEGER NOT NULL CHECK (reprints >= 0),
        held TEXT,
        presented_ms INTEGER,
        PRIMARY KEY (location, number),
        CHECK ((state = 'live') = (ended_game IS NULL)),
        CHECK ((ended_game IS NULL) = (ended_leaf IS NULL)),
        CHECK (ended_game IS NULL OR ended_game BETWEEN first_game AND last_game),
        CHECK (state <> 'void' OR ended_game = first_game)
    ) STRICT;
    CREATE INDEX multi_race ON tickets (location, last_game) WHERE last_game > first_game;
    CREATE INDEX unconfirmed ON tickets (station, number) WHERE printed = 0;

    CREATE TABLE drawer (
        entry INTEGER PRIMARY KEY,
        shift INTEGER NOT NULL REFERENCES shifts,
        event TEXT NOT NULL CHECK (event IN ('opening', 'sale', 'fill', 'void', 'refund',
                                             'return', 'payout', 'credit')),
        kind TEXT NOT NULL CHECK (kind IN ('currency', 'coin', 'gaming_chips', 'coupon',
                                           'slot_tokens')),
        cents INTEGER NOT NULL CHECK (cents > 0),
        ticket INTEGER,
        ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX drawer_of_shift ON drawer (shift);

    CREATE TABLE coupons (
        serial TEXT PRIMARY KEY,
        location TEXT NOT NULL REFERENCES locations,
        cents INTEGER NOT NULL CHECK (cents > 0),
        issued_ms INTEGER,
        issued_for INTEGER,
        spent_ms INTEGER,
        spent_on INTEGER,
        CHECK ((spent_ms IS NULL) = (spent_on IS NULL))
    ) STRICT;

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
        PRIMARY KEY (location, ticket),
        FOREIGN KEY (location, ticket) REFERENCES tickets (location, number),
        CHECK (kind IN ('surrender', 'expiry')
               OR awards_cents + returns_cents + refund_cents
                  = coupon_cents + withheld_cents + cash_cents + check_cents),
        CHECK ((check_cents > 0) = (check_number IS NOT NULL))
    ) STRICT;
    CREATE INDEX endings_by_time ON endings (kind, ms);

    CREATE TABLE awards (
        location TEXT NOT NULL,
        game INTEGER NOT NULL,
        ticket INTEGER NOT NULL,
        graded_cents INTEGER NOT NULL CHECK (graded_cents > 0),
        award_cents INTEGER NOT NULL CHECK (award_cents BETWEEN 0 AND graded_cents),
        PRIMARY KEY (location, ticket, game),
        FOREIGN KEY (location, game) REFERENCES games (location, game),
        FOREIGN KEY (location, ticket) REFERENCES tickets (location, number)
    ) STRICT;

    CREATE TABLE authorisations (
        authorisation INTEGER PRIMARY KEY,
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        asked_by TEXT NOT NULL REFERENCES users (person),
        asked_shift INTEGER NOT NULL REFERENCES shifts,
        asked_ms INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
        answered_by TEXT REFERENCES users (person),
        answered_ms INTEGER,
        signature TEXT,
        reason TEXT,
        FOREIGN KEY (location, ticket) REFERENCES tickets (location, number),
        CHECK ((state = 'pending') = (answered_by IS NULL)),
        CHECK ((state IN ('approved', 'used')) = (signature IS NOT NULL)),
        CHECK (answered_by IS NULL OR answered_by <> asked_by)
    ) STRICT;
    CREATE UNIQUE INDEX one_open_authorisation ON authorisations (location, ticket)
        WHERE state IN ('pending', 'approved');

    CREATE TABLE slips (
        location TEXT NOT NULL REFERENCES locations,
        slip INTEGER NOT NULL CHECK (slip >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('fill', 'credit')),
        shift INTEGER NOT NULL REFERENCES shifts,
        cents INTEGER NOT NULL CHECK (cents > 0),
        actor TEXT NOT NULL REFERENCES users (person),
        second TEXT NOT NULL REFERENCES users (person),
        ms INTEGER NOT NULL,
        PRIMARY KEY (location, slip),
        CHECK (actor <> second)
    ) STRICT;

    CREATE TABLE overrides (
        override INTEGER PRIMARY KEY,
        location TEXT NOT NULL REFERENCES locations,
        game INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('delay', 'hold', 'resume', 'close_early', 'manual',
                                           'automatic', 'void')),
        actor TEXT NOT NULL REFERENCES users (person),
        second TEXT REFERENCES users (person),
        reason TEXT NOT NULL CHECK (length(trim(reason)) > 0),
        ms INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE answers (
        request_id TEXT PRIMARY KEY,
        asked TEXT NOT NULL,
        answer TEXT NOT NULL,
        ms INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE audit (
        seq INTEGER PRIMARY KEY,
        ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        actor TEXT NOT NULL,
        body TEXT NOT NULL,
        hash BLOB NOT NULL CHECK (length(hash) = 32)
    ) STRICT;

    CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
    CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'audit rows are never deleted'); END;
    CREATE TRIGGER games_are_kept BEFORE DELETE ON games
        BEGIN SELECT RAISE(ABORT, 'games and their winning numbers are never deleted'); END;
    CREATE TRIGGER tickets_are_kept BEFORE DELETE ON tickets
        BEGIN SELECT RAISE(ABORT, 'tickets are never deleted'); END;
    CREATE TRIGGER awards_are_kept BEFORE DELETE ON awards
        BEGIN SELECT RAISE(ABORT, 'awards are never deleted'); END;
    CREATE TRIGGER endings_are_kept BEFORE DELETE ON endings
        BEGIN SELECT RAISE(ABORT, 'endings are never deleted'); END;
    """,
    """
    CREATE TABLE chains (
        chain TEXT PRIMARY KEY,
        location TEXT NOT NULL REFERENCES locations,
        genesis TEXT NOT NULL
    ) STRICT;

    CREATE TABLE unlocks (
        location TEXT NOT NULL REFERENCES locations,
        boot INTEGER NOT NULL CHECK (boot >= 1),
        message TEXT NOT NULL,
        PRIMARY KEY (location, boot)
    ) STRICT;

    CREATE TABLE draws (
        location TEXT NOT NULL REFERENCES locations,
        game INTEGER NOT NULL CHECK (game >= 1),
        step TEXT NOT NULL CHECK (step IN ('commit_r', 'commit_w', 'close', 'countersign',
                                           'result', 'attest', 'void', 'reveal_r', 'reveal_w')),
        message TEXT NOT NULL,
        PRIMARY KEY (location, game, step)
    ) STRICT;
    CREATE TRIGGER draws_are_final BEFORE UPDATE ON draws
        BEGIN SELECT RAISE(ABORT, 'a message of a draw is never changed'); END;
    CREATE TRIGGER draws_are_kept BEFORE DELETE ON draws
        BEGIN SELECT RAISE(ABORT, 'a message of a draw is never deleted'); END;
    """,
    """
    CREATE TABLE approvals (
        approval INTEGER PRIMARY KEY,
        location TEXT NOT NULL REFERENCES locations,
        kind TEXT NOT NULL CHECK (kind IN ('reprint', 'lock_out', 'hold', 'release')),
        ticket INTEGER,
        game INTEGER,
        actor TEXT NOT NULL REFERENCES users (person),
        supervisor TEXT NOT NULL REFERENCES users (person),
        reason TEXT,
        ms INTEGER NOT NULL,
        CHECK ((kind = 'lock_out') = (ticket IS NULL)),
        CHECK ((kind = 'lock_out') = (game IS NOT NULL)),
        CHECK (kind NOT IN ('hold', 'release') OR length(trim(reason)) > 0)
    ) STRICT;
    ALTER TABLE overrides ADD COLUMN seconds INTEGER
        CHECK (seconds IS NULL OR (kind = 'delay' AND seconds BETWEEN 1 AND 3600));
    CREATE TRIGGER approvals_are_final BEFORE UPDATE ON approvals
        BEGIN SELECT RAISE(ABORT, 'an approval is never changed'); END;
    CREATE TRIGGER approvals_are_kept BEFORE DELETE ON approvals
        BEGIN SELECT RAISE(ABORT, 'an approval is never deleted'); END;
    """,
    """
    CREATE INDEX confirmed ON tickets (station, number) WHERE printed = 1;
    CREATE INDEX authorisations_of_shift ON authorisations (asked_shift);
    """,
    # An authorisation may lapse without an answer. CHECKs cannot be changed, so the table is
    # recreated and refilled; references to its rows are checked only at the commit.
    """
    PRAGMA defer_foreign_keys = 1;
    CREATE TABLE authorisations_before AS SELECT * FROM authorisations;
    DROP TABLE authorisations;
    CREATE TABLE authorisations (
        authorisation INTEGER PRIMARY KEY,
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        asked_by TEXT NOT NULL REFERENCES users (person),
        asked_shift INTEGER NOT NULL REFERENCES shifts,
        asked_ms INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used', 'lapsed')),
        answered_by TEXT REFERENCES users (person),
        answered_ms INTEGER,
        signature TEXT,
        reason TEXT,
        FOREIGN KEY (location, ticket) REFERENCES tickets (location, number),
        CHECK ((state IN ('pending', 'lapsed')) = (answered_by IS NULL)),
        CHECK ((state IN ('approved', 'used')) = (signature IS NOT NULL)),
        CHECK (answered_by IS NULL OR answered_by <> asked_by),
        CHECK (state <> 'lapsed' OR answered_ms IS NOT NULL)
    ) STRICT;
    INSERT INTO authorisations SELECT * FROM authorisations_before ORDER BY authorisation;
    DROP TABLE authorisations_before;
    CREATE UNIQUE INDEX one_open_authorisation ON authorisations (location, ticket)
        WHERE state IN ('pending', 'approved');
    CREATE INDEX authorisations_of_shift ON authorisations (asked_shift);
    CREATE INDEX authorisations_of_ticket ON authorisations (ticket, location);
    CREATE INDEX approvals_of_ticket ON approvals (ticket, location);
    """,
    # The version of the rules by which a card was certified; NULL for the first version.
    """
    ALTER TABLE cards ADD COLUMN rules INTEGER CHECK (rules IS NULL OR rules >= 2);
    """,
    # Reprints by ticket and copy; only the audit chain has those before this version. Supervisor
    # and reason of a dispute hold and of a surrender were one text "SUE: reason"; no person's name
    # has a colon. A new CHECK must hold while its column is added, so the texts are set aside.
    """
    CREATE TABLE reprints (
        location TEXT NOT NULL,
        ticket INTEGER NOT NULL,
        copy INTEGER NOT NULL CHECK (copy >= 1),
        actor TEXT NOT NULL REFERENCES users (person),
        supervisor TEXT REFERENCES users (person),
        ms INTEGER NOT NULL,
        PRIMARY KEY (location, ticket, copy),
        FOREIGN KEY (location, ticket) REFERENCES tickets (location, number),
        CHECK (supervisor IS NULL OR supervisor <> actor)
    ) STRICT;
    INSERT INTO reprints (location, ticket, copy, actor, supervisor, ms)
        SELECT json_extract(change.value, '$.key.location'),
               json_extract(change.value, '$.key.number'),
               json_extract(change.value, '$.set.reprints'),
               audit.actor,
               (SELECT json_extract(value, '$.row.supervisor') FROM json_each(audit.body)
                WHERE json_extract(value, '$.insert') = 'approvals'),
               audit.ms
        FROM audit, json_each(audit.body) AS change
        WHERE audit.kind = 'Reprint' AND json_extract(change.value, '$.change') = 'tickets'
        ORDER BY audit.seq;
    CREATE INDEX reprints_by_time ON reprints (location, ms);
    CREATE TRIGGER reprints_are_final BEFORE UPDATE ON reprints
        BEGIN SELECT RAISE(ABORT, 'a reprint is never changed'); END;
    CREATE TRIGGER reprints_are_kept BEFORE DELETE ON reprints
        BEGIN SELECT RAISE(ABORT, 'a reprint is never deleted'); END;

    CREATE TABLE held_before AS SELECT location, number, held FROM tickets WHERE held IS NOT NULL;
    UPDATE tickets SET held = NULL WHERE held IS NOT NULL;
    ALTER TABLE tickets RENAME COLUMN held TO held_reason;
    ALTER TABLE tickets ADD COLUMN held_by TEXT REFERENCES users (person)
        CHECK ((held_by IS NULL) = (held_reason IS NULL));
    UPDATE tickets SET held_by = substr(held, 1, instr(held, ': ') - 1),
                       held_reason = substr(held, instr(held, ': ') + 2)
        FROM held_before WHERE held_before.location = tickets.location
                           AND held_before.number = tickets.number;
    DROP TABLE held_before;

    CREATE TABLE surrendered_before AS
        SELECT location, ticket, reason AS packed FROM endings WHERE reason IS NOT NULL;
    UPDATE endings SET reason = NULL WHERE reason IS NOT NULL;
    ALTER TABLE endings ADD COLUMN supervisor TEXT REFERENCES users (person)
        CHECK ((supervisor IS NULL) = (reason IS NULL));
    UPDATE endings SET supervisor = substr(packed, 1, instr(packed, ': ') - 1),
                       reason = substr(packed, instr(packed, ': ') + 2)
        FROM surrendered_before AS before WHERE before.location = endings.location
                                            AND before.ticket = endings.ticket;
    DROP TABLE surrendered_before;
    """,
    # ---- Version 8, by topic.
    PEOPLE + CLAIMS + CLOCK + NOT_ISSUED + HALTS,
    TRACES,
    # ---- Version 10, by topic.
    BEGINS_10 + TENDER + OWED + COUPONS + LIMITS,
)
RULES_CHANGED = (8, 10)
"""Versions whose rules differ from those before; the table `migrations` says where each begins."""
