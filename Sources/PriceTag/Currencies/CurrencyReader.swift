import PriceTagText
import Synchronization

/// Reads and checks entries of `currencies.json`.
struct CurrencyReader: Sendable {
  /// The file's sources; `nil` for embedded entries, which a test checks completely.
  let sources: [String: String]?
  let exceptions: MinorUnitExceptions
  let overrides: [CurrencyOverride.Entry]
  var narrowSymbols = NarrowSymbols.Registry.embedded

  func contents(_ entry: LocaleDataEntry) throws(PriceTagError) -> LocaleData.CurrencySlot.Contents {
    let code = try entry.string("code")
    let (from, until) = (try entry.optionalDate("from"), try entry.optionalDate("until"))
    if let from, let until, until < from {
      throw entry.invalid(
        "the last day \(until) is before the first day \(from)",
        "until",
        fix: "correct the dates"
      )
    }
    if let sources { try entry.check("source", isAmong: sources) }
    let kind = try entry.string("kind")
    let minorUnits = try entry.optionalInteger("minorUnits", in: 0...6)
    let numeric = try entry.optionalInteger("numeric", in: 1...999)
    let successor = try entry.optionalString("replacedBy")
    if kind == "test" || kind == "none" { return .notMoney(kind: kind) }
    guard let kind = Currency.Kind(rawValue: kind), kind != .custom else {
      throw entry.unknown("kind", kind, "kind", fix: "use currency, fund, metal, unit, test or none")
    }
    return .currency(
      Currency(
        record: Currency.Record(
          code: code,
          numericCode: numeric,
          kind: kind,
          minorUnitDigits: minorUnits,
          firstDay: from,
          lastDay: until,
          successor: successor,
          minorUnitExceptions: exceptions,
          override: override(of: code),
          narrowSymbols: narrowSymbols
        )
      )
    )
  }

  /// Returns a custom currency. It has no exceptions of payment providers.
  func currency(_ code: String, _ custom: CustomCurrency) -> Currency {
    Currency(
      record: Currency.Record(
        code: code,
        kind: .custom,
        minorUnitDigits: custom.digits,
        minorUnitExceptions: exceptions,
        override: override(of: code),
        custom: custom,
        narrowSymbols: narrowSymbols
      )
    )
  }

  /// Returns the merchant's changes to a currency in all storefronts.
  private func override(of code: String) -> CurrencyOverride? {
    overrides.first { $0.storefront == nil && $0.currency == code }?.override
  }
}

/// The currencies whose minor units a payment provider defines differently from ISO 4217.
///
/// The exceptions of the embedded data are read when they are first used.
final class MinorUnitExceptions: Sendable {
  final class Table: Sendable {
    /// The digits by currency code and provider.
    let digits: [String: [String: Int]]
    let providers: [String]

    /// Creates a table from entries. `sources` has the sources of the file, and is `nil` for embedded entries.
    init(_ entries: [LocaleDataEntry], sources: [String: String]?) throws(PriceTagError) {
      var digits: [String: [String: Int]] = [:]
      var providers: Set<String> = []
      for entry in entries {
        try entry.checkFields(["provider", "code", "minorUnits", "reason", "source"])
        if let sources { try entry.check("source", isAmong: sources) }
        try entry.checkReason(fix: "write why the provider differs")
        let provider = try entry.string("provider")
        providers.insert(provider)
        let count = try entry.integer("minorUnits", in: 0...6)
        let earlier = digits[try entry.string("code"), default: [:]].updateValue(count, forKey: provider)
        if earlier != nil { throw entry.invalid("the exception appears twice", "code", fix: "remove one") }
      }
      self.digits = digits
      self.providers = providers.sorted()
    }
  }

  private let lazyTable = AtomicLazyReference<Table>()

  /// Creates exceptions from a table.
  init(_ table: Table) {
    _ = lazyTable.storeIfNil(table)
  }

  /// Creates the exceptions of the embedded data.
  init() {}

  func table() throws(PriceTagError) -> Table {
    if let table = lazyTable.load() { return table }
    let entries = try LocaleDataFile.currencies.embeddedEntries(of: "minorUnitExceptions")
    return lazyTable.storeIfNil(try Table(entries, sources: nil))
  }
}
