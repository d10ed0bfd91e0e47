import CJSON
import PriceTag
import PriceTagText

/// The value of a row's field, by its place in the block.
struct FieldValue {
  enum Kind: UInt8 {
    /// There is none, or it is null, or an empty field of CSV.
    case absent
    case text, number, other
  }

  enum Escapes: UInt8 {
    case none, json, csv
  }

  var start: UnsafePointer<UInt8>
  var count: Int
  var kind: Kind
  var escapes: Escapes

  /// Whether its bytes are its text.
  @inline(__always)
  var isPlainText: Bool { kind == .text && escapes == .none }

  /// Where a value stands that is nowhere.
  static var none: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// The text that it stands for.
  var text: String {
    switch escapes {
    case .none: return String(decoding: bytes, as: UTF8.self)
    case .json, .csv:
      return String(unsafeUninitializedCapacity: max(count, 1)) { buffer in
        buffer.baseAddress.map { unescape(to: $0) } ?? 0
      }
    }
  }

  /// Writes the text that it stands for, in at most `count` bytes, and answers how many.
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

/// The values of the fields that a batch knows, one for each.
struct KnownFields {
  private let values: UnsafeMutablePointer<FieldValue>

  static var absent: FieldValue {
    FieldValue(start: FieldValue.none, count: 0, kind: .absent, escapes: .none)
  }

  init() {
    values = .allocate(capacity: RowField.count)
    values.initialize(repeating: Self.absent, count: RowField.count)
  }

  func deallocate() { values.deallocate() }

  func setAllAbsent() { values.update(repeating: Self.absent, count: RowField.count) }

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
}
