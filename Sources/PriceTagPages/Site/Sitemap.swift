import PriceTag
import PriceTagStrings
import PriceTagText

/// A site's addresses for search engines, by the sitemap protocol: each page with the same page in the other languages
/// of its storefront. Beyond 50,000 addresses or 50 MB in a file there are several files, and an index of them.
struct Sitemap {
  /// What the protocol allows in one file.
  static let mostAddresses = 50_000
  static let mostBytes = 50 * 1024 * 1024

  private let url: String
  private let mostAddresses: Int
  private let mostBytes: Int
  /// How many files were full.
  private var fullCount = 0
  /// The entries of the file that is not.
  private var body = ""
  private var count = 0

  /// Takes a file, by its path in the site.
  typealias Write = (_ path: String, _ text: String) throws(PagesError) -> Void

  private static let start = """
    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">

    """
  private static let end = "</urlset>\n"

  /// - Parameter url: The site's address, with `/` at the end.
  init(url: String, mostAddresses: Int = Self.mostAddresses, mostBytes: Int = Self.mostBytes) {
    (self.url, self.mostAddresses, self.mostBytes) = (url, mostAddresses, mostBytes)
  }

  /// Adds a page in each of its languages; a file that is full is written.
  ///
  /// - Parameters:
  ///   - languages: Its languages.
  ///   - defaultLanguage: The one for readers of none.
  ///   - path: Where it is in a language.
  ///   - write: Takes a file.
  mutating func add(
    _ languages: [UILanguage],
    defaultLanguage: UILanguage,
    path: (UILanguage) -> PagePath,
    _ write: Write
  ) throws(PagesError) {
    let url = escapedForHTML(url)
    var links = ""
    if languages.count > 1 {
      for (tag, language) in languages.map({ ($0.identifier, $0) }) + [("x-default", defaultLanguage)] {
        links += "<xhtml:link rel=\"alternate\" hreflang=\"\(tag)\" href=\"\(url)\(path(language))\"/>\n"
      }
    }
    for language in languages {
      let entry = "<url><loc>\(url)\(path(language))</loc>\n\(links)</url>\n"
      let size = Self.start.utf8.count + body.utf8.count + entry.utf8.count + Self.end.utf8.count
      if count == mostAddresses || (count > 0 && size > mostBytes) {
        fullCount += 1
        try write(Self.part(fullCount), Self.start + body + Self.end)
        (body, count) = ("", 0)
      }
      body += entry
      count += 1
    }
  }

  /// Writes what is left: all of it as `sitemap.xml`, or the last file and as `sitemap.xml` the index of all.
  func finish(_ write: Write) throws(PagesError) {
    let last = Self.start + body + Self.end
    guard fullCount > 0 else { return try write(Self.path, last) }
    try write(Self.part(fullCount + 1), last)
    let parts = (1...fullCount + 1).map {
      "<sitemap><loc>\(escapedForHTML(url))\(Self.part($0))</loc></sitemap>\n"
    }
    try write(
      Self.path,
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      \(parts.joined())</sitemapindex>

      """
    )
  }

  private static let path = "sitemap.xml"
  private static func part(_ number: Int) -> String { "sitemap-\(number).xml" }
}
