"""SQL of schema version 10 for coupons: the house's register, and what older ledgers had (15.3(b)).

Older ledgers knew a coupon only once it was used or given back, compared serials by case, and let a
coupon work at one location. Their coupons keep their serials: the house's own stay good, even if
two differ in case only.
"""

COUPONS = """
    CREATE TABLE coupons_before AS SELECT * FROM coupons;
    DROP TABLE coupons;
    CREATE TABLE coupons (
        serial TEXT PRIMARY KEY,
        location TEXT NOT NULL REFERENCES locations,
        cents INTEGER NOT NULL CHECK (cents > 0),
        source TEXT NOT NULL CHECK (source IN ('issued', 'registered', 'given_back',
                                               'taken_over')),
        issued_ms INTEGER,
        issued_by TEXT REFERENCES users (person),
        second TEXT REFERENCES users (person),
        reason TEXT,
        issued_for INTEGER,
        ends_ms INTEGER,
        spent_ms INTEGER,
        spent_in TEXT REFERENCES locations,
        spent_on INTEGER,
        void_ms INTEGER,
        void_by TEXT REFERENCES users (person),
        void_second TEXT REFERENCES users (person),
        void_reason TEXT,
        CHECK ((source = 'taken_over') = (issued_ms IS NULL)),
        CHECK ((source = 'given_back') = (issued_for IS NOT NULL)),
        CHECK ((source IN ('issued', 'registered')) = (issued_by IS NOT NULL)),
        CHECK (issued_by IS NOT NULL OR (second IS NULL AND reason IS NULL)),
        CHECK (issued_by IS NULL OR ends_ms IS NOT NULL),
        CHECK (ends_ms > issued_ms),
        CHECK (second <> issued_by),
        CHECK ((spent_ms IS NULL) = (spent_on IS NULL)),
        CHECK ((spent_ms IS NULL) = (spent_in IS NULL)),
        CHECK (source <> 'taken_over' OR spent_ms IS NOT NULL),
        CHECK ((void_ms IS NULL) = (void_by IS NULL)),
        CHECK ((void_ms IS NULL) = (void_reason IS NULL)),
        CHECK (void_ms IS NULL OR spent_ms IS NULL),
        CHECK (void_second IS NULL OR void_second <> coalesce(void_by, void_second)),
        CHECK (void_reason IS NULL OR length(trim(void_reason)) > 0)
    ) STRICT;
    INSERT INTO coupons (serial, location, cents, source, issued_ms, issued_for, spent_ms, spent_in,
                         spent_on)
        SELECT serial, location, cents,
               CASE WHEN issued_for IS NULL THEN 'taken_over' ELSE 'given_back' END, issued_ms,
               issued_for, spent_ms, CASE WHEN spent_ms IS NULL THEN NULL ELSE location END,
               spent_on
        FROM coupons_before ORDER BY rowid;
    DROP TABLE coupons_before;
    CREATE INDEX coupons_by_form ON coupons (upper(serial));
    CREATE INDEX coupons_of_ticket ON coupons (spent_on, spent_in) WHERE spent_on IS NOT NULL;
    CREATE TRIGGER coupons_have_one_form BEFORE INSERT ON coupons
        WHEN NEW.serial GLOB '*[^A-Z0-9-]*'
             OR EXISTS (SELECT 1 FROM coupons WHERE upper(serial) = NEW.serial)
        BEGIN SELECT RAISE(ABORT, 'a coupon is registered once, in the one form of serials'); END;
    CREATE TRIGGER coupons_are_registered_before_use BEFORE INSERT ON coupons
        WHEN NEW.source = 'taken_over' OR NEW.spent_ms IS NOT NULL OR NEW.void_ms IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a coupon stands in the register before it is used'); END;
    CREATE TRIGGER coupons_keep_their_worth BEFORE UPDATE ON coupons
        WHEN NEW.serial IS NOT OLD.serial OR NEW.cents IS NOT OLD.cents
             OR NEW.ends_ms IS NOT OLD.ends_ms OR OLD.void_ms IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'value and end of a coupon never change, nor a void one'); END;
    CREATE TRIGGER coupons_are_kept BEFORE DELETE ON coupons
        BEGIN SELECT RAISE(ABORT, 'coupons are never deleted'); END;
"""
