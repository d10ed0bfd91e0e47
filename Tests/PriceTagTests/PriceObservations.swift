@testable import PriceTag

/// The observations of `observations.json` with its complete check, for which a formatter has no time.
struct PriceObservations {
  /// The observations that are embedded in the binary.
  static let embedded = Result { () throws(PriceTagError) in
    try PriceObservations(LocaleDataFile.observations.contents(in: nil))
  }

  /// The sources by key.
  let sources: [String: String]
  private let observations: [String: [PriceObservation]]

  /// Reads a file.
  ///
  /// - Throws: `.invalidLocaleData` with the file, the line and the field.
  init(json: [UInt8]) throws(PriceTagError) {
    try self.init(LocaleDataFile.observations.contents(of: json))
  }

  private init(_ file: LocaleDataEntry) throws(PriceTagError) {
    try file.checkFields(["schema", "sources", "observations"])
    _ = try file.integer("schema", in: 1...1)
    sources = try file.table("sources")
    var all: [String: [PriceObservation]] = [:]
    for entry in try file.entries("observations", identifiedBy: "storefront", "currency", "source") {
      let observation = try PriceObservation(entry)
      try Self.check(observation, entry)
      try entry.check("source", isAmong: sources)
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
  func of(_ storefront: String) -> [PriceObservation] { observations[storefront] ?? [] }

  private static func check(
    _ observation: PriceObservation,
    _ entry: LocaleDataEntry
  ) throws(PriceTagError) {
    let (storefront, currency) = (observation.storefront, observation.currency)
    guard storefront.utf8.count == 3,
      LocaleData.embedded.storefrontIdentifiers?.contains(storefront) == true
    else {
      throw entry.unknown(
        "storefront",
        storefront,
        "storefront",
        fix: "use an alpha-3 code from storefronts.json"
      )
    }
    guard (try? Currency(currency))?.code == currency else {
      throw entry.unknown("currency", currency, "currency", fix: "use a code from currencies.json")
    }
    if let language = observation.language {
      _ = try entry.checked("language") { () throws(PriceTagError) in try PriceLocale(language) }
    }
  }
}

extension PriceObservation {
  /// Returns whether another observation says something else about the same question.
  fileprivate func overlaps(_ other: PriceObservation) -> Bool {
    storefront == other.storefront && currency == other.currency && interface == other.interface
      && language == other.language && source == other.source && isVerified == other.isVerified
      && dates.overlaps(other.dates)
  }
}
