-- Amounts: every digit of a numeric, its special values, and its limits.
SET client_min_messages = warning;
CREATE EXTENSION pricetag;
\pset format unaligned
\pset tuples_only on
\pset null NULL

SELECT amount, price_format('USA', amount, on_error => 'null'), price_error('USA', amount)
FROM (VALUES (0::numeric), (-0.00), (0.01), (-0.01), (5), (5.0), (4.990), (4.99000000000000000000000000000000000), (0.001), (9999999999999999.99),
  (99999999999999999.99), (999999999999999999), (9223372036854775807), (9223372036854775808), (10000000000000000000), (1.0000000000000000001),
  ('NaN'), ('Infinity'), ('-Infinity'), (NULL)) AS amounts (amount);
SELECT length(amount::text), price_format('USA', amount, on_error => 'null'), price_error('USA', amount)
FROM (VALUES (10::numeric ^ 100), (('1' || repeat('0', 131071))::numeric), (('0.' || repeat('0', 16382) || '1')::numeric),
  (('5.' || repeat('0', 16383))::numeric), (('-1' || repeat('0', 100))::numeric)) AS amounts (amount);

SELECT amount, price_format_minor('USA', amount), price_format_micros('USA', amount, options => 'rounding=down'), price_format_minor('JPN', amount, on_error => 'null')
FROM (VALUES (0::bigint), (1), (-1), (499), (999999999999999999), (9223372036854775807), (-9223372036854775808), (NULL)) AS amounts (amount);
SELECT amount, price_format('USA', amount, options => 'unit=minor', on_error => 'null'), price_error('USA', amount, options => 'unit=minor')
FROM (VALUES (0::numeric), (499), (499.00), (4.5), ('NaN'), (9223372036854775807), (9223372036854775808), (-9223372036854775808)) AS amounts (amount);

-- Money and domains convert to numeric; columns with a precision have all their digits.
CREATE DOMAIN price AS numeric(12, 3) CHECK (VALUE >= 0);
SELECT price_format('USA', 4.99::money::numeric), price_format('USA', 4.99::price), price_format_locale('ar-KW', 'KWD', 4.995::price);
DROP DOMAIN price;
DROP EXTENSION pricetag;
