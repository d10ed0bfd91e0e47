import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports a table of price tiers with one row per tier: as exported by Apple, with columns for the price and the
/// proceeds of each country, or with one column per storefront.
///
///     ,"Japan (JPY)",,"Korea, Republic Of (KRW)",      tier,USA,JPN
///     ,Price,Proceeds,Price,Proceeds                   1,0.99,120
///     Tier 1,120,84,1200,764                           2,1.99,250
///
/// `TierJSONReader` reads tiers in JSON.
enum TierMatrixImporter: CatalogImporter {
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let start = try file.prefix().first { $0 > 0x20 }
    if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
      var reader = TierJSONReader(session)
      return try reader.read(JSONFields.document(file))
    }
    var first: CSVReader.Record?
    var header: TierMatrixHeader?
    try CSVReader.forEachRecord(of: file, separator: nil) { (record) throws(CatalogError) in
      guard let labels = first else {
        try TierMatrixHeader.check(record)
        first = record
        return
      }
      if header == nil {
        header = try TierMatrixHeader(labels, record, session)
        if header?.hasSecondRow == true { return }
      }
      if let columns = header { header = try add(record, columns, session) }
    }
    guard header == nil else { return }
    guard let first else {
      throw CatalogError(.malformedFile, "the file is empty", fix: "write a header and a row for each tier")
    }
    _ = try TierMatrixHeader(first, nil, session)
  }

  /// Adds the tier of a row to the session and returns the updated header.
  private static func add(
    _ record: CSVReader.Record,
    _ header: TierMatrixHeader,
    _ session: ImportSession
  ) throws(CatalogError) -> TierMatrixHeader {
    if record.fields.allSatisfy(\.isEmpty) { return header }
    var header = header
    let tier = try session.attempt(at: "line \(record.line)") { () throws(CatalogError) -> PriceTier in
      try record.checkCells(columnCount: header.width)
      let name = TierName.canonical(String(record.fields[0].trimmingSpace))
      return PriceTier(try CatalogName.check(name), prices: PriceTable())
    }
    guard var tier else { return header }
    if let index = header.unnamedColumns.first(where: {
      $0 < record.fields.count && !record.fields[$0].isEmpty
    }) {
      header.unnamedColumns = []
      try session.reject(
        .unknownStorefront,
        "\(quoted(record.fields[index])) is in a column without a storefront",
        fix: "name the column's storefront in the header",
        place: "line \(record.line)"
      )
    }
    let place = "tier \(quoted(tier.name))"
    for column in header.columns where column.index < record.fields.count {
      let text = record.fields[column.index].trimmingSpace
      if text.isEmpty { continue }
      _ = try session.attempt(at: "line \(record.line), \(place), column \(quoted(column.label))") {
        () throws(CatalogError) in
        try column.storefront.add(session.amount(String(text)), to: &tier, session)
      }
    }
    try session.add(.tier(tier), at: "line \(record.line), \(place)")
    return header
  }
}
