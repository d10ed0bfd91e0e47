import PriceTag

/// The syntax of the names of tiers, categories and subscription groups: one line of 1 to 100 characters.
package enum CatalogName {
  /// Checks a name.
  ///
  /// - Throws: `.invalidField`.
  @discardableResult
  package static func check(_ name: String) throws(CatalogError) -> String {
    // Counting bytes first avoids counting the characters of a long text, which is slow.
    guard name.utf8.count <= 10_000, (1...100).contains(name.count),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw CatalogError(
        .invalidField,
        "the name is empty, too long or has a control character",
        fix: "use 1 to 100 characters on one line"
      )
    }
    return name
  }
}
