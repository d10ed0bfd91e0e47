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

  /// A piece of source code: a string literal without its quotes, or another character.
  private enum Token: Equatable {
    case text(String)
    case character(Character)
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

  private static func messages(in code: String, file: String) -> [Message] {
    var (messages, line) = ([Message](), 0)
    var tokens: [(token: Token, line: Int)] = []
    var scan = Array(code)[...]
    while let next = scan.first {
      if next == "\n" { line += 1 }
      if scan.starts(with: "//") {
        scan = scan.drop { $0 != "\n" }
      } else if let literal = literal(&scan) {
        tokens.append((.text(literal), line))
        line += literal.count { $0 == "\n" }
      } else {
        tokens.append((.character(next), line))
        scan = scan.dropFirst()
      }
    }
    let label: [Token] = "fix:".map { .character($0) }
    for index in tokens.indices.dropLast(4) where tokens[index..<(index + 4)].map(\.token) == label {
      if index > 0, case .character(let before) = tokens[index - 1].token, before.isLetter { continue }
      guard let problems = argument(in: tokens[..<index].reversed().map(\.token), opening: ")", closing: "("),
        let fixes = argument(
          in: tokens[(index + 4)...].map(\.token),
          opening: "(",
          closing: ")",
          upToComma: true
        )
      else { continue }
      if problems.texts.isEmpty, fixes.texts.isEmpty { continue }
      messages.append(
        Message(
          place: "\(file):\(tokens[index].line + 1)",
          code: problems.code.firstMatch(of: #/\.([a-z][A-Za-z0-9]+)\s*,/#).map { String($0.1) } ?? "",
          problems: problems.texts.reversed(),
          fixes: fixes.texts
        )
      )
    }
    return messages
  }

  /// The texts up to the parenthesis around a call's arguments, and the code between them; `nil` without a call.
  private static func argument(
    in tokens: [Token],
    opening: Character,
    closing: Character,
    upToComma: Bool = false
  ) -> (texts: [String], code: String)? {
    var (texts, code, depth) = ([String](), "", 0)
    for token in tokens {
      switch token {
      case .text(let text): texts.append(text)
      case .character(let character):
        if character == opening { depth += 1 }
        if character == closing {
          if depth == 0 { return (texts, String(code.reversed())) }
          depth -= 1
        }
        if upToComma, depth == 0, character == "," { return (texts, code) }
        code.append(character)
      }
    }
    return nil
  }

  /// Reads a string literal, whose interpolations become `…`.
  private static func literal(_ scan: inout ArraySlice<Character>) -> String? {
    var rest = scan
    let pounds = rest.prefix { $0 == "#" }.count
    rest = rest.dropFirst(pounds)
    guard rest.first == "\"" else { return nil }
    let quotes = rest.starts(with: "\"\"\"") ? 3 : 1
    rest = rest.dropFirst(quotes)
    let end = Array(repeating: Character("\""), count: quotes) + Array(repeating: "#", count: pounds)
    let escape = ["\\"] + Array(repeating: Character("#"), count: pounds)
    var text = ""
    while let next = rest.first, !rest.starts(with: end) {
      guard rest.starts(with: escape) else {
        text.append(next)
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(escape.count)
      if rest.first == "(" {
        var depth = 0
        repeat {
          if rest.first == "(" { depth += 1 }
          if rest.first == ")" { depth -= 1 }
          if literal(&rest) == nil { rest = rest.dropFirst() }
        } while depth > 0 && !rest.isEmpty
        text += "…"
      } else if let character = rest.first {
        text += character == "n" ? "\n" : String(character)
        rest = rest.dropFirst()
      }
    }
    scan = rest.dropFirst(end.count)
    return text
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
