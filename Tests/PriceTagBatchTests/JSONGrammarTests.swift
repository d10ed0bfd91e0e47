import Foundation
import PriceTag
import PriceTagBatch
import Testing

/// The rules of RFC 8259: valid rows are copied unchanged, invalid rows are rejected, and neither affects other rows.
@Suite struct JSONGrammarTests {
  /// A value, and the code of a reject with it; `nil` for a valid value.
  typealias Value = (name: String, bytes: [UInt8], code: String?)

  private static func text(_ name: String, _ text: String, _ code: String? = nil) -> Value {
    (name, Array(text.utf8), code)
  }

  private static func inString(_ name: String, _ bytes: [UInt8], _ code: String? = nil) -> Value {
    (name, [0x22] + bytes + [0x22], code)
  }

  private static func nested(_ depth: Int, _ open: String, _ inner: String, _ close: String) -> String {
    String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
  }

  private static let bad = "malformed-json"

  static let literals: [Value] = [
    text("true", "true"), text("false", "false"), text("null", "null"),
    text("capitals", "True", bad), text("cut", "tru", bad), text("longer", "truex", bad),
    text("nul", "nul", bad),
    text("two words", "true false", bad), text("a word", "yes", bad), text("no value", "", bad),
    text("NaN", "NaN", bad), text("Infinity", "Infinity", bad), text("undefined", "undefined", bad),
    text("a word in quotes of another kind", "'a'", bad), text("a wide colon", "\u{FF1A}", bad),
    text("a comment", "/* c */ 1", bad), text("a comment to the line's end", "1 // c", bad),
    text("a word and a string", "true\"x\"", bad), text("a backslash", "\\", bad),
    text("an escape alone", "\\u0031", bad),
    text("a word with a letter of Latin", "tru\u{E9}", bad),
  ]

  static let numbers: [Value] = [
    text("zero", "0"), text("minus zero", "-0"), text("a fraction", "0.5"), text("an exponent", "1e5"),
    text("all of it", "-12.50E+07"), text("a small exponent", "1E-999999999"),
    text("a huge one", "1e999999999"),
    text("many digits", String(repeating: "9", count: 400)), text("zeros in an exponent", "1e00005"),
    text("many digits of a fraction", "0." + String(repeating: "3", count: 400)),
    text("a leading zero", "01", bad), text("a leading zero after minus", "-01", bad),
    text("two zeros", "00", bad),
    text("minus alone", "-", bad), text("plus", "+1", bad), text("two signs", "--1", bad),
    text("a point alone", ".", bad), text("no integer part", ".5", bad), text("no fraction", "5.", bad),
    text("no fraction before an exponent", "5.e1", bad), text("two points", "1.2.3", bad),
    text("no exponent", "1e", bad), text("a sign without exponent", "1e+", bad),
    text("two exponents", "1e2e3", bad),
    text("a fraction of an exponent", "1e2.5", bad), text("hexadecimal", "0x1F", bad),
    text("a letter after a number", "1a", bad),
    text("a space inside", "1 000", bad), text("a comma's digit group", "1,000", bad),
    text("minus and space", "- 1", bad),
    text("wide digits", "\u{FF11}", bad), text("Arabic digits", "\u{661}", bad),
    text("a quote after a number", "1\"", bad),
    text("a bracket after a number", "1[", bad), text("minus infinity", "-Infinity", bad),
    text("an underscore", "1_000", bad),
  ]

