import PriceTag
import PriceTagCatalog
import PriceTagText

/// What one storefront displays of one product to a reader of one language: a line of a golden.
public struct RecordedDisplay: Hashable, Sendable {
  /// What is recorded of a display.
  public enum Field: String, Hashable, Sendable, CaseIterable, Codable {
    /// The product's identifier.
    case product
    /// The storefront's identifier.
    case storefront
    /// The reader's language, BCP 47.
    case language
    /// The exact amount, decimal.
    case amount
    /// The ISO 4217 code.
    case currency
    /// The price locale, BCP 47.
    case locale
    /// The price as its storefront writes it.
    case display
    /// The price for the ear.
    case spoken
    /// The product's name in the language that the store shows.
    case name
    /// Its description in that language.
    case description
    /// What a subscription costs, in words, with isolates.
    case subscription
    /// The offers in words, with isolates, each on a line of its own.
    case offers
  }

  /// The product's identifier.
  public let productIdentifier: String
  /// The storefront's identifier.
  public let storefront: String
  /// The reader's language, BCP 47.
  public let language: String
  /// The exact amount.
  public let amount: Amount
  /// The ISO 4217 code.
  public let currency: String
  /// The price locale, BCP 47.
  public let priceLocale: String
  /// The price as its storefront writes it.
  public let display: String
  /// The price for the ear.
  public let spoken: String
  /// The product's name; empty where it has none.
  public let name: String
  /// The product's description; empty where it has none.
  public let description: String
  /// What a subscription costs, in words, with isolates; empty for another product.
  public let subscription: String
  /// The offers in words, with isolates, a line each.
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

  /// Whether both are the same bytes: é is another text than e with an accent.
  public static func == (first: RecordedDisplay, second: RecordedDisplay) -> Bool {
    first.line.utf8.elementsEqual(second.line.utf8)
  }

  /// Hashes what tells displays apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(productIdentifier)
    hasher.combine(storefront)
    hasher.combine(language)
  }

  // MARK: Lines

  /// The line of a golden, without its end: the fields between tabs, with everything escaped that is not seen.
  ///
  /// A tab keeps fields of any direction in their order on the screen (UAX 9, L1).
  public var line: String { Field.allCases.map { goldenEscaped(self[$0]) }.joined(separator: "\t") }

  /// A display of a line.
  ///
  /// - Throws: `.malformedLine` for another number of fields, a wrong escape, an amount that is none.
  public init(line: String) throws(DriftError) {
    let known = Field.allCases
    var fields: [String] = []
    // By bytes: a name may start with a combining mark, which belongs to no tab.
    for field in line.utf8.split(separator: 0x09, omittingEmptySubsequences: false) {
      fields.append(try goldenUnescaped(Substring(field)))
    }
    // Editors may have taken empty fields off the end of a line.
    while fields.count < known.count, fields.count > 7 { fields.append("") }
    guard fields.count == known.count else {
      throw DriftError(
        .malformedLine,
        isOfMerge(line)
          ? "the line is of a merge that was not resolved"
          : "the line has \(fields.count) of \(known.count) fields",
        fix: "record the golden again"
      )
    }
    for (field, text) in zip(known.prefix(7), fields) where text.isEmpty {
      throw DriftError(
        .malformedLine,
        "the field \(quoted(field.rawValue)) is empty",
        fix: "record the golden again"
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

/// A text as a field of a golden: what cannot be seen is `\u{A0}`, a line break `\n`, a backslash `\\`.
func goldenEscaped(_ text: String) -> String {
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

/// The text of a field.
func goldenUnescaped(_ field: Substring) throws(DriftError) -> String {
  if !field.utf8.contains(UInt8(ascii: "\\")) { return String(field) }
  func wrong() -> DriftError {
    DriftError(
      .malformedLine,
      "an escape in \(quoted(field)) is none",
      fix: #"write \\ for a backslash, \n, \t or \u{A0}"#
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
      guard rest.popFirst() == "{" else { throw wrong() }
      let digits = rest.prefix { $0 != "}" }
      rest = rest.dropFirst(digits.count)
      guard rest.popFirst() == "}", (1...6).contains(digits.count),
        digits.allSatisfy(\.properties.isASCIIHexDigit), let value = UInt32(String(digits), radix: 16),
        let named = Unicode.Scalar(value)
      else { throw wrong() }
      text.append(named)
    default: throw wrong()
    }
  }
  return String(text)
}
