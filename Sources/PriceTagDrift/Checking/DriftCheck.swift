import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// Compares a golden file with what is displayed now.
///
///     let goldenFile = try GoldenFile(path: "prices.golden")
///     let report = try DriftCheck(goldenFile).check(catalog, goldenFile.header.request())
///     report.classSummaries     // the number of changed displays by class
public struct DriftCheck: Sendable {
  private let goldenFile: GoldenFile
  private let localeData: LocaleData

  /// Creates a check of a golden file.
  public init(_ goldenFile: GoldenFile, in localeData: LocaleData = .embedded) {
    (self.goldenFile, self.localeData) = (goldenFile, localeData)
  }

  // MARK: A catalog

  /// Formats a catalog again and reports what changed.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - request: The request of the golden file, from `GoldenFileHeader.request()`.
  /// - Returns: The report.
  /// - Throws: `.catalogFailed`.
  public func check(_ catalog: Catalog, _ request: ListingRequest) throws(DriftError) -> DriftReport {
    let recording = try DisplayRecording(of: catalog, request)
    var changes = DisplayChanges(goldenFile, request.style, localeData)
    while let product = try recording.next() { changes.compare(product) }
    changes.finish(reason: DisplayChanges.noProduct)
    return report(changes, .init(try GoldenFileHeader(request, in: localeData), name: ""))
  }

  // MARK: Another golden file

  /// Returns the changes from this golden file to another one, recorded later or on another machine.
  public func check(against other: GoldenFile) -> DriftReport {
    var changes = DisplayChanges(goldenFile, goldenFile.header.style, localeData)
    for line in other.lines { changes.compare(line) }
    changes.finish(reason: nil)
    return report(changes, .init(other.header, name: other.name), other.problems)
  }

  private func report(
    _ changes: DisplayChanges,
    _ current: DriftReport.Origin?,
    _ problems: [DriftError] = [],
    unchecked: Int = 0
  ) -> DriftReport {
    DriftReport(
      recorded: .init(goldenFile.header, name: goldenFile.name),
      current: current,
      changes: changes.changes,
      checkedByStorefront: changes.checkedByStorefront,
      unchecked: unchecked,
      problems: goldenFile.problems + problems
    )
  }

  // MARK: A shop's own displays

  /// Compares the golden file with the prices that a shop displays by other means.
  ///
  /// Displays of the golden file without a row are not checked; `DriftReport.unchecked` counts them.
  public func check(_ shop: ShopDisplays) -> DriftReport {
    let linesByProduct = LinesByProduct(goldenFile)
    var changes = DisplayChanges(goldenFile, goldenFile.header.style, localeData)
    var problems = shop.problems
    var checkedLines: Set<Int> = []
    for row in shop.rows {
      do throws(DriftError) {
        let storefront = try storefront(of: row)
        let lines = try linesByProduct.lines(of: row, in: storefront, suggests: problems.count < 20)
        checkedLines.formUnion(lines.compactMap(\.number))
        let key = [row.productIdentifier, storefront.id] + [row.language].compactMap(\.self)
        changes.compare(row, lines.first, key)
      } catch { problems.append(error.at("\(printable(shop.name)), line \(row.line)")) }
    }
    let validLineCount = goldenFile.lines.count { !$0.isRejected }
    return report(changes, nil, problems, unchecked: max(0, validLineCount - checkedLines.count))
  }

  private func storefront(of row: ShopDisplays.Row) throws(DriftError) -> Storefront {
    do throws(PriceTagError) { return try PriceTag.Storefront(row.storefront, in: localeData) } catch {
      throw DriftError(.malformedRow, error)
    }
  }
}

/// The lines of a golden file by product and storefront.
private struct LinesByProduct {
  private var lines: [String: [String: [(language: String, line: DisplayLine)]]] = [:]

  init(_ goldenFile: GoldenFile) {
    for line in goldenFile.lines {
      let key = line.key.fields
      guard key.count == 3 else { continue }
      lines[key[0], default: [:]][key[1], default: []].append((key[2], line))
    }
  }

  /// Returns the lines that a row corresponds to: of its language, or of all languages if it has none.
  ///
  /// - Parameter suggests: Whether the error suggests the closest match among all products.
  /// - Throws: `.malformedRow` for a product that the golden file does not have.
  func lines(
    of row: ShopDisplays.Row,
    in storefront: Storefront,
    suggests: Bool
  ) throws(DriftError) -> [DisplayLine] {
    guard let product = lines[row.productIdentifier] else {
      throw DriftError(
        .malformedRow,
        "the golden file has no product \(quoted(row.productIdentifier))",
        fix: "use one of its products"
          + (suggests ? didYouMean(row.productIdentifier, among: lines.keys) : "")
      )
    }
    let candidates = product[storefront.id] ?? []
    guard let language = row.language else { return candidates.map(\.line) }
    if let exact = candidates.first(where: { $0.language == language }) { return [exact.line] }
    // The language that a shopper with this language would get.
    let match = TextLanguages.matcher(of: candidates.map(\.language)).match(language)
    var shown = match.language.identifier
    if match.reason == .fallback {
      guard let language = try? UILanguage(language),
        StoreStrings.embedded.closestLanguageIfAny(to: language) == nil
      else { return [] }
      shown = storefront.defaultLanguage
    }
    return candidates.filter { $0.language == shown }.map(\.line)
  }
}
