import PriceTag
import PriceTagStrings

/// Where a page stands in a site, and how one leads to another.
///
///     PagePath.store(japan, english).description               // "store/jpn/en-us/"
///     PagePath.store(japan, english).href(to: .entry(english)) // "../../../choose/en-us/"
public struct PagePath: Hashable, Sendable, CustomStringConvertible {
  /// The folders, from the site's own on.
  private let folders: [String]

  private init(_ folders: [String]) {
    self.folders = folders
  }

  /// The site's first page, which is the entry page in its first language.
  public static let root = PagePath([])

  /// The page that picks store and language, in a language: `choose/ar/`.
  public static func entry(_ language: UILanguage) -> PagePath { PagePath(["choose", folder(language)]) }

  /// A store page: `store/usa/en-us/`.
  public static func store(_ storefront: Storefront, _ language: UILanguage) -> PagePath {
    PagePath(["store", storefront.id.lowercased(), folder(language)])
  }

  /// A product's page in a store: `store/usa/en-us/products/com.example.level1/`.
  public static func product(
    _ identifier: String,
    _ storefront: Storefront,
    _ language: UILanguage
  ) -> PagePath {
    PagePath(store(storefront, language).folders + ["products", identifier])
  }

  /// The list of the pages with a product's prices everywhere: `everywhere/`.
  public static let everywhereList = PagePath(["everywhere"])

  /// A product's prices in every storefront: `everywhere/products/com.example.level1/`.
  public static func everywhere(_ identifier: String) -> PagePath {
    PagePath(["everywhere", "products", identifier])
  }

  /// A language as a folder is called: `zh-hant`.
  static func folder(_ language: UILanguage) -> String { language.identifier.lowercased() }

  /// The way to the site's own folder: `../../../`, or nothing.
  public var root: String { String(repeating: "../", count: folders.count) }

  /// The way to another page.
  public func href(to other: PagePath) -> String {
    let shared = zip(folders, other.folders).prefix { $0 == $1 }.count
    let way =
      String(repeating: "../", count: folders.count - shared)
      + other.folders.dropFirst(shared).map { "\($0)/" }.joined()
    return way.isEmpty ? "./" : way
  }

  /// The way from a page to a file of the shop's own, as an attribute has it. It never starts with the file's name,
  /// which could look like a scheme.
  static func fileHref(_ page: PagePath, _ address: String) -> String {
    pageText((page.folders.isEmpty ? "./" : page.root) + SiteFile.path(address))
  }

  /// The file that it is, from the site's own folder.
  public var file: String { "\(self)index.html" }

  /// The folders, each with `/` behind it; empty for the site's own.
  public var description: String { folders.map { "\($0)/" }.joined() }
}
