import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText
import PriceTagXML

/// Imports the in-app purchases and subscription families in the `metadata.xml` of an iTunes Store package. The data of
/// the app itself are ignored.
enum ITunesPackageImporter: CatalogImporter {
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let bytes = try file.contents()
    try checkEncoding(bytes)
    var package = ITunesPackageReader(session)
    let reader = try CatalogXMLReader(bytes)
    var isInside = false
    while let event = try reader.next() {
      guard case .start(let name, let attributes, _) = event else { continue }
      if !isInside {
        try check(name, attributes, line: reader.line)
        isInside = true
      } else if ITunesPackageElement.local(name) == "in_app_purchases" {
        try readPurchases(reader, &package)
      }
    }
  }

  /// Reads the purchases and families in `<in_app_purchases>` one by one.
  private static func readPurchases(
    _ reader: CatalogXMLReader,
    _ package: inout ITunesPackageReader
  ) throws(CatalogError) {
    while let event = try reader.next() {
      switch event {
      case .start(let name, let attributes, _):
        try package.read(ITunesPackageElement(name, attributes, reader))
      case .end: return
      default: continue
      }
    }
  }

  /// Throws an error if the file is not UTF-8; the parser's own message would be less clear.
  private static func checkEncoding(_ bytes: [UInt8]) throws(CatalogError) {
    do { _ = try UTF8Span(validating: bytes.span) } catch {
      throw CatalogError(
        .malformedFile,
        "the file is not UTF-8",
        fix: "save it as UTF-8",
        place: "line \(1 + bytes.prefix(error.byteOffsets.lowerBound).count { $0 == 0x0A })"
      )
    }
  }

  /// Throws an error if the document is not the package of an app.
  private static func check(
    _ name: String,
    _ attributes: [XMLAttribute],
    line: Int
  ) throws(CatalogError) {
    let namespace = attributes.first { $0.name == "xmlns" }?.value ?? ITunesPackage.namespace
    guard ITunesPackageElement.local(name) == "package", namespace == ITunesPackage.namespace else {
      throw CatalogError(
        .unknownFormat,
        "the file starts with <\(printable(name, limit: 48))>, so it is not a complete iTunes Store package",
        fix:
          "use the complete metadata.xml, which starts with <package xmlns=\"\(ITunesPackage.namespace)\">",
        place: "line \(line)"
      )
    }
    let version = attributes.first { $0.name == "version" }?.value ?? ""
    guard version.hasPrefix(ITunesPackage.versionPrefix) else {
      throw CatalogError(
        .unknownVersion,
        "unknown package version \(quoted(version))",
        fix: "use the package of an app, with a version such as software5.11",
        place: "line \(line)"
      )
    }
  }
}
