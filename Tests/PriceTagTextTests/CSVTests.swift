import PriceTagText
import Testing

/// Tests reading CSV records and finding their ends.
@Suite struct CSVTests {
  /// Returns each record of a text as a line number and fields, or its problem.
  private static func records(
    of text: String,
    _ delimiter: UInt8 = UInt8(ascii: ","),
    maximumFieldCount: Int = .max
  ) -> [String] {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      let reader = CSVRecordReader(delimiter: delimiter, maximumFieldCount: maximumFieldCount)
      guard let start = bytes.baseAddress else { return [] }
      reader.begin(start, bytes.count)
      var records: [String] = []
      while let record = reader.next() {
        if let problem = record.problem {
          records.append("\(problem.kind) line \(problem.line) field \(problem.field) byte \(problem.offset)")
        } else {
          let fields = (0..<record.fieldCount).map { record.fields[$0].text ?? "?" }
          records.append("\(record.line): " + fields.joined(separator: "|"))
        }
      }
      return records
    }
  }

  static let texts: [(text: String, records: [String])] = [
    ("a,b\n1,2", ["0: a|b", "1: 1|2"]),
    ("a,b\r\n1,2\r\n", ["0: a|b", "1: 1|2"]),
    ("\n\r\na\n\nb\n", ["2: a", "4: b"]),
    (",\n", ["0: |"]),
    ("\"\"\n", ["0: "]),
    (#""a,b","c""d""#, [#"0: a,b|c"d"#]),
    ("\"a\nb\",c\nd,e", ["0: a\nb|c", "2: d|e"]),
    ("é;ü\n", ["0: é;ü"]),
    ("a\"b\nc", ["quoteInField line 0 field 1 byte 1", "1: c"]),
    ("x,\"a\"b\nc", ["textAfterQuote line 0 field 2 byte 5", "1: c"]),
    ("a\rb\nc", ["loneCarriageReturn line 0 field 1 byte 1", "1: c"]),
    ("\"1\n2\",a\"b\nc", ["quoteInField line 1 field 2 byte 7", "2: c"]),
    ("a\nb,\"c\nd\n", ["0: a", "unclosedQuote line 1 field 2 byte 2", "2: d"]),
    ("a\r", ["0: a"]),
  ]

  @Test(arguments: texts)
  func readsRecords(text: String, records: [String]) {
    #expect(Self.records(of: text) == records)
  }

  @Test func readsAnyDelimiter() {
    #expect(Self.records(of: "a;b,c\n", UInt8(ascii: ";")) == ["0: a|b,c"])
    #expect(Self.records(of: "a\tb\n", 0x09) == ["0: a|b"])
  }

  @Test func readsRecordWithManyFields() {
    let text = (0..<1_000).map(String.init).joined(separator: ",")
    #expect(Self.records(of: text) == ["0: " + text.replacing(",", with: "|")])
  }

  /// A field takes 40 bytes of memory, so a record of many commas is a problem. The reader continues with the next record.
  @Test func reportsTooManyFields() {
    let commas = String(repeating: ",", count: 1_000)
    #expect(
      Self.records(of: "1,2,3\n\(commas)\n4,5", maximumFieldCount: 3)
        == ["0: 1|2|3", "tooManyFields line 1 field 4 byte 3", "2: 4|5"]
    )
  }

  /// The end of the last complete record, and the place of a quote that is not closed.
  static let ends: [(text: String, isLast: Bool, end: Int, unclosedQuote: Int?)] = [
    ("a,b\nc", false, 4, nil), ("a,b", false, 0, nil), ("\"a\nb\"\nc", false, 6, nil),
    ("a\n\"b\nc\n", false, 2, 2), ("a\n\"b\"", false, 2, 2), ("a\n\"b\"", true, 2, nil),
    ("a\"\nb\n", false, 5, nil), ("\"a\"\"\n", true, 0, 0),
  ]

  @Test(arguments: ends)
  func findsEndOfLastRecord(text: String, isLast: Bool, end: Int, unclosedQuote: Int?) throws {
    let bytes = Array(text.utf8)
    let found = try bytes.withUnsafeBufferPointer {
      CSVRecordEnd(
        try #require($0.baseAddress),
        $0.count,
        delimiter: UInt8(ascii: ","),
        isLast: isLast
      )
    }
    #expect(found.end == end && found.unclosedQuote == unclosedQuote)
  }

  static let quotations = ["", "a", "a\"b", "\"\"", "a,b\nc", "\u{301}\"\u{301}"]

  @Test(arguments: quotations)
  func readsQuotedField(text: String) {
    #expect(Self.records(of: "x," + quotedForCSV(text)) == ["0: x|" + text])
  }

  @Test func returnsNoTextForInvalidUTF8() throws {
    let bytes: [UInt8] = [0x61, 0x2C, 0xFF]
    try bytes.withUnsafeBufferPointer { bytes in
      let reader = CSVRecordReader(delimiter: UInt8(ascii: ","))
      reader.begin(try #require(bytes.baseAddress), bytes.count)
      let record = try #require(reader.next())
      try #require(record.fieldCount == 2)
      #expect(record.fields[0].text == "a" && record.fields[1].text == nil)
    }
  }
}
