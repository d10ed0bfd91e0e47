import PriceTag
import PriceTagCatalog
import PriceTagText

/// Rows with a storefront and an amount, and optionally a currency and a date (`at`), formatted: CSV with a header, or JSON Lines.
package struct PriceRows: Sendable {
  /// The prices of the valid rows, in order.
  let prices: [ExpectedPrice]
  /// The rejected rows, each with its line.
  package let problems: [DriftError]

  private static let fields = ["storefront", "amount", "currency", "at"]
  /// The maximum number of valid rows, and of invalid ones.
  private static let maximumCount = 250_000

  /// Returns whether a file starts with a row, or with a header of rows, and not with a product.
  package static func isStart(of file: CatalogFile) -> Bool {
    let start = (try? file.prefix(1 << 12)) ?? []
    let line = String(decoding: start.prefix { $0 != 0x0A }, as: UTF8.self)
    return line.contains("storefront") && line.contains("amount") && !line.contains("productIdentifier")
  }

  /// Reads and formats the rows of a file.
  ///
  /// - Throws: `.unreadableFile`; `.malformedRow` for a header without the columns, and for a file without valid rows.
  package init(_ file: CatalogFile, _ request: ListingRequest, in localeData: LocaleData) throws(DriftError) {
    let name = printable(file.name)
    var (prices, problems): ([ExpectedPrice], [DriftError]) = ([], [])
    var formatters: [PriceOrigin: PriceFormatter] = [:]
    func price(_ values: [String?], _ line: Int) throws(PriceTagError) -> ExpectedPrice {
      let values = values.map { $0?.isEmpty == true ? nil : $0 }
      guard let name = values[0], let decimal = values[1] else {
        throw PriceTagError(.missingStorefront, "the storefront or the amount is missing", fix: "write both")
      }
      let (id, amount) = (try Storefront(name, in: localeData).id, try Amount(decimal: decimal))
      let origin = PriceOrigin(storefront: id, currency: values[2], at: values[3])
      if formatters.count > 4096 { formatters = [:] }
      let formatter: PriceFormatter
      if let known = formatters[origin] {
        formatter = known
      } else {
        formatter = try origin.formatter(in: localeData, on: request.day, style: request.style)
      }
      formatters[origin] = formatter
      return ExpectedPrice(
        row: line,
        storefront: id,
        amount: amount,
        currency: formatter.currency.code,
        priceLocale: formatter.locale.identifier,
        at: values[3],
        text: try formatter.string(for: amount)
      )
    }
    func add(_ values: [String?]?, _ line: Int) throws(CatalogError) {
      do throws(PriceTagError) {
        guard let values else {
          throw PriceTagError(
            .malformedAmount,
            "the row is not complete",
            fix: "write an object, or a field for each column"
          )
        }
        prices.append(try price(values, line))
      } catch { problems.append(DriftError(.malformedRow, error).at("\(name), line \(line)")) }
      guard max(prices.count, problems.count) <= Self.maximumCount else {
        throw CatalogError(
          .tooLarge,
          "the file has more than \(Self.maximumCount) rows",
          fix: "write several files"
        )
      }
    }
    do throws(CatalogError) {
      if try file.prefix(64).first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
        try file.forEachLine { (bytes, line) throws(CatalogError) in
          guard case .object(let object)? = try? JSONReader.value(of: bytes) else {
            return try add(nil, line)
          }
          try add(
            Self.fields.map {
              if case .string(let text)? = object[$0] {
                text
              } else if case .number(let text)? = object[$0] {
                text
              } else {
                nil
              }
            },
            line
          )
        }
      } else {
        var header: [String]?
        try CSVReader.forEachRecord(of: file, separator: nil) { (record) throws(CatalogError) in
          guard let names = header else { return header = record.fields }
          let isComplete = names.count == record.fields.count
          try add(
            isComplete ? Self.fields.map { names.firstIndex(of: $0).map { record.fields[$0] } } : nil,
            record.line
          )
        }
      }
    } catch { throw DriftError(.unreadableFile, error).at(name) }
    guard !prices.isEmpty else {
      throw DriftError(
        .malformedRow,
        problems.first.map { "the file has no valid row: \($0.problem)" } ?? "the file has no rows",
        fix: "write CSV or JSON Lines with storefront and amount",
        place: name
      )
    }
    (self.prices, self.problems) = (prices, problems)
  }
}
