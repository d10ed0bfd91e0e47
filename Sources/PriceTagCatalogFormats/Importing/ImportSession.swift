import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// Options of an import: the values to assume where a file does not state them.
public struct ImportOptions: Sendable {
  /// The registry of storefronts and currencies.
  public var localeData: LocaleData
  /// The day that decides the currency of an undated price without a currency: the storefront's currency on that day.
  public var day: StoreDay
  /// The storefront of prices that do not name one, or `nil` to reject such prices. It does not override a file: if a
  /// file names another storefront, its prices are rejected.
  public var storefront: Storefront?
  /// The storefront to import a file's prices for, replacing the one that the file names, or `nil` to use the file's
  /// own. Supported for formats that name one storefront for all prices of a file, which are StoreKit configurations.
  /// The import of a file in another format fails.
  public var reinterpretAs: Storefront?
  /// The BCP 47 language of names and descriptions without a language, or `nil` to reject such texts.
  public var language: String?
  /// The date from which the prices count, for the history; `nil` for the day. An import rejects a product for which it is after the
  /// storefront's date, or before the start of the price that it replaces.
  public var effective: CalendarDate?
  /// Whether the prices correct the replaced ones. The history then does not keep them.
  public var corrects = false
  /// The number of days for which the history keeps a replaced price, 61 to 36,500. An import throws `.invalidRequest` for others.
  public var historyDays = 400
  /// The numbers of days that a history may have. A comparison with the last 30 days needs those before it too.
  package static let historyDayRange = 61...36_500

  /// Creates import options.
  public init(
    localeData: LocaleData = .embedded,
    day: StoreDay = .now,
    storefront: Storefront? = nil,
    language: String? = nil,
    reinterpretAs: Storefront? = nil
  ) {
    (self.localeData, self.day) = (localeData, day)
    (self.storefront, self.language, self.reinterpretAs) = (storefront, language, reinterpretAs)
  }
}

/// The import of one file: receives the items that an importer reads and the ones that it rejects.
final class ImportSession {
  let options: ImportOptions
  /// The storefront that the file names, if its prices are imported for another one.
  var reinterpretedStorefront: String?
  /// The error that ended the import. It is not caused by the item being read, so it is rethrown, not rejected.
  private var abortError: CatalogError?
  private let addItem: (ImportedItem, _ place: String) throws(CatalogError) -> Void
  private let onReject: (CatalogError) throws(CatalogError) -> Void

  private var storefronts: [String: Storefront] = [:]
  private var currencies: [String: Currency] = [:]
  private var languages: [String: String] = [:]
  /// What the prices of a storefront have in common that have no dates and no currency of their own.
  private var undatedPrices: [String: (storefront: String, currency: Currency, days: DateRange)] = [:]
  private static let maximumCachedCount = 4096

  /// - Parameters:
  ///   - add: Called with each item and its place in the file.
  ///   - onReject: Called with the error of each rejected item. If it throws, the import ends.
  init(
    options: ImportOptions,
    add: @escaping (ImportedItem, String) throws(CatalogError) -> Void,
    onReject: @escaping (CatalogError) throws(CatalogError) -> Void
  ) {
    self.options = options
    addItem = add
    self.onReject = onReject
  }

  /// Adds an item.
  ///
  /// - Parameter place: The item's place in the file, such as `line 12, product "com.example.level1"`.
  func add(_ item: ImportedItem, at place: String) throws(CatalogError) {
    do throws(CatalogError) { try item.rejectNUL() } catch { return try reject(error.at(place)) }
    do throws(CatalogError) { try addItem(item, place) } catch {
      abortError = error
      throw error
    }
  }

  /// Rejects a part of the file; the import continues.
  func reject(_ error: CatalogError) throws(CatalogError) {
    if let abortError { throw abortError }
    do throws(CatalogError) { try onReject(error) } catch {
      abortError = error
      throw error
    }
  }

  /// Rejects a part of the file with an error.
  func reject(
    _ code: CatalogError.Code,
    _ problem: String,
    fix: String,
    place: String = ""
  ) throws(CatalogError) {
    try reject(CatalogError(code, problem, fix: fix, place: place))
  }

