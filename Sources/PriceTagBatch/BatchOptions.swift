import PriceTag
import PriceTagText

/// How rows are written down.
public enum BatchFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// JSON Lines: an object a line.
  case jsonl
  /// CSV as RFC 4180 has it, with a header.
  case csv
}

/// What can be written of a price beside `display`.
public enum BatchField: String, Hashable, Sendable, CaseIterable, Codable {
  /// The price for the ear: `1.00 US dollars`.
  case spoken
  /// The display between U+2068 and U+2069, to be put into text of any direction.
  case isolated
  /// The display in a `<bdi>` element with language and direction.
  case html
  /// The display piece by piece: `[{"type":"symbol","value":"$"},…]`.
  case parts
}

/// What a batch does with its rows.
public struct BatchOptions: Sendable {
  /// How the input is written down; `nil` for what its first character tells: a brace starts JSON.
  public var input: BatchFormat?
  /// How the output is; `nil` for as the input.
  public var output: BatchFormat?
  /// What stands between the fields of CSV that is read: an ASCII character, but no quote, letter, digit or line break.
  public var delimiter: UInt8 = UInt8(ascii: ",")
  /// The same of CSV that is written; `nil` for what is read, and a comma where that is JSON.
  public var outputDelimiter: UInt8?
  /// What is appended behind `display`, in this order.
  public var fields: [BatchField] = []
  /// Whether a field that the batch writes may be there already, and is replaced in its place.
  public var overwrites = false
  /// Whose minor units `amountMinor` counts, where a row does not say: `iso`, or a payment provider such as `stripe`.
  public var minorUnits = "iso"
  /// How prices are written.
  public var style = PriceStyle()
  /// The day of rows that name none; `nil` for today in UTC.
  public var date: CalendarDate?
  /// Where storefronts and currencies are looked up.
  public var localeData = LocaleData.embedded
  /// How many threads format. The output is the same with any number.
  public var jobs = 1
  /// Whether the first row that would be set aside ends the batch instead.
  public var isStrict = false
  /// Whether the output is compressed, as gzip.
  public var compresses = false

  /// The options of a batch that writes as it reads.
  public init() {}

  /// What the batch writes of each price, in order.
  var written: [RowField] { [.display] + fields.map(RowField.init) }

  /// - Throws: `.invalidOption`.
  package func check() throws(BatchError) {
    for byte in [delimiter, outputDelimiter ?? delimiter] {
      let delimiter = Unicode.Scalar(byte)
      guard delimiter.isASCII, delimiter == "\t" || (" "..."~").contains(delimiter), delimiter != "\"",
        !delimiter.properties.isAlphabetic, !("0"..."9").contains(delimiter)
      else {
        throw BatchError(
          .invalidOption,
          "\(quoted(String(delimiter))) cannot stand between fields",
          fix: "use a comma, a semicolon or a tab"
        )
      }
    }
    if let twice = fields.first(where: { field in fields.count { $0 == field } > 1 }) {
      throw BatchError(
        .invalidOption,
        "the field \(twice.rawValue) is asked for twice",
        fix: "ask for it once"
      )
    }
    // Any currency knows all providers.
    guard let currency = localeData.currencies.first else { return }
    do throws(PriceTagError) { _ = try currency.minorUnitDigits(for: minorUnits) } catch {
      if error.code == .unknownProvider { throw BatchError(.invalidOption, error) }
    }
  }
}

/// The fields of a row that a batch knows.
enum RowField: Int, CaseIterable {
  case storefront, priceLocale, currency, at, amount, amountMinor, amountMicros, minorUnits
  case display, spoken, isolated, html, parts

  static let count = 13

  init(_ field: BatchField) {
    self =
      switch field {
      case .spoken: .spoken
      case .isolated: .isolated
      case .html: .html
      case .parts: .parts
      }
  }

  /// The name in a row.
  var name: StaticString {
    switch self {
    case .storefront: "storefront"
    case .priceLocale: "priceLocale"
    case .currency: "currency"
    case .at: "at"
    case .amount: "amount"
    case .amountMinor: "amountMinor"
    case .amountMicros: "amountMicros"
    case .minorUnits: "minorUnits"
    case .display: "display"
    case .spoken: "spoken"
    case .isolated: "isolated"
    case .html: "html"
    case .parts: "parts"
    }
  }
}
