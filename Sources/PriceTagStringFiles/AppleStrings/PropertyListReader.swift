import PriceTagStrings
import PriceTagText

/// Reads an XML property list of strings or plurals: `<plist><dict><key>…</key><string>…</string>…</dict></plist>`.
struct PropertyListReader {
  private var cursor: XMLCursor
  private(set) var problems = ProblemList()
  private var depth = 0

  /// A value of a dictionary.
  enum Value {
    case text(String, Range<Int>)
    /// A dictionary, which the closure must read or skip.
    case dictionary
    case other(String)
  }

  init(_ bytes: [UInt8]) {
    cursor = XMLCursor(bytes)
  }

  private mutating func report(
    _ problem: String,
    _ fix: String,
    key: String,
    at offset: Int? = nil,
    hidesRest: Bool = false
  ) {
    let offset = offset ?? cursor.range.lowerBound
    problems.report(problem, fix, key: key, at: offset, hidesRest: hidesRest)
  }

  private mutating func next(key: String) -> XMLCursor.Token? {
    let token = cursor.next()
    if let fault = cursor.fault {
      report(fault.problem, fault.fix, key: key, at: fault.offset, hidesRest: fault.hidesRest)
    }
    return token
  }

  /// Reads the file's dictionary.
  mutating func root(_ body: (inout PropertyListReader, String, Int, Value) -> Void) {
    while let token = next(key: "") {
      guard case .start("dict", _, let isEmpty) = token else { continue }
      if !isEmpty { members(key: "", body) }
      return
    }
    report("the property list has no <dict>", "write <plist><dict>…</dict></plist>", key: "")
  }

  /// Reads the members of the dictionary that has just started.
  mutating func members(
    key outerKey: String,
    _ body: (inout PropertyListReader, _ key: String, _ offset: Int, Value) -> Void
  ) {
    guard depth < JSONCursor.maximumDepth else {
      report(
        "dictionaries are nested more than \(JSONCursor.maximumDepth) deep",
        "nest them less",
        key: outerKey
      )
      return skip("dict")
    }
    depth += 1
    defer { depth -= 1 }
    var key: (text: String, offset: Int)?
    func reportMissing(_ reader: inout PropertyListReader) {
      if let key {
        reader.report("the key has no value", "add a <string> after it", key: key.text, at: key.offset)
      }
    }
    while let token = next(key: key?.text ?? outerKey) {
      switch token {
      case .end("dict"): return reportMissing(&self)
      case .start("key", _, let isEmpty):
        reportMissing(&self)
        let offset = cursor.range.lowerBound
        key = (isEmpty ? "" : contents(of: "key", key: "")?.text ?? "", offset)
      case .start(let name, _, let isEmpty):
        guard let (keyText, offset) = key else {
          report("a <\(printable(name, limit: 48))> has no <key>", "add a <key> before it", key: outerKey)
          if !isEmpty { skip(name) }
          continue
        }
        key = nil
        let place = cursor.range.upperBound..<cursor.range.upperBound
        switch name {
        case "string":
          let value = isEmpty ? ("", place) : contents(of: name, key: keyText)
          if let (text, range) = value { body(&self, keyText, offset, .text(text, range)) }
        case "dict" where !isEmpty:
          let before = cursor.at
          body(&self, keyText, offset, .dictionary)
          if cursor.at == before { skip(name) }
        default:
          body(&self, keyText, offset, .other(name))
          if !isEmpty { skip(name) }
        }
      case .text where !isSpace(cursor.range):
        report("text is not allowed here", "write it inside <string>", key: key?.text ?? outerKey)
      case .end(let name) where name == "plist":
        report("a <dict> is not closed", "add </dict>", key: key?.text ?? outerKey, hidesRest: true)
        return
      default: continue
      }
    }
    report("a <dict> is not closed", "add </dict>", key: key?.text ?? outerKey, hidesRest: true)
  }

  private func isSpace(_ range: Range<Int>) -> Bool { cursor.bytes[range].allSatisfy { $0 <= 0x20 } }

  /// Skips an element that has just started.
  private mutating func skip(_ element: String) {
    var open = 1
    while open > 0, let token = next(key: "") {
      switch token {
      case .start(element, _, false): open += 1
      case .end(element): open -= 1
      default: break
      }
    }
  }

  /// Reads the text of an element that has just started; returns `nil` if it contains elements or is not closed.
  private mutating func contents(of element: String, key: String) -> (text: String, range: Range<Int>)? {
    let start = cursor.range.upperBound
    var text = ""
    while let token = next(key: key) {
      switch token {
      case .text:
        if let fault = cursor.decode(cursor.range, { piece, _ in text += piece }) {
          report(fault.problem, fault.fix, key: key, at: fault.offset)
        }
      case .characterData: text += String(decoding: cursor.bytes[cursor.range], as: UTF8.self)
      case .other: continue
      case .end(element): return (text, start..<cursor.range.lowerBound)
      case .start, .end:
        report("the <\(element)> is not closed", "close it with </\(element)>", key: key, at: start)
        cursor.move(to: cursor.range.lowerBound)
        return nil
      }
    }
    return nil
  }
}
