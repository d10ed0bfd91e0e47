-- The tables of version 1 of a catalog, as the first builds of PriceTag created them. Never edit this file.
CREATE TABLE catalog (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  changed_at TEXT NOT NULL,
  next_list INTEGER NOT NULL
);
INSERT INTO catalog (id, revision, changed_at, next_list) VALUES (1, 0, '', 1);

CREATE TABLE product (
  id INTEGER PRIMARY KEY,
  identifier TEXT NOT NULL UNIQUE,
  list INTEGER NOT NULL,
  kind TEXT,
  reference_name TEXT,
  category TEXT,
  subscription_group TEXT,
  group_level INTEGER,
  subscription_period TEXT,
  is_approved INTEGER,
  cleared_for_sale TEXT,
  image TEXT,
  sort_order INTEGER
);
CREATE INDEX product_in_order ON product (sort_order IS NULL, sort_order, identifier);

CREATE TABLE product_text (
  product INTEGER NOT NULL,
  language TEXT NOT NULL,
  name TEXT,
  description TEXT,
  PRIMARY KEY (product, language)
) WITHOUT ROWID;

CREATE TABLE price_locale (
  product INTEGER NOT NULL,
  storefront TEXT NOT NULL,
  locale TEXT NOT NULL,
  PRIMARY KEY (product, storefront)
) WITHOUT ROWID;

CREATE TABLE offer (
  product INTEGER NOT NULL,
  position INTEGER NOT NULL,
  list INTEGER NOT NULL,
  kind TEXT NOT NULL,
  identifier TEXT,
  payment_mode TEXT NOT NULL,
  period TEXT NOT NULL,
  period_count INTEGER NOT NULL,
  cleared_for_sale TEXT,
  first_day TEXT NOT NULL,
  last_day TEXT,
  PRIMARY KEY (product, position)
) WITHOUT ROWID;

CREATE TABLE tier (
  name TEXT PRIMARY KEY NOT NULL,
  list INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE price (
  list INTEGER NOT NULL,
  storefront TEXT NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT,
  amount TEXT NOT NULL,
  currency TEXT NOT NULL,
  PRIMARY KEY (list, storefront, first_day)
) WITHOUT ROWID;

CREATE TABLE tier_period (
  list INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT,
  tier TEXT NOT NULL,
  PRIMARY KEY (list, first_day)
) WITHOUT ROWID;

CREATE TABLE product_group (
  kind TEXT NOT NULL,
  identifier TEXT NOT NULL,
  language TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (kind, identifier, language)
) WITHOUT ROWID;
PRAGMA application_id = 0x50546167;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations (identifier) VALUES ('1');
