import PriceTag
import PriceTagCatalog

/// The products that the page of a product shows as related: those that the shop lists, or else others of its category.
enum RelatedList {
  /// The number of related products that are chosen by category.
  static let count = 4

  /// Returns the elements after an index, from the start again at the end, without those that are excluded.
  static func neighbors<Element>(
    of index: Int,
    in list: some RandomAccessCollection<Element>,
    isExcluded: (Element) -> Bool
  ) -> [Element] {
    var found: [Element] = []
    for offset in 1..<max(1, list.count) {
      if found.count == count { break }
      let element = list[list.index(list.startIndex, offsetBy: (index + offset) % list.count)]
      if !isExcluded(element) { found.append(element) }
    }
    return found
  }
}

extension StorePages {
  /// Returns the products of a store that are related to one of them.
  func related(to product: Product, in store: Store) -> [Product] {
    if let related = product.related {
      return related.compactMap { identifier in store.products.first { $0.identifier == identifier } }
    }
    guard let category = product.category?.identifier else { return [] }
    let others = store.products.filter { $0.category?.identifier.utf8.elementsEqual(category.utf8) ?? false }
    guard let index = others.firstIndex(where: { $0.identifier == product.identifier }) else { return [] }
    // The comparison shows the subscriptions of the product's group.
    let compared = Set(store.group(of: product).prefix(PageLayout.maximumComparisonCount).map(\.identifier))
    return RelatedList.neighbors(of: index, in: others) { compared.contains($0.identifier) }
  }
}

/// The cards of related products, which neighbors of a category share: their product pages of one store and language have the
/// same relative addresses.
final class RelatedCards {
  private var cards: [Int64: TemplateValues] = [:]
  private let limit = 512

  /// Returns the card of a product.
  func card(of product: Product, _ create: () throws(PagesError) -> TemplateValues) throws(PagesError)
    -> TemplateValues
  {
    if let cached = cards[product.row] { return cached }
    let card = try create()
    card.partials = [:]
    if cards.count >= limit { cards.removeAll(keepingCapacity: true) }
    cards[product.row] = card
    return card
  }
}

extension ProductValues {
  /// Returns the related products of a page; `nil` if there are none.
  ///
  /// - Parameter cards: The cards of other pages of the same store and language.
  func related(_ products: [Product], _ cards: RelatedCards?) throws(PagesError) -> TemplateValues? {
    guard !products.isEmpty else { return nil }
    let cards = cards ?? RelatedCards()
    return TemplateValues([
      .products: try products.map { (product) throws(PagesError) in
        try StorePages.checkBudget()
        return try cards.card(of: product) { () throws(PagesError) in
          try card(product, isShortened: true)
        }
      }
    ])
  }
}

/// Finds related products in the outline of a storefront, without the products themselves.
///
/// In store order, each product takes constant time.
package struct RelatedRows {
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
    guard let category = product.category?.identifier else { return [] }
    let sections = outline.sections
    func isOwn(_ section: StoreOutline.Section) -> Bool {
      section.category?.utf8.elementsEqual(category.utf8) ?? false
    }
    guard
      let number = sections[lastSection...].firstIndex(where: isOwn)
        ?? sections[..<lastSection].firstIndex(where: isOwn)
    else { return [] }
    lastSection = number
    let rows = outline.sections[number].products
    let start = min(lastIndices[number] ?? 0, rows.count)
    guard let index = rows[start...].firstIndex(of: product.row) ?? rows[..<start].firstIndex(of: product.row)
    else { return [] }
    lastIndices[number] = index
    let group = product.comparedGroup.flatMap { identifier in
      outline.subscriptionGroups.first { $0.isOf(identifier) }
    }
    let compared = (group?.products ?? []).prefix(PageLayout.maximumComparisonCount)
    return RelatedList.neighbors(of: index, in: rows) { compared.contains($0) }
  }
}

extension StoreWriter {
  /// Returns the related products of some products, in each language.
  ///
  /// - Parameters:
  ///   - products: Products of a page, in each language.
  ///   - found: The rows of related products by category.
  func related(
    to products: [[Product]],
    _ found: inout RelatedRows
  ) throws(PagesError) -> [[[Product]]] {
    let shown = products.first ?? []
    var lists: [[Int64]] = []
    for product in shown {
      guard let related = product.related else {
        lists.append(found.rows(of: product))
        continue
      }
      do throws(CatalogError) { lists.append(try reader.rows(related)) } catch {
        throw PagesError(.catalogFailed, error)
      }
    }
    // Neighbors are often on the same page.
    let here = Set(shown.map(\.row))
    let others = try self.products(Set(lists.joined()).subtracting(here).sorted())
    return zip(products, others).map { shown, others in
      let byRow = Dictionary((shown + others).map { ($0.row, $0) }) { first, _ in first }
      return lists.map { rows in rows.compactMap { byRow[$0] } }
    }
  }
}
