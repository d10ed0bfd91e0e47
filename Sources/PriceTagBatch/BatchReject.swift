import PriceTag
import PriceTagText

/// A rejected row: the problem, its place, and the row itself.
public struct BatchReject: Sendable, CustomStringConvertible {
  /// The kinds of problems of a row. The problems of a price have a code of `PriceTagError.Code` instead:
  /// `unknown-storefront`, `currency-mismatch`, `needs-rounding`, `malformed-amount` and others.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// The row is longer than 4 MB.
    case rowTooLong = "row-too-long"
    /// The row has a NUL byte.
    case nulByte = "nul-byte"
    /// The row is not UTF-8.
    case invalidUTF8 = "invalid-utf8"
    /// The row is not JSON (RFC 8259).
    case malformedJSON = "malformed-json"
    /// Values are nested more than 512 deep.
    case tooDeep = "too-deep"
    /// The row is JSON, but not an object.
    case notAnObject = "not-an-object"
    /// A key appears twice in an object.
    case duplicateKey = "duplicate-key"
    /// The record is not CSV (RFC 4180).
    case malformedCSV = "malformed-csv"
    /// The record has more or fewer fields than the header.
    case wrongFieldCount = "wrong-field-count"
    /// The value of a field has the wrong type.
    case wrongType = "wrong-type"
    /// The row has no amount.
    case missingAmount = "missing-amount"
    /// The row has more than one of `amount`, `amountMinor` and `amountMicros`, or `amountTo` without `amount`, or a range
    /// for which a unit price or installments are requested.
    case severalAmounts = "several-amounts"
    /// The range of a row ends below its start.
    case reversedRange = "reversed-range"
    /// The price of the row has no unit price, because it is below zero.
    case noUnitPrice = "no-unit-price"
    /// The row's `installments` are not an integer from 1 to 1,000,000, or the price cannot be paid in so many payments.
    case invalidInstallments = "invalid-installments"
    /// The row has a field that the batch writes, and `BatchOptions.overwrites` is false.
    case fieldExists = "field-exists"
    /// The row has a key that is not in the first row, which defines the columns of CSV output.
    case unknownColumn = "unknown-column"
    /// There is not enough memory to read the row.
    case outOfMemory = "out-of-memory"
  }

  /// The line on which the row starts, from 1; of a JSON array, the number of the row, from 1.
  public let line: Int
  /// The offset in bytes at which the row starts, from 0; of compressed input, the offset after decompression.
  public var byte: Int { pending.byte }
  /// The field with the problem, by its name in the input; `nil` if the problem concerns the complete row.
  public var field: String? { pending.field }
  /// The kind of problem: a raw value of `Code` or of `PriceTagError.Code`.
  public var code: String { pending.problem.code }
  /// The problem and the fix: `problem; fix`.
  ///
  /// The fix for an unknown storefront suggests the closest match, in the first thousand rejects of a batch.
  public var message: String {
    let (problem, fix) = pending.problem.described(suggests: suggests)
    return "\(problem); \(fix)"
  }
  /// The row without its line end. Of a row of more than 1 MB, the first kilobyte.
  public var row: [UInt8] { pending.row }

  private let pending: RowWorker.Pending
  private let suggests: Bool

  /// The number of rejects with a suggestion.
  package static let maximumSuggestionCount = 1000

  /// - Parameters:
  ///   - pending: The row and its problem.
  ///   - line: The line on which the row starts, or its number in a JSON array, from 1.
  ///   - number: The number of rejects before this one.
  init(_ pending: RowWorker.Pending, line: Int, number: Int) {
    (self.pending, self.line) = (pending, line)
    suggests = number < Self.maximumSuggestionCount
  }

  /// The size up to which a reject has its complete row.
  static let maximumByteCount = 1 << 20
  /// The size of the excerpt of a larger row.
  static let excerptByteCount = 1 << 10

  /// The reject as a JSON object: `{"line":3,"byte":120,"field":"currency","code":"currency-mismatch",…}`.
  package var json: String {
    var json: [UInt8] = []
    appendJSON(to: &json)
    return String(decoding: json, as: UTF8.self)
  }

  /// Appends `json` in UTF-8.
  package func appendJSON(to json: inout [UInt8]) {
    json += #"{"line":"#.utf8
    json += String(line).utf8
    json += #","byte":"#.utf8
    json += String(byte).utf8
    json += #","field":"#.utf8
    if let field { json.appendJSON(field) } else { json += "null".utf8 }
    json += #","code":"#.utf8
    json.appendJSON(code)
    // The same as `message`, without creating that string.
    let (problem, fix) = pending.problem.described(suggests: suggests)
    json += #","message":"#.utf8
    json.append(UInt8(ascii: "\""))
    json.appendJSONContent(problem)
    json += "; ".utf8
    json.appendJSONContent(fix)
    json.append(UInt8(ascii: "\""))
    row.withUnsafeBufferPointer { bytes in
      if (try? UTF8Span(validating: bytes.span)) != nil {
        json += #","row":""#.utf8
        json.appendJSONContent(utf8: bytes)
        json.append(UInt8(ascii: "\""))
      } else {
        json += #","rowBase64":"#.utf8
        json.appendJSON(base64(row))
      }
    }
    json.append(UInt8(ascii: "}"))
  }

  /// One line: `line 3, field "currency": the JPN store charges JPY, not USD; …`. In a JSON array, `row 3`.
  public var description: String { "\(place): \(message)" }

  /// The place of the row, and the field.
  var place: String {
    "\(pending.isInArray ? "row" : "line") \(line)\(field.map { ", field \(quoted($0))" } ?? "")"
  }
}
