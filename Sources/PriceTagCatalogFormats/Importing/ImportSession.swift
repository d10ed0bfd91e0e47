import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// What an import needs to know besides its files.
public struct ImportOptions: Sendable {
  /// The registry of storefronts and currencies.
  public var localeData: LocaleData
  /// The day of an undated price whose currency is not said: the storefront's currency on that day is meant.
  public var date: CalendarDate
  /// Whose prices those are that name no storefront; `nil` sets them aside. A file that names another storefront is
  /// not overridden: its prices are rejected.
  public var storefront: Storefront?
  /// The storefront that a file's prices are read as, whatever storefront the file itself names; `nil` to believe the
  /// file. For formats that name one storefront for all prices of a file, which are StoreKit configurations: a file
  /// of another format fails the import.
  public var reinterpretAs: Storefront?
  /// The language, BCP 47, of names and descriptions whose file does not say it; `nil` sets them aside.
  public var language: String?

  /// Options of their parts.
  public init(
    localeData: LocaleData = .embedded,
    date: CalendarDate = .today,
    storefront: Storefront? = nil,
    language: String? = nil,
    reinterpretAs: Storefront? = nil
  ) {
    (self.localeData, self.date) = (localeData, date)
    (self.storefront, self.language, self.reinterpretAs) = (storefront, language, reinterpretAs)
  }
}

/// One file being imported: takes what an importer finds, and what it sets aside.
final class ImportSession {
  let options: ImportOptions
  /// The storefront that the file names, where its prices are read as another one's.
  var reinterpretedStorefront: String?
  /// What ended the import: it is no fault of the part that is read.
  private var ending: CatalogError?
  private let takeItem: (ImportedItem, _ place: String) throws(CatalogError) -> Void
  private let takeSetAside: (CatalogError) throws(CatalogError) -> Void

  private var storefronts: [String: Storefront] = [:]
  private var currencies: [String: Currency] = [:]
  private var languages: [String: String] = [:]
  private static let mostKept = 4096

  /// - Parameters:
  ///   - take: Is handed each item, with its place in the file.
  ///   - setAside: Is handed what could not be taken, and why; where it throws, the import ends.
  init(
    options: ImportOptions,
    take: @escaping (ImportedItem, String) throws(CatalogError) -> Void,
    setAside: @escaping (CatalogError) throws(CatalogError) -> Void
  ) {
    self.options = options
    takeItem = take
    takeSetAside = setAside
  }

  /// Hands over an item.
  ///
  /// - Parameter place: Where it stands: `line 12, product "com.example.level1"`.
  func take(_ item: ImportedItem, at place: String) throws(CatalogError) {
    do throws(CatalogError) { try item.rejectNUL() } catch { return try setAside(error.at(place)) }
    do throws(CatalogError) { try takeItem(item, place) } catch {
      ending = error
      throw error
    }
  }

  /// Sets a part of the file aside; the rest goes on.
  func setAside(_ error: CatalogError) throws(CatalogError) {
    if let ending { throw ending }
    do throws(CatalogError) { try takeSetAside(error) } catch {
      ending = error
      throw error
    }
  }

  /// Does a piece of work; where it fails, what it was about is set aside, and the answer is `nil`.
  func attempt<Answer>(
    at place: @autoclosure () -> String,
    _ work: () throws(CatalogError) -> Answer
  ) throws(CatalogError) -> Answer? {
    do throws(CatalogError) { return try work() } catch {
      try setAside(error.at(place()))
      return nil
    }
  }

  /// The same of an object that starts on a line: named where the failure knows no line itself.
  func attempt<Answer>(
    at called: String,
    line: Int,
    _ work: () throws(CatalogError) -> Answer
  ) throws(CatalogError) -> Answer? {
    do throws(CatalogError) { return try work() } catch {
      try setAside(error.at(called, line: line))
      return nil
    }
  }

  // MARK: What files name

  /// A storefront by alpha-3 or alpha-2.
  func storefront(_ id: String) throws(CatalogError) -> Storefront {
    if let known = storefronts[id] { return known }
    let found: Storefront
    do throws(PriceTagError) { found = try Storefront(id, in: options.localeData) } catch {
      throw CatalogError(error)
    }
    if storefronts.count < Self.mostKept { storefronts[id] = found }
    return found
  }

  /// A currency by its ISO 4217 code, in any case.
  func currency(_ code: String) throws(CatalogError) -> Currency {
    if let known = currencies[code] { return known }
    let found: Currency
    do throws(PriceTagError) { found = try Currency(code, in: options.localeData) } catch {
      throw CatalogError(error)
    }
    if currencies.count < Self.mostKept { currencies[code] = found }
    return found
  }

