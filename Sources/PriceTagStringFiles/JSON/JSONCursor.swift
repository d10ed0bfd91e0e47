import PriceTagStrings
import PriceTagText

/// Reads JSON value by value, with the range of each text. A syntax error is recorded, and the reading continues with the
/// next line that starts with a key.
struct JSONCursor {
  let bytes: [UInt8]
  private(set) var at = 0
  private var list = ProblemList()
  var problems: [StringsFile.Problem] { list.problems }
  /// The dotted key of the current value, for problems.
  var key = ""
  private var depth = 0
  /// The offset of the current object.
  private(set) var object = 0
  /// Whether a syntax error in a value was skipped together with the comma after it.
  private var hasRecovered = false

  /// The maximum nesting of objects and arrays.
  static let maximumDepth = 64

  /// The offset of the closing brackets at the end of the file.
  private let tail: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tail = (bytes.lastIndex { $0 > 0x20 && !"]}".utf8.contains($0) } ?? -1) + 1
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    skipSpace()
  }

  /// The first byte of the next value; 0 at the end.
  var next: UInt8 { at < bytes.count ? bytes[at] : 0 }

  /// The type of the next value, for problems.
  var kind: String {
    switch next {
    case UInt8(ascii: "{"): "an object"
    case UInt8(ascii: "["): "an array"
    case UInt8(ascii: "\""): "a string"
    case UInt8(ascii: "-"), 0x30...0x39: "a number"
    default:
      switch word {
      case "true", "false": "a boolean"
      case "null": "null"
      case "": at < bytes.count ? "an unknown character" : "the end of the file"
      default: "an unknown word"
      }
    }
  }

  /// Whether the next value is a JSON value by its start.
  var isAtValue: Bool { !kind.hasPrefix("an unknown") && at < bytes.count }

  /// The next number or word.
  private var word: String {
    let word = bytes[at...].prefix(64).prefix { $0 > 0x20 && !",:}]\"".utf8.contains($0) }
    return String(decoding: word, as: UTF8.self)
  }

  /// Reports text after the file's value.
  mutating func finish() {
    skipSpace()
    if at < bytes.count {
      report(
        unexpected("the end of the file after the object"),
        fix: "remove it, or correct the braces before it",
        hidesRest: true
      )
    }
  }

  mutating func report(
    _ problem: String,
    fix: String = "correct the JSON",
    rule: LintFinding.Rule = .malformedEntry,
    at offset: Int? = nil,
    hidesRest: Bool = false,
    losesKey: Bool = false
  ) {
    list.report(
      problem,
      fix,
      key: key,
      at: offset ?? at,
      rule: rule,
      hidesRest: hidesRest,
      losesKey: losesKey
    )
  }

  private mutating func skipSpace() {
    while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x0D || bytes[at] == 0x09 {
      at += 1
    }
  }

  private func unexpected(_ expected: String) -> String {
    guard at < bytes.count else { return "expected \(expected), but the file ends" }
    let found = bytes[at] < 0x80 ? quoted(String(UnicodeScalar(bytes[at]))) : "a character outside ASCII"
    return "expected \(expected), not \(found)"
  }

  /// Skips to the next key after a comma, to the end of an object after a text or at the end of the file, or to the next line
  /// that starts with a key or closes an object.
  private mutating func recover() {
    hasRecovered = true
    let start = at
    while at < bytes.count {
      switch next {
      case 0x0A:
        skipSpace()
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "}") { return }
      case UInt8(ascii: "}") where at >= tail || at > start && bytes[at - 1] == UInt8(ascii: "\""): return
      case UInt8(ascii: ","):
        at += 1
        skipSpace()
        if isAtKey { return }
      default: at += 1
      }
    }
    report("the rest of the file is not read", fix: "correct the JSON before it", at: start, hidesRest: true)
  }

  /// Whether a string of at most 200 bytes and a colon follow.
  private var isAtKey: Bool {
    guard next == UInt8(ascii: "\"") else { return false }
    let name = bytes[(at + 1)...].prefix(200).prefix { $0 != UInt8(ascii: "\"") && $0 >= 0x20 }
    let rest = bytes[name.endIndex...]
    guard rest.first == UInt8(ascii: "\"") else { return false }
    return rest.dropFirst().prefix(200).first { $0 > 0x20 } == UInt8(ascii: ":")
  }

  /// Enters an object or array, unless it is nested too deep.
  private mutating func enter() -> Bool {
    guard depth < Self.maximumDepth else {
      report("values are nested more than \(Self.maximumDepth) deep", fix: "nest them less")
      skipBalanced()
      return false
    }
    depth += 1
    at += 1
    return true
  }

  /// Reads the members of an object. The closure must read or skip the value.
  ///
  /// - Parameter acceptsRepeated: Whether the closure checks that each name appears once.
  mutating func members(
    acceptsRepeated: Bool = false,
    _ body: (inout JSONCursor, _ key: String, _ offset: Int) -> Void
  ) {
    let start = at
    guard enter() else { return }
    let (outerKey, outerObject) = (key, object)
    object = start
    defer { (depth, key, object) = (depth - 1, outerKey, outerObject) }
    var isAfterComma = false
    var names: Set<String> = []
    while true {
      skipSpace()
      guard at < bytes.count else {
        return report("the object is not closed", fix: "add }", at: start, hidesRest: true)
      }
      if next == UInt8(ascii: "}") {
        if isAfterComma { report("the object ends with a comma", fix: "remove the comma before }") }
        at += 1
        return
      }
      let offset = at
      guard next == UInt8(ascii: "\"") else {
        report(unexpected("the name of a field"), at: offset, losesKey: true)
        isAfterComma = false
        recover()
        continue
      }
      hasRecovered = false
      let name = text(isKey: true)?.text
      if !hasRecovered { skipSpace() }
      guard let name, next == UInt8(ascii: ":") else {
        isAfterComma = false
        if hasRecovered { continue }
        report(unexpected("\":\""), losesKey: true)
        recover()
        continue
      }
      at += 1
      skipSpace()
      if !acceptsRepeated, !names.insert(name).inserted {
        report("the field \(quoted(name)) appears twice", fix: "remove one", rule: .duplicateKey, at: offset)
      }
      let before = at
      hasRecovered = false
      body(&self, name, offset)
      if at == before { skip() }
      skipSpace()
      if hasRecovered, next != UInt8(ascii: ",") {
        (isAfterComma, key) = (false, outerKey)
        continue
      }
      isAfterComma = next == UInt8(ascii: ",")
      if isAfterComma {
        at += 1
      } else if next != UInt8(ascii: "}"), at < bytes.count {
        report(unexpected("\",\" or \"}\""))
        if next != UInt8(ascii: "\"") { recover() }
      }
      key = outerKey
    }
  }

  /// Reads the items of an array. The closure must read or skip the item.
  mutating func items(_ body: (inout JSONCursor, Int) -> Void) {
    let start = at
    guard enter() else { return }
    defer { depth -= 1 }
    var index = 0
    while true {
      skipSpace()
      guard at < bytes.count else {
        return report("the array is not closed", fix: "add ]", at: start, hidesRest: true)
      }
      if next == UInt8(ascii: "]") {
        at += 1
        return
      }
      let before = at
      hasRecovered = false
      body(&self, index)
      if at == before { skip() }
      index += 1
      skipSpace()
      // The rest of the array was skipped.
      if hasRecovered, next != UInt8(ascii: ","), next != UInt8(ascii: "]") { return }
      if next == UInt8(ascii: ",") {
        at += 1
      } else if next != UInt8(ascii: "]"), at < bytes.count {
        report(unexpected("\",\" or \"]\""))
        return recover()
      }
    }
  }

  /// Reads a string; returns `nil` if it is not closed, or has an invalid escape sequence.
  ///
  /// - Parameter isKey: Whether the string is the name of a field.
  mutating func text(isKey: Bool = false) -> (text: String, range: Range<Int>)? {
    let start = at + 1
    var (end, isEscaped) = (start, false)
    while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] >= 0x20 || bytes[end] == 0x09 {
      if bytes[end] == UInt8(ascii: "\\") {
        isEscaped = true
        end += 1
      }
      end += 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
      report(
        "the string is not closed",
        fix: "close it with \", and write a line break as \\n",
        losesKey: isKey
      )
      at = min(end, bytes.count)
      recover()
      return nil
    }
    let range = start..<end
    if !isEscaped {
      at = end + 1
      return (String(decoding: bytes[range], as: UTF8.self), range)
    }
    do throws(JSONError) {
      let value = try JSONReader.value(of: Array(bytes[at...end]).map { $0 == 0x09 ? 0x20 : $0 })
      at = end + 1
      return (value.literal ?? "", range)
    } catch {
      report(error.problem, at: at + (error.column ?? 1) - 1, losesKey: isKey)
      at = end + 1
      return nil
    }
  }

  /// Skips a value.
  mutating func skip() {
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["): skipBalanced()
    case UInt8(ascii: "\""): _ = text()
    default:
      let start = at
      while at < bytes.count, bytes[at] > 0x20, !",}]".utf8.contains(bytes[at]) { at += 1 }
      let word = bytes[start..<at]
      let isWord = ["true", "false", "null"].contains { word.elementsEqual($0.utf8) }
      let isNumber = word.first.map { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } ?? false
      if !isWord, !isNumber {
        at = start
        report(unexpected("a value"))
        // A misspelt word ends with the value.
        if let first = word.first, (0x41...0x5A).contains(first & 0xDF) {
          while at < bytes.count, bytes[at] != 0x0A, !",}]\"".utf8.contains(bytes[at]) { at += 1 }
        } else if at < bytes.count {
          recover()
        }
      }
    }
  }

  /// Skips an object or array of any depth.
  private mutating func skipBalanced() {
    var open = 0
    repeat {
      switch next {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      case UInt8(ascii: "\""):
        _ = text()
        continue
      default: break
      }
      at += 1
    } while open > 0 && at < bytes.count
    if open > 0 {
      report("the value is not closed", fix: "close every { and [", at: max(0, at - 1), hidesRest: true)
    }
  }
}
