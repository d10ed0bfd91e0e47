import PriceTagText

/// The content of a product: a quantity in a unit, and the number of packages of a multipack.
///
///     try ProductContent("0.75 L")        // 0.75 L
///     try ProductContent("6 x 330ml")     // 6 × 330 mL
///     try ProductContent("12 pieces")     // 12 piece
///     try ProductContent("0,75 l")        // throws: "0,75 l" contains a comma; …
///
/// Two contents are equal if count, quantity and unit are: `0.750 L` equals `0.75 L`, but not `750 mL`.
public struct ProductContent: Hashable, Sendable, CustomStringConvertible {
  /// The number of packages: 6 for `6 × 330 mL`, otherwise 1.
  public let count: Int
  /// The quantity in one package, above zero and without zeros at the end of its fraction: 330 for `6 × 330 mL`.
  public let quantity: Amount
  /// The unit of the quantity.
  public let unit: ContentUnit

  /// The maximum number of packages.
  private static let maximumCount = 1_000_000
  /// The maximum quantity.
  private static let maximumQuantity: Amount = 1_000_000_000
  /// The maximum number of decimals of a quantity.
  private static let maximumScale = 9
  /// The maximum length of a content's text, in bytes.
  private static let maximumTextLength = 64

  /// Creates a content of a quantity in each of a number of packages.
  ///
  ///     try ProductContent(count: 6, quantity: 330, unit: .milliliter)   // 6 × 330 mL
  ///
  /// - Parameters:
  ///   - count: The number of packages, 1 to 1,000,000.
  ///   - quantity: The quantity in a package: above zero, at most 1,000,000,000, with at most 9 decimals. A number of
  ///     pieces has no decimals.
  ///   - unit: The unit.
  /// - Throws: `.malformedContent` if a number is outside its range.
  public init(count: Int = 1, quantity: Amount, unit: ContentUnit) throws(PriceTagError) {
    let quantity = quantity.normalized
    guard (1...Self.maximumCount).contains(count) else {
      throw PriceTagError(
        .malformedContent,
        "the count \(count) of a content is outside 1...\(Self.maximumCount)",
        fix: "write the number of packages, such as 6 × 330 mL"
      )
    }
    guard quantity > .zero, quantity <= Self.maximumQuantity, quantity.scale <= Self.maximumScale else {
      throw PriceTagError(
        .malformedContent,
        "the quantity \(quantity) of a content is out of range",
        fix:
          "write a number above 0, at most \(Self.maximumQuantity), with at most \(Self.maximumScale) decimals"
      )
    }
    guard unit != .piece || quantity.scale == 0 else {
      throw PriceTagError(
        .malformedContent,
        "the number of pieces \(quantity) has decimals",
        fix: "write an integer, such as 12 pieces"
      )
    }
    (self.count, self.quantity, self.unit) = (count, quantity, unit)
  }

  /// Creates a content from text: a quantity with a unit, with an optional number of packages before it.
  ///
  ///     try ProductContent("6 × 330 mL")   // also 6x330ml, 6 * 330 ml
  ///     try ProductContent("250g")
  ///     try ProductContent("12")           // 12 pieces
  ///
  /// Spaces, also no-break spaces, may stand around each part. Numbers have ASCII digits, a decimal point and no group
  /// separators. ``ContentUnit`` lists the units. Liters may be written `L` or `l`. `m2` and `m3` are accepted for `m²`
  /// and `m³`, and `pc` and `pieces` for `piece`.
  ///
  /// - Throws: `.malformedContent` for any other text, and for a number outside the range of
  ///   ``init(count:quantity:unit:)``.
  public init(_ text: String) throws(PriceTagError) {
    guard text.utf8.count <= Self.maximumTextLength else {
      throw PriceTagError(
        .malformedContent,
        "the content \(quoted(text)) is longer than \(Self.maximumTextLength) bytes",
        fix: "write a quantity and a unit, such as 0.75 L"
      )
    }
    var reader = ContentTextReader(text)
    let first = try reader.number().normalized
    var count = 1
    var quantity = first
    if reader.skipMultiplicationSign() {
      guard first.scale == 0, let number = Int(exactly: first.coefficient) else {
        throw reader.malformed("the count \(first) of the content \(quoted(text)) has decimals")
      }
      count = number
      quantity = try reader.number()
    }
    try self.init(count: count, quantity: quantity, unit: try reader.unit())
  }

