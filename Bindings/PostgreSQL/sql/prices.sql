-- Prices of every storefront, and of price locales.
SET client_min_messages = warning;
CREATE EXTENSION pricetag;
\pset format unaligned
\pset tuples_only on

SELECT price_format('JPN', 1200);
SELECT price_format('usa', 4.99), price_format('US', 4.99), price_format('USA', -1234567.89), price_format('USA', 0);
SELECT price_format_minor('USA', 499), price_format_minor('JPN', 499), price_format_minor('BHR', 4990);
SELECT price_format_micros('USA', 4990000), price_format_micros('JPN', 1200000000);
SELECT price_spoken('USA', 4.99), price_spoken('EGY', 249.99), price_spoken('RUS', 1), price_spoken('RUS', 2), price_spoken('RUS', 5);
SELECT price_format_locale('de-CH', 'CHF', 1234.50), price_format_locale('de_CH', 'chf', 1234.50);
SELECT price_format_locale('hi-IN', 'INR', 1234567.5), price_format_locale('es-ES', 'EUR', 1234.5), price_format_locale('ar-EG', 'EGP', -1234.5);
SELECT price_spoken_locale('pl-PL', 'PLN', 22), price_spoken_locale('ja-JP', 'USD', 4.99);

-- The types are those of the declaration: a literal, integers of every width, a numeric with any scale.
SELECT price_format('USA', '4.99'), price_format('USA', 5::smallint), price_format('USA', 5::bigint), price_format('USA', 5.000000000000000000000000000000);
PREPARE price(text, numeric, date) AS SELECT price_format($1, $2, $3);
EXECUTE price('BGR', 4.99, '2025-12-31');
EXECUTE price('BGR', 4.99, '2026-01-01');
EXECUTE price('DEU', 1234.5, NULL);
PREPARE inferred AS SELECT price_format($1, $2);
EXECUTE inferred('FRA', '1234.5');
DEALLOCATE ALL;

-- Every storefront; more storefronts than the first, so that the cache of formatters is used.
SELECT storefront, price_format(storefront, 1234567.89, '2026-01-31', 'rounding=half-even'),
  price_format(storefront, -5, '2026-01-31'), price_spoken(storefront, 1, '2026-01-31')
FROM unnest('{AFG,AGO,AIA,ALB,ARE,ARG,ARM,ATG,AUS,AUT,AZE,BEL,BEN,BFA,BGR,BHR,BHS,BIH,BLR,BLZ,BMU,BOL,BRA,BRB,BRN,BTN,BWA,CAN,CHE,CHL,CHN,CIV,CMR,COD,COG,COL,CPV,CRI,CYM,CYP,CZE,DEU,DMA,DNK,DOM,DZA,ECU,EGY,ESP,EST,FIN,FJI,FRA,FSM,GAB,GBR,GEO,GHA,GMB,GNB,GRC,GRD,GTM,GUY,HKG,HND,HRV,HUN,IDN,IND,IRL,IRQ,ISL,ISR,ITA,JAM,JOR,JPN,KAZ,KEN,KGZ,KHM,KNA,KOR,KWT,LAO,LBN,LBR,LBY,LCA,LKA,LTU,LUX,LVA,MAC,MAR,MDA,MDG,MDV,MEX,MKD,MLI,MLT,MMR,MNE,MNG,MOZ,MRT,MSR,MUS,MWI,MYS,NAM,NER,NGA,NIC,NLD,NOR,NPL,NRU,NZL,OMN,PAK,PAN,PER,PHL,PLW,PNG,POL,PRT,PRY,QAT,ROU,RUS,RWA,SAU,SEN,SGP,SLB,SLE,SLV,SRB,STP,SUR,SVK,SVN,SWE,SWZ,SYC,TCA,TCD,THA,TJK,TKM,TON,TTO,TUN,TUR,TWN,TZA,UGA,UKR,URY,USA,UZB,VCT,VEN,VGB,VNM,VUT,XKS,YEM,ZAF,ZMB,ZWE}'::text[]) AS storefront;

-- The second pass reads the same formatters from the cache.
SELECT count(*), count(DISTINCT display) FROM (
  SELECT storefront, price_format(storefront, 4, '2026-01-31') AS display
  FROM generate_series(1, 3), unnest('{AFG,AGO,AIA,ALB,ARE,ARG,ARM,ATG,AUS,AUT,AZE,BEL,BEN,BFA,BGR,BHR,BHS,BIH,BLR,BLZ,BMU,BOL,BRA,BRB,BRN,BTN,BWA,CAN,CHE,CHL,CHN,CIV,CMR,COD,COG,COL,CPV,CRI,CYM,CYP,CZE,DEU,DMA,DNK,DOM,DZA,ECU,EGY,ESP,EST,FIN,FJI,FRA,FSM,GAB,GBR,GEO,GHA,GMB,GNB,GRC,GRD,GTM,GUY,HKG,HND,HRV,HUN,IDN,IND,IRL,IRQ,ISL,ISR,ITA,JAM,JOR,JPN,KAZ,KEN,KGZ,KHM,KNA,KOR,KWT,LAO,LBN,LBR,LBY,LCA,LKA,LTU,LUX,LVA,MAC,MAR,MDA,MDG,MDV,MEX,MKD,MLI,MLT,MMR,MNE,MNG,MOZ,MRT,MSR,MUS,MWI,MYS,NAM,NER,NGA,NIC,NLD,NOR,NPL,NRU,NZL,OMN,PAK,PAN,PER,PHL,PLW,PNG,POL,PRT,PRY,QAT,ROU,RUS,RWA,SAU,SEN,SGP,SLB,SLE,SLV,SRB,STP,SUR,SVK,SVN,SWE,SWZ,SYC,TCA,TCD,THA,TJK,TKM,TON,TTO,TUN,TUR,TWN,TZA,UGA,UKR,URY,USA,UZB,VCT,VEN,VGB,VNM,VUT,XKS,YEM,ZAF,ZMB,ZWE}'::text[]) AS storefront) AS prices;

SELECT price_pack_version('pricetag') ~ '^[0-9]+[.][0-9]+[.][0-9]+$', price_pack_version('icu') ~ '^[0-9.]+$',
  price_pack_version('cldr', pack => 'locales') ~ '^[0-9.]+$', price_pack_version('weather') IS NULL,
  price_pack_version(NULL) IS NULL;
DROP EXTENSION pricetag;
