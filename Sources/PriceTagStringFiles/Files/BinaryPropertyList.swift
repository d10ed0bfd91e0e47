import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads a binary property list of strings, as Xcode puts `.strings` files into an app. It has no lines, and it is
  /// written again in XML.
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

/// Reads the one dictionary of strings that a binary property list of strings is: a trailer, which says where the
/// table of offsets is; that table; and objects, each with a marker of its type and size.
///
/// Foundation's decoder gives a dictionary without its order, and follows references that lead to themselves.
private struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let offsetByteCount: Int
  private let referenceByteCount: Int
  private let objectCount: Int
  private let topObject: Int
  private let tableStart: Int
  /// How many more bytes of text are read: one object may be referred to by many.
  private var budget = 64 << 20

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
    fix: "write it again, or give it as XML (plutil -convert xml1)"
  )

  /// The keys with their strings, in the order of the file.
  mutating func strings() throws(StringsError) -> [(key: String, value: String)] {
    let top = try start(of: topObject)
    guard try byte(top) >> 4 == 0xD else {
      throw StringsError(
        .malformedFile,
        "the binary property list has no dictionary",
        fix: "give a dictionary with a string for each key"
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
          "the value of a key is no string",
          fix: "give one string for each key, and keep plurals in a .stringsdict file or a string catalog",
          place: "key \(quoted(key))"
        )
      }
      strings.append((key, value))
    }
    return strings
  }

  /// The object that a dictionary refers to in a place.
  private func reference(_ index: Int, _ start: Int) throws(StringsError) -> Int {
    let (offset, overflows) = index.multipliedReportingOverflow(by: referenceByteCount)
    guard !overflows, offset <= bytes.count - start else { throw Self.damaged }
    return try integer(at: start + offset, referenceByteCount)
  }

  private func start(of object: Int) throws(StringsError) -> Int {
    guard object < objectCount else { throw Self.damaged }
    return try integer(at: tableStart + object * offsetByteCount, offsetByteCount)
  }

  /// The text of an object; `nil` for one of another type.
  private mutating func string(_ object: Int) throws(StringsError) -> String? {
    let place = try start(of: object)
    let type = try byte(place) >> 4
    guard type == 0x5 || type == 0x6 || type == 0x7 else { return nil }
    let (count, start) = try size(of: place)
    let (byteCount, overflows) = count.multipliedReportingOverflow(by: type == 0x6 ? 2 : 1)
    guard !overflows, start <= bytes.count, byteCount <= bytes.count - start else { throw Self.damaged }
    budget -= byteCount
    guard budget >= 0 else {
      throw StringsError(.malformedFile, "the strings have more than 64 MB", fix: "split the file")
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

  /// The count of an object's parts and where they start: in the marker, or as an integer after it.
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

  /// An integer, the highest byte first.
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
