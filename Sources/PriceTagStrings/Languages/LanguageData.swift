import CICU
import PriceTag
import Synchronization

/// What ICU knows of a language, learned when it is first asked for and kept: plural rules, and how numbers are
/// written among its words.
package final class LanguageData: Sendable {
  private let icuIdentifier: String
  private let cardinal = Once<Plurals>()
  private let ordinal = Once<Plurals>()
  /// By digits after the decimal point.
  private let numbers: [Once<CountFormatter>]
  private let percents: [Once<CountFormatter>]
  /// By unit.
  private let periods: [Once<CountFormatter>]

  /// The most digits that a number shows behind its decimal point: what ICU's default number format shows.
  static let mostFractionDigits = 3

  private init(icuIdentifier: String) {
    self.icuIdentifier = icuIdentifier
    numbers = (0...Self.mostFractionDigits).map { _ in Once() }
    percents = (0...Amount.maximumScale).map { _ in Once() }
    periods = SubscriptionPeriod.Unit.allCases.map { _ in Once() }
  }

  /// The data of a locale in ICU's spelling, shared by those who ask.
  static func shared(icuIdentifier: String) -> LanguageData {
    all.withLock { all in
      if let data = all[icuIdentifier] { return data }
      let data = LanguageData(icuIdentifier: icuIdentifier)
      // Any language goes with any territory: of what a client makes up, no more is kept.
      if all.count < mostKept { all[icuIdentifier] = data }
      return data
    }
  }

  private static let mostKept = 1000

  /// One for each language that was asked for.
  private static let all = Mutex<[String: LanguageData]>([:])

  /// The plural rules; `nil` where CLDR's are not understood.
  package func plurals(ordinal isOrdinal: Bool) -> Plurals? {
    (isOrdinal ? ordinal : cardinal).value {
      PluralRules(icuLocale: icuIdentifier, ordinal: isOrdinal).map(Plurals.init)
    }
  }

  /// The writer of a number of so many digits after the decimal point; `nil` where there are too many, or ICU fails.
  func counts(_ kind: CountFormatter.Kind, fractionDigits: Int) -> CountFormatter? {
    let formatters: [Once<CountFormatter>]
    let index: Int
    switch kind {
    case .number: (formatters, index) = (numbers, fractionDigits)
    case .percent: (formatters, index) = (percents, fractionDigits)
    case .period(let unit):
      (formatters, index) = (periods, SubscriptionPeriod.Unit.allCases.firstIndex(of: unit) ?? -1)
    }
    guard formatters.indices.contains(index) else { return nil }
    return formatters[index].value {
      CountFormatter(icuLocale: icuIdentifier, kind: kind, fractionDigits: fractionDigits)
    }
  }

  /// Plural rules, with the answers for small numbers at hand.
  ///
  /// Sendable notes: the table is written in the initializer only.
  package final class Plurals: @unchecked Sendable {
    package let rules: PluralRules
    /// For each whole number below `tableCount`, the index of its category in CLDR's order.
    package let table: UnsafePointer<UInt8>

    static let tableCount: UInt64 = 1024

    init(_ rules: PluralRules) {
      self.rules = rules
      let table = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(Self.tableCount))
      for number in 0..<Self.tableCount {
        table[Int(number)] = UInt8(Self.index(rules, Amount(integerLiteral: Int64(number))))
      }
      self.table = UnsafePointer(table)
    }

    deinit { table.deallocate() }

    /// The index of a displayed number's category in CLDR's order.
    func categoryIndex(of number: Amount) -> Int { Self.index(rules, number) }

    private static func index(_ rules: PluralRules, _ number: Amount) -> Int {
      let category = rules.category(for: .init(number, fractionDigits: number.scale))
      return PluralRules.Category.allCases.firstIndex(of: category) ?? PluralRules.Category.allCases.count - 1
    }
  }
}

/// A value that is made by whoever asks first.
private final class Once<Value: AnyObject & Sendable>: Sendable {
  private let made = AtomicLazyReference<Value>()

  func value(_ make: () -> Value?) -> Value? {
    if let value = made.load() { return value }
    return make().map { made.storeIfNil($0) }
  }
}
