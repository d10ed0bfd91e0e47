\echo Use "CREATE EXTENSION pricetag" to load this file. \quit

-- The functions are immutable for the packs of the server; see docs/sql.md about replacing a pack. They are not strict,
-- because a date, options or a currency that is NULL counts as absent. A NULL among the other arguments gives NULL.

CREATE FUNCTION price_format(
  storefront text, amount numeric, date date DEFAULT NULL, options text DEFAULT NULL, currency text DEFAULT NULL,
  on_error text DEFAULT 'raise')
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_format' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_format_minor(
  storefront text, amount bigint, date date DEFAULT NULL, options text DEFAULT NULL, currency text DEFAULT NULL,
  on_error text DEFAULT 'raise')
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_format_minor' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_format_micros(
  storefront text, amount bigint, date date DEFAULT NULL, options text DEFAULT NULL, currency text DEFAULT NULL,
  on_error text DEFAULT 'raise')
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_format_micros' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_spoken(
  storefront text, amount numeric, date date DEFAULT NULL, options text DEFAULT NULL, currency text DEFAULT NULL,
  on_error text DEFAULT 'raise')
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_spoken' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_error(
  storefront text, amount numeric, date date DEFAULT NULL, options text DEFAULT NULL, currency text DEFAULT NULL)
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_error' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_format_locale(
  locale text, currency text, amount numeric, options text DEFAULT NULL, on_error text DEFAULT 'raise')
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_format_locale' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_spoken_locale(
  locale text, currency text, amount numeric, options text DEFAULT NULL, on_error text DEFAULT 'raise')
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_spoken_locale' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_error_locale(locale text, currency text, amount numeric, options text DEFAULT NULL)
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_error_locale' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_read(
  storefront text, price text, date date DEFAULT NULL, options text DEFAULT NULL, currency text DEFAULT NULL)
RETURNS numeric AS 'MODULE_PATHNAME', 'pricetag_price_read' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_read_error(
  storefront text, price text, date date DEFAULT NULL, options text DEFAULT NULL, currency text DEFAULT NULL)
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_read_error' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_read_locale(locale text, currency text, price text, options text DEFAULT NULL)
RETURNS numeric AS 'MODULE_PATHNAME', 'pricetag_price_read_locale' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_read_error_locale(locale text, currency text, price text, options text DEFAULT NULL)
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_read_error_locale' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION price_pack_version(name text, pack text DEFAULT 'storefronts')
RETURNS text AS 'MODULE_PATHNAME', 'pricetag_price_pack_version' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION price_format(text, numeric, date, text, text, text) IS
  'format a price for a storefront: price_format(''JPN'', 1200)';
COMMENT ON FUNCTION price_format_minor(text, bigint, date, text, text, text) IS
  'format a price in minor units, such as cents: price_format_minor(''USA'', 499)';
COMMENT ON FUNCTION price_format_micros(text, bigint, date, text, text, text) IS
  'format a price in millionths: price_format_micros(''USA'', 4990000)';
COMMENT ON FUNCTION price_spoken(text, numeric, date, text, text, text) IS
  'format a price with the full name of the currency: price_spoken(''USA'', 4.99)';
COMMENT ON FUNCTION price_error(text, numeric, date, text, text) IS
  'return the code of the error that price_format would raise, or NULL: price_error(''JPN'', 4.99)';
COMMENT ON FUNCTION price_format_locale(text, text, numeric, text, text) IS
  'format a price for a price locale and a currency: price_format_locale(''de-CH'', ''CHF'', 1234.50)';
COMMENT ON FUNCTION price_spoken_locale(text, text, numeric, text, text) IS
  'format a price with the full name of the currency: price_spoken_locale(''de-CH'', ''CHF'', 1234.50)';
COMMENT ON FUNCTION price_error_locale(text, text, numeric, text) IS
  'return the code of the error that price_format_locale would raise, or NULL';
COMMENT ON FUNCTION price_read(text, text, date, text, text) IS
  'return the amount of a formatted price, or NULL: price_read(''JPN'', ''￥1,200'')';
COMMENT ON FUNCTION price_read_error(text, text, date, text, text) IS
  'return the code why price_read returns NULL: price_read_error(''JPN'', ''1200'')';
COMMENT ON FUNCTION price_read_locale(text, text, text, text) IS
  'return the amount of a formatted price, or NULL: price_read_locale(''de-CH'', ''CHF'', ''CHF 1’234.50'', ''lenient=true'')';
COMMENT ON FUNCTION price_read_error_locale(text, text, text, text) IS
  'return the code why price_read_locale returns NULL, or NULL';
COMMENT ON FUNCTION price_pack_version(text, text) IS
  'return a version in the pack ''storefronts'' or ''locales'': price_pack_version(''icu'')';
