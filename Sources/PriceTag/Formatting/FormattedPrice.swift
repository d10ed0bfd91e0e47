import CICU
import PriceTagText

/// A price formatted for a storefront: its text, parts, direction and spoken form.
///
///     let price = try PriceFormatter(storefront: Storefront("USA")).format("1234.50")
///     price.text        // "$1,234.50"
///     price.spoken      // "1,234.50 US dollars"
///     price.isolated    // "\u{2068}$1,234.50\u{2069}"
///     price.html        // "<bdi lang=\"en-US\" dir=\"ltr\">$1,234.50</bdi>"
///
/// The text is final: UI strings in any language insert it unchanged.
public struct FormattedPrice: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a part of the text.
  public enum PartType: String, Hashable, Sendable, CaseIterable, Codable {
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
    /// The thousands, millions, … of a compact notation, such as `K` or `Mio.`.
    case compact
    /// The mark of an approximate amount or of a minimum, such as `~` or `+`.
    case qualifier
    /// The unit of a unit price, such as `/kg`.
    case unit
    /// Any other text: spaces, brackets, direction marks, the dash of a range.
    case literal
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
  public enum Direction: String, Hashable, Sendable, Codable {
    /// Left to right.
    case leftToRight = "ltr"
    /// Right to left.
    case rightToLeft = "rtl"
  }

  /// The text of the price.
  public let text: String
  /// The amount before rounding. Of a range, the lower bound. Of a unit price, the rounded price per unit.
  public let amount: Amount
  /// The upper bound of a range before rounding; `nil` for a single price.
  public let upperAmount: Amount?

  let compiled: PriceFormatter.Compiled

  /// The formatter of this price. It also formats the prices that are derived from this one, such as totals.
  public var formatter: PriceFormatter { PriceFormatter(compiled: compiled) }

  /// The price locale. Its `dataLocale` is the CLDR locale whose data was used.
  public var locale: PriceLocale { compiled.locale }

  /// The amount that the text shows, after rounding if the style names a mode. Of a range, the lower bound.
  public var displayedAmount: Amount { displayed(amount) }

  private func displayed(_ amount: Amount) -> Amount {
    // The formatter displayed this amount before, so this does not throw.
    (try? formatter.displayed(amount)) ?? amount
  }

  /// The currency.
  public var currency: Currency { compiled.currency }

  /// The versions of PriceTag, ICU and CLDR that formatted the price. Of a price from a pack, those that wrote the pack.
  public var versions: Versions { compiled.pinned?.pack.writerVersions ?? .current }

  /// The parts of the text, in order. Together, they are the complete text.
  ///
  ///     price.parts.map(\.value)   // ["$", "1", ",", "234", ".", "50"]
  public var parts: [Part] {
    var parts: [Part] = []
    let bytes = Array(text.utf8)
    for field in fields where bytes.indices.contains(field.range.upperBound - 1) {
      parts.append(
        Part(type: field.type, value: String(decoding: bytes[field.range], as: UTF8.self), range: field.range)
      )
    }
    return parts
  }

  /// The types and ranges of the parts, without their text.
  package var partRanges: [(type: PartType, range: Range<Int>)] { fields.map { ($0.type, $0.range) } }

  private var fields: [ICUText.Field] {
    guard let upperAmount else { return compiled.backend.fields(of: displayedAmount) }
    return compiled.ranges?.icuText(displayedAmount, displayed(upperAmount))?.parts ?? []
  }

  /// The direction of the first strong character, or left-to-right without one.
  ///
  /// This is the direction that a first-strong isolate and `<bdi>` use too.
  public var direction: Direction {
    var text = text
    return text.withUTF8 { cicu_first_strong_direction($0.baseAddress, Int32($0.count)) } < 0
      ? .rightToLeft : .leftToRight
  }

  /// The price as a screen reader should speak it, with the currency's full name in the price locale's language.
  ///
  /// `$1.00` is spoken as `1.00 US dollars`, and `￥1,200` as `1,200円`.
  ///
  /// A pack may lack the spoken forms. The spoken form of a price from such a pack is its text; it never comes from ICU.
  /// ``PriceFormatter/hasSpokenForms`` tells packs with spoken forms from others.
  public var spoken: String {
    guard let formatter = formatter.spoken else { return text }
    let price: FormattedPrice? =
      if let upperAmount { try? formatter.format(from: amount, to: upperAmount) } else {
        try? formatter.format(amount)
      }
    return price?.text ?? text
  }

  /// The text between U+2068 FIRST STRONG ISOLATE and U+2069 POP DIRECTIONAL ISOLATE, for use in text of any direction.
  public var isolated: String { "\u{2068}\(text)\u{2069}" }

  /// The text as HTML: escaped, in a `<bdi>` element with its language and direction.
  public var html: String {
    "<bdi lang=\"\(locale)\" dir=\"\(direction.rawValue)\">\(escapedForHTML(text))</bdi>"
  }

  /// The text.
  public var description: String { text }

  /// Returns whether two prices have the same text, currency and locale.
  public static func == (first: FormattedPrice, second: FormattedPrice) -> Bool {
    first.text == second.text && first.currency == second.currency && first.locale == second.locale
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension CompiledPattern {
  /// Returns the fields of an amount's text, in UTF-8 offsets; `nil` if the pattern has no affixes for its plural category.
  func fields(of amount: Amount) -> [ICUText.Field]? {
    category(of: amount).flatMap { bytes.fields(of: amount, category: $0) }
  }
}

extension PatternBytes {
  /// Returns the fields of an amount with the affixes at an index of its variant; `nil` if there are none.
  func fields(of amount: Amount, category: Int) -> [ICUText.Field]? {
    var fields: [ICUText.Field] = []
    var end = 0
    let hasAffixes = forEachPart(of: amount, category: category) { kind, count in
      fields.append(ICUText.Field(type: FormattedPrice.PartType(kind), range: end..<end + count))
      end += count
    }
    return hasAffixes ? fields : nil
  }
}
