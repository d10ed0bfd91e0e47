import PriceTag
import PriceTagCatalog
import PriceTagText

/// A format that a catalogue is written out in.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// PriceTag's own JSON: everything.
  case json
  /// The same, an object a line: everything.
  case jsonl
  /// PriceTag's own CSV: a row per price, without offers, tiers and names of groups.
  case csv
  /// An iTunes Store package's `metadata.xml`: tiers and texts.
  case itmsp
}

extension Catalog {
  /// Writes the catalogue out. What was imported from a format says the same when it is imported from this again.
  ///
  ///     var text = ""
  ///     try catalog.export(as: .jsonl) { text += $0 }
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - write: Is handed the text part by part; only a package is handed whole.
  ///   - leftOut: Is handed what the format has no way to say.
  /// - Throws: `.databaseFailed`.
  public func export(
    as format: ExportFormat,
    to write: (String) -> Void,
    leftOut: (CatalogError) -> Void = { _ in }
  ) throws(CatalogError) {
    switch format {
    case .json: try exportJSON(write)
    case .jsonl:
      let writer = CatalogJSONWriter(localeData: localeData)
      try forEachItem { (item) throws(CatalogError) in
        switch item {
        case .product(let product): write(writer.line(of: product) + "\n")
        case .tier(let tier): write(writer.line(of: tier) + "\n")
        case .group(let group): write(writer.line(of: group) + "\n")
        }
      }
    case .csv:
      let writer = CatalogCSVWriter(languages: try languages())
      var (tiers, groups) = (0, 0)
      write(writer.header)
      try forEachItem { (item) throws(CatalogError) in
        switch item {
        case .product(let product):
          let (text, errors) = writer.rows(of: product)
          write(text)
          errors.forEach(leftOut)
        case .tier: tiers += 1
        case .group: groups += 1
        }
      }
      if tiers > 0 { leftOut(.leftOut("CSV has no prices of tiers, of which there are \(tiers)")) }
      if groups > 0 { leftOut(.leftOut("CSV has no names of groups, of which there are \(groups)")) }
    case .itmsp:
      var products: [CatalogProduct] = []
      var groups: [ProductGroup] = []
      var tiers = 0
      try forEachItem { (item) throws(CatalogError) in
        switch item {
        case .product(let product): products.append(product)
        case .group(let group): groups.append(group)
        case .tier: tiers += 1
        }
      }
      if tiers > 0 {
        leftOut(.leftOut("a package has no prices of tiers, of which there are \(tiers)"))
      }
      let categories = groups.count { $0.kind == .category }
      if categories > 0 {
        leftOut(.leftOut("a package has no categories, of which there are \(categories)"))
      }
      let (text, errors) = ITunesPackageWriter(provider: "provider", vendorIdentifier: "vendor")
        .text(of: products, groups: groups)
      write(text)
      errors.forEach(leftOut)
    }
  }

  /// A document, a line an object.
  private func exportJSON(_ write: (String) -> Void) throws(CatalogError) {
    let writer = CatalogJSONWriter(localeData: localeData)
    var section: CatalogJSON.Section?
    write("{\"format\":\(json(CatalogJSON.formatName)),\"version\":\(CatalogJSON.version)")
    try forEachItem { (item) throws(CatalogError) in
      let (own, text): (CatalogJSON.Section, String) =
        switch item {
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
  fileprivate static func leftOut(_ problem: String) -> CatalogError {
    CatalogError(.notRepresentable, problem, fix: "export to json or jsonl, which have everything")
  }
}
