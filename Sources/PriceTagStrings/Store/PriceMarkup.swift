import PriceTag
import PriceTagText

extension FormattedPrice {
  /// The text as HTML. In a right-to-left price, a symbol of Latin letters is isolated: otherwise `US$` is displayed as
  /// `$US`, because a dollar sign has no direction of its own.
  package var markup: String {
    func isLatinLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    guard direction == .rightToLeft, text.utf8.contains(where: isLatinLetter) else {
      return escapedForHTML(text)
    }
    return parts.map { part in
      part.type == .symbol && part.value.utf8.contains(where: isLatinLetter)
        ? "<span dir=\"ltr\">\(escapedForHTML(part.value))</span>" : escapedForHTML(part.value)
    }.joined()
  }
}
