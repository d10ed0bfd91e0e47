import CJSON
import PriceTag
import PriceTagText

/// The value of a row's field, as bytes of the block.
struct FieldValue {
  enum Kind: UInt8 {
    /// A field that the row does not have, a JSON null, or an empty CSV field.
    case absent
    /// `other` is a boolean, an array or an object.
    case text, number, other
  }

  enum Escapes: UInt8 {
    case none, json, csv
  }

  var start: UnsafePointer<UInt8>
  var count: Int
  var kind: Kind
  var escapes: Escapes

  /// Whether the value is text, and its bytes are the text.
  @inline(__always)
  var isPlainText: Bool { kind == .text && escapes == .none }

  /// An address for a value without bytes.
  static var emptyStart: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// The value without its escapes.
  var text: String {
    switch escapes {
    case .none: return String(decoding: bytes, as: UTF8.self)
    case .json, .csv:
      return String(unsafeUninitializedCapacity: max(count, 1)) { buffer in
        buffer.baseAddress.map { unescape(to: $0) } ?? 0
      }
    }
  }

  /// The type of a value that is not text, for messages: `a number`.
  var typeName: String {
    switch (kind, bytes.first) {
    case (.absent, _): "null"
    case (.text, _): "a string"
    case (.number, _): "a number"
    case (.other, UInt8(ascii: "{")): "an object"
    case (.other, UInt8(ascii: "[")): "an array"
    case (.other, _): "a boolean"
    }
  }

  /// Writes the value without its escapes, in at most `count` bytes, and returns the number of bytes.
  func unescape(to text: UnsafeMutablePointer<UInt8>) -> Int {
    switch escapes {
    case .none:
      text.update(from: start, count: count)
      return count
    case .json: return cjson_unescape(start, count, text)
    case .csv: return withoutDoubledQuotes(start, count, to: text)
    }
  }
}

/// The values of a row, one for each recognized `RowField`.
struct RecognizedFields {
  private let values: UnsafeMutablePointer<FieldValue>
  private let count: Int

  static var absent: FieldValue {
    FieldValue(start: FieldValue.emptyStart, count: 0, kind: .absent, escapes: .none)
  }

  /// - Parameter count: The number of recognized fields.
  init(count: Int) {
    self.count = count
    values = .allocate(capacity: count)
    values.initialize(repeating: Self.absent, count: count)
  }

  func deallocate() { values.deallocate() }

  func setAllAbsent() { values.update(repeating: Self.absent, count: count) }

  @inline(__always)
  subscript(field: RowField) -> FieldValue {
    get { values[field.rawValue] }
    nonmutating set { values[field.rawValue] = newValue }
  }

  @inline(__always)
  subscript(index: Int) -> FieldValue {
    get { values[index] }
    nonmutating set { values[index] = newValue }
  }

  /// Returns the text of a field, or `nil` if it is absent.
  ///
  /// - Throws: `.wrongType` for a value that is not text.
  func string(_ field: RowField) throws(RowProblem) -> String? {
    let value = self[field]
    switch value.kind {
    case .absent: return nil
    case .text: return value.text
    case .number, .other:
      throw RowProblem(
        .wrongType,
        "the field \(quoted(field.name)) must be a string, not \(value.typeName)",
        fix: "write it as a string",
        field: field.name
      )
    }
  }
}
