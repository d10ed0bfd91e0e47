// Embeds the data files of this folder in the binary. The compiler rebuilds this file if a data file changes.
#include "PriceTagLocaleData.h"
#include <string.h>

static const unsigned char currencies[] = {
#embed "currencies.json"
};
static const unsigned char currency_overrides[] = {
#embed "currency-overrides.json"
};
static const unsigned char observations[] = {
#embed "observations.json"
};
static const unsigned char storefronts[] = {
#embed "storefronts.json"
};
static const unsigned char strings_ar[] = {
#embed "strings/ar.json"
};
static const unsigned char strings_bn[] = {
#embed "strings/bn.json"
};
static const unsigned char strings_ca[] = {
#embed "strings/ca.json"
};
static const unsigned char strings_cs[] = {
#embed "strings/cs.json"
};
static const unsigned char strings_da[] = {
#embed "strings/da.json"
};
static const unsigned char strings_de[] = {
#embed "strings/de.json"
};
static const unsigned char strings_el[] = {
#embed "strings/el.json"
};
static const unsigned char strings_en_AU[] = {
#embed "strings/en-AU.json"
};
static const unsigned char strings_en_CA[] = {
#embed "strings/en-CA.json"
};
static const unsigned char strings_en_GB[] = {
#embed "strings/en-GB.json"
};
static const unsigned char strings_en_US[] = {
#embed "strings/en-US.json"
};
static const unsigned char strings_es_ES[] = {
#embed "strings/es-ES.json"
};
static const unsigned char strings_es_MX[] = {
#embed "strings/es-MX.json"
};
static const unsigned char strings_fi[] = {
#embed "strings/fi.json"
};
static const unsigned char strings_fr_CA[] = {
#embed "strings/fr-CA.json"
};
static const unsigned char strings_fr_FR[] = {
#embed "strings/fr-FR.json"
};
static const unsigned char strings_gu[] = {
#embed "strings/gu.json"
};
static const unsigned char strings_he[] = {
#embed "strings/he.json"
};
static const unsigned char strings_hi[] = {
#embed "strings/hi.json"
};
static const unsigned char strings_hr[] = {
#embed "strings/hr.json"
};
static const unsigned char strings_hu[] = {
#embed "strings/hu.json"
};
static const unsigned char strings_id[] = {
#embed "strings/id.json"
};
static const unsigned char strings_it[] = {
#embed "strings/it.json"
};
static const unsigned char strings_ja[] = {
#embed "strings/ja.json"
};
static const unsigned char strings_kn[] = {
#embed "strings/kn.json"
};
static const unsigned char strings_ko[] = {
#embed "strings/ko.json"
};
static const unsigned char strings_ml[] = {
#embed "strings/ml.json"
};
static const unsigned char strings_mr[] = {
#embed "strings/mr.json"
};
static const unsigned char strings_ms[] = {
#embed "strings/ms.json"
};
static const unsigned char strings_nb[] = {
#embed "strings/nb.json"
};
static const unsigned char strings_nl[] = {
#embed "strings/nl.json"
};
static const unsigned char strings_or[] = {
#embed "strings/or.json"
};
static const unsigned char strings_pa[] = {
#embed "strings/pa.json"
};
static const unsigned char strings_pl[] = {
#embed "strings/pl.json"
};
static const unsigned char strings_pt_BR[] = {
#embed "strings/pt-BR.json"
};
static const unsigned char strings_pt_PT[] = {
#embed "strings/pt-PT.json"
};
static const unsigned char strings_ro[] = {
#embed "strings/ro.json"
};
static const unsigned char strings_ru[] = {
#embed "strings/ru.json"
};
static const unsigned char strings_sk[] = {
#embed "strings/sk.json"
};
static const unsigned char strings_sl[] = {
#embed "strings/sl.json"
};
static const unsigned char strings_sv[] = {
#embed "strings/sv.json"
};
static const unsigned char strings_ta[] = {
#embed "strings/ta.json"
};
static const unsigned char strings_te[] = {
#embed "strings/te.json"
};
static const unsigned char strings_th[] = {
#embed "strings/th.json"
};
static const unsigned char strings_tr[] = {
#embed "strings/tr.json"
};
static const unsigned char strings_uk[] = {
#embed "strings/uk.json"
};
static const unsigned char strings_ur[] = {
#embed "strings/ur.json"
};
static const unsigned char strings_vi[] = {
#embed "strings/vi.json"
};
static const unsigned char strings_zh_Hans[] = {
#embed "strings/zh-Hans.json"
};
static const unsigned char strings_zh_Hant[] = {
#embed "strings/zh-Hant.json"
};
static const unsigned char territories[] = {
#embed "territories.json"
};

