import PriceTag
import PriceTagCatalog
import PriceTagReading
import PriceTagStrings
import PriceTagText

/// Expects that every display of a catalog obeys rules, in Swift Testing and in XCTest.
///
///     expectEveryStorefront(of: catalog)                                      // the standard rules
///     expectEveryStorefront(of: catalog, obeys: [.readsBack]) { display in
///       #expect(display.price.amount >= "0")
///     }
///
/// A product that a storefront should display but does not is a failure too. Each rule fails at most once, with an example
/// for each storefront.
///
/// - Parameters:
///   - catalog: The catalog.
///   - rules: The rules. `DisplayRule.all` contains all built-in ones.
///   - storefronts: The storefronts in which the shop sells, alpha-3 or alpha-2. Default: all.
///   - languages: The UI languages, BCP 47. Default: those of each store.
///   - isLanguageStrict: Whether a language without UI strings is a failure. Otherwise, each store uses its default language.
///   - date: The date, `YYYY-MM-DD`, or an instant, such as `2026-11-30T12:00Z`. Default: now, each store on its own date.
///   - style: The style of the prices.
///   - localeData: The registry of storefronts.
///   - strings: The UI strings.
///   - fileID: The caller's module and file, for failures.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: Called with each display, for further expectations.
public func expectEveryStorefront(
  of catalog: Catalog,
  obeys rules: [DisplayRule] = DisplayRule.standard,
  storefronts: [String]? = nil,
  languages: [String]? = nil,
  isLanguageStrict: Bool = false,
  at date: String? = nil,
  style: PriceStyle = PriceStyle(),
  localeData: LocaleData = .embedded,
  strings: StoreStrings = .embedded,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: (StorefrontDisplay) throws -> Void = { _ in }
) {
  let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
  _ = caller.attempt {
    let selection = try ListingSelection(
      storefronts: storefronts,
      languages: languages,
      at: date,
      in: localeData
    )
    let request = ListingRequest(
      storefronts: selection.storefronts ?? localeData.storefronts,
      languages: selection.languages ?? .store,
      isLanguageStrict: isLanguageStrict,
      at: selection.day ?? .now,
      style: style,
      strings: strings
    )
    var checker = try RuleChecker(rules, request, localeData)
    var hasBodyFailed = false
    let reading = try catalog.listings(for: request)
    let builder = try ListingBuilder(request)
    while case let products = try reading.next(100), !products.isEmpty {
      for record in products {
        try builder.forEach(record) { listing in
          guard let display = checker.check(listing), !hasBodyFailed else { return }
          // A body that throws for one display usually throws for all, so it is not called again.
          do { try body(display) } catch {
            hasBodyFailed = true
            caller.fail("\(display): \(error)")
          }
        }
      }
    }
    for failure in checker.failures(namesStorefronts: storefronts == nil) { caller.fail(failure) }
  }
}

/// Checks displays against rules and collects the violations.
private struct RuleChecker {
  private let rules: [DisplayRule]
  private let strings: StoreStrings
  private let readers: PriceReaders
  private var cachedReaders: [String: PriceReader] = [:]
  private var violations: [RuleViolations]
  private var missing = RuleViolations(rule: "products for sale are displayed")
  private var displayCount = 0
  private var storefronts: Set<String> = []
  /// What each rule found wrong with the previous display. It is reused for language-independent rules, because the
  /// displays of one price in several languages follow each other.
  private var problems: [String?]
  /// The product and the storefront of the previous display.
  private var previousPrice = ""

  init(_ rules: [DisplayRule], _ request: ListingRequest, _ localeData: LocaleData) throws {
    (self.rules, strings) = (rules, request.strings)
    let currencies = Set(try localeData.storefronts.map { try $0.currency(on: request.day) })
    readers = PriceReaders(currencies.sorted { $0.code < $1.code })
    violations = rules.map { RuleViolations(rule: $0.name) }
    problems = [String?](repeating: nil, count: rules.count)
  }

  /// Checks a listing.
  ///
  /// - Returns: The display; `nil` if the storefront does not display the product.
  mutating func check(_ listing: Listing) -> StorefrontDisplay? {
    switch listing.answer {
    case .product(let product, let spoken):
      let display = StorefrontDisplay(
        product: product,
        spoken: spoken,
        storefront: listing.storefront,
        language: listing.language,
        requestedLanguage: listing.requestedLanguage,
        reader: reader(of: product.price, in: listing.storefront),
        readers: readers,
        strings: strings
      )
      check(display)
      return display
    case .invalid(let invalid):
      if !invalid.reason.isIntended { missing.add(listing.storefront.id, invalid.description) }
      return nil
    }
  }

  private mutating func check(_ display: StorefrontDisplay) {
    displayCount += 1
    storefronts.insert(display.storefront.id)
    let price = "\(display.product.identifier) \(display.storefront.id)"
    for (index, rule) in rules.enumerated() {
      if !rule.isLanguageIndependent || price != previousPrice {
        problems[index] = rule.problem(with: display)
      }
      if let problem = problems[index] {
        violations[index].add(display.storefront.id, "\(display): \(problem)")
      }
    }
    previousPrice = price
  }

  private mutating func reader(of price: FormattedPrice, in storefront: Storefront) -> PriceReader {
    let key = "\(storefront.id) \(price.locale) \(price.currency)"
    if let cached = cachedReaders[key] { return cached }
    let reader = readers.reader(price.formatter)
    cachedReaders[key] = reader
    return reader
  }

  /// Returns the failures: one for each violated rule, or one if nothing could be checked.
  ///
  /// - Parameter namesStorefronts: Whether the failure of a shop that has no displays in some storefronts names the others.
  func failures(namesStorefronts: Bool) -> [String] {
    var all = ([missing] + violations).filter { !$0.examples.isEmpty }.map(\.text)
    if displayCount == 0, missing.examples.isEmpty {
      all.insert("the catalog has no displays in these storefronts, so no rule was checked", at: 0)
    } else if namesStorefronts, displayCount > 0,
      missing.examples.contains(where: { !storefronts.contains($0.storefront) })
    {
      all[0] += "\n  " + storefrontsAdvice
    }
    return all
  }

  /// How to check only the storefronts that have displays.
  private var storefrontsAdvice: String {
    let maximumCount = RuleViolations.maximumExampleCount
    let named = storefronts.sorted().prefix(maximumCount).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = storefronts.count > maximumCount ? ", …" : ""
    return
      "If the shop sells only in \(counted(storefronts.count, "storefront")), name them: storefronts: [\(named)\(rest)]"
  }
}

/// The displays that break a rule, with an example for each storefront.
private struct RuleViolations {
  let rule: String
  private(set) var examples: [(storefront: String, text: String)] = []
  private var count = 0

  init(rule: String) {
    self.rule = rule
  }

  mutating func add(_ storefront: String, _ text: String) {
    count += 1
    if examples.last?.storefront != storefront, !examples.contains(where: { $0.storefront == storefront }) {
      examples.append((storefront, text))
    }
  }

  static let maximumExampleCount = 10

  var text: String {
    let head =
      "the rule \"\(rule)\" is broken by \(counted(count, "display")) in \(counted(examples.count, "storefront")):"
    let omittedCount = examples.count - Self.maximumExampleCount
    let storefronts = examples.dropFirst(Self.maximumExampleCount).map(\.storefront).joined(separator: " ")
    return
      ([head] + examples.prefix(Self.maximumExampleCount).map { "  \($0.text)" }
      + (omittedCount > 0 ? ["  … and in \(storefronts)"] : []))
      .joined(separator: "\n")
  }
}
