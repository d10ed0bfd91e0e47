-- The text of options.
SET client_min_messages = warning;
CREATE EXTENSION pricetag;
\pset format unaligned
\pset tuples_only on

SELECT options, price_format('USA', 1234.5, options => options), price_format('EGY', 1234.5, options => options), price_format('JPN', 1234, options => options)
FROM (VALUES (NULL), (''), ('  '), ('width=standard'), ('width=narrow'), ('width=iso'), ('width=name'), ('width=hidden'),
  ('rounding=half-even width=iso'), ('width=iso,rounding=exact'), ('unit=major zeros=keep sign=auto digits=standard grouping=auto notation=standard qualifier=none')) AS styles (options);

SELECT rounding, price_format('USA', 2.345, options => 'rounding=' || rounding), price_format('USA', -2.345, options => 'rounding=' || rounding),
  price_format('USA', 2.341, options => 'rounding=' || rounding)
FROM unnest('{half-even,half-up,half-down,up,down,ceiling,floor}'::text[]) AS rounding;

SELECT price_format('USA', 499, options => 'unit=minor'), price_format('USA', 499.000, options => 'unit=minor'), price_format('JPN', 499, options => 'unit=minor'),
  price_format('USA', 4990000, options => 'unit=micros'), price_format_minor('USA', 499, options => 'width=iso'),
  price_format_locale('de-CH', 'CHF', 499, 'unit=minor'), price_spoken('USA', 499, options => 'unit=minor');
SELECT price_format('JPN', 499, options => 'unit=minor', currency => 'JPY'), price_format('BGR', 499, '2025-12-31', 'unit=minor', 'BGN');

-- The pack of price locales has the widths of the Python package, without hidden.
SELECT width, price_format_locale('de-CH', 'USD', 1234.5, 'width=' || width), price_spoken_locale('de-CH', 'USD', 1234.5, 'width=' || width)
FROM unnest('{standard,narrow,iso,name}'::text[]) AS width;
SELECT price_format_locale('de-CH', 'USD', 1234.5, 'width=hidden');

-- Options that change from row to row.
SELECT count(*), count(DISTINCT display) FROM (
  SELECT price_format(store, 1, options => 'width=' || width) AS display
  FROM unnest('{USA,JPN,DEU,EGY}'::text[]) AS store, unnest('{standard,iso,name,hidden}'::text[]) AS width, generate_series(1, 50)) AS prices;
DROP EXTENSION pricetag;
