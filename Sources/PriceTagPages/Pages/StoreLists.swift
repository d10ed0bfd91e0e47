import PriceTag
import PriceTagCatalog

/// The lists of a store in one language: all products, and those of each category, without the products.
struct StoreLists: Sendable {
  /// The products of a category, or those without a category.
  struct Section: Sendable {
    /// The category; `nil` for products without a category.
    let category: Product.Group?
    /// The number of products.
    var count: Int
  }

  /// The number of all products.
  let total: Int
  /// The categories, in the order of their first products.
  let sections: [Section]

  init(total: Int, sections: [Section]) {
    (self.total, self.sections) = (total, sections)
  }

  init(_ products: [Product]) {
    var sections: [Section] = []
    for (category, products) in Self.byCategory(products) {
      sections.append(Section(category: category, count: products.count))
    }
    self.init(total: products.count, sections: sections)
  }

  /// Returns products by category. Categories are in the order of their first products; products without a category form
  /// one more.
  static func byCategory(_ products: [Product]) -> [(category: Product.Group?, products: [Product])] {
    var categories: [(category: Product.Group?, products: [Product])] = []
    var indices: [ExactText?: Int] = [:]
    for product in products {
      let key = product.category.map { ExactText($0.identifier) }
      if let index = indices[key] {
        categories[index].products.append(product)
      } else {
        indices[key] = categories.count
        categories.append((product.category, [product]))
      }
    }
    return categories
  }

  /// The named categories.
  var categories: [Section] { sections.filter { $0.category != nil } }

  /// Returns the number of products in the list of a category; of all products for `nil`.
  func count(of category: String?) -> Int? {
    guard let category else { return total }
    return sections.first { $0.category?.identifier.utf8.elementsEqual(category.utf8) ?? false }?.count
  }

  /// Returns the category with an identifier.
  func category(_ identifier: String) -> Product.Group? {
    sections.lazy.compactMap(\.category).first { $0.identifier.utf8.elementsEqual(identifier.utf8) }
  }
}

/// How the lists of a store are divided into pages.
package struct PageLayout: Sendable {
  /// The maximum number of products on a page.
  let pageSize: Int

  package init(_ shop: Shop) { pageSize = shop.productsPerPage }

  /// Returns whether a store with this number of products has pages for its lists.
  package func isPaged(_ total: Int) -> Bool { total > pageSize }

  /// Returns the number of pages of a list.
  package func pageCount(_ count: Int) -> Int { max(1, (count + pageSize - 1) / pageSize) }

  /// Returns the products of a page, as indices in the list; `nil` if the list has no such page.
  package func range(ofPage number: Int, of count: Int) -> Range<Int>? {
    guard (1...pageCount(count)).contains(number) else { return nil }
    let start = (number - 1) * pageSize
    return start..<min(count, start + pageSize)
  }

  /// The number of products that complete rows of two, three and four cards.
  private static let rowSize = 4
  /// The rows of cards of a store page that its comparisons of subscriptions replace.
  private static let rowsOfComparisons = 2
  /// The maximum number of products that a store page shows of a category.
  private static let maximumPreviewCount = 24
  /// The maximum number of categories that a page links to.
  package static let maximumCategoryLinkCount = 24
  /// The maximum number of subscriptions in the comparisons of the page of a store with many products.
  package static let maximumPlanCount = 6
  /// The maximum number of subscriptions that a comparison shows.
  package static let maximumComparisonCount = 24

  /// Returns the first products of each category that a store page shows, without those that its comparisons show.
  ///
  /// - Parameters:
  ///   - sections: The products by category.
  ///   - isCompared: Returns whether a comparison shows a product.
  func previews<Element>(
    of sections: [[Element]],
    isCompared: @escaping (Element) -> Bool
  ) -> [[Element]] {
    let listed = sections.filter { !$0.allSatisfy(isCompared) }
    let sectionCount = min(listed.count, max(1, pageSize / Self.rowSize - Self.rowsOfComparisons))
    let share = pageSize / max(1, sectionCount) / Self.rowSize * Self.rowSize
    let count = min(Self.maximumPreviewCount, max(Self.rowSize, share))
    return listed.prefix(sectionCount).map { Array($0.lazy.filter { !isCompared($0) }.prefix(count)) }
  }

  /// Returns the subscription groups that the page of a store with many products compares.
  static func comparedGroups<Group>(_ groups: [Group], count: (Group) -> Int) -> [Group] {
    var planCount = 0
    return groups.filter { group in
      guard count(group) > 1, planCount + count(group) <= maximumPlanCount else { return false }
      planCount += count(group)
      return true
    }
  }

  /// The number of products in a part of a search index.
  package static let searchPartSize = 1000

  /// Returns the number of parts of a search index.
  package static func searchPartCount(_ total: Int) -> Int {
    (total + searchPartSize - 1) / searchPartSize
  }
}
