import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// Writes a sitemap for search engines, which lists each page together with its versions in the storefront's other
/// languages, and the page on which shoppers choose a store together with those of all storefronts. Above 50,000 addresses or 50 MB it is divided into several files with an index.
struct Sitemap {
  /// The limits of the sitemap protocol for one file.
  static let maximumAddressCount = 50_000
  static let maximumByteCount = 50 * 1024 * 1024

  private let url: String
  private let maximumAddressCount: Int
  private let maximumByteCount: Int
  /// The number of files that were written because they were full.
  private var fullCount = 0
  /// The entries of the current file that are not written yet.
  private var body = ""
  /// The number of bytes and of entries of the current file.
  private var byteCount = 0
  private var count = 0

  /// A part of the output.
  enum Output {
    /// The next part of the current file.
    case text(String)
    /// The end of the current file, with its path in the site.
    case end(path: String)
  }

  /// Writes a part of the output.
  private let write: (Output) throws(PagesError) -> Void

  /// The size of the parts. A file may have 50 MB.
  private static let partByteCount = 1 << 18

  private static let start = """
    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">

    """
  private static let end = "</urlset>\n"

  /// - Parameters:
  ///   - url: The site's address, with `/` at the end.
  ///   - write: Writes a part of the output.
  init(
    url: String,
    maximumAddressCount: Int = Self.maximumAddressCount,
    maximumByteCount: Int = Self.maximumByteCount,
    write: @escaping (Output) throws(PagesError) -> Void
  ) {
    (self.url, self.maximumAddressCount, self.maximumByteCount) = (url, maximumAddressCount, maximumByteCount)
    self.write = write
  }

  /// Adds a page in all of its languages, and writes the current file when it is full.
  ///
  /// - Parameters:
  ///   - languages: The languages of the page.
  ///   - searchLanguages: The languages in the links for search engines, with their `hreflang`.
  ///   - defaultPage: The page for shoppers whom none of them suits.
  ///   - path: Returns the path of the page in a language.
  mutating func add(
    _ languages: [UILanguage],
    searchLanguages: [(language: UILanguage, tag: String)],
    defaultPage: PagePath,
    path: (UILanguage) -> PagePath
  ) throws(PagesError) {
    var alternates = searchLanguages.map { (path: path($0.language), tag: $0.tag) }
    alternates.append((defaultPage, "x-default"))
    try add(languages.map(path), alternates)
  }

  /// Adds pages with the same alternates, and writes the current file when it is full.
  mutating func add(_ pages: [PagePath], _ alternates: [(path: PagePath, tag: String)]) throws(PagesError) {
    let url = escapedForHTML(url)
    var links = ""
    for (path, tag) in alternates {
      links += "<xhtml:link rel=\"alternate\" hreflang=\"\(tag)\" href=\"\(url)\(path)\"/>\n"
    }
    for page in pages {
      let entry = "<url><loc>\(url)\(page)</loc>\n\(links)</url>\n"
      let size = Self.start.utf8.count + byteCount + entry.utf8.count + Self.end.utf8.count
      if count == maximumAddressCount || (count > 0 && size > maximumByteCount) {
        fullCount += 1
        try end(Self.path(ofPart: fullCount))
      }
      if count == 0 { body = Self.start }
      body += entry
      byteCount += entry.utf8.count
      count += 1
      if body.utf8.count > Self.partByteCount {
        try write(.text(body))
        body = ""
      }
    }
  }

  /// Writes the remaining entries: as `sitemap.xml` if they are all, else as the last file with `sitemap.xml` as the index.
  mutating func finish() throws(PagesError) {
    if count == 0 { body = Self.start }
    guard fullCount > 0 else { return try end(Self.path(ofPart: 0)) }
    try end(Self.path(ofPart: fullCount + 1))
    let parts = (1...fullCount + 1).map {
      "<sitemap><loc>\(escapedForHTML(url))\(Self.path(ofPart: $0))</loc></sitemap>\n"
    }
    try write(
      .text(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        \(parts.joined())</sitemapindex>

        """
      )
    )
    try write(.end(path: Self.path(ofPart: 0)))
  }

  /// Writes the end of the current file.
  private mutating func end(_ path: String) throws(PagesError) {
    try write(.text(body + Self.end))
    try write(.end(path: path))
    (body, byteCount, count) = ("", 0, 0)
  }

  /// Returns the path of a file: the only one, or the index, for 0.
  static func path(ofPart number: Int) -> String { number == 0 ? "sitemap.xml" : "sitemap-\(number).xml" }
}
