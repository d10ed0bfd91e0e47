import CICU
import PriceTagSystem
import PriceTagText

/// The storefronts of buyers in territories that are not storefronts: `territories.json`.
struct TerritoryMap: Sendable {
  /// The identifiers of storefronts by the alpha-2 code of a territory.
  let storefronts: [String: String]

  /// The embedded map, which is read on first use.
  static let embedded = Result { () throws(PriceTagError) in
    try TerritoryMap(LocaleDataFile.territories.contents(in: nil), identifiers: nil)
  }

  /// Reads a map.
  ///
  /// - Parameter identifiers: The storefronts by either of their codes, to check the map; `nil` for the embedded one, which a
  ///   test checks.
  init(_ file: LocaleDataEntry, identifiers: [String: String]?) throws(PriceTagError) {
    let sources = try file.table("sources")
    var storefronts: [String: String] = [:]
    for entry in try file.entries("territories", identifiedBy: "territory") {
      let (territory, storefront) = (try entry.string("territory"), try entry.string("storefront"))
      if let identifiers {
        try entry.checkFields(["territory", "storefront", "source"])
        try entry.check("source", isAmong: sources)
        guard territory.utf8.count == 2,
          text(filledBy: { cicu_region_canonical(territory, $0, $1) }) == territory
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
      guard storefronts.updateValue(storefront, forKey: territory) == nil else {
        throw entry.invalid("\(quoted(territory)) appears twice", "territory", fix: "remove one")
      }
    }
    self.storefronts = storefronts
  }
}
