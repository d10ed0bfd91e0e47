import PriceTag

/// Makes pseudo-translations: text that nobody wrote, to see whether a layout holds what translators will write.
///
///     try Pseudolocale(.accentedPseudo).text("Buy now")     // "[Ɓûý ñöŵ one]"
///     try Pseudolocale(.rightToLeftPseudo).text("Buy now")  // every word from right to left
///
/// Placeholders of all kinds stay as they are.
public struct Pseudolocale: Sendable {
  /// `en-XA` or `ar-XB`.
  public let language: UILanguage

  /// A pseudo-locale.
  ///
  /// - Throws: `.unknownLanguage` for a language that is none.
  public init(_ language: UILanguage) throws(StringsError) {
    guard language.isPseudo else {
      throw StringsError(
        .unknownLanguage,
        "\(language) is no pseudo-locale",
        fix: "give \(UILanguage.accentedPseudo) or \(UILanguage.rightToLeftPseudo)"
      )
    }
    self.language = language
  }

  /// A message, its arguments and plural branches untouched.
  func message(_ original: Message, key: String) throws(StringsError) -> Message {
    try Message(icuMessage(original), language: language, key: key)
  }

  /// A text, its placeholders (`%d`, `%1$@`, `{name}`, `{{ name }}`) untouched.
  public func text(_ text: String) -> String {
    // A reference to another string.
    if text.hasPrefix("@"), !text.contains(" ") { return text }
    return wrapped(dressed(text), length: text.count)
  }

  // MARK: Dress

  /// The text of a message, its syntax untouched.
  package func icuMessage(_ message: Message) -> String {
    let bytes = Array(message.text.utf8)
    var result = ""
    for piece in MessagePieces.pieces(of: message.text) {
      let text = String(decoding: bytes[piece.range], as: UTF8.self)
      // Quoted syntax stays behind its apostrophe.
      let isWords = piece.isText && !text.contains { "{}#".contains($0) }
      result += isWords ? dressed(text) : text
    }
    return wrapped(result, length: message.text.count)
  }

  /// The text with everything dressed but placeholders, tags, entities and sections of character data.
  private func dressed(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var kept = Placeholder.all(in: text).map(\.range)
    for match in text.matches(of: Self.markup) {
      let start = text.utf8.distance(from: text.startIndex, to: match.range.lowerBound)
      kept.append(start..<start + text[match.range].utf8.count)
    }
    kept.sort { $0.lowerBound < $1.lowerBound }
    var result = ""
    var end = 0
    for range in kept where range.lowerBound >= end {
      result += words(of: String(decoding: bytes[end..<range.lowerBound], as: UTF8.self))
      result += String(decoding: bytes[range], as: UTF8.self)
      end = range.upperBound
    }
    return result + words(of: String(decoding: bytes[end...], as: UTF8.self))
  }

  /// Tags, comments, the ends of character data, entities, and escapes of a line break.
  private nonisolated(unsafe) static let markup = #/<!\[CDATA\[|\]\]>|<[/!?]?[A-Za-z][^<>]*>|&#?\w+;|\\[nt]/#

  private func words(of text: String) -> String {
    if language == .accentedPseudo {
      return String(text.map { Self.accented[$0] ?? $0 })
    }
    // RIGHT-TO-LEFT MARK and OVERRIDE before each word, and their ends behind it: line breaks stay possible.
    var result = ""
    var rest = text[...]
    while let first = rest.first {
      let run = rest.prefix { $0.isWhitespace == first.isWhitespace }
      result += run.contains(where: \.isLetter) ? "\u{200F}\u{202E}\(run)\u{202C}\u{200F}" : run
      rest = rest.dropFirst(run.count)
    }
    return result
  }

  /// In brackets that show where a text is cut off, and longer by what translations usually are.
  private func wrapped(_ text: String, length: Int) -> String {
    guard language == .accentedPseudo, !text.isEmpty else { return text }
    let more = length < 20 ? max(1, length / 2) : length / 3
    var padding = ""
    for word in Self.numbers.cycled(times: 1 + more / 4) {
      if padding.count >= more { break }
      padding += " \(word)"
    }
    return "[\(text)\(padding)]"
  }

  private static let numbers = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
  ]

  private static let accented: [Character: Character] = Dictionary(
    zip(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
      "åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ"
    )
  ) { first, _ in first }
}

extension Array {
  fileprivate func cycled(times: Int) -> [Element] { (0..<times).flatMap { _ in self } }
}
