import PriceTag
import PriceTagText

/// A generator of pseudo-translations, for testing layouts before translations exist.
///
///     try Pseudolocale(.accentedPseudo).text("Buy now")     // "[Ɓûý ñöŵ one]"
///     try Pseudolocale(.rightToLeftPseudo).text("Buy now")  // each word displayed right to left
///
/// Placeholders, markup and message syntax are preserved.
public struct Pseudolocale: Sendable {
  /// The pseudo-locale's language, `en-XA` or `ar-XB`.
  public let language: UILanguage

  /// Creates a generator for a pseudo-locale.
  ///
  /// - Throws: `.unknownLanguage` if the language is not a pseudo-locale.
  public init(_ language: UILanguage) throws(StringsError) {
    guard language.isPseudo else {
      throw StringsError(
        .unknownLanguage,
        "\(quoted(language.identifier)) is not a pseudo-locale",
        fix: "use \(UILanguage.accentedPseudo) or \(UILanguage.rightToLeftPseudo)"
      )
    }
    self.language = language
  }

  /// Returns the pseudo-translation of a message, with the same arguments and branches.
  func message(_ original: Message, key: String) throws(StringsError) -> Message {
    try Message(icuMessage(original.text), language: language, key: key)
  }

  /// Returns the pseudo-translation of a text.
  ///
  /// Placeholders (`%d`, `%1$@`, `{name}`, `{{ name }}`), tags and entities are preserved. An Android reference
  /// such as `@string/app` or `?attr/app` is returned unchanged.
  public func text(_ text: String) -> String { self.text(text, placeholders: Placeholder.all(in: text)) }

  /// Returns the pseudo-translation of a text with its placeholders preserved.
  package func text(_ text: String, placeholders: [Placeholder]) -> String {
    let isReference = text.hasPrefix("@") || text.hasPrefix("?") && text.contains { "/:".contains($0) }
    if isReference, !text.contains(" ") { return text }
    return wrapped(transformed(text, placeholders), length: text.count)
  }

  // MARK: Transformation

  /// Returns the pseudo-translation of a message's text, with its syntax preserved. An invalid message is returned
  /// unchanged.
  package func icuMessage(_ message: String) -> String {
    let bytes = Array(message.utf8)
    var result = ""
    let pieces = MessagePieces.pieces(of: message)
    if pieces.count == 1, !pieces[0].isText { return message }
    for piece in pieces {
      let text = String(decoding: bytes[piece.range], as: UTF8.self)
      // Text with quoted syntax characters must remain next to its apostrophes.
      let isTransformable = piece.isText && !text.contains { "{}#".contains($0) }
      result += isTransformable ? transformed(text, Placeholder.all(in: text)) : text
    }
    return wrapped(result, length: message.count)
  }

  /// Transforms all of a text except its placeholders, tags, comments, entities and CDATA delimiters.
  private func transformed(_ text: String, _ placeholders: [Placeholder]) -> String {
    let bytes = Array(text.utf8)
    var preserved = placeholders.map(\.range) + comments(in: bytes)
    for match in text.matches(of: Self.markup) {
      let start = text.utf8.distance(from: text.startIndex, to: match.range.lowerBound)
      preserved.append(start..<start + text[match.range].utf8.count)
    }
    preserved.sort { $0.lowerBound < $1.lowerBound }
    var result = ""
    var end = 0
    for range in preserved where range.lowerBound >= end {
      result += transformedWords(String(decoding: bytes[end..<range.lowerBound], as: UTF8.self))
      result += String(decoding: bytes[range], as: UTF8.self)
      end = range.upperBound
    }
    return result + transformedWords(String(decoding: bytes[end...], as: UTF8.self))
  }

  /// Returns the ranges of comments, `<!-- … -->`.
  private func comments(in bytes: [UInt8]) -> [Range<Int>] {
    var comments: [Range<Int>] = []
    var start: Int?
    var at = 0
    while at < bytes.count {
      let isMark = bytes[at] == UInt8(ascii: start == nil ? "<" : "-")
      if isMark, let open = start, bytes[at...].starts(with: "-->".utf8) {
        comments.append(open..<at + 3)
        (start, at) = (nil, at + 3)
      } else if isMark, start == nil, bytes[at...].starts(with: "<!--".utf8) {
        (start, at) = (at, at + 4)
      } else {
        at += 1
      }
    }
    return comments
  }

  /// Matches tags, also escaped ones, CDATA delimiters, entities, and the escapes `\n`, `\t` and `\u00e9`.
  private nonisolated(unsafe) static let markup =
    #/<!\[CDATA\[|\]\]>|<[/!?]?[A-Za-z][^<>]*>|&lt;\/?[A-Za-z][^<>]{0,200}?&gt;|&#?[\w.:\-]+;|\\[nt]|\\u[0-9A-Fa-f]{4}|%n(?![A-Za-z])/#

  private func transformedWords(_ text: String) -> String {
    if language == .accentedPseudo {
      return String(text.map { Self.accented[$0] ?? $0 })
    }
    // Each word is overridden separately, so that lines can still break between words: RIGHT-TO-LEFT MARK and
    // RIGHT-TO-LEFT OVERRIDE before it, POP DIRECTIONAL FORMATTING and RIGHT-TO-LEFT MARK after it.
    var result = ""
    var rest = text[...]
    while let first = rest.first {
      let run = rest.prefix { $0.isWhitespace == first.isWhitespace }
      result += run.contains(where: \.isLetter) ? "\u{200F}\u{202E}\(run)\u{202C}\u{200F}" : run
      rest = rest.dropFirst(run.count)
    }
    return result
  }

  /// Adds brackets, which show where a layout truncates the text, and padding for the usual growth in translation.
  private func wrapped(_ text: String, length: Int) -> String {
    guard language == .accentedPseudo, !text.isEmpty else { return text }
    let more = length < 20 ? max(1, length / 2) : length / 3
    var (padding, count, index) = ("", 0, 0)
    while count < more {
      let word = Self.numbers[index % Self.numbers.count]
      padding += " \(word)"
      count += word.count + 1
      index += 1
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
