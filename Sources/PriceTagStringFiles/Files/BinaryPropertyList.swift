import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads a binary property list, the form of the `.strings` files that Xcode builds into an app.
  ///
  /// Line numbers are all 1. `text()` returns an XML property list.
  static func readBinaryPropertyList(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    var file = StringsFile(format: .apple, language: language, entries: [])
    file.attributes = [Attribute(name: PropertyList.attribute, value: "\t")]
    var reader = try BinaryPropertyListReader(bytes)
    for (key, value) in try reader.strings() {
      file.entries.append(
        Entry(key: key, localizations: [language: Localization(.text(value), line: 1)], line: 1)
      )
    }
    return file
  }
}

/// Reads a binary property list that consists of one dictionary of strings.
///
/// The file contains objects, each with a marker for its type and size; a table of the objects' offsets; and a trailer
/// with the position of the table. Foundation's decoder is not used because it loses the order of the dictionary, and
/// follows cyclic references.
private struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let offsetByteCount: Int
  private let referenceByteCount: Int
  private let objectCount: Int
  private let topObject: Int
  private let tableStart: Int
  /// The limit of bytes to read from here on. Several keys can refer to the same object, so a small file can contain a
  /// large amount of text.
  private var remainingByteCount = 64 << 20

  private static let trailerByteCount = 32

  init(_ bytes: [UInt8]) throws(StringsError) {
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerByteCount
    guard trailer >= 8 else { throw Self.damaged }
    (offsetByteCount, referenceByteCount) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    objectCount = try Self.integer(in: bytes, at: trailer + 8, 8)
    topObject = try Self.integer(in: bytes, at: trailer + 16, 8)
    tableStart = try Self.integer(in: bytes, at: trailer + 24, 8)
    let (tableByteCount, overflows) = objectCount.multipliedReportingOverflow(by: offsetByteCount)
    guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount), !overflows,
      tableStart <= trailer, tableByteCount <= trailer - tableStart
    else { throw Self.damaged }
  }

  private static let damaged = StringsError(
    .malformedFile,
    "the binary property list is damaged",
    fix: "write it again, or convert it to XML with: plutil -convert xml1"
  )

  /// Returns the keys and strings, in the order of the file.
  mutating func strings() throws(StringsError) -> [(key: String, value: String)] {
    let top = try start(of: topObject)
    guard try byte(top) >> 4 == 0xD else {
      throw StringsError(
        .malformedFile,
        "the binary property list does not contain a dictionary",
        fix: "use a dictionary with a string for each key"
      )
    }
    let (count, start) = try size(of: top)
    guard count <= bytes.count / (2 * referenceByteCount) else { throw Self.damaged }
    var strings: [(key: String, value: String)] = []
    strings.reserveCapacity(count)
    for index in 0..<count {
      guard let key = try string(reference(index, start)) else { throw Self.damaged }
      guard let value = try string(reference(count + index, start)) else {
        throw StringsError(
          .malformedFile,
          "the value is not a string",
          fix: "use a string for each key, and move plurals to a .stringsdict file or a string catalog",
          place: "key \(quoted(key))"
        )
      }
      strings.append((key, value))
    }
    return strings
  }

  /// Returns the number of the object that a dictionary refers to.
  ///
  /// - Parameters:
  ///   - index: The index of the reference.
  ///   - start: The offset of the dictionary's first reference.
  private func reference(_ index: Int, _ start: Int) throws(StringsError) -> Int {
    let (offset, overflows) = index.multipliedReportingOverflow(by: referenceByteCount)
    guard !overflows, offset <= bytes.count - start else { throw Self.damaged }
    return try integer(at: start + offset, referenceByteCount)
  }

  private func start(of object: Int) throws(StringsError) -> Int {
    guard object < objectCount else { throw Self.damaged }
    return try integer(at: tableStart + object * offsetByteCount, offsetByteCount)
  }

  /// Returns the text of a string object, or `nil` if the object has another type.
  private mutating func string(_ object: Int) throws(StringsError) -> String? {
    let place = try start(of: object)
    let type = try byte(place) >> 4
    guard type == 0x5 || type == 0x6 || type == 0x7 else { return nil }
    let (count, start) = try size(of: place)
    let (byteCount, overflows) = count.multipliedReportingOverflow(by: type == 0x6 ? 2 : 1)
    guard !overflows, start <= bytes.count, byteCount <= bytes.count - start else { throw Self.damaged }
    remainingByteCount -= byteCount
    guard remainingByteCount >= 0 else {
      throw StringsError(.malformedFile, "the strings are larger than 64 MB", fix: "split the file")
    }
    let text = bytes[start..<start + byteCount]
    if type != 0x6 {
      guard let text = String(validating: text, as: UTF8.self) else { throw Self.damaged }
      return text
    }
    let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
      UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw Self.damaged }
    return text
  }

  /// Returns the number of an object's elements and their offset. The number is in the marker or an integer after it.
  private func size(of place: Int) throws(StringsError) -> (count: Int, start: Int) {
    let count = try byte(place) & 0xF
    guard count == 0xF else { return (Int(count), place + 1) }
    let marker = try byte(place + 1)
    guard marker >> 4 == 0x1, marker & 0xF <= 3 else { throw Self.damaged }
    let byteCount = 1 << Int(marker & 0xF)
    return (try integer(at: place + 2, byteCount), place + 2 + byteCount)
  }

  private func byte(_ place: Int) throws(StringsError) -> UInt8 {
    guard bytes.indices.contains(place) else { throw Self.damaged }
    return bytes[place]
  }

  private func integer(at place: Int, _ byteCount: Int) throws(StringsError) -> Int {
    try Self.integer(in: bytes, at: place, byteCount)
  }

  /// Returns a big-endian integer.
  private static func integer(
    in bytes: [UInt8],
    at place: Int,
    _ byteCount: Int
  ) throws(StringsError) -> Int {
    guard place >= 0, place <= bytes.count, byteCount <= bytes.count - place else { throw damaged }
    var value: UInt64 = 0
    for byte in bytes[place..<place + byteCount] { value = value << 8 | UInt64(byte) }
    guard let number = Int(exactly: value) else { throw damaged }
    return number
  }
}
