import PriceTag
import PriceTagStrings
import PriceTagText

/// The path of a page in a site.
///
///     PagePath.store(japan, english).description               // "store/jpn/en-us/"
///     PagePath.store(japan, english).href(to: .entry(english)) // "../../../choose/en-us/"
public struct PagePath: Hashable, Sendable, CustomStringConvertible {
  /// The folders below the site's folder, each followed by `/`; empty for the root page.
  public let description: String
  /// The product identifier of a product page in a store; `nil` for other pages.
  let product: String?
  /// The address of the site's folder, for a page that answers addresses in any folder; `nil` for other pages.
  private let fixedRoot: String?

  private init(_ description: String, product: String? = nil, fixedRoot: String? = nil) {
    (self.description, self.product, self.fixedRoot) = (description, product, fixedRoot)
  }

  /// The root page of a site: the entry page in the default language.
  public static let root = PagePath("")

  /// Returns the path of the entry page, where shoppers choose a store and a language: `choose/ar/`.
  public static func entry(_ language: UILanguage) -> PagePath { PagePath("choose/\(folder(language))/") }

  /// Returns the address under which search engines find an entry page. In the default language it is the root page, of which
  /// `choose/en-us/` is a copy.
  static func entry(_ language: UILanguage, isDefault: Bool) -> PagePath {
    isDefault ? .root : .entry(language)
  }

  /// Returns the path of the page on which shoppers choose a store for a product:
  /// `choose/products/com.example.level1/`.
  package static func productEntry(_ identifier: String) -> PagePath {
    PagePath("choose/products/\(identifier)/")
  }

  /// Returns the path of the page for an address that does not exist: `404.html`, with links that start with `root`.
  static func notFound(root: String) -> PagePath { PagePath("", fixedRoot: root) }

  /// Returns the path of a store page: `store/usa/en-us/`.
  public static func store(_ storefront: Storefront, _ language: UILanguage) -> PagePath {
    PagePath(folder(storefront, language))
  }

  private static func folder(_ storefront: Storefront, _ language: UILanguage) -> String {
    "store/\(storefront.id.lowercased())/\(folder(language))/"
  }

  /// Returns the path of a product page in a store: `store/usa/en-us/products/com.example.level1/`.
  public static func product(
    _ identifier: String,
    _ storefront: Storefront,
    _ language: UILanguage
  ) -> PagePath {
    PagePath("\(folder(storefront, language))products/\(identifier)/", product: identifier)
  }

  /// Returns the path of a page of a store's list of all products, or of those of a category: `store/usa/en-us/all/`,
  /// `store/usa/en-us/categories/cars/2/`.
  ///
  /// - Parameters:
  ///   - category: The identifier of the category; `nil` for all products.
  ///   - number: The number of the page. The path of the first page has none.
  ///   - storefront: The storefront.
  ///   - language: The language of the page.
  public static func list(
    _ category: String?,
    page number: Int = 1,
    _ storefront: Storefront,
    _ language: UILanguage
  ) -> PagePath {
    let list = category.map { "categories/\(folder(ofCategory: $0))" } ?? "all"
    return PagePath("\(folder(storefront, language))\(list)/\(number > 1 ? "\(number)/" : "")")
  }

  /// Returns the path of a part of a store's search index, which is a file: `store/usa/en-us/search/1.json`.
  public static func searchIndex(_ part: Int, _ storefront: Storefront, _ language: UILanguage) -> String {
    "\(store(storefront, language))search/\(part).json"
  }

  /// The maximum length of a folder's name, in bytes. File systems allow 255.
  private static let maximumFolderByteCount = 200

  /// Returns the folder name of a category: its identifier, in which every byte other than an ASCII letter, a digit, `_`,
  /// `-` and `.` becomes `~` and two hexadecimal digits. A name that would be too long ends with a fingerprint instead.
  package static func folder(ofCategory identifier: String) -> String {
    var name = fragment(of: identifier, keeping: "-")
    // A name of dots only would be another folder.
    if name.hasPrefix(".") { name = "~2e\(name.dropFirst())" }
    if name.isEmpty { return "~" }
    guard name.utf8.count > maximumFolderByteCount else { return name }
    return "\(name.prefix(maximumFolderByteCount / 2))~\(fingerprint(of: identifier))"
  }

  /// The path of the list of "everywhere" pages: `everywhere/`.
  public static let everywhereList = PagePath("everywhere/")

  /// Returns the path of the page with a product's prices in every storefront:
  /// `everywhere/products/com.example.level1/`.
  public static func everywhere(_ identifier: String) -> PagePath {
    PagePath("everywhere/products/\(identifier)/")
  }

  /// The file of the prices on an "everywhere" page.
  var prices: String { "\(self)prices.csv" }

  /// Returns the folder name of a language: `zh-hant`.
  static func folder(_ language: UILanguage) -> String { language.identifier.lowercased() }

  /// The page on which shoppers choose a store for what a page of a store shows: a product, or the complete shop.
  var choice: PagePath { product.map { .productEntry($0) } ?? .root }

  /// The relative path to the site's folder: `../../../`; empty for the root page.
  public var root: String { fixedRoot ?? Self.up(description.utf8) }

  /// Returns the relative path to another page.
  public func href(to other: PagePath) -> String {
    if let fixedRoot { return fixedRoot.isEmpty ? "./\(other)" : "\(fixedRoot)\(other)" }
    var (own, target) = (description, other.description)
    let way = own.withUTF8 { own in
      target.withUTF8 { target in
        // The number of bytes of the folders that both have.
        var shared = 0
        for index in 0..<min(own.count, target.count) {
          if own[index] != target[index] { break }
          if own[index] == UInt8(ascii: "/") { shared = index + 1 }
        }
        return Self.up(own[shared...]) + String(decoding: target[shared...], as: UTF8.self)
      }
    }
    return way.isEmpty ? "./" : way
  }

  private static let ways = (0...8).map { String(repeating: "../", count: $0) }

  /// Returns the path out of folders, each of which ends with `/`.
  private static func up(_ folders: some Sequence<UInt8>) -> String {
    let count = folders.count { $0 == UInt8(ascii: "/") }
    return ways.indices.contains(count) ? ways[count] : String(repeating: "../", count: count)
  }

  /// Returns the relative path from a page to a file of the shop, escaped for an attribute. It never starts with the file
  /// name, which could look like a URL scheme.
  static func fileHref(_ page: PagePath, _ address: String) -> String {
    pageText((page.root.isEmpty ? "./" : page.root) + SiteFile.path(address))
  }

  /// The page's file, relative to the site's folder.
  public var file: String { fixedRoot == nil ? "\(self)index.html" : "404.html" }
}
