import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of the locales of link previews.
@Suite struct OpenGraphLocaleTests {
  /// The locales that Facebook lists, of the languages of the UI strings.
  static let listed: Set = [
    "ar_AR", "bn_IN", "ca_ES", "cs_CZ", "da_DK", "de_DE", "el_GR", "en_GB", "en_US", "es_ES", "es_LA",
    "es_MX", "fi_FI", "fr_CA", "fr_FR", "gu_IN", "he_IL", "hi_IN", "hr_HR", "hu_HU", "id_ID", "it_IT",
    "ja_JP", "kn_IN", "ko_KR", "ml_IN", "mr_IN", "ms_MY", "nb_NO", "nl_BE", "nl_NL", "or_IN", "pa_IN",
    "pl_PL", "pt_BR", "pt_PT", "ro_RO", "ru_RU", "sk_SK", "sl_SI", "sv_SE", "ta_IN", "te_IN", "th_TH",
    "tr_TR", "uk_UA", "ur_PK", "vi_VN", "zh_CN", "zh_HK", "zh_TW",
  ]

  @Test func localesExist() {
    let languages = StoreStrings.embedded.languages
    #expect(languages.count == 50)
    for language in languages {
      #expect(language.openGraphLocale.map(Self.listed.contains) == true, "\(language)")
    }
  }

  static let rows: [(tag: String, locale: String?)] = [
    ("en-US", "en_US"), ("en-GB", "en_GB"), ("en-AU", "en_GB"), ("en-CA", "en_US"), ("en", "en_US"),
    ("es-ES", "es_ES"), ("es-MX", "es_MX"), ("es-419", "es_LA"), ("es-AR", "es_LA"), ("es", "es_ES"),
    ("fr-CA", "fr_CA"), ("fr-CH", "fr_FR"), ("pt-PT", "pt_PT"), ("pt-BR", "pt_BR"), ("pt-AO", "pt_PT"),
    ("zh-Hans", "zh_CN"), ("zh-Hant", "zh_TW"), ("zh-Hant-HK", "zh_HK"), ("zh-Hant-MO", "zh_TW"),
    ("nl-BE", "nl_BE"), ("de-AT", "de_DE"), ("ar-EG", "ar_AR"), ("cy", nil),
  ]

  @Test(arguments: rows) func namesLocale(tag: String, locale: String?) throws {
    #expect(try UILanguage(tag).openGraphLocale == locale)
  }
}
