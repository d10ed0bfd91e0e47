import Foundation
import PriceTagCatalog

/// Returns a file in PriceTag's JSON Lines format.
package func lines(_ lines: String..., name: String = "shop.jsonl") -> CatalogFile {
  CatalogFile(name: name, bytes: Array(lines.joined(separator: "\n").utf8))
}

/// A temporary folder that is removed when the object is deallocated.
package final class ScratchFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")

  /// Creates a folder with text files.
  package init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files { _ = try write(name, Array(text.utf8)) }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  package func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file, and returns its path.
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
    return file.path
  }
}

extension PriceTable {
  /// One line per price: `USA 0.99 USD`, `BGR 1.95 BGN until 2025-12-31`.
  package var lines: [String] {
    prices.map { price in
      "\(price.storefront) \(price.amount) \(price.currency)"
        + (price.days.first.map { " from \($0)" } ?? "") + (price.days.last.map { " until \($0)" } ?? "")
        + (price.taxInclusion.map { ", tax included \($0.rawValue)" } ?? "")
    }
  }
}

/// Returns the contents of a catalog as text.
package func contents(of catalog: Catalog) throws -> [String] {
  var contents: [String] = []
  try catalog.forEachItem { (item) throws(CatalogError) in
    switch item {
    case .product(let product):
      let names = product.localizations.sorted { $0.key < $1.key }.map {
        "\($0.key)=\($0.value.name ?? "-")"
      }
      contents.append(([product.identifier] + names + product.prices.lines).joined(separator: ", "))
    case .tier(let tier):
      contents.append((["tier \(tier.name)"] + tier.prices.lines).joined(separator: ", "))
    case .group(let group):
      let names = group.names.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      contents.append((["\(group.kind.rawValue) \(group.identifier)"] + names).joined(separator: ", "))
    }
  }
  return contents
}