  /// The canonical text, such as `6 × 330 mL`. ``init(_:)`` accepts it.
  public var description: String {
    "\(count == 1 ? "" : "\(count) × ")\(quantity) \(unit.rawValue)"
  }

  /// The reference of the unit price if the caller names none; see ``UnitPriceReference/default(for:)``.
  public var defaultReference: UnitPriceReference { .default(for: unit) }
}

extension ProductContent: Codable {
  /// Decodes a text, such as `"6 × 330 mL"`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText(#"write a content, such as "250 g""#, ProductContent.init(_:))
  }

  /// Encodes the canonical text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}

/// Reads numbers, multiplication signs and units from the text of a content or of a reference.
struct ContentTextReader {
  private let text: String
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    self.text = text
    rest = text[...].unicodeScalars
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    // The no-break spaces are those that texts put between a number and its unit.
    scalar == " " || scalar == "\u{A0}" || scalar == "\u{202F}" || scalar == "\u{2009}"
  }

  private mutating func skipSpaces() {
    while let first = rest.first, Self.isSpace(first) { rest.removeFirst() }
  }

  /// A Boolean value that indicates whether a number is next.
  var startsWithDigit: Bool {
    rest.first { !Self.isSpace($0) }.map { ("0"..."9").contains($0) } ?? false
  }

  /// Reads a number without a sign.
  mutating func number() throws(PriceTagError) -> Amount {
    skipSpaces()
    let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
    guard !digits.isEmpty else {
      if let digit = rest.first, digit.properties.numericType == .decimal {
        throw malformed("\(quoted(text)) contains \(quoted(String(digit))), which is not an ASCII digit")
      }
      throw malformed(
        text.isEmpty ? "the content is empty" : "\(quoted(text)) has no quantity where one is expected"
      )
    }
    guard !digits.contains(",") else {
      throw PriceTagError(
        .malformedContent,
        "\(quoted(text)) contains a comma",
        fix: "write a decimal point and no group separators, such as 0.75 L"
      )
    }
    guard let number = try? Amount(decimal: String(digits)) else {
      throw malformed("\(quoted(String(digits))) in \(quoted(text)) is not a decimal number")
    }
    rest = rest[digits.endIndex...]
    return number
  }

  /// Reads a multiplication sign if it is next, and returns whether it was.
  mutating func skipMultiplicationSign() -> Bool {
    skipSpaces()
    guard let sign = rest.first, sign == "×" || sign == "x" || sign == "X" || sign == "*" else {
      return false
    }
    rest.removeFirst()
    return true
  }

  /// Reads the unit at the end of the text. Without one, the unit is the piece.
  mutating func unit() throws(PriceTagError) -> ContentUnit {
    let words = rest.split(whereSeparator: Self.isSpace).map { String($0) }
    rest = text[text.endIndex...].unicodeScalars
    let spelling = words.joined(separator: " ")
    if spelling.isEmpty { return .piece }
    if let unit = ContentUnit.unit(spelled: spelling) { return unit }
    throw PriceTagError(
      .malformedContent,
      "\(quoted(spelling)) in \(quoted(text)) is not a unit",
      fix: ContentUnit.closestMatch(to: spelling).map { "did you mean \"\($0.rawValue)\"?" }
        ?? "use one of \(ContentUnit.names)"
    )
  }

  func malformed(_ problem: String) -> PriceTagError {
    PriceTagError(
      .malformedContent,
      problem,
      fix: "write a quantity and a unit, such as 0.75 L or 6 × 330 mL"
    )
  }
}
