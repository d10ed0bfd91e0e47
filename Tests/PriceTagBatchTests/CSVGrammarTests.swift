import PriceTag
import PriceTagBatch
import PriceTagText
import SeededNumbers
import Testing

/// The rules of RFC 4180, and common deviations from it.
@Suite struct CSVGrammarTests {
  typealias Case = (name: String, input: String, output: String, rejects: [String])

  private static let header = "storefront,amount,n"
  private static let columns = "storefront,amount,n,display"

  static let cases: [Case] = [
    ("plain fields", "\(header)\nUSA,1,a\n", "\(columns)\nUSA,1,a,$1.00\n", []),
    ("line ends of two bytes", "\(header)\r\nUSA,1,a\r\n", "\(columns)\r\nUSA,1,a,$1.00\r\n", []),
    (
      "line ends of both kinds", "\(header)\nUSA,1,a\r\nUSA,2,b\n",
      "\(columns)\nUSA,1,a,$1.00\r\nUSA,2,b,$2.00\n", []
    ),
    ("no last line end", "\(header)\r\nUSA,1,a", "\(columns)\r\nUSA,1,a,$1.00\n", []),
    ("a last carriage return", "\(header)\nUSA,1,a\r", "\(columns)\nUSA,1,a,$1.00\r\n", []),
    ("spaces are part of a field", "\(header)\nUSA,1, a \n", "\(columns)\nUSA,1, a ,$1.00\n", []),
    ("quoted fields", "\(header)\n\"USA\",\"1\",\"a\"\n", "\(columns)\n\"USA\",\"1\",\"a\",$1.00\n", []),
    ("a delimiter in quotes", "\(header)\nUSA,1,\"a,b\"\n", "\(columns)\nUSA,1,\"a,b\",$1.00\n", []),
    (
      "quotes in quotes", "\(header)\nUSA,1,\"\"\"a\"\" \"\"\"\n",
      "\(columns)\nUSA,1,\"\"\"a\"\" \"\"\",$1.00\n", []
    ),
    ("an empty quoted field", "\(header)\nUSA,1,\"\"\n", "\(columns)\nUSA,1,\"\",$1.00\n", []),
    (
      "line breaks in quotes", "\(header)\nUSA,1,\"a\r\nb\n\r\n\"\nUSA,x,\n",
      "\(columns)\nUSA,1,\"a\r\nb\n\r\n\",$1.00\n", ["6 malformed-amount amount"]
    ),
    ("blank lines are ignored", "\(header)\n\n\r\nUSA,1,a\n\n", "\(columns)\nUSA,1,a,$1.00\n", []),
    ("empty fields", "\(header)\nUSA,1,\n", "\(columns)\nUSA,1,,$1.00\n", []),
    (
      "all fields empty", "\(header)\n,,\nUSA,1,\n", "\(columns)\nUSA,1,,$1.00\n",
      ["2 missing-storefront storefront"]
    ),
    ("too few", "\(header)\nUSA,1\nUSA,2,\n", "\(columns)\nUSA,2,,$2.00\n", ["2 wrong-field-count"]),
    ("too many", "\(header)\nUSA,1,,\nUSA,2,\n", "\(columns)\nUSA,2,,$2.00\n", ["2 wrong-field-count"]),
    (
      "a quote inside a field", "\(header)\nUSA,1,a\"b\nUSA,2,\n", "\(columns)\nUSA,2,,$2.00\n",
      ["2 malformed-csv"]
    ),
    (
      "a quote after a space", "\(header)\nUSA,1, \"b\"\nUSA,2,\n", "\(columns)\nUSA,2,,$2.00\n",
      ["2 malformed-csv"]
    ),
    (
      "text after a closing quote", "\(header)\nUSA,1,\"b\" c\nUSA,2,\n", "\(columns)\nUSA,2,,$2.00\n",
      ["2 malformed-csv"]
    ),
    ("an open quote", "\(header)\nUSA,1,\"b\nUSA,2,\n", "\(columns)\nUSA,2,,$2.00\n", ["2 malformed-csv"]),
    (
      "an open quote in the last field", "\(header)\nUSA,1,\nUSA,2,\"", "\(columns)\nUSA,1,,$1.00\n",
      ["3 malformed-csv"]
    ),
    (
      "an open quote after a quoted line break", "\(header)\nUSA,\"1\",\"b\nc\"\nUSA,2,\"\"\"",
      "\(columns)\nUSA,\"1\",\"b\nc\",$1.00\n", ["4 malformed-csv"]
    ),
    (
      "a carriage return inside", "\(header)\nUSA,1,a\rb\nUSA,2,\n", "\(columns)\nUSA,2,,$2.00\n",
      ["2 malformed-csv"]
    ),
    ("a carriage return in quotes", "\(header)\nUSA,1,\"a\rb\"\n", "\(columns)\nUSA,1,\"a\rb\",$1.00\n", []),
    ("a NUL", "\(header)\nUSA,1,\u{0}\nUSA,2,\n", "\(columns)\nUSA,2,,$2.00\n", ["2 nul-byte"]),
    ("a byte order mark inside", "\(header)\nUSA,1,\u{FEFF}\n", "\(columns)\nUSA,1,\u{FEFF},$1.00\n", []),
    (
      "a quoted price", "n,amount,storefront\n,\"1\"\"\",USA\n,2,\"U\"\"SA\"\n",
      "n,amount,storefront,display\n", ["2 malformed-amount amount", "3 unknown-storefront storefront"]
    ),
  ]

