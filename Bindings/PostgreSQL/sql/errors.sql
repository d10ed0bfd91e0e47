-- Errors of rows: SQLSTATE, message, detail, hint, and the code in the field for names of constraints.
SET client_min_messages = warning;
CREATE EXTENSION pricetag;
\pset format unaligned
\pset tuples_only on

CREATE FUNCTION problem(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  result text;
  state text; message text; detail text; hint text; code text;
BEGIN
  EXECUTE statement INTO result;
  RETURN format('no error: %s', coalesce(result, 'NULL'));
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
    hint = PG_EXCEPTION_HINT, code = CONSTRAINT_NAME;
  RETURN format('%s %s|%s|%s|%s', state, code, message, detail, hint);
END $$;

SELECT problem('SELECT price_format(''JPN'', 1200.50)');
SELECT problem('SELECT price_format(''XXX'', 1)');
SELECT problem('SELECT price_format('''', 1)');
SELECT problem('SELECT price_format(''United States of America, which is not a code of ISO 3166, but a name of a country'', 1)');
SELECT problem('SELECT price_format(repeat(''é'', 100000), 1)');
SELECT problem('SELECT price_format(''BGR'', 4.99)');
SELECT problem('SELECT price_format(''BGR'', 4.99, ''infinity'')');
SELECT problem('SELECT price_format(''BGR'', 4.99, ''0044-03-15 BC'')');
SELECT problem('SELECT price_format(''BGR'', 4.99, ''10000-01-01'')');
SELECT problem('SELECT price_format(''JPN'', 1, currency => ''USD'')');
SELECT problem('SELECT price_format(''JPN'', 1, currency => ''US'')');
SELECT problem('SELECT price_format(''JPN'', 1, currency => '''')');
SELECT problem('SELECT price_format(''USA'', ''NaN'')');
SELECT problem('SELECT price_format(''USA'', 10::numeric ^ 30)');
SELECT problem('SELECT price_format_minor(''JPN'', 9223372036854775807)');
SELECT problem('SELECT price_format_micros(''JPN'', 1500000)');
SELECT problem('SELECT price_format(''USA'', 4.5, options => ''unit=minor'')');
-- A message has a part of a long amount.
SELECT problem('SELECT price_format(''USA'', (repeat(''9'', 131072) || ''.5'')::numeric, options => ''unit=minor'')');
SELECT problem('SELECT price_format(''USA'', (repeat(''9'', 131072) || ''.5'')::numeric)');
SELECT problem('SELECT price_format_locale(''xx-XX'', ''CHF'', 1)');
SELECT problem('SELECT price_format_locale('''', ''CHF'', 1)');
SELECT problem('SELECT price_format_locale(''de-CH'', ''XXQ'', 1)');
SELECT problem('SELECT price_format_locale(''de-CH'', '''', 1)');
SELECT problem('SELECT price_format_locale(''de-CH'', ''CHF'', 4.999)');
SELECT problem('SELECT price_spoken(''JPN'', 4.99)');

-- Errors of the statement.
SELECT problem('SELECT price_format(''USA'', 1, options => ''width=wide'')');
SELECT problem('SELECT price_format(''USA'', 1, options => ''color=red'')');
SELECT problem('SELECT price_format(''USA'', 1, options => ''width=iso width=iso'')');
SELECT problem('SELECT price_format(''USA'', 1, options => ''width'')');
SELECT problem('SELECT price_format(''USA'', 1, options => repeat(''width=iso '', 10000))');
SELECT problem('SELECT price_format_minor(''USA'', 1, options => ''unit=micros'')');
SELECT problem('SELECT price_format(''USA'', 1, options => ''numbering=Latn'')');
-- Options have up to 256 bytes in every function.
SELECT problem('SELECT price_format_minor(''USA'', 1, options => rpad(''width=iso'', 256))');
SELECT problem('SELECT price_format_minor(''USA'', 1, options => rpad(''width=iso'', 257))');
SELECT problem('SELECT price_format(''USA'', 1, options => ''width=formal zeros=trim'')');
SELECT problem('SELECT price_format(''USA'', 1, options => ''notation=compact-short'', on_error => ''null'')');
SELECT problem('SELECT price_error(''USA'', 1, options => ''notation=compact-short'')');
SELECT problem('SELECT price_format(''USA'', 1, on_error => ''ignore'')');
SELECT problem('SELECT price_pack_version(''icu'', ''attic'')');

-- Floating-point numbers are no exact amounts, and PostgreSQL converts them only if the statement says so.
SELECT problem('SELECT price_format(''USA'', 4.99::float8)');
SELECT problem('SELECT price_format(''USA'', 4.99::real)');
SELECT problem('SELECT price_format_minor(''USA'', 499::float8)');
SELECT problem('SELECT price_format_minor(''USA'', 4.99)');
SELECT problem('SELECT price_format(''USA'', ''4,99'')');

-- NULL and a code in place of an error.
SELECT store, amount, price_format(store, amount, day, on_error => 'null'), price_error(store, amount, day)
FROM (VALUES ('JPN', 1200, NULL), ('JPN', 1200.5, NULL), ('XXX', 1, NULL), ('BGR', 1, NULL), ('BGR', 1, DATE '2026-01-31'),
  ('USA', 'NaN', NULL), ('USA', NULL, NULL), (NULL, 1, NULL), ('USA', 1e18, NULL), ('BGR', 1, 'infinity')) AS prices (store, amount, day);
SELECT locale, currency, price_format_locale(locale, currency, amount, on_error => 'null'), price_error_locale(locale, currency, amount)
FROM (VALUES ('de-CH', 'CHF', 4.99), ('de-CH', 'CHF', 4.999), ('xx', 'CHF', 1), ('de-CH', 'QQQ', 1), (NULL, 'CHF', 1), ('de-CH', NULL, 1)) AS prices (locale, currency, amount);
SELECT price_error('JPN', 1, currency => 'USD'), price_error('JPN', 1, currency => 'JPY'), price_error('JPN', 1.5, options => 'rounding=up');

-- NULL for an argument that may be absent is the default.
SELECT price_format('USA', 4.99, NULL, NULL, NULL, NULL), price_format_locale('de-CH', 'CHF', 4.99, NULL, NULL);
SELECT price_format(NULL, 4.99) IS NULL, price_format('USA', NULL) IS NULL, price_format_locale(NULL, 'CHF', 1) IS NULL,
  price_format_locale('de-CH', NULL, 1) IS NULL, price_format_minor('USA', NULL) IS NULL, price_spoken(NULL, NULL) IS NULL;

-- An exception handler reads the hint and the code.
DO $$
DECLARE
  hint text; code text;
BEGIN
  PERFORM price_format('JPN', 4.99);
EXCEPTION WHEN numeric_value_out_of_range THEN
  GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, code = CONSTRAINT_NAME;
  RAISE WARNING 'code: %, hint: %', code, hint;
END $$;

-- A session works as before after an error in the middle of a statement.
SELECT price_format(store, amount) FROM (VALUES ('JPN', 1), ('USA', 2), ('JPN', 1.5)) AS prices (store, amount);
SELECT price_format('JPN', 1), price_format('USA', 2);
DROP FUNCTION problem(text);
DROP EXTENSION pricetag;
