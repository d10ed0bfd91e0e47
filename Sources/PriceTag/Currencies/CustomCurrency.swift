import CICU
import PriceTagSystem
import PriceTagText

/// What `custom-currencies.json` states about a currency of a merchant's own, such as the coins of a game.
///
/// ICU writes currencies with three letters only. So a custom currency is written with the pattern of an ISO 4217
/// currency, whose symbol, code or name is replaced.
struct CustomCurrency: Sendable {
  /// The names in one language, by plural category.
  typealias Names = [PluralRules.Category: String]

  let symbol: String
  /// The symbol in the narrow width; `nil` for `symbol`.
  let narrowSymbol: String?
  /// The number of displayed digits, and of those of the minor unit.
  let digits: Int
  /// The code of the ISO 4217 currency whose pattern is used.
  let like: String
  /// The names by language, in canonical BCP 47 spelling; `und` for all other languages.
  let names: [String: Names]
  /// The storefronts that charge the currency, by either of their codes; `nil` for all.
  let storefronts: Set<String>?

  /// Returns whether a storefront charges the currency beside its own.
  func isCharged(in storefront: Storefront) -> Bool {
    isCharged(id: storefront.id, alpha2: storefront.alpha2)
  }

  /// Returns whether the storefront with these codes charges the currency beside its own.
  func isCharged(id: String, alpha2: String) -> Bool {
    guard let storefronts else { return true }
    return storefronts.contains(id) || storefronts.contains(alpha2)
  }

  // MARK: Names

  /// Returns the names in the language of a price locale, in the order of `PluralRules.Category`; `nil` if the file has
  /// no names for the language.
  func names(in locale: PriceLocale) -> [String]? {
    names(
      in: CLDRParents.chain(
        of: locale.icuIdentifierWithoutKeywords,
        identifier: locale.identifier,
        dataLocale: locale.dataLocale
      )
    ).map { names in
      PluralRules.Category.allCases.map { names[$0] ?? names[.other] ?? "" }
    }
  }

  /// Returns the names in the first of some languages that has names.
  func names(in languages: [String]) -> Names? {
    for language in languages {
      if let names = names[language] { return names }
    }
    return names["und"]
  }

  /// Returns the replacements of ICU's symbol, code and names in a width.
  ///
  /// - Returns: The width to request from ICU, and the replacements: the symbol or code, or the names by plural category.
  func replacements(
    _ width: PriceStyle.Width,
    code: String,
    override: CurrencyOverride?,
    locale: PriceLocale
  ) -> (width: PriceStyle.Width, symbol: String?, names: [String]?) {
    switch width {
    case .standard, .formal, .variant, .unambiguous: (.standard, override?.symbol ?? symbol, nil)
    case .narrow: (.narrow, override?.symbol ?? narrowSymbol ?? symbol, nil)
    case .iso: (.iso, code, nil)
    case .hidden: (.hidden, nil, nil)
    case .name:
      // As in ICU, a currency without a name in the language is written with its code.
      if let names = names(in: locale) { (.name, nil, names) } else { (.iso, code, nil) }
    }
  }
}

extension Currency {
  /// Returns the name of a custom currency in a language, in the plural category `one` or `other`; `nil` if the currency
  /// is one of ISO 4217.
  ///
  /// If the language has no name, the result is the code.
  ///
  /// - Parameters:
  ///   - languages: The language and its CLDR parents, in BCP 47 spelling.
  ///   - isPlural: Whether to return the name of several.
  package func customName(in languages: [String], isPlural: Bool) -> String? {
    guard let custom = record.custom else { return nil }
    let names = custom.names(in: languages)
    return (isPlural ? nil : names?[.one]) ?? names?[.other] ?? code
  }
}

