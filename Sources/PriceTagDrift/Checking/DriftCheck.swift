import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// Holds a golden against what is displayed now.
///
///     let golden = try Golden(path: "prices.golden")
///     let report = try DriftCheck(golden).check(catalog, golden.header.request())
///     report.sums     // how many displays changed, and how
public struct DriftCheck: Sendable {
  private let golden: Golden
  private let localeData: LocaleData

  /// A check of a golden.
  public init(_ golden: Golden, in localeData: LocaleData = .embedded) {
    (self.golden, self.localeData) = (golden, localeData)
  }

  // MARK: A catalogue

  /// Formats a catalogue again, and tells what changed.
  ///
  /// - Parameters:
  ///   - catalog: The catalogue.
  ///   - request: What the golden was made of: `GoldenHeader.request()`.
  /// - Throws: `.catalogFailed`.
  public func check(_ catalog: Catalog, _ request: ListingRequest) throws(DriftError) -> DriftReport {
    let recording = try DisplayRecording(of: catalog, request)
    var changes = DisplayChanges(golden, request.style, localeData)
    while let product = try recording.next() { changes.take(product) }
    changes.finish(reason: DisplayChanges.noProduct)
    return report(changes, .init(try GoldenHeader(request, in: localeData), name: ""))
  }

  // MARK: Another golden

  /// Tells what changed from this golden to another one, made on another machine or later.
  public func check(against other: Golden) -> DriftReport {
    var changes = DisplayChanges(golden, golden.header.style, localeData)
    for line in other.lines { changes.take(line) }
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
      recorded: .init(golden.header, name: golden.name),
      current: current,
      changes: changes.changes,
      checkedByStorefront: changes.checkedByStorefront,
      unchecked: unchecked,
      problems: golden.problems + problems
    )
  }

  // MARK: A shop's own displays

  /// Holds a shop's own displays against the golden: what it shows its customers, by whatever it formats prices with.
  ///
  /// What the golden has and the shop does not tell of is not checked.
  public func check(_ shop: ShopDisplays) -> DriftReport {
    var lines = LinesByProduct(golden)
    var changes = DisplayChanges(golden, golden.header.style, localeData)
    var problems = shop.problems
    var told: Set<Int> = []
    for row in shop.rows {
      do throws(DriftError) {
        let storefront = try storefront(of: row)
        let there = try lines.lines(of: row, in: storefront, suggests: problems.count < 20)
        told.formUnion(there.compactMap(\.number))
        let key = [row.productIdentifier, storefront] + [row.language].compactMap(\.self)
        changes.take(row, there.first, key)
      } catch { problems.append(error.at("\(printable(shop.name)), line \(row.line)")) }
    }
    let known = golden.lines.count { !$0.isSetAside }
    return report(changes, nil, problems, unchecked: max(0, known - told.count))
  }

  private func storefront(of row: ShopDisplays.Row) throws(DriftError) -> String {
    do throws(PriceTagError) { return try PriceTag.Storefront(row.storefront, in: localeData).id } catch {
      throw DriftError(.malformedRow, error)
    }
  }
}

/// A golden's lines, by product and storefront.
private struct LinesByProduct {
  private var lines: [String: [String: [(language: String, line: DisplayLine)]]] = [:]
  /// By the languages of a storefront's lines: most storefronts have the same ones.
  private var matchers: [[String]: LanguageMatcher] = [:]

  private static let mostMatchers = 1000

  init(_ golden: Golden) {
    for line in golden.lines {
      let key = line.key.fields
      guard key.count == 3 else { continue }
      lines[key[0], default: [:]][key[1], default: []].append((key[2], line))
    }
  }

  /// The lines that a row speaks of: of all languages where it names none; none where the golden has none there.
  ///
  /// - Parameter suggests: Whether the nearest product is looked for, among all there are.
  /// - Throws: `.malformedRow` for a product that the golden does not have.
  mutating func lines(
    of row: ShopDisplays.Row,
    in storefront: String,
    suggests: Bool
  ) throws(DriftError) -> [DisplayLine] {
    guard let product = lines[row.productIdentifier] else {
      throw DriftError(
        .malformedRow,
        "the golden has no product \(quoted(row.productIdentifier))",
        fix: "give one that it has" + (suggests ? didYouMean(row.productIdentifier, among: lines.keys) : "")
      )
    }
    let there = product[storefront] ?? []
    guard let language = row.language else { return there.map(\.line) }
    if let exact = there.first(where: { $0.language == language }) { return [exact.line] }
    // As a reader of the language would be answered.
    let match = matcher(of: there.map(\.language)).match(language)
    guard match.reason != .fallback else { return [] }
    return there.filter { $0.language == match.language.identifier }.map(\.line)
  }

  private mutating func matcher(of languages: [String]) -> LanguageMatcher {
    if let matcher = matchers[languages] { return matcher }
    let matcher = LanguageMatcher(languages.compactMap { try? UILanguage($0) })
    if matchers.count >= Self.mostMatchers { matchers.removeAll() }
    matchers[languages] = matcher
    return matcher
  }
}
