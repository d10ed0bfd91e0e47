import PriceTagCatalog

/// How the lists of a store are divided into pages.
package struct PageLayout: Sendable {
  /// The maximum number of products on a page.
  let pageSize: Int

  /// The layout of a search index, whose parts have up to 1,000 products.
  static let searchIndex = PageLayout(pageSize: 1000)

  private init(pageSize: Int) { self.pageSize = pageSize }

  package init(_ shop: Shop) { self.init(pageSize: shop.productsPerPage) }

  /// Returns whether a store with this number of products has pages for its lists.
  package func isPaged(_ total: Int) -> Bool { total > pageSize }

  /// Returns the number of pages of a list.
  func pageCount(_ count: Int) -> Int { max(1, (count + pageSize - 1) / pageSize) }

  /// Returns the products of a page, as indices in the list; `nil` if the list has no such page.
  func range(ofPage number: Int, of count: Int) -> Range<Int>? {
    guard (1...pageCount(count)).contains(number) else { return nil }
    let start = (number - 1) * pageSize
    return start..<min(count, start + pageSize)
  }

  /// The number of products that complete rows of two, three and four cards.
  fileprivate static let rowSize = 4
  /// The rows of cards of a store page that its comparisons of subscriptions replace.
  fileprivate static let rowsOfComparisons = 2
  /// The maximum number of products that a store page shows of a category.
  fileprivate static let maximumPreviewCount = 24
  /// The maximum number of categories that a page links to.
  fileprivate static let maximumCategoryLinkCount = 24
  /// The maximum number of subscriptions in the comparisons of the page of a store with many products.
  fileprivate static let maximumPlanCount = 6
  /// The maximum number of subscriptions that a comparison shows.
  static let maximumComparisonCount = 24
}

extension StoreOutline {
  /// Returns the subscription groups that the store page compares. If the store has more products than a page shows, these
  /// have few subscriptions together.
  func comparedGroups(_ layout: PageLayout) -> [Section] {
    var planCount = 0
    return subscriptionGroups.filter { group in
      let count = group.products.count
      guard count > 1, !layout.isPaged(products.count) || planCount + count <= PageLayout.maximumPlanCount
      else {
        return false
      }
      planCount += count
      return true
    }
  }

  /// Returns the first products of each category that the page of a store with many products shows, without those that its
  /// comparisons show.
  func previews(_ layout: PageLayout) -> [[Int64]] {
    let compared = Set(comparedGroups(layout).flatMap(\.products))
    let listed = sections.map(\.products).filter { !$0.allSatisfy(compared.contains) }
    let sectionCount = min(
      listed.count,
      max(1, layout.pageSize / PageLayout.rowSize - PageLayout.rowsOfComparisons)
    )
    let share = layout.pageSize / max(1, sectionCount) / PageLayout.rowSize * PageLayout.rowSize
    let count = min(PageLayout.maximumPreviewCount, max(PageLayout.rowSize, share))
    return listed.prefix(sectionCount).map { Array($0.lazy.filter { !compared.contains($0) }.prefix(count)) }
  }

  /// The first product of each category to whose list the pages of lists link. It has the category's name.
  var linkedProducts: [Int64] {
    sections.filter { $0.category != nil }.prefix(PageLayout.maximumCategoryLinkCount).compactMap(
      \.products.first
    )
  }

  /// Returns the subscriptions with which the page of a product compares it, with the product itself; empty without a group.
  func compared(with row: Int64, in group: String?) -> [Int64] {
    guard let group, let group = subscriptionGroups.first(where: { $0.isOf(group) }) else { return [] }
    let first = Array(group.products.prefix(PageLayout.maximumComparisonCount))
    return first + (first.contains(row) ? [] : [row])
  }
}

extension StoreOutline.Section {
  /// Returns whether the products are of a category or group. Bytes are compared, because Swift treats canonically
  /// equivalent strings as equal.
  package func isOf(_ identifier: String) -> Bool { category?.utf8.elementsEqual(identifier.utf8) ?? false }
}
