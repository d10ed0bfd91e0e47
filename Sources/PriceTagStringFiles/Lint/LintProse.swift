import PriceTag
import PriceTagStrings
import PriceTagText

// Rules for the displayed part of a text.
extension LintRules {
  /// Checks for prices and currency symbols in the text.
  func checkMoney(_ prose: LintProse, _ place: Place) {
    if let price = prose.price {
      place.report(
        .hardCodedPrice,
        "the text contains the price \(quoted(price))",
        "replace it with a placeholder, and insert the formatted price"
      )
    } else if let symbol = prose.currencySymbol {
      place.report(
        .currencySymbol,
        "the text contains the currency symbol \(quoted(String(symbol)))",
        "remove it, because a formatted price contains its symbol"
      )
    }
  }

  /// Checks for unbalanced braces and invalid percent signs.
  func checkSyntax(_ text: String, _ prose: LintProse, _ place: Place) {
    if format == .formatJS {
      if let offset = MessageScan(Array(text.utf8)).placeOfStrayBrace {
        let position = text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1
        place.report(
          .unbalancedBraces,
          "character \(position): the } has no matching {",
          "remove it, or enclose it in apostrophes: '}'"
        )
      }
      return
    }
    let (open, close) = (prose.text.count { $0 == "{" }, prose.text.count { $0 == "}" })
    if open != close {
      place.report(
        .unbalancedBraces,
        "the text has \(open) { and \(close) } outside placeholders",
        "close every { with a }"
      )
    }
    let hasFormat = prose.placeholders.contains { $0.style == .printf }
    if hasFormat, prose.text.replacing("%%", with: "").contains("%") {
      place.report(
        .malformedPlaceholder,
        "a single % is not a placeholder",
        "write %% for a percent sign"
      )
    }
  }
}

/// The displayed part of a text, without placeholders and tags.
struct LintProse {
  /// The text with each placeholder replaced by U+FFFC.
  let text: String
  /// The placeholders of the text.
  let placeholders: [Placeholder]
  private let scalars: [Unicode.Scalar]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var prose = ""
    var end = 0
    placeholders = Placeholder.all(in: text)
    for placeholder in placeholders {
      prose += String(decoding: bytes[end..<placeholder.range.lowerBound], as: UTF8.self) + "\u{FFFC}"
      end = placeholder.range.upperBound
    }
    prose += String(decoding: bytes[end...], as: UTF8.self)
    self.text = prose
    scalars = Self.withoutTags(Array(prose.unicodeScalars))
  }

  /// Returns the text without tags (`<…>`), whose contents are not displayed.
  private static func withoutTags(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard let lastEnd = scalars.lastIndex(of: ">") else { return scalars }
    var displayed: [Unicode.Scalar] = []
    var isInTag = false
    for (index, scalar) in scalars.enumerated() {
      if scalar == "<", index < lastEnd { isInTag = true }
      if !isInTag { displayed.append(scalar) }
      if scalar == ">" { isInTag = false }
    }
    return displayed
  }

  // MARK: Money

  /// The first number next to a currency symbol, code or name.
  var price: String? {
    var start = 0
    while start < scalars.count {
      guard isDigit(start) else {
        start += 1
        continue
      }
      var end = start
      while end < scalars.count, isDigit(end) || ".,\u{66B}\u{66C}’".unicodeScalars.contains(scalars[end]) {
        end += 1
      }
      while !isDigit(end - 1) { end -= 1 }
      if let unit = unit(before: start) { return string(unit..<end) }
      if let unit = unit(after: end) { return string(start..<unit) }
      start = end
    }
    return nil
  }

  /// The first currency symbol, except a $ that begins a variable or function (`$t(key)`).
  var currencySymbol: Unicode.Scalar? {
    scalars.indices.first { index in
      guard isSymbol(index) else { return false }
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      return scalars[index] != "$" || !(next.properties.isAlphabetic || "{(".unicodeScalars.contains(next))
    }.map { scalars[$0] }
  }

  private func isDigit(_ index: Int) -> Bool {
    scalars[index].properties.generalCategory == .decimalNumber
  }

  private func isSymbol(_ index: Int) -> Bool {
    scalars[index].properties.generalCategory == .currencySymbol
  }

  private func isSpace(_ index: Int) -> Bool {
    scalars[index].properties.generalCategory == .spaceSeparator
  }

  private func isLetter(_ index: Int) -> Bool { scalars[index].properties.isAlphabetic }

  private func string(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  /// Returns the start of a currency before a number: `$5`, `US$ 5`, `EUR 5`, `Rs. 5`.
  private func unit(before number: Int) -> Int? {
    var end = number
    if end > 0, isSpace(end - 1) { end -= 1 }
    let hasSymbol = end > 0 && isSymbol(end - 1)
    if hasSymbol { end -= 1 } else if end > 0, scalars[end - 1] == "." { end -= 1 }
    var start = end
    while start > 0, end - start <= Self.maximumWordCount, isLetter(start - 1) { start -= 1 }
    let word = string(start..<end)
    if hasSymbol {
      // Capital letters before a symbol are part of it, such as the US of US$.
      let isCountry = word.utf8.count <= 3 && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      return isCountry ? start : end
    }
    return Self.isCurrency(word) ? start : nil
  }

  /// Returns the end of a currency after a number: `5€`, `5 zł`, `5 USD`.
  private func unit(after number: Int) -> Int? {
    var start = number
    if start < scalars.count, isSpace(start) { start += 1 }
    if start < scalars.count, isSymbol(start) { return start + 1 }
    var end = start
    while end < scalars.count, end - start <= Self.maximumWordCount, isLetter(end) { end += 1 }
    return Self.isCurrency(string(start..<end)) ? end : nil
  }

  /// The maximum number of letters in a currency code or name.
  private static let maximumWordCount = 8

  private static func isCurrency(_ word: String) -> Bool {
    !word.isEmpty && (codes.contains(word) || names.contains(word.lowercased()))
  }

  /// The currency codes of all storefronts, except those that are also words or names.
  private static let codes = Set(LocaleData.embedded.storefronts.map { $0.currency(on: .todayInUTC).code })
    .subtracting(["TRY", "PHP", "COP", "PEN"])

  private static let names: Set = [
    "zł", "kč", "kr", "лв", "руб", "грн", "lei", "tl", "rs", "euro", "euros", "dollar", "dollars",
  ]

  // MARK: Encoding

  /// Returns the first sign that a text was decoded with a wrong encoding: U+FFFD, NUL, or UTF-8 read as Latin-1.
  static func brokenEncoding(in text: String) -> String? {
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if scalar == "\u{FFFD}" || scalar == "\u{0}" { return String(scalar) }
      // Ã, Â and â€ followed by a character that a second byte of UTF-8 decodes to. No-break spaces and guillemets
      // also follow these letters in correct text.
      guard index + 1 < scalars.count, ["Ã", "Â", "â"].contains(scalar) else { continue }
      let next = scalars[index + 1]
      let isSecondByte = (0x80...0xBF).contains(next.value) && !"\u{A0}«»".unicodeScalars.contains(next)
      if isSecondByte || (scalar == "â" && next == "€")
        || (scalar == "Ã" && "ŸŒœž".unicodeScalars.contains(next))
      {
        return String(scalar) + String(next)
      }
    }
    return nil
  }
}
