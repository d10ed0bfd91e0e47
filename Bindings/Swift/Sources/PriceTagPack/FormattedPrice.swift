/// A formatted price: its text, parts, direction and spoken form.
///
///     let price = try PriceFormatter(storefront: "USA").format(Amount(decimal: "1234.50"))
///     price.text                 // "$1,234.50"
///     price.spoken               // "1,234.50 US dollars"
///     price.parts.map(\.value)   // ["$", "1", ",", "234", ".", "50"]
public struct FormattedPrice: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a part of the text.
  public enum PartType: String, Hashable, Sendable, CaseIterable {
    /// Any other text: spaces, brackets, direction marks.
    case literal
    /// The currency's symbol, code or name.
    case symbol
    /// The digits of one group before the decimal separator.
    case integer
    /// A group separator.
    case group
    /// The decimal separator.
    case decimal
    /// The digits after the decimal separator.
    case fraction
    /// A minus or plus sign.
    case sign
    /// The thousands, millions, … of a compact notation.
    case compact
    /// The mark of an approximate amount or of a minimum, such as `~` or `+`.
    case qualifier
    /// The unit of a unit price, such as `/kg`.
    case unit
  }

  /// A part of the text, such as the symbol or the fraction.
  public struct Part: Hashable, Sendable {
    /// The kind of the part.
    public let type: PartType
    /// The text of the part.
    public let value: String
    /// The place of the part in the complete text, in UTF-8 bytes.
    public let range: Range<Int>
  }

  /// The direction of text.
  public enum Direction: String, Hashable, Sendable {
    /// Left to right.
    case leftToRight = "ltr"
    /// Right to left.
    case rightToLeft = "rtl"
  }

  /// The text of the price.
  public let text: String
  /// The amount before rounding.
  public let amount: Amount
  /// The amount that the text shows, after rounding if the style names a mode.
  public let displayedAmount: Amount
  /// The formatter of this price.
  public let formatter: PriceFormatter
  let pattern: PatternBytes

  /// The parts of the text, in order. Together, they are the complete text.
  public var parts: [Part] {
    let bytes = Array(text.utf8)
    var parts: [Part] = []
    var end = 0
    let category = pattern.category(of: displayedAmount)
    _ = pattern.forEachPart(of: displayedAmount, category: category) { kind, count in
      let range = end..<min(end + count, bytes.count)
      let type = PartType.allCases[Int(kind.rawValue)]
      parts.append(Part(type: type, value: String(decoding: bytes[range], as: UTF8.self), range: range))
      end = range.upperBound
    }
    return parts
  }

  /// The direction of the first strong character, or left-to-right without one.
  public var direction: Direction {
    let direction = pattern.direction(of: displayedAmount, category: pattern.category(of: displayedAmount))
    return direction == .rightToLeft ? .rightToLeft : .leftToRight
  }

  /// The price as a screen reader should speak it, with the currency's full name in the price locale's language.
  ///
  /// A pack may lack the spoken forms; then this is the text. ``PriceFormatter/hasSpokenForms`` tells them apart.
  public var spoken: String {
    do throws(PriceTagError) { return try formatter.spokenText(of: amount) ?? text } catch { return text }
  }

  /// The text between U+2068 FIRST STRONG ISOLATE and U+2069 POP DIRECTIONAL ISOLATE, for use in text of any direction.
  public var isolated: String { "\u{2068}\(text)\u{2069}" }

  /// The text.
  public var description: String { text }

  /// Returns whether two prices have the same text, currency and locale.
  public static func == (first: FormattedPrice, second: FormattedPrice) -> Bool {
    first.text == second.text && first.formatter.currency == second.formatter.currency
      && first.formatter.locale == second.formatter.locale
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