  /// Returns the result of a closure. If the closure throws, rejects the item with that error and returns `nil`.
  ///
  /// - Parameter line: The line that the item starts on, which is added to errors without a line of their own.
  func attempt<Answer>(
    at place: @autoclosure () -> String,
    line: Int? = nil,
    _ work: () throws(CatalogError) -> Answer
  ) throws(CatalogError) -> Answer? {
    do throws(CatalogError) { return try work() } catch {
      try reject(line.map { error.at(place(), line: $0) } ?? error.at(place()))
      return nil
    }
  }

  /// Calls a closure with each object of an array. Another value, or an object for which the closure throws, is
  /// rejected.
  ///
  /// - Parameters:
  ///   - what: What an object represents, for the error: `a product`.
  ///   - label: Returns the place of a value, for errors.
  func forEachObject(
    of owner: JSONFields,
    _ field: String,
    _ what: String,
    at label: (JSONValue) -> String,
    _ read: (JSONFields) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    let line = owner.line(of: field)
    for value in try owner.array(field) {
      _ = try attempt(at: label(value)) { () throws(CatalogError) in
        try read(JSONFields(value, what, line: line))
      }
    }
  }

  // MARK: Cached lookups

  /// Returns the storefront of an alpha-3 or alpha-2 code.
  func storefront(_ id: String) throws(CatalogError) -> Storefront {
    if let cached = storefronts[id] { return cached }
    let found = try withCatalogErrors { () throws(PriceTagError) in
      try Storefront(id, in: options.localeData)
    }
    if storefronts.count < Self.maximumCachedCount { storefronts[id] = found }
    return found
  }

  /// Returns the currency of a code in upper or lower case.
  func currency(_ code: String) throws(CatalogError) -> Currency {
    if let cached = currencies[code] { return cached }
    let found = try withCatalogErrors { () throws(PriceTagError) in
      try Currency(code, in: options.localeData)
    }
    if currencies.count < Self.maximumCachedCount { currencies[code] = found }
    return found
  }

  /// Returns a language tag in canonical BCP 47 form: `he-IL` for `iw_IL`, `zh-Hans` for `zh_Hans`.
  func language(_ tag: String) throws(CatalogError) -> String {
    if let cached = languages[tag] { return cached }
    let found: String
    do throws(StringsError) { found = try UILanguage(tag).identifier } catch {
      throw CatalogError(.unknownLanguage, error)
    }
    if languages.count < Self.maximumCachedCount { languages[tag] = found }
    return found
  }

  func amount(_ text: String) throws(CatalogError) -> Amount {
    try withCatalogErrors { () throws(PriceTagError) in try Amount(decimal: text) }
  }

  func date(_ text: String) throws(CatalogError) -> CalendarDate {
    try withCatalogErrors { () throws(PriceTagError) in try CalendarDate(text) }
  }

  func period(_ text: String) throws(CatalogError) -> SubscriptionPeriod {
    try withCatalogErrors { () throws(PriceTagError) in try SubscriptionPeriod(text) }
  }

  func content(_ text: String) throws(CatalogError) -> ProductContent {
    try withCatalogErrors { () throws(PriceTagError) in try ProductContent(text) }
  }

  func unitReference(_ text: String) throws(CatalogError) -> UnitPriceReference {
    try withCatalogErrors { () throws(PriceTagError) in try UnitPriceReference(text) }
  }

  func priceLocale(_ tag: String) throws(CatalogError) -> PriceLocale {
    try withCatalogErrors { () throws(PriceTagError) in try PriceLocale(tag, allowsNumberingSystem: true) }
  }

  // MARK: Prices

  /// Returns the currency that a storefront charges on the first of some days, else on the last if it is over, else on the
  /// import's day.
  func charged(in storefront: Storefront, days: DateRange = .always) throws(CatalogError) -> Currency {
    if let first = days.first { return storefront.currency(on: first) }
    return try withCatalogErrors { () throws(PriceTagError) in
      guard let last = days.last else { return try storefront.currency(on: options.day) }
      return storefront.currency(on: min(last, try options.day.date(in: storefront)))
    }
  }

