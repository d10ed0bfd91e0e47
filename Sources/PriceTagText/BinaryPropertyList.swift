/// The objects of a binary property list.
///
/// The file contains objects, each with a marker for its type and size; a table of the objects' offsets; and a trailer
/// with the position of the table. Foundation's decoder is not used because it loses the order of dictionaries, and
/// follows cyclic references. Objects can be repeated, so callers limit the number of objects that they read.
package struct BinaryPropertyList {
  package enum Object {
    /// A text, or `nil` if it is not Unicode.
    case string(String?)
    case integer(Int64)
    /// The numbers of the elements.
    case array([Int])
    /// The numbers of the keys and of their values.
    case dictionary([(key: Int, value: Int)])
    case other
  }

  private let bytes: [UInt8]
  private let offsetByteCount: Int
  private let referenceByteCount: Int
  private let objectCount: Int
  private let tableStart: Int
  /// The number of the object that contains the others.
  package let topObject: Int

  private static let trailerByteCount = 32

  /// Returns `nil` if the file is damaged.
  package init?(_ bytes: [UInt8]) {
    let trailer = bytes.count - Self.trailerByteCount
    guard bytes.starts(with: "bplist0".utf8), trailer >= 8,
      let objectCount = Self.integer(in: bytes, at: trailer + 8, 8),
      let topObject = Self.integer(in: bytes, at: trailer + 16, 8),
      let tableStart = Self.integer(in: bytes, at: trailer + 24, 8)
    else { return nil }
    (offsetByteCount, referenceByteCount) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let (tableByteCount, overflows) = objectCount.multipliedReportingOverflow(by: offsetByteCount)
    guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount), !overflows,
      tableStart <= trailer, tableByteCount <= trailer - tableStart
    else { return nil }
    (self.bytes, self.objectCount, self.topObject) = (bytes, objectCount, topObject)
    self.tableStart = tableStart
  }

  /// Returns an object, or `nil` if the file is damaged.
  package func object(_ number: Int) -> Object? {
    guard number < objectCount,
      let place = integer(at: tableStart + number * offsetByteCount, offsetByteCount),
      bytes.indices.contains(place)
    else { return nil }
    switch bytes[place] >> 4 {
    case 0x1 where bytes[place] & 0xF < 3:
      return integer(at: place + 1, 1 << Int(bytes[place] & 0xF)).map { .integer(Int64($0)) }
    case 0x1 where bytes[place] & 0xF == 3:
      return Self.word(in: bytes, at: place + 1, 8).map { .integer(Int64(bitPattern: $0)) }
    case 0x5, 0x7: return text(at: place, unitByteCount: 1)
    case 0x6: return text(at: place, unitByteCount: 2)
    case 0xA: return references(at: place, perElement: 1).map { .array($0) }
    case 0xD:
      return references(at: place, perElement: 2).map { found in
        .dictionary(Array(zip(found[..<(found.count / 2)], found[(found.count / 2)...])).map { ($0, $1) })
      }
    default: return .other
    }
  }

  private func text(at place: Int, unitByteCount: Int) -> Object? {
    guard let (count, start) = size(of: place) else { return nil }
    let (byteCount, overflows) = count.multipliedReportingOverflow(by: unitByteCount)
    guard !overflows, start <= bytes.count, byteCount <= bytes.count - start else { return nil }
    let text = bytes[start..<start + byteCount]
    if unitByteCount == 1 { return .string(String(validating: text, as: UTF8.self)) }
    let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
      UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
    }
    return .string(String(validating: units, as: UTF16.self))
  }

  private func references(at place: Int, perElement: Int) -> [Int]? {
    guard let (count, start) = size(of: place), count <= bytes.count / (perElement * referenceByteCount)
    else { return nil }
    var references: [Int] = []
    for index in 0..<(perElement * count) {
      guard let reference = integer(at: start + index * referenceByteCount, referenceByteCount) else {
        return nil
      }
      references.append(reference)
    }
    return references
  }

  /// Returns the number of an object's elements and their offset. The number is in the marker or an integer after it.
  private func size(of place: Int) -> (count: Int, start: Int)? {
    let count = bytes[place] & 0xF
    guard count == 0xF else { return (Int(count), place + 1) }
    guard let marker = integer(at: place + 1, 1), marker >> 4 == 0x1, marker & 0xF <= 3 else { return nil }
    let byteCount = 1 << (marker & 0xF)
    return integer(at: place + 2, byteCount).map { ($0, place + 2 + byteCount) }
  }

  private func integer(at place: Int, _ byteCount: Int) -> Int? {
    Self.integer(in: bytes, at: place, byteCount)
  }

  private static func integer(in bytes: [UInt8], at place: Int, _ byteCount: Int) -> Int? {
    word(in: bytes, at: place, byteCount).flatMap { Int(exactly: $0) }
  }

  /// Returns a big-endian integer.
  private static func word(in bytes: [UInt8], at place: Int, _ byteCount: Int) -> UInt64? {
    guard place >= 0, place <= bytes.count, byteCount <= bytes.count - place else { return nil }
    return bytes[place..<place + byteCount].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
