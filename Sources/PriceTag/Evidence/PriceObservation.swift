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

/// The observations of `observations.json`.
package struct PriceObservations: Sendable {
  /// The observations that are embedded in the binary, checked like any file.
  package static let embedded: Result<PriceObservations, PriceTagError> = Result {
    () throws(PriceTagError) in
    try PriceObservations(LocaleDataFile.observations.contents(in: nil))
  }

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
      observations.append(try PriceObservation(entry, nil))
    }
    return observations
  }

  /// The sources by key.
  package let sources: [String: String]
  private let observations: [String: [PriceObservation]]

  /// The maximum number of bytes of a text.
  static let maximumTextByteCount = 64

  /// Reads a file.
  ///
  /// - Throws: `.invalidLocaleData` with the file, the line and the field.
  package init(json: [UInt8]) throws(PriceTagError) {
    try self.init(LocaleDataFile.observations.contents(of: json))
  }

  private init(_ file: LocaleDataEntry) throws(PriceTagError) {
    try file.checkFields(["schema", "sources", "observations"])
    _ = try file.integer("schema", in: 1...1)
    sources = try file.table("sources")
    var all: [String: [PriceObservation]] = [:]
    for entry in try file.entries("observations", identifiedBy: "storefront", "currency", "source") {
      let observation = try PriceObservation(entry, sources)
      if let other = all[observation.storefront]?.first(where: { $0.overlaps(observation) }) {
        throw entry.invalid(
          "the dates overlap those of another observation with the same interface, language and source (\(other.dates.lowerBound) to \(other.dates.upperBound))",
          "from",
          fix: "merge the two"
        )
      }
      all[observation.storefront, default: []].append(observation)
    }
    observations = all
  }

  /// Returns the observations of a storefront, in the order of the file.
  package func of(_ storefront: String) -> [PriceObservation] { observations[storefront] ?? [] }
}

extension PriceObservation {
  /// Reads an entry.
  ///
  /// - Parameter sources: The file's sources; `nil` for embedded entries, which a test checks completely.
  fileprivate init(_ entry: LocaleDataEntry, _ sources: [String: String]?) throws(PriceTagError) {
    try entry.checkFields([
      "storefront", "currency", "interface", "language", "from", "until", "source", "verified", "prices",
    ])
    (storefront, currency) = (try entry.string("storefront"), try entry.string("currency"))
    guard
      sources == nil
        || storefront.utf8.count == 3
          && LocaleData.embedded.storefrontIdentifiers?.contains(storefront) == true
    else {
      throw entry.invalid(
        "unknown storefront \(quoted(storefront))",
        "storefront",
        fix: "use an alpha-3 code from storefronts.json"
      )
    }
    guard sources == nil || (try? Currency(currency))?.code == currency else {
      throw entry.unknown("currency", currency, "currency", fix: "use a code from currencies.json")
    }
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
    if let language, sources != nil {
      _ = try entry.checked("language") { () throws(PriceTagError) in try PriceLocale(language) }
    }
    guard let first = try entry.optionalDate("from"), let last = try entry.optionalDate("until"),
      first <= last
    else {
      throw entry.invalid("the period has no first or no last day, or ends before it starts", "until")
    }
    dates = first...last
    if let sources { try entry.check("source", isAmong: sources) }
    source = try entry.string("source")
    isVerified = try entry.boolean("verified")
    var prices: [Price] = []
    for (key, text) in try entry.members("prices") {
      guard let amount = try? Amount(key), !amount.isNegative else {
        throw entry.invalid("\(quoted(key)) is not an amount", "prices", fix: "write it as 1999.00")
      }
      guard !text.isEmpty, text.utf8.count <= PriceObservations.maximumTextByteCount else {
        throw entry.invalid(
          "the text of \(key) is empty, or longer than \(PriceObservations.maximumTextByteCount) bytes",
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

  /// Returns whether another observation says something else about the same question.
  fileprivate func overlaps(_ other: PriceObservation) -> Bool {
    storefront == other.storefront && currency == other.currency && interface == other.interface
      && language == other.language && source == other.source && isVerified == other.isVerified
      && dates.overlaps(other.dates)
  }
}