  /// Returns a validated price without dates, in the currency that the storefront of a code charges.
  func price(_ text: String, in id: String) throws(CatalogError) -> CatalogPrice {
    // Such prices of a storefront differ in their amounts only.
    if let (storefront, currency, days) = undatedPrices[id], let amount = try? amount(text),
      !amount.isNegative, let written = amount.written(withMinorUnitsOf: currency)
    {
      return CatalogPrice(storefront: storefront, amount: written, currency: currency, days: days)
    }
    let storefront = try storefront(id)
    let price = try price(amount(text), nil, in: storefront)
    if undatedPrices.count < Self.maximumCachedCount {
      undatedPrices[id] = (price.storefront, price.currency, price.days)
    }
    return price
  }

  /// Returns a validated price of a storefront: the storefront charges its currency on at least one of its days or beside
  /// its own, the amount has no more decimals than the currency, and it is not negative.
  ///
  /// - Parameters:
  ///   - amount: The amount.
  ///   - currency: The currency, or `nil` for the storefront's currency on the first of the days, or on the import's
  ///     date. A price with an assumed currency ends when the storefront stops charging that currency.
  ///   - storefront: The storefront.
  ///   - days: The days on which the price is valid.
  ///   - tax: Whether the price includes tax; `nil` if it is not stated.
  func price(
    _ amount: Amount,
    _ currency: Currency?,
    in storefront: Storefront,
    days: DateRange = .always,
    _ tax: TaxInclusion? = nil
  ) throws(CatalogError) -> CatalogPrice {
    let charged = try self.charged(in: storefront, days: days)
    let isNamed = currency != nil
    let currency = currency ?? charged
    guard
      currency == charged || storefront.chargesCustom(currency)
        || storefront.currencyPeriods.contains(where: {
          $0.currency == currency && days.overlaps(DateRange(uncheckedFirst: $0.firstDay, last: $0.lastDay))
        })
    else {
      throw CatalogError(
        .currencyMismatch,
        "\(amount) \(currency) is not a price for \(storefront.id), which charges \(charged)",
        fix: currency.kind == .custom
          ? "add the storefront to those of \(currency) in custom-currencies.json"
          : "write the price in \(charged); prices are not converted"
      )
    }
    guard !amount.isNegative else {
      throw CatalogError(.malformedAmount, "the price \(amount) is negative", fix: "write zero or more")
    }
    guard let written = amount.written(withMinorUnitsOf: currency) else {
      throw CatalogError(
        .tooManyDigits,
        "\(amount) \(currency) has more decimals than the minor unit of \(currency) (\(currency.minorUnitDigits ?? 0))",
        fix: "write an amount that can be charged; imported prices are not rounded"
      )
    }
    return CatalogPrice(
      storefront: storefront.id,
      amount: written,
      currency: currency,
      days: isNamed ? days : days.within(storefront, charging: currency),
      taxInclusion: tax
    )
  }
}

extension DateRange {
  /// Returns the part of the days on which a storefront charges a currency.
  fileprivate func within(_ storefront: Storefront, charging currency: Currency) -> DateRange {
    guard storefront.currencyPeriods.count > 1,
      let period = storefront.currencyPeriods.first(where: {
        $0.currency == currency && overlaps(DateRange(uncheckedFirst: $0.firstDay, last: $0.lastDay))
      })
    else { return self }
    let firsts = [first, period.firstDay].compactMap(\.self)
    let lasts = [last, period.lastDay].compactMap(\.self)
    return DateRange(uncheckedFirst: firsts.max(), last: lasts.min())
  }
}

extension CatalogError {
  /// Returns the error with the label of an object added to its place, and the object's line if it had no place.
  func at(_ label: String, line: Int) -> CatalogError {
    at(place.isEmpty ? "line \(line), \(label)" : label)
  }
}

extension Amount {
  /// Returns the amount with exactly as many decimals as the currency's minor unit, or `nil` if it has more nonzero
  /// decimals than that. In a currency without a minor unit, returns the amount without trailing zeros.
  func written(withMinorUnitsOf currency: Currency) -> Amount? {
    guard let digits = currency.minorUnitDigits else { return normalized }
    let normalized = scale > digits ? self.normalized : self
    guard normalized.scale <= digits else { return nil }
    // If the padded coefficient does not fit, the unpadded amount has the same value.
    guard let units = try? normalized.minorUnits(exponent: digits) else { return normalized }
    return try? Amount(minorUnits: units, exponent: digits)
  }
}
