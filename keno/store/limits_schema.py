"""SQL of schema version 10: the limit of all amounts, check numbers, and withholding."""

LIMITS = """
    -- No ticket, bank, slip or payout is above ten billion dollars (CENTS_MAX). A ticket of an
    -- older card may be owed more, and is paid. What a drawer gives back is as its ticket.
    CREATE TRIGGER tickets_within_the_limit BEFORE INSERT ON tickets
        WHEN NEW.price_cents > 1000000000000
        BEGIN SELECT RAISE(ABORT, 'a ticket is above the largest amount'); END;
    CREATE TRIGGER drawer_within_the_limit BEFORE INSERT ON drawer
        WHEN NEW.cents > 1000000000000 AND NEW.event IN ('opening', 'sale', 'fill', 'credit')
        BEGIN SELECT RAISE(ABORT, 'a drawer is given more than the largest amount'); END;
    CREATE TRIGGER slips_within_the_limit BEFORE INSERT ON slips
        WHEN NEW.cents > 1000000000000
        BEGIN SELECT RAISE(ABORT, 'a slip is above the largest amount'); END;
    CREATE TRIGGER endings_within_the_limit BEFORE INSERT ON endings
        WHEN NEW.awards_cents + NEW.returns_cents + NEW.refund_cents > 1000000000000
            AND EXISTS (SELECT 1 FROM tickets t JOIN cards c ON c.version = t.card
                WHERE t.location = NEW.location AND t.number = NEW.ticket AND c.rules >= 3)
        BEGIN SELECT RAISE(ABORT, 'a payout is above the largest amount'); END;

    -- 15.6: a check number is used once in the house, whatever its case and spaces. Checks of
    -- before may have one number twice.
    CREATE INDEX endings_by_check ON endings (upper(replace(check_number, ' ', '')))
        WHERE check_number IS NOT NULL;
    CREATE TRIGGER a_check_works_once BEFORE INSERT ON endings
        WHEN NEW.check_number IS NOT NULL AND EXISTS (SELECT 1 FROM endings
            WHERE check_number IS NOT NULL AND upper(replace(check_number, ' ', ''))
                = upper(replace(NEW.check_number, ' ', '')))
        BEGIN SELECT RAISE(ABORT, 'a check number is used once'); END;
    CREATE TRIGGER withheld_with_a_form BEFORE INSERT ON endings
        WHEN NEW.withheld_cents > 0 AND NEW.tax_form IS NULL
        BEGIN SELECT RAISE(ABORT, 'nothing is withheld without its tax form'); END;
    """