  static let strings: [Value] = [
    text("empty", #""""#), text("every escape", #""\"\\\/\b\f\n\r\t\u0041""#),
    text("hexadecimal in both cases", #""\u00aF\u00Af""#),
    text("an escaped NUL", #""\u0000""#), text("a pair of surrogates", #""\ud83d\ude00""#),
    text("two pairs", #""\ud83d\ude00\uD83D\uDE00""#), text("a noncharacter", #""\uffff\ufdd0""#),
    text("DEL", "\"\u{7F}\""), text("line separators", "\"\u{2028}\u{2029}\""),
    text("what looks like syntax", #""{[,]}:""#),
    text("backslashes in pairs", #""\\\\""#), text("a backslash and a quote", #""\\\"""#),
    text("sixty backslashes", "\"" + String(repeating: "\\\\", count: 60) + "\""),
    text("longer than a SIMD register", "\"" + String(repeating: "x", count: 200) + "\""),
    text("a high surrogate alone", #""\ud83d""#, bad), text("a low surrogate alone", #""\ude00""#, bad),
    text("surrogates the wrong way round", #""\ude00\ud83d""#, bad),
    text("two high surrogates", #""\ud83d\ud83d""#, bad),
    text("a high surrogate and a letter", #""\ud83dx""#, bad),
    text("a high surrogate and an escape", #""\ud83d\n""#, bad),
    text("a pair cut short", #""\ud83d\ude0""#, bad),
    text("a pair and a half", #""\ud83d\ude00\ud83d""#, bad),
    text("an unknown escape", #""\x41""#, bad), text("an escaped letter", #""\a""#, bad),
    text("a capital U", #""\U0041""#, bad),
    text("an escaped quote of another kind", #""\'""#, bad),
    text("three hexadecimal digits", #""\u004""#, bad),
    text("no hexadecimal digits", #""\u""#, bad), text("a letter among them", #""\u00g1""#, bad),
    text("an escaped line end", "\"\\\u{B}\"", bad), text("an escaped letter of Latin", "\"\\\u{E9}\"", bad),
    text("not closed", #""a"#, bad), text("not opened", #"a""#, bad),
    text("closed by an escaped quote", #""a\""#, bad),
    text("ends in a backslash", #""\"#, bad), text("two strings", #""a""b""#, bad),
    text("a string and a word", #""a"b"#, bad),
    text("a tab", "\"\t\"", bad), text("a control character", "\"\u{1}\"", bad),
    text("the last control character", "\"\u{1F}\"", bad),
    text("a carriage return", "\"\r\"", bad), text("a NUL", "\"\u{0}\"", "nul-byte"),
    text("a NUL outside", "\u{0}", "nul-byte"),
    text("a NUL after a value", "1\u{0}", "nul-byte"),
  ]

  static let characters: [Value] = [
    inString("two bytes", [0xC2, 0x80]), inString("the last of two bytes", [0xDF, 0xBF]),
    inString("the first of three", [0xE0, 0xA0, 0x80]),
    inString("before the surrogates", [0xED, 0x9F, 0xBF]),
    inString("after the surrogates", [0xEE, 0x80, 0x80]), inString("a noncharacter", [0xEF, 0xBF, 0xBF]),
    inString("the first of four", [0xF0, 0x90, 0x80, 0x80]), inString("U+10FFFF", [0xF4, 0x8F, 0xBF, 0xBF]),
    inString("a byte order mark in a string", [0xEF, 0xBB, 0xBF]),
    inString("a continuation alone", [0x80], "invalid-utf8"),
    inString("two of them", [0xBF, 0x80], "invalid-utf8"),
    inString("a lead alone", [0xC3], "invalid-utf8"),
    inString("a lead and a letter", [0xC3, 0x28], "invalid-utf8"),
    inString("an overlong slash of two bytes", [0xC0, 0xAF], "invalid-utf8"),
    inString("the last overlong of two bytes", [0xC1, 0xBF], "invalid-utf8"),
    inString("an overlong slash of three", [0xE0, 0x80, 0xAF], "invalid-utf8"),
    inString("an overlong slash of four", [0xF0, 0x80, 0x80, 0xAF], "invalid-utf8"),
    inString("an overlong NUL", [0xC0, 0x80], "invalid-utf8"),
    inString("the first surrogate", [0xED, 0xA0, 0x80], "invalid-utf8"),
    inString("the last", [0xED, 0xBF, 0xBF], "invalid-utf8"),
    inString("a pair of surrogates, as CESU-8", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], "invalid-utf8"),
    inString("above U+10FFFF", [0xF4, 0x90, 0x80, 0x80], "invalid-utf8"),
    inString("F5", [0xF5, 0x80, 0x80, 0x80], "invalid-utf8"),
    inString("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80], "invalid-utf8"),
    inString("FE", [0xFE], "invalid-utf8"),
    inString("FF", [0xFF], "invalid-utf8"), inString("three bytes cut short", [0xE2, 0x82], "invalid-utf8"),
    inString("four bytes cut short", [0xF0, 0x9F, 0x98], "invalid-utf8"),
    inString("Latin-1", [0xE9], "invalid-utf8"),
    ("outside a string", [0xFF], "invalid-utf8"),
  ]

  static let structures: [Value] = [
    text("an empty array", "[]"), text("an empty object", "{}"), text("with spaces", "[ \t ]"),
    text("values of all kinds", #"[1,"a",true,null,{},[]]"#),
    text("objects in objects", #"{"a":{"b":{"c":[{}]}}}"#), text("an empty key", #"{"":1}"#),
    text("the same key elsewhere", #"{"a":{"a":1},"b":{"a":1}}"#),
    text("the same key in elements", #"[{"a":1},{"a":1}]"#),
    text("space everywhere", " [ 1 ,\t{ \"a\" :\r2 } ] "),
    text("500 arrays", nested(500, "[", "", "]")), text("500 objects", nested(500, #"{"a":"#, "1", "}")),
    text("a wide array", "[" + String(repeating: "0,", count: 5000) + "0]"),
    text("twenty keys", "{" + (0..<20).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"),
    text("a comma at the end of an array", "[1,]", bad), text("of an object", #"{"a":1,}"#, bad),
    text("a comma at the start", "[,1]", bad),
    text("of an object's start", #"{,"a":1}"#, bad), text("two commas", "[1,,2]", bad),
    text("a comma alone", "[,]", bad), text("no comma", "[1 2]", bad),
    text("no comma between keys", #"{"a":1 "b":2}"#, bad), text("no colon", #"{"a" 1}"#, bad),
    text("two colons", #"{"a"::1}"#, bad),
    text("a colon in an array", #"["a":1]"#, bad), text("an equals sign", #"{"a"=1}"#, bad),
    text("a comma for a colon", #"{"a",1}"#, bad),
    text("a key alone", #"{"a"}"#, bad), text("no value", #"{"a":}"#, bad),
    text("a key that is a word", "{a:1}", bad), text("a number", "{1:1}", bad),
    text("a key that is an array", "{[]:1}", bad), text("null", "{null:1}", bad),
    text("a key in quotes of another kind", "{'a':1}", bad),
    text("an open array", "[1", bad), text("an open object", #"{"a":1"#, bad),
    text("an open array in an object", #"{"a":[1}"#, bad),
    text("closed by the other bracket", "[1}", bad), text("the other way round", #"{"a":1]"#, bad),
    text("closed twice", "[1]]", bad),
    text("a brace too many", "{}}", bad), text("brackets crossed", "[{]}", bad),
    text("a form feed", "[\u{C}]", bad), text("a vertical tab", "[\u{B}1]", bad),
    text("a no-break space", "[\u{A0}1]", bad), text("a byte order mark", "\u{FEFF}1", bad),
    text("a byte order mark inside", "[\u{FEFF}]", bad), text("a word joiner", "[\u{2060}]", bad),
    text("deeper than the limit", nested(513, "[", "", "]"), "too-deep"),
    text("100,000 arrays", nested(100_000, "[", "", "]"), "too-deep"),
    text("100,000 arrays that are open", String(repeating: "[", count: 100_000), "too-deep"),
    text("100,000 objects that are open", String(repeating: #"{"a":"#, count: 100_000), "too-deep"),
    text("a key twice", #"{"a":1,"a":1}"#, "duplicate-key"),
    text("twice, once escaped", #"{"a":1,"\u0061":2}"#, "duplicate-key"),
    text("twice, in two escapes", #"{"\n":1,"\u000a":2}"#, "duplicate-key"),
    text("twice, as surrogates", "{\"\u{1F600}\":1,\"\\ud83d\\ude00\":2}", "duplicate-key"),
    text("the empty key twice", #"{"":1,"b":2,"":3}"#, "duplicate-key"),
    text("twice in an element", #"[1,{"b":[{"c":1,"c":2}]}]"#, "duplicate-key"),
    text(
      "twice among twenty",
      "{" + (0..<20).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + #","\u006b7":1}"#,
      "duplicate-key"
    ),
    text("keys that look alike", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
  ]

  static let values: [Value] = literals + numbers + strings + characters + structures

  private static let good = Array(#"{"storefront":"USA","amount":"7","x":"y"}"#.utf8)
  private static let goodOutput =
    Array(#"{"storefront":"USA","amount":"7","x":"y","display":"$7.00"}"#.utf8) + [0x0A]
  private static let tail = Array(#","storefront":"USA","amount":"7"}"#.utf8)
  private static let tailOutput = Array(#","storefront":"USA","amount":"7","display":"$7.00"}"#.utf8) + [0x0A]

  private static func row(_ value: [UInt8]) -> [UInt8] { Array(#"{"v":"#.utf8) + value + tail }
  private static func output(_ value: [UInt8]) -> [UInt8] { Array(#"{"v":"#.utf8) + value + tailOutput }

  /// Each value at the start and at the end of a row, and the row alone and between others.
  @Test func readsValueInRow() throws {
    for (name, value, code) in Self.values {
      let row = Self.row(value)
      let alone = try Outcome(.bytes(row, name: "rows"))
      #expect(alone.rejects.map(\.code) == (code.map { [$0] } ?? []), "\(name): \(alone.rejectCodes)")
      #expect(alone.bytes == (code == nil ? Self.output(value) : []), "\(name)")
      #expect(
        alone.rejects.allSatisfy {
          $0.row == row && !$0.message.contains("\n") && $0.message.utf8.count < 400
        }
      )
      let between = try Outcome(.bytes(Self.good + [0x0A] + row + [0x0A] + Self.good, name: "rows"))
      #expect(
        between.bytes == Self.goodOutput + (code == nil ? Self.output(value) : []) + Self.goodOutput,
        "\(name)"
      )
      #expect(between.rejects.map { "\($0.line) \($0.code)" } == (code.map { ["2 \($0)"] } ?? []), "\(name)")
      let last = Array(#"{"storefront":"USA","amount":"7","v":"#.utf8) + value + [0x7D]
      let atEnd = try Outcome(.bytes(last, name: "rows"))
      #expect(
        atEnd.rejects.map(\.code) == (code.map { [$0] } ?? []),
        "\(name) at the end: \(atEnd.rejectCodes)"
      )
    }
  }

  /// Each value as a complete row, which must be an object.
  @Test func readsValueAsRow() throws {
    for (name, value, code) in Self.values where !value.isEmpty {
      // An object is valid JSON, but has no price.
      let isObject = value.first { ![0x20, 0x09].contains($0) } == UInt8(ascii: "{")
      let expected = code ?? (isObject ? "missing-storefront" : "not-an-object")
      // A byte order mark at the start of a file is not part of the row.
      if value.starts(with: [0xEF, 0xBB, 0xBF]) { continue }
      // Input that starts with a bracket is an array of rows.
      if value.first(where: { ![0x20, 0x09].contains($0) }) != UInt8(ascii: "[") {
        let found = try Outcome(.bytes(value, name: "rows"), .test { $0.input = .jsonl })
        #expect(found.rejects.map(\.code) == [expected], "\(name): \(found.rejectCodes)")
      }
      let between = try Outcome(.bytes(Self.good + [0x0A] + value + [0x0A] + Self.good, name: "rows"))
      #expect(between.bytes == Self.goodOutput + Self.goodOutput, "\(name)")
      #expect(between.rejects.map { "\($0.line) \($0.code)" } == ["2 \(expected)"], "\(name)")
    }
  }

  /// All values in turn in one large input: each row gives the same result as alone.
  @Test func readsHundredThousandRows() throws {
    // Without the large values.
    let small = Self.values.filter { $0.bytes.count < 2000 }
    var rows: [UInt8] = []
    var output: [UInt8] = []
    var rejects: [String] = []
    for line in 0..<100_000 {
      let value = small[(line &* 7919) % small.count]
      rows += Self.row(value.bytes) + [0x0A]
      if let code = value.code {
        rejects.append("\(line + 1) \(code)")
      } else {
        output += Self.output(value.bytes)
      }
    }
    for jobs in [1, 2] {
      let found = try Outcome(.bytes(rows, name: "rows"), .test { $0.jobs = jobs })
      #expect(found.bytes == output)
      #expect(found.rejects.map { "\($0.line) \($0.code)" } == rejects)
    }
  }

  /// Foundation accepts the same values, except that it allows trailing commas and duplicate keys, and rejects numbers
  /// beyond the range of a double and deeply nested values.
  @Test func agreesWithFoundation() throws {
    var compared = 0
    for (name, value, code) in Self.values {
      let isSpecial =
        name == "a comma at the end of an array" || name == "of an object" || code == "duplicate-key"
        || code == "too-deep" || name.hasPrefix("500 ") || name == "a huge one"
        || name.hasPrefix("many digits")
      if isSpecial { continue }
      let isRead = (try? JSONSerialization.jsonObject(with: Data(Self.row(value)))) != nil
      #expect(isRead == (code == nil), "\(name)")
      compared += 1
    }
    #expect(compared > 150)
  }
}
