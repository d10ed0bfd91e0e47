import Glibc
import PriceTagText
import Testing

/// Tests reading and writing JSON.
@Suite struct JSONTests {
  private static func read(_ text: String) throws(JSONError) -> JSONValue {
    try JSONReader.value(of: Array(text.utf8))
  }

  /// JSON texts, and the same values written on one line.
  static let values: [(text: String, written: String)] = [
    ("null", "null"), (" true ", "true"), ("[]", "[]"), ("{ }", "{}"),
    ("-0.10e+5", "-0.10e+5"), ("12345678901234567890.1", "12345678901234567890.1"),
    (#"{"b":1,"a":[2,{"c":null}]}"#, #"{"b":1,"a":[2,{"c":null}]}"#),
    (#""\u00e9\n\"\\\/""#, "\"é\\n\\\"\\\\/\""), (#""\ud83d\ude00""#, "\"\u{1F600}\""),
    (#""\u0000\u001f""#, #""\u0000\u001f""#),
    // é and e with a combining accent are two keys.
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
  ]

  @Test(arguments: values)
  func readsValue(text: String, written: String) throws {
    #expect(Array(Self.written(try Self.read(text)).utf8) == Array(written.utf8))
  }

  private static func written(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): number
    case .string(let text): json(text)
    case .array(let values): jsonArray(values.map(written))
    case .object(let object): jsonObject(object.members.map { ($0.key, written($0.value)) })
    }
  }

  @Test func escapesInvisibleCharacters() {
    #expect(visibleJSON("x\u{A0}y\u{200F}") == #""x\u00a0y\u200f""#)
    #expect(visibleJSON("\u{1F600} é") == "\"\u{1F600} é\"")
  }

  /// Returns an object with fields whose names are letters.
  private static func object(_ letters: String) -> String {
    "{" + letters.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
  }

  static let errors: [(text: String, place: String, problem: String)] = [
    ("", "line 1, column 1", "expected a value, but the text ends"),
    ("{\"a\":1,\n \"a\":2}", "line 2, column 2", "the field \"a\" appears twice"),
    (object("abcdefghijklmnopqrstuvwxyzy"), "line 1, column 158", "the field \"y\" appears twice"),
    (object("abcdefghijklmnopqrstuvwxyzz"), "line 1, column 158", "the field \"z\" appears twice"),
    (object("abcb"), "line 1, column 20", "the field \"b\" appears twice"),
    (object("zabcdefghijklmnopqrstuvwxyz"), "line 1, column 158", "the field \"z\" appears twice"),
    ("[1,]", "line 1, column 4", "expected a value, not \"]\""),
    ("[1 2]", "line 1, column 4", "expected \",\" or \"]\", not \"2\""),
    ("{\"é\" 1}", "line 1, column 6", "expected \":\", not \"1\""),
    ("01", "line 1, column 2", "unexpected text after the value"),
    ("1.", "line 1, column 3", "expected a digit, but the text ends"),
    ("\"a\nb\"", "line 1, column 3", "expected the end of a string, not \"\\u{A}\""),
    ("\"\\x\"", "line 1, column 4", "unknown escape sequence"),
    ("\"\\ud800\"", "line 1, column 8", "unpaired surrogate"),
    ("\"\\u12g4\"", "line 1, column 6", "\\u must have four hexadecimal digits"),
    (String(repeating: "[", count: 33), "line 1, column 33", "values are nested more than 32 deep"),
  ]

  @Test(arguments: errors)
  func reportsPlaceInInvalidJSON(text: String, place: String, problem: String) {
    do throws(JSONError) {
      _ = try Self.read(text)
      Issue.record("no error for \(text)")
    } catch {
      #expect(error.place() == place && error.problem == problem)
    }
  }

  @Test func rejectsInvalidUTF8() {
    let bytes: [UInt8] = [0x5B, 0x0A, 0x22, 0xC3, 0xA9, 0xFF, 0x22, 0x5D]
    let error = #expect(throws: JSONError.self) { try JSONReader.value(of: bytes) }
    #expect(error?.place() == "line 2, column 3" && error?.problem == "the text is not UTF-8")
  }

  static let scanned: [(text: String, copy: String?)] = [
    ("1,2", "1"), ("[1, 2] ,3", "[1, 2]"), (#"{"a":"},\""}]"#, #"{"a":"},\""}"#), ("{\n1\n}]", "{ 1 }"),
    ("\"a\nb\",", "\"a\u{B}b\""), (",", nil), ("\"a", nil), ("[1", nil),
  ]

  @Test(arguments: scanned)
  func copiesUnparsedValue(text: String, copy: String?) {
    let bytes = Array(text.utf8)
    var copied: [UInt8] = []
    let isCopied = bytes.withUnsafeBufferPointer { bytes in
      var scan = JSONValueScanner(bytes)
      return (try? scan.value(into: &copied, keepsLines: false)) != nil
    }
    #expect((isCopied ? String(decoding: copied, as: UTF8.self) : nil) == copy)
  }
}
