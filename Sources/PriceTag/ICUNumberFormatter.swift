import CICU

/// The options of ICU's number formatter: a locale, a currency or another unit, and the style.
struct ICUNumberOptions: Sendable {
  enum Unit: Sendable {
    case currency(String)
    case none, percent
    case period(SubscriptionPeriod.Unit)
  }

  let locale: String
  let unit: Unit
  var symbol: String?
  var width = PriceStyle.Width.standard
  var sign = PriceStyle.Sign.auto
  var grouping = PriceStyle.Grouping.auto
  /// The minimum number of fraction digits; `nil` if it is the same as `fractionDigits`, the maximum.
  var minimumFractionDigits: Int?
  let fractionDigits: Int
  var trimsZeroFraction = false
  /// The merchant's separators, which replace CLDR's.
  var separators = PriceSeparators()

  /// A Boolean value that indicates whether the text has words whose plural form depends on the number.
  var takesPlural: Bool {
    switch unit {
    case .currency: width == .name
    case .period: true
    case .none, .percent: false
    }
  }

  func withCOptions<Answer>(_ body: (inout CICUNumberOptions) -> Answer) -> Answer {
    locale.withCString { locale in
      currencyCode.withCString { currency in
        (symbol ?? "").withCString { symbolText in
          var options = CICUNumberOptions(
            locale: locale,
            unit: cUnit,
            currency: currency,
            symbol: symbol == nil ? nil : symbolText,
            width: cWidth,
            sign: cSign,
            grouping: cGrouping,
            minimumFractionDigits: Int32(minimumFractionDigits ?? fractionDigits),
            fractionDigits: Int32(fractionDigits),
            trimsZeroFraction: trimsZeroFraction
          )
          return body(&options)
        }
      }
    }
  }

  private var currencyCode: String {
    if case .currency(let code) = unit { return code }
    return ""
  }

  private var cUnit: CICUUnit {
    switch unit {
    case .currency: CICUUnitCurrency
    case .none: CICUUnitNone
    case .percent: CICUUnitPercent
    case .period(.day): CICUUnitDay
    case .period(.week): CICUUnitWeek
    case .period(.month): CICUUnitMonth
    case .period(.year): CICUUnitYear
    }
  }

  private var cWidth: CICUWidth {
    switch width {
    case .standard: CICUWidthStandard
    case .narrow: CICUWidthNarrow
    case .iso: CICUWidthISO
    case .name: CICUWidthName
    case .hidden: CICUWidthHidden
    case .formal: CICUWidthFormal
    case .variant: CICUWidthVariant
    // The formatter has already chosen between the symbol and the code.
    case .unambiguous: CICUWidthStandard
    }
  }

  private var cSign: CICUSign {
    switch sign {
    case .auto: CICUSignAuto
    case .accounting: CICUSignAccounting
    case .always: CICUSignAlways
    case .never: CICUSignNever
    case .exceptZero: CICUSignExceptZero
    case .accountingAlways: CICUSignAccountingAlways
    case .accountingExceptZero: CICUSignAccountingExceptZero
    case .negative: CICUSignNegative
    case .accountingNegative: CICUSignAccountingNegative
    }
  }

  private var cGrouping: CICUGrouping {
    switch grouping {
    case .auto: CICUGroupingAuto
    case .always: CICUGroupingAlways
    case .min2: CICUGroupingMin2
    case .never: CICUGroupingNever
    }
  }
}

/// A text that ICU wrote, with the fields that ICU reported, in order.
struct ICUText {
  struct Field {
    let type: FormattedPrice.PartType
    /// The place of the field in UTF-8.
    let range: Range<Int>
  }

  let utf8: [UInt8]
  let fields: [Field]

  /// Calls a function that fills a C structure; returns `nil` if the function returns false.
  init?(filledBy fill: (UnsafeMutablePointer<CICUText>) -> Bool) {
    let filled = withUnsafeTemporaryAllocation(of: CICUText.self, capacity: 1) {
      buffer -> (utf8: [UInt8], fields: [Field])? in
      guard let text = buffer.baseAddress, fill(text) else { return nil }
      let utf8 = withUnsafeBytes(of: &text.pointee.utf8) { Array($0.prefix(Int(text.pointee.length))) }
      let count = Int(text.pointee.fieldCount)
      let fields = withUnsafeBytes(of: &text.pointee.fields) { bytes in
        bytes.bindMemory(to: CICUField.self).prefix(count).compactMap { field -> Field? in
          guard field.start >= 0, field.start < field.end else { return nil }
          return Field(type: Self.type(of: field.kind), range: Int(field.start)..<Int(field.end))
        }
      }
      return (utf8, fields)
    }
    guard let filled else { return nil }
    (utf8, fields) = filled
  }

  private static func type(of kind: CICUFieldKind) -> FormattedPrice.PartType {
    switch kind {
    case CICUFieldInteger: .integer
    case CICUFieldGroup: .group
    case CICUFieldDecimal: .decimal
    case CICUFieldFraction: .fraction
    case CICUFieldSign: .sign
    default: .symbol
    }
  }

