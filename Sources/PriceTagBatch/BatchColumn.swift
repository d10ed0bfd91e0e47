import PriceTag
import PriceTagText

/// A column of the input that has another name than a field of a row, or the prices of one storefront.
///
///     try BatchColumn("Preis=amount")          // the column "Preis" has the amounts
///     try BatchColumn("Preis DE=amount@DEU")   // the column "Preis DE" has the amounts of the storefront DEU
///
/// With columns of storefronts, each record of CSV gives one row for each of these columns that is not empty. The output
/// has the other columns, then `storefront` and the field, then the fields that the batch writes.
public struct BatchColumn: Hashable, Sendable, CustomStringConvertible {
  /// The name in the header of CSV, or the key in JSON.
  public let name: String
  /// The storefront of the prices, as an alpha-3 or alpha-2 code; `nil` if rows have a storefront of their own.
  public let storefront: String?
  let field: RowField

  /// Creates a column from text: its name, an equals sign, the field that it has, and for the prices of one storefront an
  /// at sign and the code of the storefront. The name may contain equals signs.
  ///
  /// - Throws: `.invalidOption` for a text without a name, an unknown field, or a storefront of a field other than
  ///   `amount`, `amountMinor` and `amountMicros`.
  public init(_ text: String) throws(BatchError) {
    let example = "write it as Preis=amount, or as \"Preis DE=amount@DEU\" for the prices of a storefront"
    // By bytes: a combining mark after the sign would make it another character.
    let bytes = Array(text.utf8)
    guard let equals = bytes.lastIndex(of: UInt8(ascii: "=")), equals > 0 else {
      throw BatchError(.invalidOption, "\(quoted(text)) does not map a column to a field", fix: example)
    }
    let target = bytes[(equals + 1)...]
    let at = target.firstIndex(of: UInt8(ascii: "@"))
    let fieldName = String(decoding: target[..<(at ?? target.endIndex)], as: UTF8.self)
    name = String(decoding: bytes[..<equals], as: UTF8.self)
    storefront = at.map { String(decoding: target[($0 + 1)...], as: UTF8.self) }
    let inputs = RowField.allCases.filter(\.isInput)
    guard let field = inputs.first(where: { $0.name == fieldName }) else {
      let names = inputs.map(\.name)
      throw BatchError(
        .invalidOption,
        "unknown field \(quoted(fieldName)) in \(quoted(text))",
        fix: didYouMean(fieldName, orOneOf: names)
      )
    }
    guard storefront == nil || field.isAmount else {
      throw BatchError(
        .invalidOption,
        "the field \(quoted(fieldName)) in \(quoted(text)) cannot have a storefront",
        fix: "use amount, amountMinor or amountMicros for the prices of a storefront"
      )
    }
    self.field = field
  }

  /// The text from which the column can be created.
  public var description: String { "\(name)=\(field.name)\(storefront.map { "@\($0)" } ?? "")" }
}

extension [BatchColumn] {
  /// Checks that no two columns contradict each other, and that the storefronts exist.
  ///
  /// - Throws: `.invalidOption`.
  func check(_ localeData: LocaleData) throws(BatchError) {
    func invalid(_ problem: String, _ fix: String = "remove one") -> BatchError {
      BatchError(.invalidOption, problem, fix: fix)
    }
    var names: Set<String> = []
    var fields: Set<RowField> = []
    var storefronts: Set<String> = []
    for column in self {
      guard names.insert(column.name).inserted else {
        throw invalid("the column \(quoted(column.name)) is mapped twice")
      }
      guard let storefront = column.storefront else {
        guard fields.insert(column.field).inserted else {
          throw invalid("two columns are mapped to \(quoted(column.field.name))")
        }
        continue
      }
      let id: String
      do throws(PriceTagError) { id = try Storefront(storefront, in: localeData).id } catch {
        throw BatchError(.invalidOption, error).at(quoted(column.description))
      }
      guard storefronts.insert(id).inserted else {
        throw invalid("two columns are mapped to the storefront \(id)")
      }
    }
    guard let first = first(where: { $0.storefront != nil }) else { return }
    let other = self.first { column in
      column.storefront == nil
        ? column.field.isAmount || column.field == .amountTo || column.field == .storefront
        : column.field != first.field
    }
    if let other {
      throw invalid("\(quoted(first.description)) and \(quoted(other.description)) cannot be combined")
    }
  }
}
