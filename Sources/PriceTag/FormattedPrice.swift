import CICU
import PriceTagText

/// A price as text: finished, and with all that is known of it.
///
///     let price = try PriceFormatter(storefront: Storefront("USA")).format("1234.50")
///     price.text        // "$1,234.50"
///     price.spoken      // "1,234.50 US dollars"
///     price.isolated    // "\u{2068}$1,234.50\u{2069}"
///     price.html        // "<bdi lang=\"en-US\" dir=\"ltr\">$1,234.50</bdi>"
///
/// A language of words around the price never changes it: it takes the text as it is.
public struct FormattedPrice: Hashable, Sendable, CustomStringConvertible {
  /// What a piece of the text is.
  public enum PartType: String, Hashable, Sendable, CaseIterable, Codable {
    /// The currency's symbol, code or name.
    case symbol
    /// Digits before the decimal separator, of one group.
    case integer
    /// A separator of groups.
    case group
    /// The decimal separator.
    case decimal
    /// Digits after the decimal separator.
    case fraction
    /// A minus or plus sign.
    case sign
    /// Anything else: spaces, brackets, marks of direction, the dash of a range.
    case literal
  }

  /// A piece of the text.
  public struct Part: Hashable, Sendable {
    /// What it is.
    public let type: PartType
    /// The piece itself.
    public let value: String
    /// Where it stands in the text, in UTF-8 bytes.
    public let range: Range<Int>
  }

  /// Which way text runs.
  public enum Direction: String, Hashable, Sendable, Codable {
    /// Left to right.
    case leftToRight = "ltr"
    /// Right to left.
    case rightToLeft = "rtl"
  }

  /// The price as its store writes it.
  public let text: String
  /// The amount that was given; the lower one of a range. What is displayed of it may be rounded.
  public let amount: Amount
  /// The upper amount of a range; `nil` for one price.
  public let upperAmount: Amount?

  let compiled: PriceFormatter.Compiled

  /// The formatter that wrote it. A price derived from this one (per month, for three) is written by the same one.
  public var formatter: PriceFormatter { PriceFormatter(compiled: compiled) }

  /// The locale it is written in; its `dataLocale` is the CLDR locale whose data was used.
  public var locale: PriceLocale { compiled.locale }

  /// The amount that the text shows, after rounding where the style names a mode; the lower one of a range.
  public var displayedAmount: Amount { displayed(amount) }

  private func displayed(_ amount: Amount) -> Amount {
    // It was displayed once, so it can be again.
    (try? formatter.displayed(amount)) ?? amount
  }

  /// Its currency.
  public var currency: Currency { compiled.currency }

  /// The versions of ICU and CLDR that it was learned from.
  public var versions: Versions { .current }

  /// The text piece by piece, in order; together the pieces are the text.
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

  /// The pieces by their places alone.
  package var partRanges: [(type: PartType, range: Range<Int>)] { fields.map { ($0.type, $0.range) } }

  private var fields: [ICUText.Field] {
    if upperAmount == nil, let fields = compiled.stamp?.fields(of: displayedAmount) { return fields }
    let text =
      upperAmount.map { ICUNumberFormatter.formatRange(displayedAmount, displayed($0), compiled.options) }
      ?? (compiled.icu ?? ICUNumberFormatter(compiled.options))?.format(displayedAmount)
    return text?.parts ?? []
  }

  /// The direction of the first strong character, left-to-right where there is none: what a first-strong isolate
  /// and `<bdi>` find out too.
  public var direction: Direction {
    var text = text
    return text.withUTF8 { cicu_first_strong_direction($0.baseAddress, Int32($0.count)) } < 0
      ? .rightToLeft : .leftToRight
  }

  /// The price for the ear: with the currency's full name, in the price locale's language.
  ///
  /// `1.00 US dollars` for `$1.00`; `1,200円` for `￥1,200`.
  public var spoken: String {
    guard let formatter = formatter.spoken else { return text }
    let price: FormattedPrice? =
      if let upperAmount { try? formatter.format(from: amount, to: upperAmount) } else {
        try? formatter.format(amount)
      }
    return price?.text ?? text
  }

  /// The text between U+2068 FIRST STRONG ISOLATE and U+2069 POP DIRECTIONAL ISOLATE, to be put into text of any
  /// direction.
  public var isolated: String { "\u{2068}\(text)\u{2069}" }

  /// The text in a `<bdi>` element with language and direction, escaped for HTML.
  public var html: String {
    "<bdi lang=\"\(locale)\" dir=\"\(direction.rawValue)\">\(escapedForHTML(text))</bdi>"
  }

  /// The text.
  public var description: String { text }

  /// Whether both are the same text of the same currency and locale.
  public static func == (first: FormattedPrice, second: FormattedPrice) -> Bool {
    first.text == second.text && first.currency == second.currency && first.locale == second.locale
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension PriceStamp {
  /// The pieces of an amount's text, in UTF-8 offsets; `nil` where its plural was never learned.
  func fields(of amount: Amount) -> [ICUText.Field]? {
    let shape = shape(of: amount)
    guard let category = category(of: amount), let both = shape.affixes[category] else { return nil }
    let integer = amount.coefficient.magnitude / UInt64(powersOfTen[amount.scale])
    let affixes = amount.isNegative ? both.negative : both.positive

    var fields: [ICUText.Field] = []
    var end = 0
    func append(_ type: FormattedPrice.PartType, _ count: Int) {
      if count > 0 { fields.append(ICUText.Field(type: type, range: end..<end + count)) }
      end += count
    }
    for part in affixes.prefixParts { append(part.type, part.count) }
    let digitLength = number.digits.first?.count ?? 1
    for (index, count) in groups(of: String(integer).utf8.count).enumerated() {
      if index > 0 { append(.group, number.group.count) }
      append(.integer, count * digitLength)
    }
    if shape.fractionDigits > 0 {
      append(number.decimalType, number.decimal.count)
      append(.fraction, shape.fractionDigits * digitLength)
    }
    for part in affixes.suffixParts { append(part.type, part.count) }
    return fields
  }

  /// The sizes of an integer's groups, from the left.
  private func groups(of digits: Int) -> [Int] {
    guard digits >= number.fewestGroupedDigits else { return [digits] }
    var left = digits - number.primaryGroup
    var groups = [number.primaryGroup]
    while left > 0 {
      groups.insert(min(left, number.secondaryGroup), at: 0)
      left -= number.secondaryGroup
    }
    return groups
  }
}
