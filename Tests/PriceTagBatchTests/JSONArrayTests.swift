import PriceTag
import PriceTagBatch
import SeededNumbers
import Testing

/// JSON arrays of rows.
@Suite struct JSONArrayTests {
  private static let one = #"{"storefront":"USA","amount":"1"}"#
  private static let two = #"{"storefront":"JPN","amount":"2"}"#
  private static let oneOutput = #"{"storefront":"USA","amount":"1","display":"$1.00"}"# + "\n"
  private static let twoOutput = #"{"storefront":"JPN","amount":"2","display":"\#u{FFE5}2"}"# + "\n"

  /// An array, the rows, and `row code` of each reject.
  static let arrays: [(name: String, input: String, output: String, rejects: [String])] = [
    ("on one line", "[\(one),\(two)]", oneOutput + twoOutput, []),
    ("on lines", "[\n  \(one),\n  \(two)\n]\n", oneOutput + twoOutput, []),
    ("with commas first", "\u{FEFF} [ \(one)\r\n, \(two)\r\n]\r\n", oneOutput + twoOutput, []),
    ("without rows", " [ \n ] \n", "", []),
    ("several arrays", "[\(one)]\n[]\n[\(two)]", oneOutput + twoOutput, []),
    (
      "rows on several lines", "[\n{\n\t\"storefront\": \"USA\",\r\n\t\"amount\": \"1\"\n}\n]",
      "{ \t\"storefront\": \"USA\",  \t\"amount\": \"1\",\"display\":\"$1.00\" }\n", []
    ),
    (
      "brackets, quotes and commas in values",
      #"[{"a":"]},[{\"","b":[[1,{}],{"c":"\\"}],"storefront":"USA","amount":"1"},\#(two)]"#,
      #"{"a":"]},[{\"","b":[[1,{}],{"c":"\\"}],"storefront":"USA","amount":"1","display":"$1.00"}"# + "\n"
        + twoOutput,
      []
    ),
    (
      "rejected rows", #"[\#n{"storefront":"USX","amount":"1"},\#n1,"a,b",null,[\#(one)],{},\#(one)\#n]"#,
      oneOutput,
      [
        "1 unknown-storefront storefront", "2 not-an-object", "3 not-an-object", "4 not-an-object",
        "5 not-an-object",
        "6 missing-storefront storefront",
      ]
    ),
    (
      "malformed rows", "[{\"a\":1]},\(one),tru,{\"a\":1,},{\"a\" 1},\(two)]", oneOutput + twoOutput,
      ["1 malformed-json", "3 malformed-json", "4 malformed-json", "5 malformed-json"]
    ),
    ("a brace too many", "[{}},\(one)]", oneOutput, ["1 malformed-json"]),
    (
      "a string that is not closed on its line",
      "[\n{\"storefront\":\"USA,\"amount\":\"1\"},\n\(one),\n\(two)\n]",
      oneOutput + twoOutput, ["1 malformed-json"]
    ),
  ]

  @Test(arguments: arrays)
  func readsArray(name: String, input: String, output: String, rejects: [String]) throws {
    let found = try Outcome(input)
    #expect(found.text == output, "\(name)")
    #expect(found.rejectCodes == rejects, "\(name)")
    #expect(found.rejects.allSatisfy { $0.description.hasPrefix("row \($0.line)") })
  }

  /// Lines of which the first ones are arrays are JSON Lines.
  @Test func rejectsArraysInLines() throws {
    let found = try Outcome("[1,2]\r\n \n [] \n\(Self.one)\n[\(Self.one)]\n\(Self.two)")
    #expect(found.text == Self.oneOutput + Self.twoOutput)
    #expect(found.rejectCodes == ["1 not-an-object", "3 not-an-object", "5 not-an-object"])
  }

