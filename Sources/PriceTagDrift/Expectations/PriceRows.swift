import PriceTag
import PriceTagCatalog
import PriceTagText

/// Formatted rows with a storefront and an amount, and optionally a currency and a date (`at`): CSV with a header, or JSON
/// Lines.
package struct PriceRows: Sendable {
  /// The prices of the valid rows, in order.
  private(set) var prices: [ExpectedPrice] = []
  /// The rejected rows, each with its line.
  package private(set) var problems: [DriftError] = []

  private static let fields = ["storefront", "amount", "currency", "at"]
  /// The maximum number of valid rows, and of rejected ones.
  private static let maximumCount = 250_000

  /// Returns whether a file starts with a row, or with a header of rows, and not with a product.
  package static func isStart(of file: CatalogFile) -> Bool {
    let start = (try? file.prefix(1 << 12)) ?? []
    let line = String(decoding: start.prefix { $0 != 0x0A }, as: UTF8.self)
    return line.contains("storefront") && line.contains("amount") && !line.contains("productIdentifier")
  }

  /// Reads and formats the rows of a file.
  ///
  /// - Throws: `.unreadableFile`; `.malformedRow` for a file without valid rows.
  package init(_ file: CatalogFile, _ request: ListingRequest, in localeData: LocaleData) throws(DriftError) {
    let name = printable(file.name)
    var formatters: [PriceOrigin: PriceFormatter] = [:]
    func price(_ values: [String?], _ line: Int) throws(PriceTagError) -> ExpectedPrice {
      let values = values.map { $0 == "" ? nil : $0 }
      let origin = PriceOrigin(storefront: values[0], currency: values[2], at: values[3])
      if formatters[origin] == nil || formatters.count > 4096 {
        formatters = formatters.count > 4096 ? [:] : formatters
        formatters[origin] = try origin.formatter(in: localeData, on: request.day, style: request.style)
      }
      guard let decimal = values[1], let id = values[0], let formatter = formatters[origin] else {
        throw PriceTagError(.malformedAmount, "the row has no amount", fix: "write a field for each column")
      }
      let amount = try Amount(decimal: decimal)
      return ExpectedPrice(
        product: nil,
        row: line,
        storefront: try Storefront(id, in: localeData).id,
        amount: amount.description,
        currency: formatter.currency.code,
        locale: formatter.locale.identifier,
        at: values[3],
        text: try formatter.string(for: amount)
      )
    }
    func add(_ values: [String?], _ line: Int) throws(CatalogError) {
      do throws(PriceTagError) { prices.append(try price(values, line)) } catch {
        problems.append(DriftError(.malformedRow, error).at("\(name), line \(line)"))
      }
      guard max(prices.count, problems.count) <= Self.maximumCount else {
        throw CatalogError(
          .tooLarge,
          "the file has more than \(Self.maximumCount) rows",
          fix: "write several files"
        )
      }
    }
    let none = [String?](repeating: nil, count: Self.fields.count)
    do throws(CatalogError) {
      if try file.prefix(64).first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
        try file.forEachLine { (bytes, line) throws(CatalogError) in
          guard case .object(let object)? = try? JSONReader.value(of: bytes) else {
            return try add(none, line)
          }
          try add(Self.fields.map { object[$0]?.literal }, line)
        }
      } else {
        var header: [String]?
        try CSVReader.forEachRecord(of: file, separator: nil) { (record) throws(CatalogError) in
          guard let names = header else { return header = record.fields }
          // An amount with a comma that is not quoted is two fields.
          let isComplete = names.count == record.fields.count
          let places = Self.fields.map { isComplete ? names.firstIndex(of: $0) : nil }
          try add(places.map { place in place.map { record.fields[$0] } }, record.line)
        }
      }
    } catch { throw DriftError(.unreadableFile, error).at(name) }
    guard prices.isEmpty else { return }
    let problem = problems.first.map { "the file has no valid row: \($0.problem)" } ?? "the file has no rows"
    throw DriftError(
      .malformedRow,
      problem,
      fix: "write CSV or JSON Lines with storefront and amount",
      place: name
    )
  }
}
