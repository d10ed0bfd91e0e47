import HTTPTypes
import PriceTag

/// A body with rows in it, such as `{"prices":[row,…],"style":{…}}`: the rows, a line each and otherwise as they came,
/// and what else it says.
///
/// The rows are not read here but by what answers them, so that each byte of them is looked at once more and not twice.
struct RowsBody {
  /// The rows, each with a line feed behind it; line breaks within one are spaces.
  private(set) var lines: [UInt8] = []
  private(set) var rowCount = 0
  /// The other members.
  private(set) var options = JSONObject(members: [])

  private let name: String
  private let mostRows: Int

  /// - Parameters:
  ///   - bytes: The body.
  ///   - name: The member that has the rows.
  ///   - mostRows: How many there may be.
  /// - Throws: A problem with the body: it is no JSON, no object, has no rows, or too many.
  init(_ bytes: UnsafeBufferPointer<UInt8>, rows name: String, mostRows: Int) throws(Problem) {
    (self.name, self.mostRows) = (name, mostRows)
    var scan = Scan(bytes)
    scan.skipSpace()
    guard scan.take(UInt8(ascii: "{")) else {
      // Another value, or none: told by who reads values.
      guard case .failure(let error) = Self.value(bytes) else {
        throw Problem(.unprocessableContent, "wrong-type", "the body is no object", fix: example, pointer: "")
      }
      throw Self.malformed(error)
    }
    var others = Array("{".utf8)
    var hasRows = false
    scan.skipSpace()
    if !scan.take(UInt8(ascii: "}")) {
      repeat {
        scan.skipSpace()
        let key = try scan.string()
        scan.skipSpace()
        guard scan.take(UInt8(ascii: ":")) else { throw scan.malformed("a colon is missing") }
        scan.skipSpace()
        if key.elementsEqual(name.utf8) {
          guard !hasRows else {
            throw Problem(
              .badRequest,
              "malformed-json",
              "\(quoted(name)) stands twice",
              fix: "give it once",
              pointer: "/\(name)"
            )
          }
          hasRows = true
          try takeRows(&scan)
        } else {
          if others.count > 1 { others.append(UInt8(ascii: ",")) }
          others.append(UInt8(ascii: "\""))
          others += key
          others += "\":".utf8
          try scan.value(into: &others, keepsLines: true)
        }
        scan.skipSpace()
      } while scan.take(UInt8(ascii: ","))
      guard scan.take(UInt8(ascii: "}")) else { throw scan.malformed("the object is not closed") }
    }
    scan.skipSpace()
    guard scan.isAtEnd else { throw scan.malformed("something follows the object") }
    others.append(UInt8(ascii: "}"))
    switch others.withUnsafeBufferPointer({ Self.value($0) }) {
    case .success(.object(let object)): options = object
    case .success: break
    case .failure(let error): throw Self.malformed(error)
    }
    guard hasRows else {
      throw Problem(
        .unprocessableContent,
        "missing-field",
        "\(quoted(name)) is missing",
        fix: example,
        pointer: "/\(name)"
      )
    }
  }

  private var example: String { #"give an object such as {"\#(name)":[…]}"# }

  private static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in try JSONReader.value(of: bytes) }
  }

  static func malformed(_ error: JSONError) -> Problem {
    Problem(
      .badRequest,
      "malformed-json",
      "the body is no JSON: line \(error.line): \(error.problem)",
      fix: "write JSON as RFC 8259 has it"
    )
  }

  private mutating func takeRows(_ scan: inout Scan) throws(Problem) {
    guard scan.take(UInt8(ascii: "[")) else {
      // Where it is no value at all, that is told.
      var other: [UInt8] = []
      try scan.value(into: &other, keepsLines: true)
      throw Problem(
        .unprocessableContent,
        "wrong-type",
        "\(quoted(name)) is no array",
        fix: example,
        pointer: "/\(name)"
      )
    }
    lines.reserveCapacity(scan.bytesLeft + 64)
    scan.skipSpace()
    if scan.take(UInt8(ascii: "]")) { return }
    repeat {
      rowCount += 1
      guard rowCount <= mostRows else {
        throw Problem(
          .contentTooLarge,
          "too-many-items",
          "there are more than \(mostRows) rows",
          fix: "send them in several requests, or to /v1/batch",
          pointer: "/\(name)"
        )
      }
      scan.skipSpace()
      try scan.value(into: &lines, keepsLines: false)
      lines.append(0x0A)
      scan.skipSpace()
    } while scan.take(UInt8(ascii: ","))
    guard scan.take(UInt8(ascii: "]")) else { throw scan.malformed("the array of rows is not closed") }
  }
}

extension [UInt8] {
  /// Where some lines end.
  ///
  /// - Parameters:
  ///   - count: How many; fewer where there are not so many.
  ///   - start: The first byte of the first of them.
  func end(ofLines count: Int, from start: Int) -> Int {
    var place = start
    for _ in 0..<count where place < self.count {
      place = self[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? self.count
    }
    return place
  }
}

/// Goes through a body to find where its values end.
private struct Scan {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { place == bytes.count }
  var bytesLeft: Int { bytes.count - place }

  func malformed(_ problem: String) -> Problem {
    let line = 1 + bytes[..<place].count { $0 == 0x0A }
    return RowsBody.malformed(JSONError(line: line, problem: problem))
  }

  mutating func skipSpace() {
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte < 0x0E && byte > 0x08 && byte != 0x0B && byte != 0x0C)
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  /// The bytes between the quotation marks of a key.
  mutating func string() throws(Problem) -> UnsafeBufferPointer<UInt8>.SubSequence {
    guard take(UInt8(ascii: "\"")) else { throw malformed("a key is missing") }
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard place < bytes.count else {
      place = bytes.count
      throw malformed("a string is not closed")
    }
    defer { place += 1 }
    return bytes[start..<place]
  }

  /// Copies a value up to the comma or bracket that ends it; whether it is one is for who reads it.
  mutating func value(into copy: inout [UInt8], keepsLines: Bool) throws(Problem) {
    let start = copy.count
    var depth = 0
    var isString = false
    var first = place
    scan: while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\\") where isString:
        place = min(place + 2, bytes.count)
        continue
      case UInt8(ascii: "\""): isString.toggle()
      case _ where byte == 0x0A && !keepsLines:
        // A line is a row. In a string a line break is wrong, and is told as the control character that stands for it.
        copy.append(contentsOf: bytes[first..<place])
        copy.append(isString ? 0x0B : 0x20)
        first = place + 1
      case _ where isString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { break scan }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: break scan
      default: break
      }
      place += 1
    }
    guard place < bytes.count, !isString else { throw malformed("the body ends within a value") }
    copy.append(contentsOf: bytes[first..<place])
    while copy.count > start, let last = copy.last, Self.isSpace(last) { copy.removeLast() }
    guard copy.count > start else { throw malformed("a value is missing") }
  }
}
