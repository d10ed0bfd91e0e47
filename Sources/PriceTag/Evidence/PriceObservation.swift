import PriceTagText

/// Prices that an interface of a store was seen to write: an entry of `observations.json`.
///
/// Two observations that differ in interface, language or period do not contradict each other.
package struct PriceObservation: Sendable {
  /// What wrote the prices.
  package enum Interface: String, Sendable, CaseIterable {
    /// A page of the store in the web.
    case webPage = "web-page"
    /// The store's public lookup interface, in its field of the formatted price.
    case lookup
    /// StoreKit, in an app on a device.
    case storeKit = "storekit"
  }

  /// An amount and its text.
  package struct Price: Sendable {
    /// The amount.
    package let amount: Amount
    /// The text, in which U+0020 is a space of an unknown kind unless the observation is verified.
    package let text: String
  }

  /// The storefront's identifier.
  package let storefront: String
  /// The code of the currency.
  package let currency: String
  /// What wrote the prices.
  package let interface: Interface
  /// The language of the page or the device (BCP 47); `nil` if it is unknown.
  package let language: String?
  /// The first and the last date on which the prices were seen.
  package let dates: ClosedRange<CalendarDate>
  /// The key of the source.
  package let source: String
  /// Whether the source has the bytes of the texts, so that the kinds of spaces are known.
  package let isVerified: Bool
  /// The prices.
  package internal(set) var prices: [Price]

  /// A text for errors, such as `USA, USD, web-page, en-GB, of the source "atlas"`.
  var name: String {
    ([storefront, currency, interface.rawValue] + [language].compactMap { $0 }).joined(separator: ", ")
      + ", of the source \(quoted(source))"
  }
}

extension PriceObservation {
  /// The places of the embedded observations by storefront. A formatter reads those of its storefront only.
  private static let places: [String: [Range<Int>]] = {
    guard let bytes = LocaleDataFile.observations.embeddedBytes,
      let entries = JSONEntryScanner.entries(of: "observations", in: bytes, first: "storefront")
    else { return [:] }
    return Dictionary(grouping: entries) { entry in
      entry.first.map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
    }.mapValues { $0.map(\.range) }
  }()

  /// Returns the embedded observations of a storefront, which a test checks.
  static func embedded(of storefront: String) throws(PriceTagError) -> [PriceObservation] {
    var observations: [PriceObservation] = []
    for place in places[storefront] ?? [] {
      let entry = try LocaleDataFile.observations.embeddedEntry(at: place, identifiedBy: "storefront")
      observations.append(try PriceObservation(entry))
    }
    return observations
  }

  /// The maximum number of bytes of a text.
  private static let maximumTextByteCount = 64

  /// Reads an entry. A test checks that the storefront, the currency, the language and the source exist.
  init(_ entry: LocaleDataEntry) throws(PriceTagError) {
    try entry.checkFields([
      "storefront", "currency", "interface", "language", "from", "until", "source", "verified", "prices",
    ])
    (storefront, currency) = (try entry.string("storefront"), try entry.string("currency"))
    let name = try entry.string("interface")
    guard let interface = Interface(rawValue: name) else {
      throw entry.invalid(
        "unknown interface \(quoted(name))",
        "interface",
        fix: "use one of \(Interface.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    self.interface = interface
    language = try entry.optionalString("language")
    guard let first = try entry.optionalDate("from"), let last = try entry.optionalDate("until"),
      first <= last
    else {
      throw entry.invalid("the period has no first or no last day, or ends before it starts", "until")
    }
    dates = first...last
    source = try entry.string("source")
    isVerified = try entry.boolean("verified")
    var prices: [Price] = []
    for (key, text) in try entry.members("prices") {
      guard let amount = try? Amount(key), !amount.isNegative else {
        throw entry.invalid("\(quoted(key)) is not an amount", "prices", fix: "write it as 1999.00")
      }
      guard !text.isEmpty, text.utf8.count <= Self.maximumTextByteCount else {
        throw entry.invalid(
          "the text of \(key) is empty, or longer than \(Self.maximumTextByteCount) bytes",
          "prices",
          fix: "correct the text"
        )
      }
      guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw entry.invalid(
          "the text \(quoted(text)) has a control character",
          "prices",
          fix: "remove it"
        )
      }
      if prices.contains(where: { $0.amount == amount }) {
        throw entry.invalid("the amount \(key) appears twice", "prices", fix: "remove one")
      }
      prices.append(Price(amount: amount, text: text))
    }
    guard !prices.isEmpty else { throw entry.invalid("there are no prices", "prices", fix: "add one") }
    self.prices = prices
  }
}
