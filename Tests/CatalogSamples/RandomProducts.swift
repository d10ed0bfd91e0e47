import PriceTag
import PriceTagCatalog
import SeededNumbers

/// Random products that are the same for the same seed.
package struct RandomProducts: RandomNumberGenerator {
  private var numbers: SeededNumbers

  package init(seed: UInt64) {
    numbers = SeededNumbers(seed: seed)
  }

  package mutating func next() -> UInt64 { numbers.next() }

  package static let languages = ["ar", "de", "en-US", "zh-Hans"]
  package static let date = "2026-10-01"
  private static let storefronts = ["BGR", "CHN", "DEU", "HRV", "JPN", "KWT", "USA"]
  private static let pieces = [
    "a", "Level", " ", ",", ";", "\"", "'", "\n", "\r\n", "\t", "é", "e\u{301}", "\"\u{301}", "\u{2028}", "😀",
    "<&>", "]]>",
    "=1+1", "\\", "0", "\u{FEFF}", "\u{A0}", "漢字", " until ", "from 2020-01-01",
  ]

  package mutating func maybe() -> Bool { next() % 2 == 0 }

  package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  package mutating func optional<Value>(_ make: (inout RandomProducts) throws -> Value) rethrows -> Value? {
    maybe() ? try make(&self) : nil
  }

  package mutating func text() -> String { (0...number(0...5)).map { _ in pick(Self.pieces) }.joined() }

  /// Returns a name of a tier or a group, on one line.
  package mutating func name() -> String {
    text().unicodeScalars.filter { $0.properties.generalCategory != .control }.reduce(into: "n") {
      $0.unicodeScalars.append($1)
    }
  }

  package mutating func day(year: Int) throws -> CalendarDate {
    try CalendarDate("\(year)-0\(number(1...9))-\(number(10...28))")
  }

  /// Returns consecutive date ranges, or the range of all dates.
  package mutating func periods() throws -> [DateRange] {
    if maybe() { return [.always] }
    var periods: [DateRange] = []
    let count = number(1...3)
    for index in 0..<count {
      let year = 2024 + index
      let first = try index == 0 && maybe() ? nil : day(year: year)
      let last = try index == count - 1 && maybe() ? nil : CalendarDate("\(year)-12-31")
      periods.append(try DateRange(from: first, until: last))
    }
    return periods
  }

  package mutating func tiers(_ name: (inout RandomProducts) -> String) throws -> [TierPeriod] {
    try periods().map { TierPeriod(name(&self), days: $0) }
  }

  package mutating func clearance() -> Clearance {
    let some = Set((0...number(0...2)).map { _ in pick(Self.storefronts) })
    return pick([.everywhere, .nowhere, .only(some), .except(some)])
  }

  /// - Parameter statesTax: Whether prices state that they include tax, as only those of products do.
  package mutating func prices(statesTax: Bool = false) throws -> PriceTable {
    var table = PriceTable()
    for id in Self.storefronts where maybe() {
      let storefront = try Storefront(id)
      let tax = statesTax ? optional { $0.pick(TaxInclusion.allCases) } : nil
      for days in try periods() {
        let currencies = storefront.currencyPeriods.filter {
          days.overlaps(DateRange(uncheckedFirst: $0.firstDay, last: $0.lastDay))
        }
        let currency = pick(currencies).currency
        let amount = try Amount(
          minorUnits: Int64(number(0...1_000_000_000)),
          exponent: currency.minorUnitDigits ?? 0
        )
        try table.add(
          CatalogPrice(storefront: id, amount: amount, currency: currency, days: days, taxInclusion: tax)
        )
      }
    }
    return table
  }

  package mutating func period() throws -> SubscriptionPeriod {
    try SubscriptionPeriod(pick(["P7D", "P1W", "P1M", "P2M", "P3M", "P6M", "P1Y", "P10D"]))
  }

  private mutating func offerPhase() throws -> CatalogOffer.Phase {
    let mode = pick(CatalogOffer.PaymentMode.allCases)
    return try CatalogOffer.Phase(
      mode,
      period: period(),
      periodCount: mode == .payAsYouGo ? number(1...999) : 1,
      prices: prices(),
      tiers: maybe() ? [] : tiers { $0.name() }
    )
  }

  package mutating func offer() throws -> CatalogOffer {
    let mode = pick(CatalogOffer.PaymentMode.allCases)
    return try CatalogOffer(
      pick(CatalogOffer.Kind.allCases),
      identifier: optional { $0.text() },
      paymentMode: mode,
      period: period(),
      periodCount: mode == .payAsYouGo ? number(1...999) : 1,
      clearedForSale: clearance(),
      days: pick(periods()),
      prices: prices(),
      tiers: maybe() ? [] : tiers { $0.name() },
      laterPhases: maybe() ? [] : [offerPhase()]
    )
  }

  package mutating func image(_ address: String) throws -> ProductImage {
    var texts: [String: String] = [:]
    for language in Self.languages where maybe() { texts[language] = text() }
    return try ProductImage(
      address,
      width: optional { $0.number(1...5000) },
      height: optional { $0.number(1...5000) },
      alternativeTexts: texts,
      sources: (0..<number(0...2)).map { index in
        try ProductImage.Source("\(address)-\(index)", width: 100 + index)
      }
    )
  }

  package mutating func product(_ index: Int) throws -> CatalogProduct {
    var product = try CatalogProduct("com.example.product\(index)")
    product.kind = optional { $0.pick(ProductKind.allCases) }
    product.referenceName = optional { $0.text() }
    product.category = optional { $0.name() }
    product.subscriptionGroup = optional { $0.name() }
    product.groupLevel = optional { $0.number(1...9999) }
    product.subscriptionPeriod = try optional { try $0.period() }
    for language in Self.languages where maybe() {
      let text = ProductText(name: optional { $0.text() }, description: optional { $0.text() })
      if !text.isEmpty { product.localizations[language] = text }
    }
    product.prices = try prices(statesTax: true)
    product.tiers = try optional { try $0.maybe() ? $0.tiers { $0.name() } : [] }
    for id in Self.storefronts where number(0...3) == 0 {
      product.priceLocales[id] = try PriceLocale(
        pick(["en-US", "ar-EG-u-nu-latn", "zh-CN"]),
        allowsNumberingSystem: true
      )
    }
    product.offers = try optional { random in
      try (0..<random.number(0...3)).map { _ in try random.offer() }
    }
    product.isApproved = optional { $0.maybe() }
    product.clearedForSale = optional { $0.clearance() }
    product.image = optional { $0.pick(["/img/a.png", "https://example.com/a,b.png?c=\"d\""]) }
    product.images = try optional { random in
      try ["a.jpg", "https://example.com/b,c.jpg", "d"].prefix(random.number(1...3)).map { address in
        try random.image(address)
      }
    }
    product.related = optional { $0.pick([[], ["a"], ["a:1", "b_2", "c-3.4"]]) }
    product.sortOrder = optional { $0.number(-1_000_000_000...1_000_000_000) }
    product.content = try optional { try ProductContent($0.pick(["0.75 L", "6 × 330 mL", "10 cL"])) }
    product.unitReference = try optional { try UnitPriceReference($0.pick(["L", "100 mL"])) }
    product.taxInclusion = optional { $0.pick(TaxInclusion.allCases) }
    return product
  }
}