  /// A language in BCP 47 spelling, whatever the file's own is: `he` for `iw_IL`'s `iw`, `zh-Hans` for `zh_Hans`.
  func language(_ tag: String) throws(CatalogError) -> String {
    if let known = languages[tag] { return known }
    let found: String
    do throws(StringsError) { found = try UILanguage(tag).identifier } catch {
      throw CatalogError(.unknownLanguage, error)
    }
    if languages.count < Self.mostKept { languages[tag] = found }
    return found
  }

  func amount(_ text: String) throws(CatalogError) -> Amount {
    do throws(PriceTagError) { return try Amount(decimal: text) } catch { throw CatalogError(error) }
  }

  func date(_ text: String) throws(CatalogError) -> CalendarDate {
    do throws(PriceTagError) { return try CalendarDate(text) } catch { throw CatalogError(error) }
  }

  func period(_ text: String) throws(CatalogError) -> SubscriptionPeriod {
    do throws(PriceTagError) { return try SubscriptionPeriod(text) } catch { throw CatalogError(error) }
  }

  func priceLocale(_ tag: String) throws(CatalogError) -> PriceLocale {
    do throws(PriceTagError) { return try PriceLocale(tag, allowsNumberingSystem: true) } catch {
      throw CatalogError(error)
    }
  }

  // MARK: Prices

  /// A price of a storefront, checked: its currency is one that the storefront charges on some of its days, its digits
  /// are not more than its currency has, and it is not below zero.
  ///
  /// - Parameters:
  ///   - amount: How much.
  ///   - currency: Of what; `nil` for what the storefront charges on the first of the days, or on the import's. Such a
  ///     price holds no longer than that currency is charged.
  ///   - storefront: Whose price it is.
  ///   - days: When it holds.
  func price(
    _ amount: Amount,
    _ currency: Currency?,
    in storefront: Storefront,
    days: Days = .always
  ) throws(CatalogError) -> CatalogPrice {
    let charged = storefront.currency(
      on: days.first ?? days.last.map { min($0, options.date) } ?? options.date
    )
    let isNamed = currency != nil
    let currency = currency ?? charged
    guard
      currency == charged
        || storefront.currencyPeriods.contains(where: {
          $0.currency == currency && days.overlaps(Days(uncheckedFirst: $0.firstDay, last: $0.lastDay))
        })
    else {
      throw CatalogError(
        .currencyMismatch,
        "\(amount) \(currency) is a price of \(storefront.id), which charges \(charged)",
        fix: "give the price that \(storefront.id) charges in \(charged); nothing is converted"
      )
    }
    guard !amount.isNegative else {
      throw CatalogError(.malformedAmount, "the price \(amount) is below zero", fix: "give zero or more")
    }
    guard let written = amount.written(withMinorUnitsOf: currency) else {
      throw CatalogError(
        .tooManyDigits,
        "\(amount) \(currency) has more digits than \(currency), which has \(currency.minorUnitDigits ?? 0)",
        fix: "give a price that can be paid; nothing is rounded"
      )
    }
    return CatalogPrice(
      storefront: storefront.id,
      amount: written,
      currency: currency,
      days: isNamed ? days : days.within(storefront, charging: currency)
    )
  }
}

extension Days {
  /// Those of the days that a storefront charges a currency on.
  fileprivate func within(_ storefront: Storefront, charging currency: Currency) -> Days {
    guard storefront.currencyPeriods.count > 1,
      let period = storefront.currencyPeriods.first(where: {
        $0.currency == currency && overlaps(Days(uncheckedFirst: $0.firstDay, last: $0.lastDay))
      })
    else { return self }
    let firsts = [first, period.firstDay].compactMap(\.self)
    let lasts = [last, period.lastDay].compactMap(\.self)
    return Days(uncheckedFirst: firsts.max(), last: lasts.min())
  }
}

extension CatalogError {
  /// The same failure, of an object that starts on a line.
  func at(_ called: String, line: Int) -> CatalogError {
    at(place.isEmpty ? "line \(line), \(called)" : called)
  }
}

extension Amount {
  /// The amount with as many digits after the decimal point as the currency's minor unit has; `nil` where it has
  /// others besides. One without a minor unit keeps its own.
  func written(withMinorUnitsOf currency: Currency) -> Amount? {
    guard let digits = currency.minorUnitDigits else { return normalized }
    let normalized = scale > digits ? self.normalized : self
    guard normalized.scale <= digits else { return nil }
    var coefficient = normalized.coefficient
    for _ in normalized.scale..<digits {
      let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
      // One that large is kept as it is written: its value is the same.
      if overflow { return normalized }
      coefficient = product
    }
    return try? Amount(minorUnits: coefficient, exponent: digits)
  }
}
