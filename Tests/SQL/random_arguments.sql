-- price_format raises the code that price_error returns, in thousands of calls at the same two places. test.calls is their number.
SELECT setseed(0.7);
CREATE FUNCTION random_words(pieces text[], maximum int) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN random() < 0.1 THEN NULL ELSE coalesce(string_agg(pieces[1 + trunc(random() * cardinality(pieces))], ''), '') END
  FROM generate_series(1, trunc(random() * (maximum + 1))::int) $$;
DO $$
DECLARE
  names text[] := ARRAY['USA', 'US', 'JPN', 'BGR', 'deu', 'DEU', 'EGY', 'x', '€', E'\x01', ' ', '-', repeat('ab', 40), 'de-CH', 'ar-EG', 'en_US'];
  codes text[] := ARRAY['USD', 'EUR', 'JPY', 'jpy', 'BGN', 'X', '', repeat('U', 200)];
  words text[] := ARRAY['width=', 'iso', 'name', 'hidden', ' ', ' ', ',', 'rounding=', 'half-even', 'up', 'unit=', 'minor', 'micros', 'per=', '100 mL',
    'digits=', '0-2', '99', '=', 'é', 'sign=always', repeat('zeros=', 50)];
  amounts numeric[] := ARRAY[0, 1, -1, 4.99, 1200, 1234567.891, 'NaN', 'Infinity', '-Infinity', 1e18, 1e19, -9223372036854775808, 1e-18, 1e-19,
    123456789012345678, 10::numeric ^ 200, 5.000000000000000000000000000000, NULL];
  days date[] := ARRAY[NULL, '2025-12-31', '2026-01-01', '-infinity', 'infinity', '4713-01-01 BC', '5874897-12-31'];
  name text; code text; options text; amount numeric; day date; expected text; display text; raised text; formatted int := 0; kinds text[] := '{}';
BEGIN
  FOR number IN 1 .. current_setting('test.calls')::int LOOP
    name := CASE WHEN random() < 0.8 THEN names[1 + trunc(random() * cardinality(names))] ELSE random_words(names, 2) END;
    code := CASE WHEN random() < 0.6 THEN NULL ELSE random_words(codes, 1) END;
    options := CASE WHEN random() < 0.5 THEN NULL ELSE random_words(words, 5) END;
    amount := amounts[1 + trunc(random() * cardinality(amounts))];
    day := days[1 + trunc(random() * cardinality(days))];
    raised := NULL;
    BEGIN
      IF number % 2 = 0 THEN
        expected := price_error(name, amount, day, options, code);
        display := price_format(name, amount, day, options, code, 'null');
      ELSE
        expected := price_error_locale(name, code, amount, options);
        display := price_format_locale(name, code, amount, options, 'null');
      END IF;
    EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS expected = CONSTRAINT_NAME;
      display := NULL;
    END;
    BEGIN
      IF number % 2 = 0 THEN PERFORM price_format(name, amount, day, options, code);
      ELSE PERFORM price_format_locale(name, code, amount, options);
      END IF;
    EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS raised = CONSTRAINT_NAME;
    END;
    IF expected = 'missing-storefront' AND raised IS NULL AND display IS NULL THEN CONTINUE; END IF;
    IF raised IS DISTINCT FROM expected OR raised = '' OR (display IS NULL) <> (expected IS NOT NULL OR amount IS NULL) THEN
      RAISE EXCEPTION 'price_error: %, raised: %, display: % of %, %, %, %, %', expected, raised, display, name, code, amount, day, options;
    END IF;
    IF display IS NOT NULL THEN formatted := formatted + 1; END IF;
    IF raised IS NOT NULL AND raised <> ALL (kinds) THEN kinds := kinds || raised; END IF;
  END LOOP;
  IF formatted < 100 OR cardinality(kinds) < 9 THEN RAISE EXCEPTION 'formatted %, codes %', formatted, kinds; END IF;
  RAISE NOTICE '% formatted, % different codes', formatted, cardinality(kinds);
END $$;
