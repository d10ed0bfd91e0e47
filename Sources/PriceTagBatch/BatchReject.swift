import PriceTag
import PriceTagText

/// A row that was set aside: where it stands, what is wrong with it and what to do, and the row itself.
public struct BatchReject: Sendable, CustomStringConvertible {
  /// What is wrong with a row as such. Where something is wrong with its price, the code is one of
  /// `PriceTagError.Code`: `unknown-storefront`, `currency-mismatch`, `needs-rounding`, `malformed-amount` and others.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// A row of more bytes than are read.
    case rowTooLong = "row-too-long"
    /// A byte that is zero.
    case nulByte = "nul-byte"
    /// Bytes that are not UTF-8.
    case invalidUTF8 = "invalid-utf8"
    /// A line that is not JSON as RFC 8259 has it.
    case malformedJSON = "malformed-json"
    /// Values nested more than 512 deep.
    case tooDeep = "too-deep"
    /// JSON, but no object.
    case notAnObject = "not-an-object"
    /// A key that stands twice in its object.
    case duplicateKey = "duplicate-key"
    /// A record that is not CSV as RFC 4180 has it.
    case malformedCSV = "malformed-csv"
    /// A record of more or fewer fields than the header.
    case wrongFieldCount = "wrong-field-count"
    /// A field whose value is of another type than it takes.
    case wrongType = "wrong-type"
    /// A row without an amount.
    case missingAmount = "missing-amount"
    /// A row with more than one of `amount`, `amountMinor` and `amountMicros`.
    case severalAmounts = "several-amounts"
    /// A row that has a field that the batch writes, where replacing it was not asked for.
    case fieldExists = "field-exists"
    /// A row with a key that the columns, which the first row gave, do not have.
    case unknownColumn = "unknown-column"
    /// There was no memory to read the row with.
    case outOfMemory = "out-of-memory"
  }

  /// The line it starts on, from 1.
  public let line: Int
  /// Where it starts in the input, in bytes from 0; of a compressed input, in what it holds.
  public var byte: Int { pending.byte }
  /// The field that is wrong; `nil` where it is the row.
  public var field: String? { pending.problem.field }
  /// The kind of problem: a `Code`, or one of the core's.
  public var code: String { pending.problem.code }
  /// What is wrong, and what to do. A storefront that is unknown comes with the closest match where one is close, among
  /// the first thousand rejects of a batch.
  public var message: String {
    let (problem, fix) = pending.problem.described(suggests: suggests)
    return "\(problem): \(fix)"
  }
  /// The row without its line end; its first kilobyte where it has more than a megabyte.
  public var row: [UInt8] { pending.row }

  private let pending: RowWorker.Pending
  private let suggests: Bool

  /// How many rejects come with a suggestion.
  package static let maximumSuggestionCount = 1000

  /// - Parameters:
  ///   - pending: The row, and what is wrong with it.
  ///   - line: The line that it starts on.
  ///   - number: How many rejects came before it.
  init(_ pending: RowWorker.Pending, line: Int, number: Int) {
    (self.pending, self.line) = (pending, line)
    suggests = number < Self.maximumSuggestionCount
  }

  /// The rows that are kept whole.
  static let mostBytes = 1 << 20
  /// What is kept of a longer one.
  static let keptBytes = 1 << 10

  /// The reject as a line of JSON: `{"line":3,"byte":120,"field":"currency","code":"currency-mismatch",…}`.
  public var json: String {
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
    // As `message`, without making that.
    let (problem, fix) = pending.problem.described(suggests: suggests)
    json += #","message":"#.utf8
    json.append(UInt8(ascii: "\""))
    json.appendJSONContent(problem)
    json += ": ".utf8
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

  /// One line: `line 3, field "currency": the JPN store charges JPY, not USD: …`.
  public var description: String {
    "line \(line)\(field.map { ", field \(quoted($0))" } ?? ""): \(message)"
  }
}