  @Test(arguments: cases)
  func readsCSV(name: String, input: String, output: String, rejects: [String]) throws {
    let found = try Outcome(input)
    #expect(found.text == output, "\(name)")
    #expect(found.rejectCodes == rejects, "\(name)")
  }

  /// Converts values from CSV to JSON and back.
  @Test func convertsValues() throws {
    let values = [
      "a", "", "a,b", "\"", "\"\"", "a\nb", "a\r\nb", " a ", "\u{E9}\u{1F600}", "\t", "\\n", "\u{1}",
    ]
    let header = "storefront,amount," + values.indices.map { "\"c \($0)\"" }.joined(separator: ",")
    let record = "USA,1," + values.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
    let json = try Outcome("\(header)\n\(record)\n", .test { $0.output = .jsonl })
    let back = try Outcome(
      json.text,
      .test {
        $0.output = .csv
        $0.overwrites = true
      }
    )
    let again = try Outcome(
      back.text,
      .test {
        $0.output = .jsonl
        $0.overwrites = true
      }
    )
    #expect(json.summary.formatted == 1 && again.text == json.text)
    let expected = values.enumerated().map { #""c \#($0)":\#(PriceTagTestJSON.string($1))"# }.joined(
      separator: ","
    )
    #expect(json.text == #"{"storefront":"USA","amount":"1",\#(expected),"display":"$1.00"}"# + "\n")
  }

  /// Valid and invalid records in random order do not affect each other.
  @Test func readsHundredThousandRecords() throws {
    let records: [(text: String, lines: Int, output: String?, code: String?)] = [
      ("USA,1,a\n", 1, "USA,1,a,$1.00\n", nil),
      ("JPN,5,\"x\ny,\"\r\n", 2, "JPN,5,\"x\ny,\",￥5\r\n", nil), ("USA,1\n", 1, nil, "wrong-field-count"),
      ("USA,x,\n", 1, nil, "malformed-amount"), ("\n", 1, nil, nil), ("USA,2,b\"\n", 1, nil, "malformed-csv"),
    ]
    var numbers = SeededNumbers(seed: 4180)
    var (input, output, rejects, line) = ("\(Self.header)\n", "\(Self.columns)\n", [String](), 2)
    for _ in 0..<100_000 {
      let record = numbers.pick(records)
      input += record.text
      output += record.output ?? ""
      if let code = record.code { rejects.append("\(line) \(code)") }
      line += record.lines
    }
    for jobs in [1, 2] {
      let found = try Outcome(input, .test { $0.jobs = jobs })
      #expect(found.text == output)
      #expect(found.rejects.map { "\($0.line) \($0.code)" } == rejects)
    }
  }
}

/// Writes JSON strings independently of the library.
enum PriceTagTestJSON {
  static func string(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case "\u{0}"..."\u{1F}": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