/// CLDR's parents of a locale, from which texts are inherited.
package enum CLDRParents {
  /// Returns a locale and its parents without the root: `es-AR`, `es-419`, `es`.
  ///
  /// - Parameters:
  ///   - icuIdentifier: The locale in ICU's spelling, without keywords.
  ///   - identifier: Its BCP 47 tag, which may have a numbering system.
  ///   - dataLocale: The tag of the CLDR locale whose data is used.
  package static func chain(of icuIdentifier: String, identifier: String, dataLocale: String) -> [String] {
    let tag = identifier.split(separator: "-u-").first ?? ""
    var languages = [String(tag)]
    // The data locale has the script of `zh-TW`, without which its parent would be Simplified Chinese. A data locale
    // without a territory may skip parents: that of `en-KW` is `en`, but its parent is `en-001`.
    let hasTerritory = dataLocale.split(separator: "-").last == tag.split(separator: "-").last
    var language = hasTerritory ? dataLocale : icuIdentifier.replacing("_", with: "-")
    while languages.count < 10, language != "und" {
      if languages.last != language { languages.append(language) }
      let child = language
      guard let parent = text(filledBy: { cicu_locale_parent(child, $0, $1) }) else { break }
      language = parent
    }
    return languages
  }
}

// MARK: - The file

extension CustomCurrency {
  /// The maximum number of entries in a file.
  static let maximumCount = 1000
  /// The lengths of codes, in characters. A code of three letters must be unknown to ISO 4217.
  static let codeLengths = 3...12
  /// The maximum length of a name in bytes.
  static let maximumNameByteCount = 96
  private static let maximumLanguageCount = 200

  /// Reads and checks an entry of `custom-currencies.json`.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - isCode: Returns whether ISO 4217 uses a code, for money or for anything else.
  ///   - isMoney: Returns whether a code is a currency of ISO 4217.
  init(
    _ entry: LocaleDataEntry,
    isCode: (String) -> Bool,
    isMoney: (String) -> Bool
  ) throws(PriceTagError) {
    try entry.checkFields([
      "code", "digits", "symbol", "narrowSymbol", "names", "like", "storefronts", "reason",
    ])
    try Self.check(code: entry.string("code"), entry, isCode: isCode)
    let like = try entry.string("like")
    guard isMoney(like) else {
      throw entry.invalid("unknown currency \(quoted(like))", "like", fix: "use a code from currencies.json")
    }
    let symbol = try entry.string("symbol")
    try CurrencyOverride.Entry.check(symbol, "symbol", entry)
    let narrowSymbol = try entry.optionalString("narrowSymbol")
    if let narrowSymbol { try CurrencyOverride.Entry.check(narrowSymbol, "narrowSymbol", entry) }
    self.init(
      symbol: symbol,
      narrowSymbol: narrowSymbol,
      digits: try entry.integer("digits", in: PriceStyle.fractionDigits),
      like: like,
      names: try Self.names(of: entry),
      storefronts: try Self.storefronts(of: entry)
    )
    try entry.checkReason(fix: "write what the currency is for")
  }

