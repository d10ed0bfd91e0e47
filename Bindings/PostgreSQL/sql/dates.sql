-- Storefronts that have changed their currency.
SET client_min_messages = warning;
CREATE EXTENSION pricetag;
\pset format unaligned
\pset tuples_only on

SELECT day, price_format('BGR', 1234.5, day), price_spoken('BGR', 1, day), price_format('USA', 1234.5, day)
FROM (VALUES (DATE '0001-01-01'), ('2025-12-31'), ('2026-01-01'), ('2026-01-31'), ('9999-12-31')) AS days (day);
SELECT price_format('BGR', 1234.5, date => '2026-01-31'), price_format(storefront => 'BGR', amount => 1234.5, date => '2025-06-30');
SELECT price_format('BGR', 5, '2025-12-31', currency => 'BGN'), price_format('BGR', 5, '2026-01-01', currency => 'EUR');
SELECT price_error('BGR', 5, '2025-12-31', currency => 'EUR'), price_error('BGR', 5, '2026-01-01', currency => 'BGN'), price_error('BGR', 5);

-- Many dates, more than the cache of formatters has places.
SELECT price_format('BGR', 5, day) = price_format('BGR', 5, CASE WHEN day < '2026-01-01' THEN DATE '2025-12-31' ELSE '2026-01-01' END) AS same, count(*)
FROM (SELECT DATE '2024-01-01' + number AS day FROM generate_series(0, 1499) AS number) AS days GROUP BY same;
SELECT price_format('BGR', 5, day), min(day), max(day), count(*)
FROM (SELECT DATE '2024-01-01' + number % 1500 AS day FROM generate_series(0, 4499) AS number) AS days GROUP BY 1 ORDER BY 2;
DROP EXTENSION pricetag;
