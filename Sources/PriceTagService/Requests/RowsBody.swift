import HTTPTypes
import PriceTag
import PriceTagText

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
    var scan = JSONScan(bytes)
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
        let key = try Self.reading { () throws(JSONError) in try scan.string() }
        scan.skipSpace()
        guard scan.take(UInt8(ascii: ":")) else { throw Self.malformed(scan.malformed("a colon is missing")) }
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
          try Self.reading { () throws(JSONError) in try scan.value(into: &others, keepsLines: true) }
        }
        scan.skipSpace()
      } while scan.take(UInt8(ascii: ","))
      guard scan.take(UInt8(ascii: "}")) else {
        throw Self.malformed(scan.malformed("the object is not closed"))
      }
    }
    scan.skipSpace()
    guard scan.isAtEnd else { throw Self.malformed(scan.malformed("something follows the object")) }
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

  /// What a scan finds wrong, as a problem with the body.
  private static func reading<Value>(_ read: () throws(JSONError) -> Value) throws(Problem) -> Value {
    do throws(JSONError) { return try read() } catch { throw malformed(error) }
  }

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

  private mutating func takeRows(_ scan: inout JSONScan) throws(Problem) {
    guard scan.take(UInt8(ascii: "[")) else {
      // Where it is no value at all, that is told.
      var other: [UInt8] = []
      try Self.reading { () throws(JSONError) in try scan.value(into: &other, keepsLines: true) }
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
      try Self.reading { () throws(JSONError) in try scan.value(into: &lines, keepsLines: false) }
      lines.append(0x0A)
      scan.skipSpace()
    } while scan.take(UInt8(ascii: ","))
    guard scan.take(UInt8(ascii: "]")) else {
      throw Self.malformed(scan.malformed("the array of rows is not closed"))
    }
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
