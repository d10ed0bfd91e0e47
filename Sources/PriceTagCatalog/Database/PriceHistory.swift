import PriceTag
import PriceTagText

/// The regular prices of a product in one storefront that imports replaced, read from its records.
struct PriceHistory: Sendable {
  /// Prices that an import replaced.
  struct Layer: Sendable {
    /// The first date on which they counted; `nil` if it is unknown.
    let first: CalendarDate?
    /// The last date on which they counted.
    let last: CalendarDate
    /// The prices with their own dates, sorted by first day; empty if the product had none.
    let prices: [StorefrontPrices.Price]
  }

  /// The replaced prices, the oldest first.
  private(set) var layers: [Layer] = []
  /// The first date of the prices that no import has replaced; `nil` if it is unknown.
  private(set) var start: CalendarDate?

  init(start: CalendarDate?) { self.start = start }

  /// Adds the prices that an import replaced.
  ///
  /// The prices of an import at a date count for the date, so the earlier ones count until the date before. An import at an
  /// instant is in the middle of a date, for which both count. The same is true for two imports at one date.
  ///
  /// - Parameters:
  ///   - prices: The replaced prices.
  ///   - day: The day of the import.
  ///   - date: Its date in the storefront.
  mutating func replace(_ prices: [StorefrontPrices.Price], on day: StoreDay, _ date: CalendarDate) {
    // A clock may be set back.
    let date = max(date, start ?? date)
    // The catalog has no price before the first one: the prices are not known before the date.
    let first = layers.isEmpty && prices.isEmpty ? date : start
    let previous = if case .date = day { date.previous ?? date } else { date }
    layers.append(Layer(first: first, last: max(previous, first ?? previous), prices: prices))
    start = date
  }

  /// Returns the prices that counted on a date; several if an import replaced them on the date, and `nil` if they are unknown.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - current: Returns the price that no import has replaced.
  ///   - replaced: Returns a replaced price.
  ///   - isStated: Returns whether a file stated that a price applies from a day that is not after the date.
  func prices<Price>(
    on date: CalendarDate,
    current: () -> Price?,
    replaced: (StorefrontPrices.Price) -> Price?,
    isStated: (DateRange) -> Bool
  ) -> [Price]? {
    func price(of layer: Layer) -> Price? {
      layer.prices.first { $0.days.contains(date) }.flatMap(replaced)
    }
    let counted = layers.filter { layer in layer.first.map { $0 <= date } ?? false && date <= layer.last }
    let isCurrent = start.map { $0 <= date } ?? false
    if isCurrent || !counted.isEmpty {
      return counted.compactMap(price) + (isCurrent ? [current()].compactMap(\.self) : [])
    }
    // Before all imports, the last file that stated a price for the date counts.
    let stated = layers.last { layer in
      date <= layer.last && layer.prices.contains { isStated($0.days) }
    }
    return stated.map { [price(of: $0)].compactMap(\.self) }
  }
}

/// The text of a record in the table `price_history`: the prices that one import replaced in each storefront.
///
///     CHE -;DEU 4.99 EUR;JPN 500 JPY /2026-11-30+600 JPY 2026-12-01/
///
/// `-` means that the product had no price.
enum ReplacedPrices {
  /// Returns the prices that differ between two tables, by storefront: those of the first table.
  static func between(
    _ old: PriceTable,
    _ new: PriceTable
  ) -> [(storefront: String, prices: ArraySlice<CatalogPrice>)] {
    var replaced: [(storefront: String, prices: ArraySlice<CatalogPrice>)] = []
    var (old, new) = (old.prices[...], new.prices[...])
    func removeFirst(_ storefront: String, _ prices: inout ArraySlice<CatalogPrice>) -> ArraySlice<
      CatalogPrice
    > {
      let found = prices.prefix { $0.storefront == storefront }
      prices = prices[found.endIndex...]
      return found
    }
    while let first = old.first?.storefront ?? new.first?.storefront {
      let storefront = min(first, new.first?.storefront ?? first)
      let (before, after) = (removeFirst(storefront, &old), removeFirst(storefront, &new))
      // What a price states about tax is not a part of its history.
      let isSame = before.elementsEqual(after) {
        $0.amount == $1.amount && $0.currency == $1.currency && $0.days == $1.days
      }
      if !isSame { replaced.append((storefront, before)) }
    }
    return replaced
  }

  static func text(_ replaced: [(storefront: String, prices: ArraySlice<CatalogPrice>)]) -> String {
    var text = ""
    for (storefront, prices) in replaced {
      text += text.isEmpty ? storefront : ";\(storefront)"
      if prices.isEmpty { text += " -" }
      for (index, price) in prices.enumerated() {
        text += index == 0 ? " " : "+"
        text += price.amount.description
        text += " "
        text += price.currency.code
        if price.days != .always { text += " \(price.days.storedFirst)/\(price.days.storedLast ?? "")" }
      }
    }
    return text
  }

  /// Calls the body with the storefront and the prices of each entry of a record's text.
  static func forEach(
    in text: UnsafeRawBufferPointer,
    _ body: (_ storefront: UnsafeRawBufferPointer, _ prices: Slice<UnsafeRawBufferPointer>) throws -> Void
  ) throws {
    for entry in text.split(separator: UInt8(ascii: ";")) {
      guard let space = entry.firstIndex(of: UInt8(ascii: " ")) else { throw malformed }
      try body(UnsafeRawBufferPointer(rebasing: entry[..<space]), entry[entry.index(after: space)...])
    }
  }

  /// Returns the prices of an entry.
  static func prices(
    _ entry: Slice<UnsafeRawBufferPointer>
  ) throws -> [(amount: Amount, currency: String, days: DateRange)] {
    if entry.elementsEqual([UInt8(ascii: "-")]) { return [] }
    return try entry.split(separator: UInt8(ascii: "+")).map { price in
      let fields = price.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 2 || fields.count == 3 else { throw malformed }
      var days = DateRange.always
      if fields.count == 3 {
        let limits = fields[2].split(separator: "/", omittingEmptySubsequences: false)
        guard limits.count == 2 else { throw malformed }
        let dates = try limits.map { $0.isEmpty ? nil : try CalendarDate(String($0)) }
        days = DateRange(uncheckedFirst: dates[0], last: dates[1])
      }
      return (try Amount(decimal: fields[0]), fields[1], days)
    }
  }

  private static var malformed: DamagedCatalog {
    DamagedCatalog(problem: "a record of the price history is malformed")
  }
}

/// A record of the history of a product's prices, as exports have it.
package struct PriceRecord: Hashable, Sendable {
  /// The day from which other prices counted.
  package let day: StoreDay
  /// The replaced prices; empty in the first record, whose day is that since which the catalog has the product.
  package let prices: PriceTable
  /// The storefronts in which the product had no price before.
  package let added: [String]

  package init(day: StoreDay, prices: PriceTable, added: [String]) {
    (self.day, self.prices, self.added) = (day, prices, added)
  }

  /// The text of the record, as stored.
  var text: String {
    let entries =
      prices.storefronts.map { (storefront: $0, prices: prices[$0]) }
      + added.filter { prices[$0].isEmpty }.map { (storefront: $0, prices: []) }
    return ReplacedPrices.text(entries.sorted { $0.storefront < $1.storefront })
  }
}
