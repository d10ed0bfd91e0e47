/// The locale that a price is written in: a language and a territory, as a store names them (`de-CH`, `ar-EG`).
///
/// It decides separators, digits, the symbol and where it stands. It has nothing to do with the language of the
/// words around the price.
///
///     try PriceLocale("iw-IL").identifier    // "he-IL": aliases are resolved
///     try PriceLocale("en-KW").dataLocale    // "en": ICU has no data of its own for en-KW
///     try PriceLocale("xx-YY")               // throws
///
/// A locale is known where ICU has data for its language and script and CLDR knows its region. ICU itself answers
/// any locale, with its root data or even that of the process's default locale; here an unknown one is an error.
public struct PriceLocale: Hashable, Sendable, CustomStringConvertible {
  /// The canonical BCP 47 tag, such as `sr-Latn-RS` or `ar-EG-u-nu-latn`.
  public var identifier: String { tag.identifier }
  /// The tag of the CLDR locale whose data writes the price: `en` for `en-KW`, `zh-Hant-TW` for `zh-TW`.
  public var dataLocale: String { tag.dataLocale }
  /// The numbering system that was asked for (`latn` of `ar-EG-u-nu-latn`); `nil` for the locale's own.
  public var numberingSystem: String? { tag.numberingSystem }
  /// What ICU is given.
  var icuIdentifier: String { tag.icuIdentifier }
  /// The territory, such as `US` or `419`; `nil` where the tag has none.
  package var region: String? { tag.region }

  private let tag: LocaleTag

  /// A locale by its BCP 47 tag. Case does not matter, and `_` stands for `-`, as in ICU's and Apple's spelling.
  ///
  /// - Parameters:
  ///   - identifier: The tag: language, script where wanted, territory.
  ///   - allowsNumberingSystem: Whether the tag may choose the digits with `-u-nu-…`. Every other extension is
  ///     refused: it would change a price.
  /// - Throws: `.malformedLocale`, `.unknownLocale`, `.unexpectedExtension`; each with the closest match, where one is close.
  public init(_ identifier: String, allowsNumberingSystem: Bool = false) throws(PriceTagError) {
    tag = try LocaleTag(identifier, for: .price(allowsNumberingSystem: allowsNumberingSystem))
  }

  /// The tag.
  public var description: String { identifier }

  /// Whether both are the same locale and numbering system.
  public static func == (first: PriceLocale, second: PriceLocale) -> Bool {
    first.identifier == second.identifier
  }

  /// Hashes the tag.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension PriceLocale: Codable {
  /// Reads a BCP 47 tag; a numbering system that it names was written on purpose.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText { text throws(PriceTagError) in
      try PriceLocale(text, allowsNumberingSystem: true)
    }
  }

  /// Writes the tag.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(identifier)
  }
}
