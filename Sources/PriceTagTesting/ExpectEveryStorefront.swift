import PriceTag
import PriceTagCatalog
import PriceTagDrift
import PriceTagStrings
import PriceTagText

/// Expects that every display of a catalogue obeys rules, in Swift Testing and in XCTest.
///
///     expectEveryStorefront(of: catalog)                                      // the usual rules
///     expectEveryStorefront(of: catalog, obeys: [.readsBack]) { display in
///       #expect(display.price.amount >= "0")
///     }
///
/// A product that should be displayed and is not fails too. Failures of a rule are told together, with an example for
/// each storefront.
///
/// - Parameters:
///   - catalog: The catalogue.
///   - rules: The rules; `DisplayRule.all` has further ones.
///   - storefronts: The storefronts, alpha-3 or alpha-2; all if not given.
///   - languages: The readers' languages, BCP 47; each store's own if not given.
///   - date: The day, `YYYY-MM-DD`; today in UTC if not given.
///   - style: How prices are written.
///   - localeData: Where storefronts are looked up.
///   - strings: The words around prices.
///   - fileID: The caller's module and file; failures point there.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - body: What else is expected of each display.
public func expectEveryStorefront(
  of catalog: Catalog,
  obeys rules: [DisplayRule] = DisplayRule.usual,
  storefronts: [String]? = nil,
  languages: [String]? = nil,
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
    let asked = try Asked(storefronts: storefronts, languages: languages, at: date, in: localeData)
    let request = ListingRequest(
      storefronts: asked.storefronts ?? localeData.storefronts,
      languages: asked.languages ?? .store,
      at: asked.date ?? .today,
      style: style,
      strings: strings
    )
    let charged = Set(localeData.storefronts.map { $0.currency(on: request.date) })
    let reading = try catalog.listings(for: request)
    let maker = try ListingMaker(request)
    var breaches = rules.map { Breaches(rule: $0.name) }
    var missing = Breaches(rule: "what is for sale is displayed")
    let all = PriceReaders(charged.sorted { $0.code < $1.code })
    var readers: [String: PriceReader] = [:]
    func reader(of price: FormattedPrice, in storefront: Storefront) -> PriceReader {
      let key = "\(storefront.id) \(price.locale) \(price.currency)"
      if let known = readers[key] { return known }
      let reader = all.reader(price.formatter)
      readers[key] = reader
      return reader
    }
    // A price is the same to readers of all languages, who come one behind the other.
    var lastPrice = ""
    var problems = [String?](repeating: nil, count: rules.count)
    var hasBodyFailed = false
    var count = 0
    while case let products = try reading.next(100), !products.isEmpty {
      for facts in products {
        try maker.forEach(facts) { listing in
          switch listing.answer {
          case .product(let product, let spoken):
            count += 1
            let display = StorefrontDisplay(
              product: product,
              spoken: spoken,
              storefront: listing.storefront,
              language: listing.language,
              reader: reader(of: product.price, in: listing.storefront),
              readers: all,
              strings: strings
            )
            let price = "\(product.identifier) \(listing.storefront.id)"
            for (index, rule) in rules.enumerated() {
              if !rule.isOfPricesAlone || price != lastPrice { problems[index] = rule.problem(with: display) }
              if let problem = problems[index] {
                breaches[index].add(listing.storefront.id, "\(display): \(problem)")
              }
            }
            lastPrice = price
            // One that fails by an error would mostly fail for all: what the rules found is told nevertheless.
            if !hasBodyFailed {
              do { try body(display) } catch {
                hasBodyFailed = true
                caller.fail("\(display): \(error)")
              }
            }
          case .invalid(let invalid) where !invalid.reason.isIntended:
            missing.add(listing.storefront.id, invalid.description)
          case .invalid: break
          }
        }
      }
    }
    if count == 0, missing.examples.isEmpty {
      caller.fail("the catalogue displays nothing there: nothing was checked")
    }
    for breach in [missing] + breaches where !breach.examples.isEmpty { caller.fail(breach.text) }
  }
}

/// The displays that break a rule, with an example for each storefront.
private struct Breaches {
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

  private static let mostExamples = 10

  var text: String {
    let head =
      "the rule \"\(rule)\" is broken by \(counted(count, "display")) in \(counted(examples.count, "storefront")):"
    let more = examples.count - Self.mostExamples
    let storefronts = examples.dropFirst(Self.mostExamples).map(\.storefront).joined(separator: " ")
    return
      ([head] + examples.prefix(Self.mostExamples).map { "  \($0.text)" }
      + (more > 0 ? ["  … and in \(storefronts)"] : []))
      .joined(separator: "\n")
  }
}