static const struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} files[] = {
    {"currencies.json", currencies, sizeof currencies},
    {"currency-overrides.json", currency_overrides, sizeof currency_overrides},
    {"observations.json", observations, sizeof observations},
    {"storefronts.json", storefronts, sizeof storefronts},
    {"strings/ar.json", strings_ar, sizeof strings_ar},
    {"strings/bn.json", strings_bn, sizeof strings_bn},
    {"strings/ca.json", strings_ca, sizeof strings_ca},
    {"strings/cs.json", strings_cs, sizeof strings_cs},
    {"strings/da.json", strings_da, sizeof strings_da},
    {"strings/de.json", strings_de, sizeof strings_de},
    {"strings/el.json", strings_el, sizeof strings_el},
    {"strings/en-AU.json", strings_en_AU, sizeof strings_en_AU},
    {"strings/en-CA.json", strings_en_CA, sizeof strings_en_CA},
    {"strings/en-GB.json", strings_en_GB, sizeof strings_en_GB},
    {"strings/en-US.json", strings_en_US, sizeof strings_en_US},
    {"strings/es-ES.json", strings_es_ES, sizeof strings_es_ES},
    {"strings/es-MX.json", strings_es_MX, sizeof strings_es_MX},
    {"strings/fi.json", strings_fi, sizeof strings_fi},
    {"strings/fr-CA.json", strings_fr_CA, sizeof strings_fr_CA},
    {"strings/fr-FR.json", strings_fr_FR, sizeof strings_fr_FR},
    {"strings/gu.json", strings_gu, sizeof strings_gu},
    {"strings/he.json", strings_he, sizeof strings_he},
    {"strings/hi.json", strings_hi, sizeof strings_hi},
    {"strings/hr.json", strings_hr, sizeof strings_hr},
    {"strings/hu.json", strings_hu, sizeof strings_hu},
    {"strings/id.json", strings_id, sizeof strings_id},
    {"strings/it.json", strings_it, sizeof strings_it},
    {"strings/ja.json", strings_ja, sizeof strings_ja},
    {"strings/kn.json", strings_kn, sizeof strings_kn},
    {"strings/ko.json", strings_ko, sizeof strings_ko},
    {"strings/ml.json", strings_ml, sizeof strings_ml},
    {"strings/mr.json", strings_mr, sizeof strings_mr},
    {"strings/ms.json", strings_ms, sizeof strings_ms},
    {"strings/nb.json", strings_nb, sizeof strings_nb},
    {"strings/nl.json", strings_nl, sizeof strings_nl},
    {"strings/or.json", strings_or, sizeof strings_or},
    {"strings/pa.json", strings_pa, sizeof strings_pa},
    {"strings/pl.json", strings_pl, sizeof strings_pl},
    {"strings/pt-BR.json", strings_pt_BR, sizeof strings_pt_BR},
    {"strings/pt-PT.json", strings_pt_PT, sizeof strings_pt_PT},
    {"strings/ro.json", strings_ro, sizeof strings_ro},
    {"strings/ru.json", strings_ru, sizeof strings_ru},
    {"strings/sk.json", strings_sk, sizeof strings_sk},
    {"strings/sl.json", strings_sl, sizeof strings_sl},
    {"strings/sv.json", strings_sv, sizeof strings_sv},
    {"strings/ta.json", strings_ta, sizeof strings_ta},
    {"strings/te.json", strings_te, sizeof strings_te},
    {"strings/th.json", strings_th, sizeof strings_th},
    {"strings/tr.json", strings_tr, sizeof strings_tr},
    {"strings/uk.json", strings_uk, sizeof strings_uk},
    {"strings/ur.json", strings_ur, sizeof strings_ur},
    {"strings/vi.json", strings_vi, sizeof strings_vi},
    {"strings/zh-Hans.json", strings_zh_Hans, sizeof strings_zh_Hans},
    {"strings/zh-Hant.json", strings_zh_Hant, sizeof strings_zh_Hant},
    {"territories.json", territories, sizeof territories},
};

const unsigned char *pricetag_locale_data(const char *name, size_t *count) {
  for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
    if (strcmp(files[index].name, name) == 0) {
      *count = files[index].count;
      return files[index].bytes;
    }
  }
  *count = 0;
  return NULL;
}

const char *pricetag_locale_data_name(size_t index) {
  return index < sizeof files / sizeof files[0] ? files[index].name : NULL;
}
