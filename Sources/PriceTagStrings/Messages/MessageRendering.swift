import PriceTag
import PriceTagText

/// How inserted values are isolated from the text around them, so that their direction does not affect it.
public enum Isolation: String, Hashable, Sendable, CaseIterable, Codable {
  /// By U+2068 FIRST STRONG ISOLATE before and U+2069 POP DIRECTIONAL ISOLATE after the value.
  case isolates
  /// Not isolated; for comparison with other software.
  case none
}

/// The output form of a message.
enum Rendering {
  case text(Isolation)
  /// Escaped HTML with `<bdi>` around inserted values; the closure writes prices.
  case html(price: (FormattedPrice) -> String)
  /// Text for speech output, with the spoken form of prices.
  case spoken
}

extension MessageEvaluation {
  mutating func appendLiteral(_ text: UnsafeRawBufferPointer) {
    if case .html = rendering {
      appendEscaped(String(decoding: text, as: UTF8.self))
      return
    }
    writer.append(text.assumingMemoryBound(to: UInt8.self))
  }

  mutating func appendEscaped(_ text: String) {
    if case .html = rendering { writer.append(escapedForHTML(text)) } else { writer.append(text) }
  }

  mutating func appendIsolated(_ text: String) {
    switch rendering {
    case .text(.none): writer.append(text)
    case .html: writer.append("<bdi>\(escapedForHTML(balancedBidi(text)))</bdi>")
    case .text(.isolates), .spoken:
      writer.openIsolate()
      writer.append(balancedBidi(text))
      writer.closeIsolate()
    }
  }

  /// Appends another message, isolated if it is in another language.
  mutating func append(_ inner: FormattedMessage) {
    let isForeign = inner.language != message.language
    switch rendering {
    case .text(.isolates), .spoken:
      let text = if case .spoken = rendering { inner.spoken } else { inner.isolated }
      if isForeign { writer.openIsolate() }
      writer.append(text)
      if isForeign { writer.closeIsolate() }
    case .text(.none): writer.append(inner.plain)
    case .html(let price):
      let html = inner.html(price: price)
      writer.append(
        isForeign
          ? "<bdi lang=\"\(inner.language)\" dir=\"\(inner.language.direction.rawValue)\">\(html)</bdi>"
          : html
      )
    }
  }

  @inline(__always)
  mutating func append(_ number: Amount, _ kind: CountFormatter.Kind) throws(StringsError) {
    if number.scale == 0, case .number = kind, let integers = message.integers {
      writer.append(number, by: integers)
      return
    }
    guard let formatter = message.language.data.counts(kind, fractionDigits: number.scale) else {
      throw message.source.error(
        .formattingFailed,
        "ICU cannot format numbers in \(message.language)",
        fix: "check that ICU's data is installed"
      )
    }
    // Formatted numbers contain no characters that need escaping in HTML.
    writer.append(number, by: formatter)
  }

  @inline(__always)
  func rounded(_ number: Amount, toDigits digits: Int) throws(StringsError) -> Amount {
    if number.scale == 0 { return number }
    do throws(PriceTagError) { return try number.rounded(toDigits: digits, .halfEven).normalized } catch {
      throw message.source.error(.invalidArgument, error.problem, fix: error.fix)
    }
  }
}
