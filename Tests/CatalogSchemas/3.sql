-- The tables of version 2 of a catalog, which 0.1.0 created. Never edit this file.
CREATE TABLE catalog (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  changed_at TEXT NOT NULL,
  next_list INTEGER NOT NULL,
  product_count INTEGER,
  product_digest INTEGER,
  tier_count INTEGER,
  tier_digest INTEGER,
  name_count INTEGER,
  name_digest INTEGER,
  schema_digest INTEGER,
  checksum INTEGER
);

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
  sort_order INTEGER,
  price_set INTEGER,
  tier_periods INTEGER,
  text_set INTEGER,
  locale_set INTEGER,
  offers INTEGER,
  checksum INTEGER
);
CREATE INDEX product_in_order ON product (sort_order IS NULL, sort_order, identifier);

CREATE TABLE product_text (
  product INTEGER NOT NULL,
  language TEXT NOT NULL,
  name TEXT,
  description TEXT,
  checksum INTEGER,
  PRIMARY KEY (product, language)
) WITHOUT ROWID;

CREATE TABLE price_locale (
  product INTEGER NOT NULL,
  storefront TEXT NOT NULL,
  locale TEXT NOT NULL,
  checksum INTEGER,
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
  price_set INTEGER,
  tier_periods INTEGER,
  checksum INTEGER,
  PRIMARY KEY (product, position)
) WITHOUT ROWID;

CREATE TABLE tier (
  name TEXT PRIMARY KEY NOT NULL,
  list INTEGER NOT NULL,
  price_set INTEGER,
  checksum INTEGER
) WITHOUT ROWID;

CREATE TABLE price (
  list INTEGER NOT NULL,
  storefront TEXT NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT,
  amount TEXT NOT NULL,
  currency TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (list, storefront, first_day)
) WITHOUT ROWID;

CREATE TABLE tier_period (
  list INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT,
  tier TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (list, first_day)
) WITHOUT ROWID;

CREATE TABLE product_group (
  kind TEXT NOT NULL,
  identifier TEXT NOT NULL,
  language TEXT NOT NULL,
  name TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (kind, identifier, language)
) WITHOUT ROWID;

CREATE TABLE part_set (
  id INTEGER PRIMARY KEY,
  members TEXT NOT NULL UNIQUE,
  checksum INTEGER
);
CREATE INDEX product_check ON product (identifier);
CREATE INDEX tier_check ON tier (name, list);
CREATE INDEX product_group_check ON product_group (identifier, kind, language);
INSERT INTO catalog (id, revision, changed_at, next_list) VALUES (1, 0, '', 1);
PRAGMA application_id = 0x50546167;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations (identifier) VALUES ('1'), ('2'), ('3');
ALTER TABLE product ADD COLUMN content TEXT;
ALTER TABLE product ADD COLUMN unit_reference TEXT;
