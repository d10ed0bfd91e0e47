-- Generated columns, checks, indexes, parallel queries, and their dump.
SET client_min_messages = warning;
CREATE EXTENSION pricetag;
\pset format unaligned
\pset tuples_only on

SELECT proname, provolatile, proparallel, proisstrict FROM pg_proc WHERE proname LIKE 'price%' ORDER BY proname;

CREATE TABLE prices (
  store text NOT NULL,
  amount numeric(12, 2),
  day date,
  display text GENERATED ALWAYS AS (price_format(store, amount, day)) STORED,
  spoken text GENERATED ALWAYS AS (price_spoken(store, amount, date => day, options => 'rounding=half-even')) STORED
);
INSERT INTO prices (store, amount, day) VALUES ('USA', 4.99, NULL), ('JPN', 1200, NULL), ('BGR', 4.99, '2025-12-31'), ('BGR', 4.99, '2026-01-01'), ('EGY', NULL, NULL);
INSERT INTO prices (store, amount) VALUES ('JPN', 4.99);
SELECT * FROM prices;
UPDATE prices SET amount = 1300 WHERE store = 'JPN';
UPDATE prices SET amount = 4.99 WHERE store = 'JPN';
SELECT * FROM prices WHERE store = 'JPN';

-- The extension cannot be dropped while a table depends on it.
DROP EXTENSION pricetag;

-- A check that accepts only prices which can be displayed.
CREATE TABLE checked (store text, amount numeric, CHECK (price_error(store, amount) IS NULL));
INSERT INTO checked VALUES ('JPN', 1200);
INSERT INTO checked VALUES ('JPN', 4.99);
INSERT INTO checked VALUES (NULL, 4.99);
INSERT INTO checked VALUES ('JPN', NULL);
DROP TABLE checked;

-- An index on the displayed price.
CREATE TABLE catalog AS
  SELECT number AS id, (ARRAY['USA', 'JPN', 'DEU', 'EGY', 'IND'])[1 + number % 5] AS store, (number * 7919 % 1000000)::numeric AS amount
  FROM generate_series(1, 20000) AS number;
CREATE INDEX displays ON catalog (price_format(store, amount));
ANALYZE catalog;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM catalog WHERE price_format(store, amount) = price_format('IND', 351675);
SELECT id, store, amount FROM catalog WHERE price_format(store, amount) = price_format('IND', (SELECT amount FROM catalog WHERE id = 4));
-- The expression has the same text without the names of arguments, or with them.
EXPLAIN (COSTS OFF) SELECT id FROM catalog WHERE price_format(amount => amount, storefront => store) = 'x';
RESET enable_seqscan;

-- A parallel query formats in all of its processes, and gives the same result.
CREATE TABLE many (id int, store text, amount numeric) WITH (parallel_workers = 2);
INSERT INTO many SELECT number, (ARRAY['USA', 'JPN', 'DEU', 'EGY', 'IND'])[1 + number % 5], number FROM generate_series(1, 30000) AS number;
ANALYZE many;
CREATE FUNCTION launched(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || statement LOOP
    IF line ~ 'Workers Launched' THEN RETURN trim(line); END IF;
  END LOOP;
  RETURN 'not parallel';
END $$;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT launched('SELECT max(price_format(store, amount)), max(price_spoken(store, amount)) FROM many');
CREATE TABLE parallel_sum AS SELECT sum(hashtextextended(price_format(store, amount), id)) FROM many;
SET max_parallel_workers_per_gather = 0;
SELECT launched('SELECT max(price_format(store, amount)) FROM many');
SELECT (SELECT sum FROM parallel_sum) = sum(hashtextextended(price_format(store, amount), id)), count(*) FROM many;
RESET max_parallel_workers_per_gather;
-- An error in one of the processes.
\set SHOW_CONTEXT never
INSERT INTO many VALUES (30001, 'JPN', 4.99);
SELECT max(price_format(store, amount)) FROM many;

-- A function in PL/pgSQL calls at the same place with other arguments.
CREATE FUNCTION displayed(store text, amount numeric, words text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN price_format(store, amount, options => words);
END $$;
SELECT displayed(store, 5, words) FROM unnest('{USA,JPN}'::text[]) AS store, unnest('{width=iso,width=standard,width=iso}'::text[]) AS words;

-- A view, and a statement whose plan is cached.
CREATE VIEW displays_view AS SELECT id, price_format(store, amount, options => 'width=iso') AS display FROM catalog;
SELECT pg_get_viewdef('displays_view');
SELECT display FROM displays_view WHERE id = 3;
PREPARE displays_of(text) AS SELECT price_format($1, amount) FROM catalog WHERE id < 3 ORDER BY id;
SET plan_cache_mode = force_generic_plan;
EXECUTE displays_of('USA');
EXECUTE displays_of('JPN');
DEALLOCATE ALL;

DROP VIEW displays_view;
DROP FUNCTION launched(text), displayed(text, numeric, text);
DROP TABLE prices, catalog, many, parallel_sum;
DROP EXTENSION pricetag;
