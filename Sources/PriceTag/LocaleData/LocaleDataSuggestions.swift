import CICU
import PriceTagSystem
import PriceTagText

/// Suggests storefronts and currencies for unknown names.
///
/// All copies of a registry share one object, which is created for the first unknown name.
final class LocaleDataSuggestions: Sendable {
  private let storefronts: [(id: String, alpha2: String)]
  private let storefrontIDs: SpellingIndex
  private let territories: EnglishNames
  private let codes: [String]
  private let codeSpellings: SpellingIndex
  private let moneyNames: EnglishNames

  init(_ contents: LocaleData.Contents) {
    storefronts = contents.storefronts.sorted.map { ($0.id, $0.alpha2) }
    storefrontIDs = SpellingIndex(storefronts.map(\.id))
    let ids = Set(storefronts.map(\.id))
    let named = storefronts.compactMap { id, alpha2 in
      text(filledBy: { cicu_display_name(CICUNameRegion, "en", alpha2, $0, $1) }).map { (name: $0, code: id) }
    }
    territories = EnglishNames(
      named + Self.otherTerritoryNames.filter { ids.contains($0.code) },
      minimumPrefix: 3
    )
    codes = contents.currencies.sorted.compactMap { try? $0.currency() }.filter {
      $0.lastDay == nil && ($0.kind == .currency || $0.kind == .custom)
    }.map(\.code)
    codeSpellings = SpellingIndex(codes)
    let current = Set(codes)
    moneyNames = EnglishNames(
      MoneyNames.words.filter { current.contains(String($0.code.prefix(3))) } + Self.moneyNames(of: codes),
      minimumPrefix: 4
    )
  }

  // MARK: Storefronts

  /// Returns the storefront that an unknown identifier probably means.
  ///
  /// The text may be another code of a territory, its English name, or an identifier with one letter missing, extra or
  /// swapped. A replaced letter counts only if the territory's two-letter code is right: `JPX` is close to `JPN`, but
  /// `ZZZ` is not close to `ZAF`.
  func storefront(for id: String, isStorefront: (String) -> String?) -> String? {
    if (2...3).contains(id.utf8.count), isASCII(id),
      let canonical = text(capacity: 16, filledBy: { cicu_region_canonical(id.uppercased(), $0, $1) }),
      let storefront = isStorefront(canonical)
    {
      return storefront
    }
    if let named = territories.code(of: id) { return named }
    guard id.utf8.count > 2, let spelling = Spelling(id) else { return nil }
    return storefrontIDs.closest(to: spelling, limit: 1) { place in
      storefronts[place].id.hasPrefix(storefronts[place].alpha2)
        && spelling.letters.starts(with: storefronts[place].alpha2.lowercased().utf8)
    }.map { storefronts[$0].id }
  }

  /// Common names of territories that are not ICU's.
  private static let otherTerritoryNames: [(name: String, code: String)] = [
    ("America", "USA"), ("United States of America", "USA"), ("Britain", "GBR"), ("Great Britain", "GBR"),
    ("England", "GBR"), ("Burma", "MMR"), ("Czech Republic", "CZE"), ("Holland", "NLD"), ("Hong Kong", "HKG"),
    ("Ivory Coast", "CIV"), ("Korea", "KOR"), ("Republic of Korea", "KOR"), ("Macau", "MAC"),
    ("Macao", "MAC"),
    ("Macedonia", "MKD"), ("Mainland China", "CHN"), ("Myanmar", "MMR"), ("Russian Federation", "RUS"),
    ("Swaziland", "SWZ"), ("Turkey", "TUR"), ("Türkiye", "TUR"), ("UAE", "ARE"), ("Viet Nam", "VNM"),
  ]

  // MARK: Currencies

  /// Returns the currency that an unknown code probably means.
  ///
  /// The text may be a symbol, an English name, a store that charges the currency, or a code with one letter missing,
  /// extra or swapped. A code with a replaced letter is another currency, such as `BTC`.
  func currency(for code: String, storeCurrency: (String) -> String?) -> String? {
    if code.utf8.count <= 8, let symbol = MoneyNames.symbols[code], codes.contains(String(symbol.prefix(3))) {
      return symbol
    }
    if let named = moneyNames.code(of: code) { return named }
    if (2...3).contains(code.utf8.count), isASCII(code), let charged = storeCurrency(code.uppercased()) {
      return charged
    }
    guard let spelling = Spelling(code) else { return nil }
    return codeSpellings.closest(to: spelling, limit: 1) { _ in false }.map { codes[$0] }
  }

  /// Returns ICU's names of currencies, and the last words of names that only one currency has (`Thai Baht`, `baht`).
  private static func moneyNames(of codes: [String]) -> [(name: String, code: String)] {
    let names = codes.compactMap { code in
      text(filledBy: { cicu_display_name(CICUNameCurrency, "en", code, $0, $1) }).map {
        (name: $0, code: code)
      }
    }
    let words = names.compactMap { name, code in
      name.split(separator: " ").last.map { (name: String($0), code: code) }
    }
    let counts = Dictionary(words.map { ($0.name, 1) }, uniquingKeysWith: +)
    return names + words.filter { counts[$0.name] == 1 }
  }
}

/// Symbols and words that people write for currencies, and the codes to suggest for them.
enum MoneyNames {
  static let symbols: [String: String] = [
    "$": "USD, or another dollar", "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD",
    "HK$": "HKD", "MX$": "MXN", "NT$": "TWD", "NZ$": "NZD", "R$": "BRL", "S$": "SGD", "€": "EUR",
    "£": "GBP", "¥": "JPY or CNY", "￥": "JPY or CNY", "円": "JPY", "元": "CNY", "원": "KRW", "₩": "KRW",
    "￦": "KRW", "₹": "INR", "₨": "INR, or another rupee", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₫": "VND",
    "฿": "THB", "₪": "ILS", "₱": "PHP", "₦": "NGN", "₵": "GHS", "₡": "CRC", "₲": "PYG", "₸": "KZT",
    "₮": "MNT",
    "₭": "LAK", "₼": "AZN", "₾": "GEL", "֏": "AMD", "৳": "BDT", "៛": "KHR", "zł": "PLN", "Kč": "CZK",
    "Ft": "HUF", "Fr": "CHF", "Fr.": "CHF", "kr": "SEK, NOK or DKK", "lei": "RON", "R": "ZAR", "RM": "MYR",
    "Rp": "IDR", "Rs": "INR, or another rupee",
  ]

  static let words: [(name: String, code: String)] = [
    ("CNH", "CNY"), ("NTD", "TWD"), ("RMB", "CNY"), ("STG", "GBP"), ("YEN", "JPY"), ("YUAN", "CNY"),
    ("crown", "CZK, or another crown"), ("dinar", "KWD, or another dinar"), ("dirham", "AED or MAD"),
    ("dollar", "USD, or another dollar"), ("euro", "EUR"), ("franc", "CHF, or another franc"),
    ("krona", "SEK"), ("krone", "NOK or DKK"), ("lira", "TRY"), ("peso", "MXN, or another peso"),
    ("pound", "GBP, or another pound"), ("pound sterling", "GBP"), ("reais", "BRL"), ("real", "BRL"),
    ("renminbi", "CNY"), ("riyal", "SAR or QAR"), ("rouble", "RUB"), ("ruble", "RUB"),
    ("rupee", "INR, or another rupee"), ("shilling", "KES, or another shilling"), ("sterling", "GBP"),
    ("won", "KRW"),
  ]
}
