import PriceTag
import PriceTagText

/// How inserted values are kept from moving the words around them.
public enum Isolation: String, Hashable, Sendable, CaseIterable, Codable {
  /// Between U+2068 FIRST STRONG ISOLATE and U+2069 POP DIRECTIONAL ISOLATE.
  case isolates
  /// Not at all: for comparison with other software.
  case none
}

/// What a message is written for.
enum Rendering {
  case text(Isolation)
  /// HTML: `<bdi>` around what is inserted, everything escaped; prices as they are written for it.
  case html(price: (FormattedPrice) -> String)
  /// For the ear: prices by their spoken form.
  case spoken
}

/// How each piece of a message is written.
extension MessageEvaluation {
  mutating func appendLiteral(_ range: Range<Int>) {
    if case .html = rendering {
      appendEscaped(String(decoding: message.literals[range], as: UTF8.self))
      return
    }
    writer.append(UnsafeBufferPointer(rebasing: message.literals[range]))
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

  /// The words of another message; isolated only where they are of another language.
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
      throw message.error(
        .formattingFailed,
        "ICU cannot write numbers in \(message.language)",
        fix: "check that ICU's data is installed"
      )
    }
    // Nothing that a number has is special in HTML.
    writer.append(number, by: formatter)
  }

  @inline(__always)
  func rounded(_ number: Amount, toDigits digits: Int) throws(StringsError) -> Amount {
    if number.scale == 0 { return number }
    do throws(PriceTagError) { return try number.rounded(toDigits: digits, .halfEven).normalized } catch {
      throw message.error(.invalidArgument, error.problem, fix: error.fix)
    }
  }
}
