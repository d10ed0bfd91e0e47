import PriceTagText

extension PriceStyle: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case width, zeros, sign, digits, rounding, grouping
    case numberingSystem = "numbering"
    case notation, qualifier, writtenAs
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes an object of options, such as `{"width":"iso","digits":2}`.
  ///
  /// A missing option has its default. An unknown option is an error.
  public init(from decoder: any Decoder) throws {
    let options = CodingKeys.allCases.map(\.rawValue)
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !options.contains(key.stringValue) {
      let fix = didYouMean(closestMatch(to: key.stringValue, among: options), otherwise: "remove it")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath + [key],
          debugDescription: "unknown style option \(quoted(key.stringValue)); \(fix)"
        )
      )
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      width: try container.decodeIfPresent(Width.self, forKey: .width) ?? .standard,
      zeros: try container.decodeIfPresent(Zeros.self, forKey: .zeros) ?? .keep,
      sign: try container.decodeIfPresent(Sign.self, forKey: .sign) ?? .auto,
      digits: try container.decodeIfPresent(Digits.self, forKey: .digits) ?? .standard,
      rounding: try container.decodeIfPresent(RoundingMode.self, forKey: .rounding) ?? .exact,
      grouping: try container.decodeIfPresent(Grouping.self, forKey: .grouping) ?? .auto,
      numberingSystem: try container.decodeIfPresent(String.self, forKey: .numberingSystem),
      notation: try container.decodeIfPresent(Notation.self, forKey: .notation) ?? .standard,
      qualifier: try container.decodeIfPresent(Qualifier.self, forKey: .qualifier) ?? .none,
      writtenAs: try container.decodeIfPresent(WrittenAs.self, forKey: .writtenAs) ?? .icu
    )
  }

  /// Encodes an object of options. Grouping, the numbering system, notation, qualifier and the form are written only if they are
  /// not the default.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(width, forKey: .width)
    try container.encode(zeros, forKey: .zeros)
    try container.encode(sign, forKey: .sign)
    try container.encode(digits, forKey: .digits)
    try container.encode(rounding, forKey: .rounding)
    if grouping != .auto { try container.encode(grouping, forKey: .grouping) }
    try container.encodeIfPresent(numberingSystem, forKey: .numberingSystem)
    if notation != .standard { try container.encode(notation, forKey: .notation) }
    if qualifier != .none { try container.encode(qualifier, forKey: .qualifier) }
    if writtenAs != .icu { try container.encode(writtenAs, forKey: .writtenAs) }
  }
}

extension PriceStyle.WrittenAs: Codable, CustomStringConvertible {
  /// Creates a form from text: `icu`, `store-web`, or `store-web:` with the language of the page, such as `store-web:en`.
  ///
  /// - Throws: `.invalidOption` for any other text.
  public init(_ text: String) throws(PriceTagError) {
    if text == "icu" {
      self = .icu
      return
    }
    let parts = text.utf8.count <= 64 ? text.split(separator: ":", omittingEmptySubsequences: false) : []
    guard parts.first == "store-web", parts.count <= 2 else {
      throw PriceTagError(
        .invalidOption,
        "\(quoted(text)) is not a form",
        fix: "use icu, store-web, or store-web: with the language of the page, such as store-web:en"
      )
    }
    do throws(PriceTagError) {
      self = .storeWeb(language: parts.count == 2 ? try PriceLocale(String(parts[1])).identifier : nil)
    } catch { throw PriceTagError(.invalidOption, error.problem, fix: error.fix) }
  }

  /// The text that `init(_:)` accepts.
  public var description: String {
    switch self {
    case .icu: "icu"
    case .storeWeb(let language): language.map { "store-web:\($0)" } ?? "store-web"
    }
  }

  /// Decodes the text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText(
      #"write "icu", "store-web" or "store-web:en""#,
      PriceStyle.WrittenAs.init(_:)
    )
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}

extension PriceStyle.Digits: Codable, CustomStringConvertible {
  /// Creates digits from text: `standard`, `cash`, `minor-units`, a number from 0 to 18, or a range such as `0-2`.
  ///
  /// - Throws: `.invalidOption` for any other text.
  public init(_ text: String) throws(PriceTagError) {
    switch text {
    case "standard": self = .standard
    case "cash": self = .cash
    case "minor-units": self = .minorUnits
    default:
      let bounds = text.utf8.count <= 5 ? text.split(separator: "-", omittingEmptySubsequences: false) : []
      let numbers = bounds.compactMap(Self.number)
      guard numbers.count == bounds.count, let lower = numbers.first, let upper = numbers.last,
        numbers.count <= 2, lower <= upper
      else {
        throw PriceTagError(
          .invalidOption,
          "\(quoted(text)) is not a valid number of digits",
          fix:
            "use standard, cash, minor-units, a number from 0 to \(Amount.maximumScale) or a range such as 0-2"
        )
      }
      self = Self.range(lower...upper).normalized
    }
  }

  /// Returns a number of digits, written with one or two digits; `nil` if the text is not such a number.
  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.count <= 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      PriceStyle.fractionDigits.contains(number)
    else { return nil }
    return number
  }

  /// The same digits, with a fixed number instead of a range of one number.
  var normalized: Self {
    if case .range(let range) = self, range.count == 1 { return .fixed(range.lowerBound) }
    return self
  }

  /// The text that `init(_:)` accepts.
  public var description: String {
    switch normalized {
    case .standard: "standard"
    case .cash: "cash"
    case .minorUnits: "minor-units"
    case .fixed(let digits): String(digits)
    case .range(let range): "\(range.lowerBound)-\(range.upperBound)"
    }
  }

  /// Decodes the text, or a number.
  public init(from decoder: any Decoder) throws {
    if let digits = try? decoder.singleValueContainer().decode(Int.self),
      PriceStyle.fractionDigits.contains(digits)
    {
      self = .fixed(digits)
    } else {
      let instruction =
        #"write "standard", "cash", "minor-units", a number from 0 to 18 or a range such as "0-2""#
      self = try decoder.valueFromText(instruction, PriceStyle.Digits.init(_:))
    }
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}
