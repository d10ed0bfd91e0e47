import PriceTagText
import Synchronization

/// Reads entries of `currencies.json`, checking every fact that can be checked.
struct CurrencyReader: Sendable {
  /// The file's sources; `nil` for embedded entries, which a test reads and checks completely.
  let sources: [String: String]?
  let exceptions: MinorUnitExceptions
  let overrides: [CurrencyOverride.Entry]

  func contents(_ entry: LocaleDataEntry) throws(PriceTagError) -> LocaleData.CurrencySlot.Contents {
    let code = try entry.string("code")
    let (from, until) = (try entry.optionalDate("from"), try entry.optionalDate("until"))
    if let from, let until, until < from {
      throw entry.invalid("the last day \(until) is before the first day \(from)", "until")
    }
    if let sources { try entry.check("source", isAmong: sources) }
    let kind = try entry.string("kind")
    let minorUnits = try entry.optionalInteger("minorUnits", in: 0...6)
    let numeric = try entry.optionalInteger("numeric", in: 1...999)
    let successor = try entry.optionalString("replacedBy")
    if kind == "test" || kind == "none" { return .notMoney(kind: kind) }
    guard let kind = Currency.Kind(rawValue: kind) else {
      throw entry.invalid("\(quoted(kind)) is no kind of currency", "kind")
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
          override: overrides.first { $0.storefront == nil && $0.currency == code }?.override
        )
      )
    )
  }
}

/// How payment providers count otherwise than ISO 4217. Those of the embedded data are read when they are first needed.
final class MinorUnitExceptions: Sendable {
  final class Table: Sendable {
    /// By code and provider.
    let digits: [String: [String: Int]]
    let providers: [String]

    /// The table of entries, with the sources that they may name; `nil` for embedded entries.
    init(_ entries: [LocaleDataEntry], sources: [String: String]?) throws(PriceTagError) {
      var digits: [String: [String: Int]] = [:]
      var providers: Set<String> = []
      for entry in entries {
        try entry.allow(["provider", "code", "minorUnits", "reason", "source"])
        if let sources { try entry.check("source", isAmong: sources) }
        if try entry.string("reason").isEmpty {
          throw entry.invalid("an exception needs its reason", "reason")
        }
        let provider = try entry.string("provider")
        providers.insert(provider)
        let count = try entry.integer("minorUnits", in: 0...6)
        let earlier = digits[try entry.string("code"), default: [:]].updateValue(count, forKey: provider)
        if earlier != nil { throw entry.invalid("the exception stands twice", "code") }
      }
      self.digits = digits
      self.providers = providers.sorted()
    }
  }

  private let lazyTable = AtomicLazyReference<Table>()

  /// Exceptions that were read.
  init(_ table: Table) {
    _ = lazyTable.storeIfNil(table)
  }

  /// The exceptions of the embedded data.
  init() {}

  func table() throws(PriceTagError) -> Table {
    if let table = lazyTable.load() { return table }
    let entries = try LocaleDataFile.currencies.embeddedEntries(of: "minorUnitExceptions")
    return lazyTable.storeIfNil(try Table(entries, sources: nil))
  }
}