  /// Returns the text with a merchant's separators instead of ICU's.
  func replacing(_ separators: PriceSeparators) -> ICUText {
    if separators.isEmpty { return self }
    var replaced: [UInt8] = []
    var newFields: [Field] = []
    let parts = parts
    for (index, part) in parts.enumerated() {
      let start = replaced.count
      let bytes = utf8[part.range]
      // The text between the integer and the fraction is the decimal separator, whatever ICU calls it.
      let isDecimal =
        index > 0 && index + 1 < parts.count && parts[index - 1].type == .integer
        && parts[index + 1].type == .fraction
      if isDecimal, let decimal = separators.decimal {
        replaced += decimal.utf8
      } else if part.type == .group, let group = separators.group {
        replaced += group.utf8
      } else if let space = separators.space, isSpaceBesideSymbol(index, parts) {
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
          let isSpace = scalar.properties.generalCategory == .spaceSeparator
          replaced += isSpace ? Array(space.utf8) : Array(String(scalar).utf8)
        }
      } else {
        replaced += bytes
      }
      if part.type != .literal, start < replaced.count {
        newFields.append(Field(type: part.type, range: start..<replaced.count))
      }
    }
    return ICUText(utf8: replaced, fields: newFields)
  }

  /// Returns whether a part is beside the symbol and has only spaces and direction marks.
  private func isSpaceBesideSymbol(_ index: Int, _ parts: [Field]) -> Bool {
    let isBeside = [index - 1, index + 1].contains { parts.indices.contains($0) && parts[$0].type == .symbol }
    guard parts[index].type == .literal, isBeside else { return false }
    let text = String(decoding: utf8[parts[index].range], as: UTF8.self)
    return text.unicodeScalars.allSatisfy {
      [.spaceSeparator, .format].contains($0.properties.generalCategory)
    }
  }

  /// A Boolean value that indicates whether groups and the fraction have the same separator, which would be ambiguous.
  var hasAmbiguousSeparator: Bool {
    let parts = parts
    guard let group = parts.first(where: { $0.type == .group }),
      let fraction = parts.firstIndex(where: { $0.type == .fraction }), fraction > 0
    else { return false }
    return utf8[group.range].elementsEqual(utf8[parts[fraction - 1].range])
  }

  private init(utf8: [UInt8], fields: [Field]) {
    (self.utf8, self.fields) = (utf8, fields)
  }

  /// The fields, with the text between them as literals. Every byte of the text is in exactly one part.
  var parts: [Field] {
    var parts: [Field] = []
    var end = 0
    for field in fields {
      if field.range.lowerBound > end {
        parts.append(Field(type: .literal, range: end..<field.range.lowerBound))
      }
      // Skips a field inside the previous one.
      if field.range.lowerBound < end { continue }
      parts.append(field)
      end = field.range.upperBound
    }
    if end < utf8.count { parts.append(Field(type: .literal, range: end..<utf8.count)) }
    return parts
  }
}

/// ICU's number formatter. Patterns are compiled from its output, and it formats what no pattern can reproduce.
///
/// Sendable notes: ICU's LocalizedNumberFormatter is immutable and documented as safe to share.
final class ICUNumberFormatter: @unchecked Sendable {
  private let formatter: OpaquePointer
  private let separators: PriceSeparators

  init?(_ options: ICUNumberOptions) {
    guard let formatter = options.withCOptions({ cicu_number_open(&$0) }) else { return nil }
    self.formatter = formatter
    separators = options.separators
  }

  deinit {
    cicu_number_close(formatter)
  }

  /// Returns the text of an amount that has no more digits than the options display; `nil` if ICU fails.
  func format(_ amount: Amount) -> ICUText? {
    ICUText { text in
      withDecimal(amount) { cicu_number_format(formatter, $0, $1, true, text) }
    }?.replacing(separators)
  }

  /// Returns whether ICU writes an amount as these bytes.
  func writes(_ amount: Amount, as expected: UnsafeBufferPointer<UInt8>) -> Bool {
    if !separators.isEmpty { return format(amount)?.utf8.elementsEqual(expected) ?? false }
    return withUnsafeTemporaryAllocation(of: CICUText.self, capacity: 1) { buffer in
      guard let text = buffer.baseAddress,
        withDecimal(amount, { cicu_number_format(formatter, $0, $1, false, text) })
      else { return false }
      return withUnsafeBytes(of: &text.pointee.utf8) {
        $0.prefix(Int(text.pointee.length)).elementsEqual(expected)
      }
    }
  }

  /// Returns the text of a range of two amounts; `nil` if ICU fails.
  static func formatRange(_ low: Amount, _ high: Amount, _ options: ICUNumberOptions) -> ICUText? {
    ICUText { text in
      options.withCOptions { options in
        withDecimal(low) { low, lowLength in
          withDecimal(high) { high, highLength in
            cicu_range_format(&options, low, lowLength, high, highLength, text)
          }
        }
      }
    }?.replacing(options.separators)
  }
}

/// Calls a function with the decimal text of an amount.
private func withDecimal<Answer>(_ amount: Amount, _ body: (UnsafePointer<UInt8>, Int32) -> Answer) -> Answer
{
  var text = amount.description
  return text.withUTF8 { buffer in
    // A description has at least one digit.
    guard let start = buffer.baseAddress else { return body([0x30], 1) }
    return body(start, Int32(buffer.count))
  }
}
