import PriceTag
import PriceTagStrings

/// A site's addresses for search engines, by the sitemap protocol: each page with the same page in the other languages
/// of its storefront. Beyond 50,000 addresses or 50 MB in a file there are several files, and an index of them.
struct Sitemap {
  /// What the protocol allows in one file.
  static let mostAddresses = 50_000
  static let mostBytes = 50 * 1024 * 1024

  private let url: String
  private let mostAddresses: Int
  private let mostBytes: Int
  private var finished: [String] = []
  private var body = ""
  private var count = 0

  private static let start = """
    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">

    """
  private static let end = "</urlset>\n"

  /// - Parameter url: The site's address, with `/` at the end.
  init(url: String, mostAddresses: Int = Self.mostAddresses, mostBytes: Int = Self.mostBytes) {
    (self.url, self.mostAddresses, self.mostBytes) = (url, mostAddresses, mostBytes)
  }

  /// Adds a page in each of its languages.
  ///
  /// - Parameters:
  ///   - languages: Its languages.
  ///   - defaultLanguage: The one for readers of none.
  ///   - path: Where it is in a language.
  mutating func add(_ languages: [UILanguage], defaultLanguage: UILanguage, path: (UILanguage) -> PagePath) {
    var links = ""
    if languages.count > 1 {
      for (tag, language) in languages.map({ ($0.identifier, $0) }) + [("x-default", defaultLanguage)] {
        links +=
          "<xhtml:link rel=\"alternate\" hreflang=\"\(tag)\" href=\"\(escapedForHTML(url))\(path(language))\"/>\n"
      }
    }
    for language in languages {
      let entry = "<url><loc>\(escapedForHTML(url))\(path(language))</loc>\n\(links)</url>\n"
      if count == mostAddresses
        || Self.start.utf8.count + body.utf8.count + entry.utf8.count + Self.end.utf8.count > mostBytes
      {
        finish()
      }
      body += entry
      count += 1
    }
  }

  private mutating func finish() {
    finished.append(Self.start + body + Self.end)
    (body, count) = ("", 0)
  }

  /// The files, by their paths in the site: `sitemap.xml`, and beyond one file's size those that it names.
  mutating func files() -> [(path: String, text: String)] {
    if count > 0 || finished.isEmpty { finish() }
    if finished.count == 1 { return [("sitemap.xml", finished[0])] }
    let parts = finished.enumerated().map { ("sitemap-\($0.offset + 1).xml", $0.element) }
    let index = parts.map { "<sitemap><loc>\(escapedForHTML(url))\($0.0)</loc></sitemap>\n" }.joined()
    return [
      (
        "sitemap.xml",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        \(index)</sitemapindex>

        """
      )
    ] + parts
  }
}
