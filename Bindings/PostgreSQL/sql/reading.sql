-- Reading formatted prices back.
SET client_min_messages = warning;
CREATE EXTENSION pricetag;
\pset format unaligned
\pset tuples_only on
\pset null NULL

SELECT price_read('JPN', '￥1,200'), price_read('usa', '$0.05'), price_read('USA', '-$1,234,567.80'), price_read('EGY', price_format('EGY', 249.99)),
  pg_typeof(price_read('USA', '$5.00')), price_read('USA', '$5.00') + 1;
SELECT price_read_error('JPN', '￥1,200'), price_read_error('JPN', '1,200'), price_read_error('JPN', 'Free'), price_read_error('USA', repeat('1', 5000)),
  price_read_error('USA', '$' || repeat('9', 25) || '.00'), price_read_error('XXX', '5'), price_read_error(NULL, '5'), price_read_error('XXX', NULL);
SELECT text, price_read('DEU', text), price_read_error('DEU', text), price_read('DEU', text, options => 'lenient=true'), price_read_error('DEU', text, options => 'lenient=true')
FROM (VALUES (E'49,99\u00a0€'), ('49,99 €'), ('49,99€'), ('49,99 EUR'), ('49.99 €'), ('€ 49,99'), ('49,99 $'), (''), (NULL)) AS texts (text);
SELECT day, price_read('BGR', '€5.00', day), price_read('BGR', E'BGN\u00a05.00', day, currency => 'BGN'), price_read_error('BGR', E'BGN\u00a05.00', day)
FROM (VALUES (DATE '2025-12-31'), ('2026-01-01'), ('infinity'), (NULL)) AS days (day);
SELECT price_read_locale('de-CH', 'CHF', 'CHF 1''234.50', 'lenient=true'), price_read_locale('de-CH', 'CHF', 'CHF 1''234.50'),
  price_read_error_locale('de-CH', 'CHF', 'CHF 1''234.50'), price_read_error_locale('xx-XX', 'CHF', 'CHF 5'), price_read_error_locale('de-CH', NULL, 'CHF 5');
SELECT count(*), count(*) FILTER (WHERE price_read(store, price_format(store, amount)) = amount)
FROM unnest('{USA,DEU,CHE,EGY,IND,FRA}'::text[]) AS store, unnest('{0,0.05,1,-4.99,1234.50,-1234567.89,999999999999.99}'::numeric[]) AS amount;

-- Options are an error of the statement.
SELECT price_read('USA', '$5.00', options => 'lenient=yes');
SELECT price_read_error('USA', '$5.00', options => 'rounding=up');
SELECT price_read('USA', '$5.00', options => 'unit=minor');
SELECT price_read('USA', '$5.00', options => 'zeros=trim');
SELECT price_format('USA', 5, options => 'lenient=true');
DROP EXTENSION pricetag;
