/// The locale in which a store writes its prices: a language and a territory, such as `de-CH` or `ar-EG`.
///
/// The price locale decides the separators, the digits, and the symbol and its position. The language of the UI strings
/// around a price is a separate choice and does not affect the price.
///
///     try PriceLocale("iw-IL").identifier    // "he-IL": resolves the alias
///     try PriceLocale("en-KW").dataLocale    // "en": ICU has no data for en-KW itself
///     try PriceLocale("xx-YY")               // throws: unknown locale "xx-YY" …
///
/// A locale is valid if ICU has data for its language and script, and CLDR has its territory. ICU itself accepts any
/// locale, and formats an unknown one with its root data or the process's default locale. Here, it is an error.
public struct PriceLocale: Hashable, Sendable, CustomStringConvertible {
  /// The canonical BCP 47 tag, such as `sr-Latn-RS` or `ar-EG-u-nu-latn`.
  public var identifier: String { tag.identifier }
  /// The tag of the CLDR locale whose data writes the price: `en` for `en-KW`, `zh-Hant-TW` for `zh-TW`.
  public var dataLocale: String { tag.dataLocale }
  /// The numbering system in the tag (`latn` in `ar-EG-u-nu-latn`); `nil` for the locale's own.
  public var numberingSystem: String? { tag.numberingSystem }
  /// The locale in ICU's spelling.
  var icuIdentifier: String { tag.icuIdentifier }
  /// The locale in ICU's spelling, without a numbering system.
  var icuIdentifierWithoutKeywords: String { String(tag.icuIdentifier.prefix { $0 != "@" }) }
  /// The territory, such as `US` or `419`; `nil` if the tag has none.
  package var region: String? { tag.region }

  private let tag: LocaleTag

  /// Creates a price locale from a BCP 47 tag. Case does not matter, and `_` is the same as `-`, as in ICU's spelling.
  ///
  /// - Parameters:
  ///   - identifier: The tag: a language, an optional script, and a territory.
  ///   - allowsNumberingSystem: Whether the tag may choose the digits with `-u-nu-…`. Any other extension is an error,
  ///     since it would change the price.
  /// - Throws: `.malformedLocale`, `.unknownLocale` or `.unexpectedExtension`, with the closest match if there is one.
  public init(_ identifier: String, allowsNumberingSystem: Bool = false) throws(PriceTagError) {
    tag = try LocaleTag(identifier, for: .price(allowsNumberingSystem: allowsNumberingSystem))
  }

  /// The tag.
  public var description: String { identifier }

  /// Returns whether two locales have the same tag, including the numbering system.
  public static func == (first: PriceLocale, second: PriceLocale) -> Bool {
    first.identifier == second.identifier
  }

  /// Hashes the tag.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension PriceLocale: Codable {
  /// Decodes a BCP 47 tag, which may have a numbering system.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText(#"write a BCP 47 tag, such as "ja-JP""#) { text throws(PriceTagError) in
      try PriceLocale(text, allowsNumberingSystem: true)
    }
  }

  /// Encodes the tag.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(identifier)
  }
}
