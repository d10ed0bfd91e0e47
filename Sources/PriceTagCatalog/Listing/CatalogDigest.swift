import GRDB
import PriceTag
import PriceTagText

/// The digests of a catalog's products: of everything that the listings of each are read from.
///
/// They contain neither the IDs of rows and the order of the products nor the time and the number of the last import.
package struct ProductDigests: Sendable {
  /// The digests by the IDs of the products' rows.
  package fileprivate(set) var byRow: [Int64: ContentDigest] = [:]
  /// The digest of all products in store order.
  package fileprivate(set) var all = ContentDigest()
}

extension ListingReader {
  /// The columns of `product` that the digests do not contain: those that are not shown, and those that other rows state.
  private static let omittedColumns: Set<ProductColumn> = [
    .checksum, .id, .list, .sortOrder, .priceSet, .textSet, .localeSet, .knownSince,
  ]

  /// The columns by which other rows of a product are found.
  private enum KeyColumn: Int, CatalogColumn {
    case id, list, identifier, category, subscriptionGroup
  }

  /// Returns the digests of all products.
  ///
  /// They are of the contents instead of their stored checksums, which have 32 bits for a row.
  package func productDigests() throws(CatalogError) -> ProductDigests {
    try snapshot.read(path) { database in
      let shown = ProductColumn.allCases.filter { !Self.omittedColumns.contains($0) }
      let columns = KeyColumn.names + shown.map { sqlName(of: $0) }
      let order = "product ORDER BY \(ProductOrder.columns)"
      let product = try CatalogStatement(database, "SELECT \(columns.joined(separator: ", ")) FROM \(order)")
      let hasHistory = try CatalogTotals(database).history.count > 0
      let parts = try Self.parts(hasHistory, storefronts).map { (key, sql) in
        (key, try CatalogStatement(database, "SELECT \(sql)"))
      }
      let budget = WorkBudget.current
      var digests = ProductDigests()
      try product.forEachRow {
        if digests.byRow.count.isMultiple(of: 256) { try budget?.checkpoint() }
        var digest = ContentDigest()
        product.addRow(to: &digest, from: KeyColumn.allCases.count)
        for (number, (key, part)) in parts.enumerated() {
          let isText = key != .id && key != .list
          var count = 0
          try part.forEachRow(isText ? CatalogValue(product.text(key)) : CatalogValue(product.integer(key))) {
            part.addRow(to: &digest, from: 0)
            count += 1
          }
          // A product without rows has the same digest when the table gets the first rows of others.
          if count > 0 { digest.add(number << 32 | count) }
        }
        digests.byRow[try product.requiredInteger(KeyColumn.id)] = digest
        digests.all.add(digest)
      }
      return digests
    }
  }

  /// Returns the statements that read the other rows of a product, those of its groups, and those of its tiers, without
  /// `SELECT`, each with the column of the product that is its argument.
  private static func parts(_ hasHistory: Bool, _ storefronts: [Storefront]) -> [(KeyColumn, String)] {
    let requested = "storefront IN (\(storefronts.map { "'\($0.id)'" }.joined(separator: ", ")))"
    let price = "storefront, price.first_day, price.last_day, amount, currency"
    let tier = "tier_period.tier, tier_period.first_day, tier_period.last_day, \(price)"
    let prices = """
      tier_period LEFT JOIN tier ON name = tier_period.tier LEFT JOIN price ON price.list = tier.list AND \(requested)
      """
    let group = "kind, language, name FROM product_group WHERE identifier = ? ORDER BY 1, 2"
    let offer = "kind, identifier, payment_mode, period, period_count, cleared_for_sale, first_day, last_day"
    return [
      (.id, "language, name, description FROM product_text WHERE product = ? ORDER BY 1"),
      (.id, "storefront, locale FROM price_locale WHERE product = ? AND \(requested) ORDER BY 1"),
      (.id, "\(offer) FROM offer WHERE product = ? ORDER BY position"),
      (
        .id,
        "position, \(price) FROM offer JOIN price USING (list) WHERE product = ? AND \(requested) ORDER BY 1, 2, 3"
      ),
      (
        .id,
        "position, \(tier) FROM offer JOIN \(prices) WHERE product = ? AND tier_period.list = offer.list ORDER BY 1, 3, 5, 6"
      ),
      (.list, "\(price) FROM price WHERE list = ? AND \(requested) ORDER BY 1, 2"),
      (.list, "\(tier) FROM \(prices) WHERE tier_period.list = ? ORDER BY 2, 4, 5"),
      (.category, group), (.subscriptionGroup, group),
    ]
      + (hasHistory
        ? [(.identifier, "number, day, replaced FROM price_history WHERE product = ? ORDER BY 1")] : [])
  }
}
