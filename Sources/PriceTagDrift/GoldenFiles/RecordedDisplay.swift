import PriceTag
import PriceTagCatalog
import PriceTagText

/// The display of a product in a storefront and a UI language: one line of a golden file.
public struct RecordedDisplay: Hashable, Sendable {
  /// A field of a line.
  public enum Field: String, Hashable, Sendable, CaseIterable, Codable {
    /// The product's identifier.
    case product
    /// The storefront's identifier.
    case storefront
    /// The UI language, BCP 47.
    case language
    /// The exact amount, decimal.
    case amount
    /// The ISO 4217 code.
    case currency
    /// The price locale, BCP 47.
    case locale
    /// The formatted price.
    case display
    /// The spoken form of the price.
    case spoken
    /// The product's name in the language that the store shows.
    case name
    /// The product's description in that language.
    case description
    /// The message with the price of a subscription, with bidi isolates.
    case subscription
    /// The messages of the offers, with bidi isolates, one per line.
    case offers
  }

  /// The product's identifier.
  public let productIdentifier: String
  /// The storefront's identifier.
  public let storefront: String
  /// The UI language, BCP 47.
  public let language: String
  /// The exact amount.
  public let amount: Amount
  /// The ISO 4217 code.
  public let currency: String
  /// The price locale, BCP 47.
  public let priceLocale: String
  /// The formatted price.
  public let display: String
  /// The spoken form of the price.
  public let spoken: String
  /// The product's name; empty if it has none.
  public let name: String
  /// The product's description; empty if it has none.
  public let description: String
  /// The message with the price of a subscription, with bidi isolates; empty for other products.
  public let subscription: String
  /// The messages of the offers, with bidi isolates, one per line.
  public let offers: String

  init(_ product: Product, spoken: String, storefront: String, language: String) {
    productIdentifier = product.identifier
    (self.storefront, self.language, self.spoken) = (storefront, language, spoken)
    amount = product.price.amount
    currency = product.price.currency.code
    priceLocale = product.price.locale.identifier
    display = product.price.text
    name = product.text?.name ?? ""
    description = product.text?.description ?? ""
    subscription = product.subscription?.priceText?.isolated ?? ""
    offers = product.offers.map(\.text.isolated).joined(separator: "\n")
  }

  /// The text of a field.
  public subscript(field: Field) -> String {
    switch field {
    case .product: productIdentifier
    case .storefront: storefront
    case .language: language
    case .amount: amount.description
    case .currency: currency
    case .locale: priceLocale
    case .display: display
    case .spoken: spoken
    case .name: name
    case .description: description
    case .subscription: subscription
    case .offers: offers
    }
  }

  /// Returns whether two displays have the same bytes. Texts that differ only in Unicode normalization are not equal.
  public static func == (first: RecordedDisplay, second: RecordedDisplay) -> Bool {
    first.line.utf8.elementsEqual(second.line.utf8)
  }

  /// Hashes the product, the storefront, and the language.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(productIdentifier)
    hasher.combine(storefront)
    hasher.combine(language)
  }

  // MARK: Lines

  /// The line of a golden file without its line feed: tab-separated fields with invisible characters escaped.
  ///
  /// A tab keeps fields of either direction in order on the screen (UAX #9, rule L1).
  public var line: String { Field.allCases.map { escapedForGoldenFile(self[$0]) }.joined(separator: "\t") }

  /// Parses a line of a golden file.
  ///
  /// - Throws: `.malformedLine` for another number of fields, an invalid escape sequence, or an invalid amount.
  public init(line: String) throws(DriftError) {
    let allFields = Field.allCases
    var fields: [String] = []
    // The line is split by bytes because a combining mark after a tab would form one Character with it.
    for field in line.utf8.split(separator: 0x09, omittingEmptySubsequences: false) {
      fields.append(try unescapedFromGoldenFile(Substring(field)))
    }
    // An editor may have stripped empty fields at the end of the line.
    while fields.count < allFields.count, fields.count > 7 { fields.append("") }
    guard fields.count == allFields.count else {
      throw DriftError(
        .malformedLine,
        isConflictMarker(line)
          ? "the line is a merge conflict marker"
          : "the line has \(counted(fields.count, "field")) instead of \(allFields.count)",
        fix: "record the golden file again"
      )
    }
    for (field, text) in zip(allFields.prefix(7), fields) where text.isEmpty {
      throw DriftError(
        .malformedLine,
        "the field \(quoted(field.rawValue)) is empty",
        fix: "record the golden file again"
      )
    }
    do throws(PriceTagError) { amount = try Amount(decimal: fields[3]) } catch {
      throw DriftError(.malformedLine, error).at("field amount")
    }
    (productIdentifier, storefront, language) = (fields[0], fields[1], fields[2])
    (currency, priceLocale, display, spoken) = (fields[4], fields[5], fields[6], fields[7])
    (name, description, subscription, offers) = (fields[8], fields[9], fields[10], fields[11])
  }
}

/// Returns a text as a field of a golden file: invisible characters become `\u{A0}`, a line feed `\n`, a backslash `\\`.
func escapedForGoldenFile(_ text: String) -> String {
  if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) { return text }
  var line = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": line += "\\\\"
    case "\n": line += "\\n"
    case "\t": line += "\\t"
    default: line += escaped(scalar)
    }
  }
  return line
}

/// Returns the text of an escaped field of a golden file.
func unescapedFromGoldenFile(_ field: Substring) throws(DriftError) -> String {
  if !field.utf8.contains(UInt8(ascii: "\\")) { return String(field) }
  func invalidEscape() -> DriftError {
    DriftError(
      .malformedLine,
      "\(quoted(field)) has an invalid escape sequence",
      fix: #"write \\ for a backslash, \n, \t, or \u{A0}"#
    )
  }
  var text = String.UnicodeScalarView()
  var rest = field.unicodeScalars
  while let scalar = rest.popFirst() {
    guard scalar == "\\" else {
      text.append(scalar)
      continue
    }
    switch rest.popFirst() {
    case "\\": text.append("\\")
    case "n": text.append("\n")
    case "t": text.append("\t")
    case "u":
      guard rest.popFirst() == "{" else { throw invalidEscape() }
      let digits = rest.prefix { $0 != "}" }
      rest = rest.dropFirst(digits.count)
      guard rest.popFirst() == "}", (1...6).contains(digits.count),
        digits.allSatisfy(\.properties.isASCIIHexDigit), let value = UInt32(String(digits), radix: 16),
        let unescaped = Unicode.Scalar(value)
      else { throw invalidEscape() }
      text.append(unescaped)
    default: throw invalidEscape()
    }
  }
  return String(text)
}
