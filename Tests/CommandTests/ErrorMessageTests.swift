import Foundation
import Testing

/// The wording of every error, read from the source code.
///
/// An error is created by a call with an argument `fix:`. The texts before that label are what was wrong, the texts after
/// it are what to do. `swift test --filter ErrorMessageTests` prints all of them as one table.
@Suite struct ErrorMessageTests {
  struct Message: CustomStringConvertible {
    let place: String
    let code: String
    let problems: [String]
    let fixes: [String]

    var description: String {
      "\(place) | \(code) | \(problems.joined(separator: " / ")) | \(fixes.joined(separator: " / "))"
    }
  }

  /// The source code of a file without comments, byte by byte. A string literal is one byte, which is zero.
  private struct Tokens {
    var bytes: [UInt8] = []
    /// The line of each byte.
    var lines: [Int] = []
    /// The texts of the literals, by their positions.
    var texts: [Int: String] = [:]
  }

  /// The messages of all errors in the sources, in the order of their files.
  static let messages: [Message] = {
    let files = (try? StructureTests.files(under: "Sources")) ?? []
    return files.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }.flatMap { file in
      let code = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return messages(
        in: code,
        file: "\(file.deletingLastPathComponent().lastPathComponent)/\(file.lastPathComponent)"
      )
    }
  }()

  private static let label = Array("fix:".utf8)

  private static func messages(in code: String, file: String) -> [Message] {
    guard code.contains("fix:") else { return [] }
    let tokens = Self.tokens(of: Array(code.utf8))
    var messages: [Message] = []
    for index in tokens.bytes.indices.dropLast(label.count) where tokens.bytes[index] == label[0] {
      guard tokens.bytes[index...].starts(with: label) else { continue }
      if index > 0, Character(Unicode.Scalar(tokens.bytes[index - 1])).isLetter { continue }
      guard let problems = argument(tokens, from: index - 1, by: -1, opening: ")", closing: "("),
        let fixes = argument(
          tokens,
          from: index + label.count,
          by: 1,
          opening: "(",
          closing: ")",
          upToComma: true
        )
      else { continue }
      if problems.texts.isEmpty, fixes.texts.isEmpty { continue }
      messages.append(
        Message(
          place: "\(file):\(tokens.lines[index])",
          code: problems.code.firstMatch(of: #/\.([a-z][A-Za-z0-9]+)\s*,/#).map { String($0.1) } ?? "",
          problems: problems.texts.reversed(),
          fixes: fixes.texts
        )
      )
    }
    return messages
  }

  private static func tokens(of code: [UInt8]) -> Tokens {
    let (newline, slash) = (UInt8(ascii: "\n"), UInt8(ascii: "/"))
    var tokens = Tokens()
    var (position, line) = (0, 1)
    while position < code.count {
      let byte = code[position]
      if byte == slash, position + 1 < code.count, code[position + 1] == slash {
        while position < code.count, code[position] != newline { position += 1 }
        continue
      }
      tokens.lines.append(line)
      let start = position
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"), let text = literal(code, &position) {
        tokens.texts[tokens.bytes.count] = text
        tokens.bytes.append(0)
        line += code[start..<position].count { $0 == newline }
      } else {
        tokens.bytes.append(byte)
        if byte == newline { line += 1 }
        position += 1
      }
    }
    return tokens
  }

  /// The texts up to the parenthesis around a call's arguments, and the code between them; `nil` without a call.
  ///
  /// - Parameters:
  ///   - start: The position of the first byte.
  ///   - step: 1 to read forward, -1 to read backward.
  private static func argument(
    _ tokens: Tokens,
    from start: Int,
    by step: Int,
    opening: Unicode.Scalar,
    closing: Unicode.Scalar,
    upToComma: Bool = false
  ) -> (texts: [String], code: String)? {
    let (opening, closing, comma) = (UInt8(ascii: opening), UInt8(ascii: closing), UInt8(ascii: ","))
    var (texts, code, depth) = ([String](), [UInt8](), 0)
    var index = start
    while tokens.bytes.indices.contains(index) {
      defer { index += step }
      let byte = tokens.bytes[index]
      if byte == 0 {
        texts.append(tokens.texts[index] ?? "")
        continue
      }
      if byte == opening { depth += 1 }
      if byte == closing {
        if depth == 0 { return (texts, String(decoding: code.reversed(), as: UTF8.self)) }
        depth -= 1
      }
      if upToComma, depth == 0, byte == comma { return (texts, "") }
      code.append(byte)
    }
    return nil
  }

  /// Reads a string literal, whose interpolations become `…`.
  ///
  /// - Returns: The text; `nil` if there is no literal at the position, which then stays.
  private static func literal(_ code: [UInt8], _ position: inout Int) -> String? {
    let (quote, pound) = (UInt8(ascii: "\""), UInt8(ascii: "#"))
    func byte(at index: Int) -> UInt8 { index < code.count ? code[index] : 0 }
    func has(_ bytes: [UInt8], at index: Int) -> Bool {
      byte(at: index) == bytes[0] && code[index...].starts(with: bytes)
    }
    var rest = position
    while byte(at: rest) == pound { rest += 1 }
    let pounds = [UInt8](repeating: pound, count: rest - position)
    guard byte(at: rest) == quote else { return nil }
    let quotes = [UInt8](repeating: quote, count: has([quote, quote, quote], at: rest) ? 3 : 1)
    rest += quotes.count
    let (end, escape) = (quotes + pounds, [UInt8(ascii: "\\")] + pounds)
    var text: [UInt8] = []
    while rest < code.count, !has(end, at: rest) {
      guard has(escape, at: rest) else {
        text.append(code[rest])
        rest += 1
        continue
      }
      rest += escape.count
      if byte(at: rest) == UInt8(ascii: "(") {
        var depth = 0
        repeat {
          if byte(at: rest) == UInt8(ascii: "(") { depth += 1 }
          if byte(at: rest) == UInt8(ascii: ")") { depth -= 1 }
          if literal(code, &rest) == nil { rest += 1 }
        } while depth > 0 && rest < code.count
        text += "…".utf8
      } else if rest < code.count {
        text.append(code[rest] == UInt8(ascii: "n") ? UInt8(ascii: "\n") : code[rest])
        rest += 1
      }
    }
    position = min(rest + end.count, code.count)
    return String(decoding: text, as: UTF8.self)
  }

  @Test func everyErrorIsInTheTable() {
    #expect(Self.messages.count >= 500)
    print("place | code | what was wrong | what to do")
    for message in Self.messages { print(message) }
  }

  /// Words that a message uses only as the first of a sentence, being names.
  private static var capitalized: Regex<(Substring, Substring)> {
    #/^(ICU|SQLite|CLDR|ISO|BCP|JSON|JSONL|CSV|UTF|Unicode|Xcode|StoreKit|App Store|Google|Stripe|PriceTag|Apple|XML|GET|HEAD|POST|Accept|Content|Host|URL|HTTP|TLS|SIGHUP|U\+|NUL|DTD|Android|FormatJS|Linux|CR|LF|Transfer|[A-Z]{3}\b)/#
  }

  /// The rules that a text must follow.
  private static func faults(of text: String) -> [String] {
    var faults: [String] = []
    if text.contains("\n") { faults.append("has several lines") }
    if text.hasSuffix("."), !text.hasSuffix("…") { faults.append("ends with a period") }
    if let first = text.first, first.isUppercase, text.prefixMatch(of: capitalized) == nil {
      faults.append("starts with a capital letter")
    }
    if let word = text.firstMatch(
      of: #/(?i)\b(set aside|told|tells|nobody|whoever|catalogue|colour|licence|is none|anew)\b/#
    ) {
      faults.append("says \"\(word.1)\"")
    }
    return faults
  }

  @Test func everyErrorFollowsTheRules() {
    for message in Self.messages {
      for text in message.problems + message.fixes {
        for fault in Self.faults(of: text) { Issue.record("\(message.place): \"\(text)\" \(fault)") }
      }
    }
  }
}
