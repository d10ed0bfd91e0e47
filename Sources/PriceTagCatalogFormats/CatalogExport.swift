import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// A file format that a catalog can be exported to.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// PriceTag's own JSON: one document with all data.
  case json
  /// PriceTag's own JSON Lines: all data, one object per line.
  case jsonl
  /// PriceTag's own CSV: one row per price, without offers and tier prices.
  case csv
  /// The `metadata.xml` of an iTunes Store package: tiers and texts.
  case itmsp
}

extension Catalog {
  /// Exports the catalog. Importing the exported text again gives the same catalog, except for omitted data.
  ///
  ///     var text = ""
  ///     try catalog.export(as: .jsonl) { text += $0 }
  ///
  /// - Parameters:
  ///   - format: The format to write.
  ///   - write: Called with each part of the text in order; a package is passed in one part.
  ///   - onOmission: Called with an error for everything that the format cannot represent, which is omitted.
  ///   - change: Returns the item to export for each item of the catalog. It must be of the same kind.
  /// - Throws: `.databaseFailed`, and the errors of `change`.
  public func export(
    as format: ExportFormat,
    to write: (String) -> Void,
    onOmission: (CatalogError) -> Void = { _ in },
    changing change: (ImportedItem) throws(CatalogError) -> ImportedItem = { $0 }
  ) throws(CatalogError) {
    switch format {
    case .json: try exportJSON(write, change)
    case .jsonl:
      let writer = CatalogJSONWriter(localeData: localeData)
      try forEachItem { (item) throws(CatalogError) in
        switch try change(item) {
        case .product(let product): write(writer.line(of: product) + "\n")
        case .tier(let tier): write(writer.line(of: tier) + "\n")
        case .group(let group): write(writer.line(of: group) + "\n")
        }
      }
    case .csv: try exportCSV(write, onOmission, change)
    case .itmsp:
      var products: [CatalogProduct] = []
      var groups: [ProductGroup] = []
      var tiers = 0
      try forEachItem { (item) throws(CatalogError) in
        switch try change(item) {
        case .product(let product): products.append(product)
        case .group(let group): groups.append(group)
        case .tier: tiers += 1
        }
      }
      if tiers > 0 {
        onOmission(.omitted("the iTunes package format does not support tier prices (omitted: \(tiers))"))
      }
      let histories = products.count { !$0.history.isEmpty }
      if histories > 0 {
        onOmission(
          .omitted("the iTunes package format does not support price histories (omitted: \(histories))")
        )
      }
      let categories = groups.count { $0.kind == .category }
      if categories > 0 {
        onOmission(.omitted("the iTunes package format does not support categories (omitted: \(categories))"))
      }
      let (text, errors) = ITunesPackageWriter(provider: "provider", vendorIdentifier: "vendor")
        .text(of: products, groups: groups)
      write(text)
      errors.forEach(onOmission)
    }
  }

  private func exportCSV(
    _ write: (String) -> Void,
    _ onOmission: (CatalogError) -> Void,
    _ change: (ImportedItem) throws(CatalogError) -> ImportedItem
  ) throws(CatalogError) {
    let (languages, statesTax) = (try languages(), try statesTax())
    var (tierCount, historyCount) = (0, 0)
    var groups: [ProductGroup] = []
    var used: [ProductGroup.Kind: Set<String>] = [:]
    var writer: CatalogCSVWriter?
    // All groups come before the first product.
    func startedWriter() -> CatalogCSVWriter {
      if let writer { return writer }
      let started = CatalogCSVWriter(languages: languages, groups: groups, statesTax: statesTax)
      write(started.header)
      writer = started
      return started
    }
    try forEachItem { (item) throws(CatalogError) in
      switch try change(item) {
      case .product(let product):
        if !product.history.isEmpty { historyCount += 1 }
        let (text, errors) = startedWriter().rows(of: product)
        write(text)
        errors.forEach(onOmission)
        for kind in [ProductGroup.Kind.category, .subscriptionGroup] {
          if let identifier = product.identifier(of: kind) { used[kind, default: []].insert(identifier) }
        }
      case .tier: tierCount += 1
      case .group(let group): groups.append(group)
      }
    }
    _ = startedWriter()
    if tierCount > 0 { onOmission(.omitted("CSV does not support tier prices (omitted: \(tierCount))")) }
    if historyCount > 0 {
      onOmission(.omitted("CSV does not support price histories (omitted: \(historyCount))"))
    }
    let unused = groups.count { used[$0.kind]?.contains($0.identifier) != true }
    if unused > 0 {
      onOmission(.omitted("CSV does not support groups without products (omitted: \(unused))"))
    }
  }

  /// Writes one document with one object per line.
  private func exportJSON(
    _ write: (String) -> Void,
    _ change: (ImportedItem) throws(CatalogError) -> ImportedItem
  ) throws(CatalogError) {
    let writer = CatalogJSONWriter(localeData: localeData)
    var section: CatalogJSON.Section?
    write("{\"format\":\(json(CatalogJSON.formatName)),\"version\":\(CatalogJSON.version)")
    try forEachItem { (item) throws(CatalogError) in
      let (own, text): (CatalogJSON.Section, String) =
        switch try change(item) {
        case .tier(let tier): (.tiers, writer.text(of: tier))
        case .group(let group):
          (group.kind == .category ? .categories : .subscriptionGroups, writer.text(of: group))
        case .product(let product): (.products, writer.text(of: product))
        }
      if section == own {
        write(",\n" + text)
      } else {
        write((section == nil ? "" : "\n]") + ",\n\(json(own.rawValue)):[\n" + text)
        section = own
      }
    }
    write((section == nil ? "" : "\n]") + "}\n")
  }
}

extension CatalogError {
  /// The error for data that a format does not support.
  static func omitted(_ problem: String, place: String = "") -> CatalogError {
    CatalogError(
      .notRepresentable,
      problem,
      fix: "export to json or jsonl, which support all data",
      place: place
    )
  }
}
