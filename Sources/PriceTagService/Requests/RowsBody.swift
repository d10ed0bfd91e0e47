import HTTPTypes
import NIOCore
import PriceTag
import PriceTagSystem
import PriceTagText

/// The parts of a body that contains rows, such as `{"prices":[row,…],"style":{…}}`: the rows as lines, and the other
/// members.
///
/// The rows are only separated, not parsed. The row formatter parses each row, so that no row is parsed twice.
struct RowsBody {
  /// The rows, each followed by a line feed. Line feeds within a row become spaces; otherwise rows are unchanged.
  private(set) var lines: [UInt8] = []
  private(set) var rowCount = 0
  /// The other members.
  private(set) var options = JSONObject(members: [])

  private let name: String
  private let maximumRowCount: Int

  /// Separates the rows of a body.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - name: The name of the member that contains the rows.
  ///   - maximumRowCount: The maximum number of rows.
  /// - Throws: A problem if the body is not a JSON object, lacks the member, or has too many rows.
  init(_ body: ByteBuffer, rows name: String, maximumRowCount: Int) throws(Problem) {
    self = try body.withUnsafeReadableBytes { (bytes) throws(Problem) in
      try RowsBody(bytes.bindMemory(to: UInt8.self), rows: name, maximumRowCount: maximumRowCount)
    }
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, rows name: String, maximumRowCount: Int) throws(Problem) {
    (self.name, self.maximumRowCount) = (name, maximumRowCount)
    var scan = JSONValueScanner(bytes)
    scan.skipSpace()
    guard scan.take(UInt8(ascii: "{")) else { throw .notAnObject(try Self.value(bytes), fix: example) }
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
              "the field \(quoted(name)) appears twice",
              fix: "remove one",
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
    guard scan.isAtEnd else { throw Self.malformed(scan.malformed("unexpected text after the object")) }
    others.append(UInt8(ascii: "}"))
    let rest = try others.withUnsafeBufferPointer { (bytes) throws(Problem) in try Self.value(bytes) }
    if case .object(let object) = rest { options = object }
    guard hasRows else {
      throw .missing("field", name, .unprocessableContent, pointer: "/\(name)")
    }
  }

  private var example: String { #"send an object such as {"\#(name)":[…]}"# }

  /// Calls `read` and converts its error to a problem.
  private static func reading<Value>(_ read: () throws(JSONError) -> Value) throws(Problem) -> Value {
    do throws(JSONError) { return try read() } catch { throw malformed(error) }
  }

  static func value(_ bytes: UnsafeBufferPointer<UInt8>) throws(Problem) -> JSONValue {
    try reading { () throws(JSONError) in try JSONReader.value(of: bytes) }
  }

  private static func malformed(_ error: JSONError) -> Problem {
    .invalidJSON("malformed-json", "the body is not valid JSON: line \(error.line): \(error.problem)")
  }

  /// Answers the rows one after the other: `{"receipts":[…]}`.
  ///
  /// - Parameter row: Returns the JSON of a row. The pointer is that of the row in the body.
  func answer(
    _ name: String,
    _ row: (_ line: ArraySlice<UInt8>, _ pointer: String) throws(Problem) -> String
  ) throws(Problem) -> Answer {
    var answer = ByteBuffer(string: "{\"\(name)\":[")
    // Each row is followed by a line feed.
    for (index, line) in lines.split(separator: 0x0A).enumerated() {
      let output = try row(line, "/\(self.name)/\(index)")
      try WorkBudget.spend(byteCount: output.utf8.count + 1)
      if index > 0 { answer.writeInteger(UInt8(ascii: ",")) }
      answer.writeString(output)
    }
    answer.writeString("]}")
    return Answer(answer)
  }

  private mutating func takeRows(_ scan: inout JSONValueScanner) throws(Problem) {
    guard scan.take(UInt8(ascii: "[")) else {
      // Report malformed JSON rather than the wrong type.
      var other: [UInt8] = []
      try Self.reading { () throws(JSONError) in try scan.value(into: &other, keepsLines: true) }
      throw Problem(
        .unprocessableContent,
        "wrong-type",
        "the field \(quoted(name)) must be an array",
        fix: example,
        pointer: "/\(name)"
      )
    }
    lines.reserveCapacity(scan.bytesLeft + 64)
    scan.skipSpace()
    if scan.take(UInt8(ascii: "]")) { return }
    repeat {
      rowCount += 1
      guard rowCount <= maximumRowCount else {
        throw Problem(
          .contentTooLarge,
          "too-many-items",
          "the field \(quoted(name)) has more than \(maximumRowCount) rows",
          fix: name == "prices" ? "split the request, or send the rows to /v1/batch" : "split the request",
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
  /// Returns the end of a number of lines.
  ///
  /// - Parameters:
  ///   - count: The maximum number of lines.
  ///   - start: The offset of the first line.
  func end(ofLines count: Int, from start: Int) -> Int {
    withUnsafeBytes { bytes in
      var end = start
      for _ in 0..<count {
        guard let base = bytes.baseAddress, let feed = memchr(base + end, 0x0A, bytes.count - end) else {
          return bytes.count
        }
        end = base.distance(to: feed) + 1
      }
      return end
    }
  }
}
