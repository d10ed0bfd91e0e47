import PriceTag

/// The rule of what tiers, categories and subscription groups are called: a line of 1 to 100 characters.
package enum CatalogName {
  /// - Throws: `.invalidField`.
  package static func check(_ name: String) throws(CatalogError) {
    // The bytes first: characters take long to count.
    guard name.utf8.count <= 10_000, (1...100).contains(name.count),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw CatalogError(
        .invalidField,
        "the name is empty or long",
        fix: "give 1 to 100 characters of one line"
      )
    }
  }
}
