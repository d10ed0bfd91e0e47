import PriceTagStrings

extension UILanguage {
  /// Returns the properties of Open Graph for the locale of a page in this language, and those of the page's other languages.
  func openGraphLocales(_ languages: [UILanguage]) -> [(String, String)] {
    var properties: [(String, String)] = []
    if let openGraphLocale { properties.append(("og:locale", openGraphLocale)) }
    var locales: Set<String?> = [openGraphLocale, nil]
    for other in languages {
      let locale = other.openGraphLocale
      if let locale, locales.insert(locale).inserted { properties.append(("og:locale:alternate", locale)) }
    }
    return properties
  }

  /// The Open Graph locale, `language_TERRITORY`, of those that Facebook lists; `nil` if none fits. It is that of the text: a
  /// page in German has `de_DE` in every store.
  var openGraphLocale: String? {
    let parts = identifier.split(separator: "-")
    guard let language = parts.first.map(String.init) else { return nil }
    let script = parts.dropFirst().first { $0.utf8.count == 4 }
    let territory = parts.dropFirst().last { $0.utf8.count < 4 }
    if let territory, Self.regionalLocales.contains("\(language)_\(territory)") {
      return "\(language)_\(territory)"
    }
    switch (language, territory) {
    case ("zh", _): return script == "Hant" ? "zh_TW" : "zh_CN"
    // English outside of North America follows the spelling of the United Kingdom.
    case ("en", let territory?): return territory == "CA" ? "en_US" : "en_GB"
    case ("es", _?): return "es_LA"
    case ("pt", _?): return "pt_PT"
    default: return Self.openGraphLocales[language]
    }
  }

  /// The locales of languages that have several.
  private static let regionalLocales: Set = [
    "en_GB", "en_US", "es_ES", "es_LA", "es_MX", "fr_CA", "fr_FR", "nl_BE", "nl_NL", "pt_BR", "pt_PT",
    "zh_CN", "zh_HK", "zh_TW",
  ]

  /// The locales of languages without a territory.
  private static let openGraphLocales = [
    "ar": "ar_AR", "bn": "bn_IN", "ca": "ca_ES", "cs": "cs_CZ", "da": "da_DK", "de": "de_DE", "el": "el_GR",
    "en": "en_US", "es": "es_ES", "fi": "fi_FI", "fr": "fr_FR", "gu": "gu_IN", "he": "he_IL", "hi": "hi_IN",
    "hr": "hr_HR", "hu": "hu_HU", "id": "id_ID", "it": "it_IT", "ja": "ja_JP", "kn": "kn_IN", "ko": "ko_KR",
    "ml": "ml_IN", "mr": "mr_IN", "ms": "ms_MY", "nb": "nb_NO", "nl": "nl_NL", "or": "or_IN", "pa": "pa_IN",
    "pl": "pl_PL", "pt": "pt_BR", "ro": "ro_RO", "ru": "ru_RU", "sk": "sk_SK", "sl": "sl_SI", "sv": "sv_SE",
    "ta": "ta_IN", "te": "te_IN", "th": "th_TH", "tr": "tr_TR", "uk": "uk_UA", "ur": "ur_PK", "vi": "vi_VN",
  ]
}
