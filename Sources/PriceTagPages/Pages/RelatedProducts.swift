import PriceTag
import PriceTagCatalog

/// The cards of related products, which neighbors of a category share, and the values of the frame of a product page: the
/// product pages of one store and language have the same relative addresses.
final class RelatedCards {
  var frame: TemplateValues?
  fileprivate var cards: [Int64: TemplateValues] = [:]
  fileprivate static let limit = 512

  func removeAll() { cards.removeAll(keepingCapacity: true) }
}

extension ProductValues {
  /// Returns the related products of a page; `nil` if there are none.
  ///
  /// - Parameter cards: The cards of other pages of the same store and language.
  func related(_ products: [Product], _ cards: RelatedCards) throws(PagesError) -> TemplateValues? {
    guard !products.isEmpty else { return nil }
    return TemplateValues([
      .products: try products.map { (product) throws(PagesError) -> TemplateValues in
        try StorePages.checkBudget()
        if let cached = cards.cards[product.row] { return cached }
        let card = try card(product, isShortened: true)
        card.partials = [:]
        if cards.cards.count >= RelatedCards.limit { cards.removeAll() }
        cards.cards[product.row] = card
        return card
      }
    ])
  }

  /// Returns the values of a product on its own page, which differ little from those on the pages of its neighbors.
  func ownCard(_ product: Product, _ cards: RelatedCards) throws(PagesError) -> TemplateValues {
    guard let cached = cards.cards[product.row] else { return try card(product, isOwnPage: true) }
    let card = TemplateValues(copying: cached)
    card[.href] = href(to: product)
    card[.description] = description(of: product)
    card[.offers] = try offers(of: product, isOwnPage: true)
    return card
  }
}

/// Finds related products in the outline of a storefront, without the products themselves. Related are the products that the
/// shop lists, or else others of the category.
///
/// In store order, each product takes constant time.
package struct RelatedRows {
  /// The number of related products that are chosen by category.
  private static let count = 4

  private let outline: StoreOutline
  /// The index of the section that was found last. The next product is often in the same one.
  private var lastSection = 0
  /// The index of the product that was found last in each section, near which the next one is.
  private var lastIndices: [Int: Int] = [:]

  package init(_ outline: StoreOutline) {
    self.outline = outline
  }

  /// Returns the rows of the other products of a product's category that its page shows.
  package mutating func rows(of product: Product) -> [Int64] {
    rows(of: product.row, product.category?.identifier, product.comparedGroup)
  }

  mutating func rows(of row: Int64, _ category: String?, _ group: String?) -> [Int64] {
    guard let category else { return [] }
    let sections = outline.sections
    guard
      let number = sections[lastSection...].firstIndex(where: { $0.isOf(category) })
        ?? sections[..<lastSection].firstIndex(where: { $0.isOf(category) })
    else { return [] }
    lastSection = number
    let rows = outline.sections[number].products
    let start = min(lastIndices[number] ?? 0, rows.count)
    guard let index = rows[start...].firstIndex(of: row) ?? rows[..<start].firstIndex(of: row)
    else { return [] }
    lastIndices[number] = index
    // The comparison shows the subscriptions of the product's group.
    let compared = outline.compared(with: row, in: group)
    // The next products, from the start again at the end. Only as many as necessary are visited.
    var others: [Int64] = []
    for row in [rows[(index + 1)...], rows[..<index]].joined() where !compared.contains(row) {
      others.append(row)
      if others.count == Self.count { break }
    }
    return others
  }
}
