import CICU
import PriceTagSystem
import PriceTagText

/// The storefronts of buyers in territories that are not storefronts: `territories.json`.
struct TerritoryMap: Sendable {
  /// The identifiers of storefronts by the alpha-2 code of a territory.
  let storefronts: [String: String]

  /// The embedded map, which is read on first use, and which a test checks.
  static let embedded = Result { () throws(PriceTagError) in
    TerritoryMap(
      storefronts: try storefronts(LocaleDataFile.territories.contents(in: nil)) {
        _,
        _,
        _ throws(PriceTagError) in
      }
    )
  }

  /// Reads and checks the map of a folder, or the embedded one.
  ///
  /// - Parameter identifiers: The storefronts by either of their codes.
  init(_ file: LocaleDataEntry, identifiers: [String: String]) throws(PriceTagError) {
    let sources = try file.table("sources")
    storefronts = try Self.storefronts(file) { (entry, territory, storefront) throws(PriceTagError) in
      try entry.checkFields(["territory", "storefront", "source"])
      try entry.check("source", isAmong: sources)
      guard text(filledBy: { cicu_region_canonical(territory, $0, $1) }) == territory,
        territory.utf8.count == 2
      else {
        throw entry.unknown("territory", territory, "territory", fix: "use an ISO 3166-1 alpha-2 code")
      }
      if let id = identifiers[territory] {
        throw entry.invalid("\(territory) is the storefront \(id)", "territory", fix: "remove the entry")
      }
      guard identifiers[storefront] == storefront else {
        throw entry.unknown("storefront", storefront, "storefront", fix: "use the id of a storefront")
      }
    }
  }

  private init(storefronts: [String: String]) { self.storefronts = storefronts }

  private static func storefronts(
    _ file: LocaleDataEntry,
    check: (LocaleDataEntry, _ territory: String, _ storefront: String) throws(PriceTagError) -> Void
  ) throws(PriceTagError) -> [String: String] {
    var storefronts: [String: String] = [:]
    for entry in try file.entries("territories", identifiedBy: "territory") {
      let (territory, storefront) = (try entry.string("territory"), try entry.string("storefront"))
      try check(entry, territory, storefront)
      guard storefronts.updateValue(storefront, forKey: territory) == nil else {
        throw entry.invalid("\(quoted(territory)) appears twice", "territory", fix: "remove one")
      }
    }
    return storefronts
  }
}
