import CICU
import PriceTag
import Synchronization

/// The plural rules and number formats of a language, loaded from ICU on first use and cached.
package final class LanguageData: Sendable {
  private let icuIdentifier: String
  private let cardinal = Once<Plurals>()
  private let ordinal = Once<Plurals>()
  /// Indexed by the number of fraction digits.
  private let numbers: [Once<CountFormatter>]
  private let percents: [Once<CountFormatter>]
  /// Indexed by the unit's position in `SubscriptionPeriod.Unit.allCases`.
  private let periods: [Once<CountFormatter>]

  /// Whether the language is written from right to left, as an element of `knownDirections`; the first one is not known yet.
  private let direction = Atomic(0)
  private static let knownDirections = [nil, false, true]

  private init(icuIdentifier: String) {
    self.icuIdentifier = icuIdentifier
    numbers = (0...PhraseCode.maximumFractionDigits).map { _ in Once() }
    percents = (0...Amount.maximumScale).map { _ in Once() }
    periods = SubscriptionPeriod.Unit.allCases.map { _ in Once() }
  }

  /// Returns the shared data of a locale.
  ///
  /// - Parameter icuIdentifier: The locale in ICU's syntax, such as `pt_BR`.
  static func shared(icuIdentifier: String) -> LanguageData {
    all.withLock { all in
      if let data = all[icuIdentifier] { return data }
      let data = LanguageData(icuIdentifier: icuIdentifier)
      // A client can combine any language with any territory, so the cache has a limit.
      if all.count < maximumCachedCount { all[icuIdentifier] = data }
      return data
    }
  }

  private static let maximumCachedCount = 1000

  private static let all = Mutex<[String: LanguageData]>([:])

  /// Whether the language is written from right to left.
  var isRightToLeft: Bool {
    if let known = Self.knownDirections[direction.load(ordering: .relaxed)] { return known }
    let isRightToLeft = cicu_locale_is_right_to_left(icuIdentifier)
    direction.store(isRightToLeft ? 2 : 1, ordering: .relaxed)
    return isRightToLeft
  }

  /// Returns the plural rules, or `nil` if PriceTag cannot parse CLDR's rules.
  package func plurals(ordinal isOrdinal: Bool) -> Plurals? {
    (isOrdinal ? ordinal : cardinal).value {
      PluralRules(icuLocale: icuIdentifier, ordinal: isOrdinal).map(Plurals.init)
    }
  }

  /// Returns the formatter for numbers with a number of fraction digits, or `nil` if there are too many digits or ICU
  /// fails.
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

  /// Plural rules with a table of the categories of small integers.
  ///
  /// Sendable because the table is immutable after initialization.
  package final class Plurals: @unchecked Sendable {
    package let rules: PluralRules
    /// The category of each integer below `tableCount`, as its index in `PluralRules.Category.allCases`.
    package let table: UnsafePointer<UInt8>

    static let tableCount: UInt64 = 1024

    init(_ rules: PluralRules) {
      self.rules = rules
      let table = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(Self.tableCount))
      for number in 0..<Self.tableCount {
        let operands = PluralOperands(Amount(integerLiteral: Int64(number)), fractionDigits: 0)
        table[Int(number)] = UInt8(rules.categoryIndex(for: operands))
      }
      self.table = UnsafePointer(table)
    }

    deinit { table.deallocate() }

    /// Returns the category of a number, as displayed, as its index in `PluralRules.Category.allCases`.
    func categoryIndex(of number: Amount) -> Int {
      rules.categoryIndex(for: .init(number, fractionDigits: number.scale))
    }
  }
}

/// A value created on first use.
private final class Once<Value: AnyObject & Sendable>: Sendable {
  private let reference = AtomicLazyReference<Value>()

  func value(_ create: () -> Value?) -> Value? {
    if let value = reference.load() { return value }
    return create().map { reference.storeIfNil($0) }
  }
}