  private static func check(
    code: String,
    _ entry: LocaleDataEntry,
    isCode: (String) -> Bool
  ) throws(PriceTagError) {
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) }
    let isWellFormed =
      codeLengths.contains(code.utf8.count)
      && (code.utf8.first.map(isLetter) ?? false)
      && code.utf8.allSatisfy { isLetter($0) || (code.utf8.count > 3 && (0x30...0x39).contains($0)) }
    guard isWellFormed else {
      throw entry.invalid(
        "\(quoted(code)) is not a code of a custom currency",
        "code",
        fix:
          "use 4 to \(codeLengths.upperBound) capital letters and digits that start with a letter, or 3 letters"
      )
    }
    if isCode(code) {
      throw entry.invalid("\(quoted(code)) is a code of ISO 4217", "code", fix: "use another code")
    }
  }

  /// Returns the storefronts as they are written; `nil` for all.
  private static func storefronts(of entry: LocaleDataEntry) throws(PriceTagError) -> Set<String>? {
    if entry.isString("storefronts") {
      let text = try entry.string("storefronts")
      guard text == "all" else {
        throw entry.invalid(
          "\(quoted(text)) is not a list of storefronts",
          "storefronts",
          fix: "use \"all\", or an array such as [\"JPN\"]"
        )
      }
      return nil
    }
    var storefronts: Set<String> = []
    for storefront in try entry.strings("storefronts") where !storefronts.insert(storefront).inserted {
      throw entry.invalid("\(quoted(storefront)) appears twice", "storefronts", fix: "remove one")
    }
    guard !storefronts.isEmpty else {
      throw entry.invalid("the list of storefronts is empty", "storefronts", fix: "add one, or use \"all\"")
    }
    return storefronts
  }

  /// Checks that the storefronts exist, and that none is named by both of its codes.
  func checkStorefronts(ids: [String: String], _ entry: LocaleDataEntry) throws(PriceTagError) {
    var seen: Set<String> = []
    for storefront in (storefronts ?? []).sorted() {
      guard let id = ids[storefront] else {
        throw entry.unknown("storefront", storefront, "storefronts", fix: "use a code from storefronts.json")
      }
      guard seen.insert(id).inserted else {
        throw entry.invalid("\(quoted(id)) appears twice", "storefronts", fix: "remove one")
      }
    }
  }

  // MARK: Names in the file

  private static func names(of entry: LocaleDataEntry) throws(PriceTagError) -> [String: Names] {
    guard let languages = try entry.optionalEntry("names") else { return [:] }
    guard languages.fieldNames.count <= maximumLanguageCount else {
      throw entry.invalid(
        "there are more than \(maximumLanguageCount) languages",
        "names",
        fix: "remove those that inherit their names"
      )
    }
    var names: [String: Names] = [:]
    for language in languages.fieldNames {
      guard let categories = try languages.optionalEntry(language) else {
        throw languages.invalid("the names are missing", language, fix: "add them, or remove the language")
      }
      names[language] = try Self.names(in: checkedLanguage(language, languages), categories)
    }
    return names
  }

  /// Returns a language in ICU's spelling.
  private static func checkedLanguage(
    _ language: String,
    _ entry: LocaleDataEntry
  ) throws(PriceTagError) -> String {
    if language == "und" { return language }
    let tag = try entry.checked(language) { () throws(PriceTagError) in
      try LocaleTag(language, for: .language)
    }
    guard tag.identifier == language else {
      throw entry.invalid(
        "\(quoted(language)) is not the canonical spelling of a language",
        language,
        fix: "use \(quoted(tag.identifier))"
      )
    }
    return tag.icuIdentifier
  }

  private static func names(
    in icuLanguage: String,
    _ entry: LocaleDataEntry
  ) throws(PriceTagError) -> Names {
    let categories = PluralRules(icuLocale: icuLanguage)?.categories ?? [.other]
    try entry.checkFields(categories.map(\.rawValue))
    var names: Names = [.other: try entry.string("other")]
    for category in categories where category != .other {
      names[category] = try entry.optionalString(category.rawValue)
    }
    for (category, name) in names.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try check(name, category.rawValue, entry)
    }
    return names
  }

  /// Checks that a name cannot be read as part of the amount, and does not change the direction of the text.
  private static func check(
    _ name: String,
    _ field: String,
    _ entry: LocaleDataEntry
  ) throws(PriceTagError) {
    guard (1...maximumNameByteCount).contains(name.utf8.count) else {
      throw entry.invalid(
        name.isEmpty
          ? "the name is empty" : "the name \(quoted(name)) is longer than \(maximumNameByteCount) bytes",
        field,
        fix: "use 1 to \(maximumNameByteCount) bytes"
      )
    }
    // Joiners form letters in Persian and in languages of India. A hyphen may join words.
    let allowed: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}", "-"]
    for scalar in name.unicodeScalars
    where !allowed.contains(scalar) && CurrencyOverride.Entry.isForbidden(scalar) {
      throw entry.invalid(
        "the name \(quoted(name)) contains \(quoted(String(scalar)))",
        field,
        fix: "use a name without digits, signs and control characters"
      )
    }
    let ends = [name.unicodeScalars.first, name.unicodeScalars.last].compactMap(\.self)
    if ends.contains(where: { $0 == "-" || $0.properties.isWhitespace }) {
      throw entry.invalid(
        "the name \(quoted(name)) starts or ends with a space or a hyphen",
        field,
        fix: "remove it"
      )
    }
  }
}