  @Test func rejectsWithOffset() throws {
    let input = "\u{FEFF}[\n \(Self.one),\n {\"storefront\":\n\"USX\",\"amount\":\"1\"}\n]"
    let reject = try #require(try Outcome(input).rejects.first)
    #expect(reject.byte == Array(input.utf8).lastIndex(of: UInt8(ascii: "{")))
    #expect(String(decoding: reject.row, as: UTF8.self) == #"{"storefront": "USX","amount":"1"}"#)
  }

  private static let notClosed = "the JSON array is not closed at the end of the file"

  static let malformed: [(input: String, problem: String)] = [
    ("[\(one)", "\(notClosed), and its last row starts at byte 2"),
    ("[\n\(one),", "\(notClosed), and its last row starts at byte 3"),
    ("[\(one),{\"a\":[1,", "\(notClosed), and its last row starts at byte 36"),
    ("[\(one),{\"a\":1,\(one)]", "\(notClosed), and its last row starts at byte 36"),
    ("[{\"a", "\(notClosed), and its last row starts at byte 2"),
    ("[", notClosed),
    ("[\(one),]", "a row is missing after the last comma, at byte 36"),
    ("[,\(one)]", "a row is missing before the comma, at byte 2"),
    ("[\(one),,\(one)]", "a row is missing before the comma, at byte 36"),
    ("[\(one)\n\(one)]", "a comma is missing between two rows, at byte 36"),
    ("[\(one)] \(one)", "text follows the JSON array, at byte 37"),
    ("[\(one)],", "text follows the JSON array, at byte 36"),
    ("[\(one)]]", "text follows the JSON array, at byte 36"),
  ]

  @Test(arguments: malformed)
  func throwsForMalformedArray(input: String, problem: String) {
    do throws(BatchError) {
      Issue.record("\(try Outcome(input).text)")
    } catch {
      #expect(error.code == .malformedInput)
      #expect(error.description == "rows: \(problem); correct the array, or write one object per line")
    }
  }

  /// Random rows in an array give the same output and the same rejects as in lines, whatever is between them, with any
  /// number of threads, and with rows beyond the border of a block.
  @Test func agreesWithLines() throws {
    var numbers = SeededNumbers(seed: 42)
    let rows = (0..<6_000).map { number in
      switch numbers.number(0...9) {
      case 0: #"{"storefront":"USX","amount":"1","n":\#(number)}"#
      case 1:
        #"{"n":"\#(String(repeating: "]}\\\"[{,", count: numbers.number(0...400)))","storefront":"USA","amount":"1"}"#
      case 2: #"{"storefront":"DEU","amount":[{},[\#(number)]]}"#
      default: #"{"storefront":"JPN","amount":"\#(number)"}"#
      }
    }
    let lines = try Outcome(rows.joined(separator: "\n"))
    let separators = [",", ", ", ",\n  ", "\r\n,\t"]
    var array = "["
    for (index, row) in rows.enumerated() { array += (index == 0 ? "" : numbers.pick(separators)) + row }
    array += "\n]\n"
    for jobs in [1, 3] {
      let found = try Outcome(array, .test { $0.jobs = jobs })
      #expect(found.text == lines.text)
      #expect(found.rejectCodes == lines.rejectCodes)
      #expect(found.rejects.map(\.row) == lines.rejects.map(\.row))
    }
  }

  @Test func writesCSV() throws {
    let found = try Outcome("[\(Self.one),\n\(Self.two)]", .test { $0.output = .csv })
    #expect(found.text == "storefront,amount,display\nUSA,1,$1.00\nJPN,2,\u{FFE5}2\n")
  }

  @Test func skipsLongRow() throws {
    let long = #"{"a":"\#(String(repeating: "x", count: 5_000_000))"}"#
    let found = try Outcome("[\(Self.one),\(long),{},\(Self.two)]")
    #expect(found.text == Self.oneOutput + Self.twoOutput)
    #expect(found.rejectCodes == ["2 row-too-long", "3 missing-storefront storefront"])
  }
}
