import PriceTag
import PriceTagStrings
import PriceTagText

/// The rules of the lint that look at what a reader reads.
extension LintRules {
  func checkMoney(_ prose: LintProse, _ place: Place, _ findings: inout [LintFinding]) {
    if let price = prose.price {
      findings.append(
        place.finding(
          .hardCodedPrice,
          "the price \(quoted(price)) is written into the text",
          "put a placeholder there, and the price as its store writes it"
        )
      )
    } else if let symbol = prose.currencySymbol {
      findings.append(
        place.finding(
          .currencySymbol,
          "the currency symbol \(quoted(String(symbol))) is written into the text",
          "a price brings its own symbol, in the place that its store gives it"
        )
      )
    }
  }

  /// Braces and percent signs that a program will stumble on.
  func checkSyntax(
    _ text: String,
    _ prose: LintProse,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    if format == .formatJS {
      if let offset = MessageScan(Array(text.utf8)).placeOfStrayBrace {
        let position = text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1
        findings.append(
          place.finding(
            .unbalancedBraces,
            "character \(position): a } closes nothing",
            "remove it, or write it between apostrophes: '}'"
          )
        )
      }
      return
    }
    let (open, close) = (prose.text.count { $0 == "{" }, prose.text.count { $0 == "}" })
    if open != close {
      findings.append(
        place.finding(
          .unbalancedBraces,
          "\(open) { and \(close) } are left beside the placeholders",
          "close every { with a }"
        )
      )
    }
    let hasFormat = prose.placeholders.contains { $0.style == .printf }
    if hasFormat, prose.text.replacing("%%", with: "").contains("%") {
      findings.append(
        place.finding(
          .malformedPlaceholder,
          "a % stands alone in a text with placeholders",
          "write %% for a percent sign"
        )
      )
    }
  }
}

/// A text without its placeholders and its markup: what a reader reads.
struct LintProse {
  /// The text; U+FFFC where something was taken out.
  let text: String
  /// What was taken out of it.
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

  /// Without `<…>`: what stands in a tag is for programs.
  private static func withoutTags(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard let lastEnd = scalars.lastIndex(of: ">") else { return scalars }
    var kept: [Unicode.Scalar] = []
    var isInTag = false
    for (index, scalar) in scalars.enumerated() {
      if scalar == "<", index < lastEnd { isInTag = true }
      if !isInTag { kept.append(scalar) }
      if scalar == ">" { isInTag = false }
    }
    return kept
  }

  // MARK: Money

  /// The first number beside a currency's symbol, code or word.
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
      if let unit = unit(behind: end) { return string(start..<unit) }
      start = end
    }
    return nil
  }

  /// The first currency symbol; a $ that starts a name (`$t(key)`) is none.
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
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  /// Where a currency starts that stands before a number: `$5`, `US$ 5`, `EUR 5`, `Rs. 5`.
  private func unit(before number: Int) -> Int? {
    var end = number
    if end > 0, isSpace(end - 1) { end -= 1 }
    let hasSymbol = end > 0 && isSymbol(end - 1)
    if hasSymbol { end -= 1 } else if end > 0, scalars[end - 1] == "." { end -= 1 }
    var start = end
    while start > 0, end - start <= Self.longestWord, isLetter(start - 1) { start -= 1 }
    let word = string(start..<end)
    if hasSymbol {
      // The US of US$.
      let isCountry = word.utf8.count <= 3 && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      return isCountry ? start : end
    }
    return Self.isMoney(word) ? start : nil
  }

  /// Where a currency ends that stands behind a number: `5€`, `5 zł`, `5 USD`.
  private func unit(behind number: Int) -> Int? {
    var start = number
    if start < scalars.count, isSpace(start) { start += 1 }
    if start < scalars.count, isSymbol(start) { return start + 1 }
    var end = start
    while end < scalars.count, end - start <= Self.longestWord, isLetter(end) { end += 1 }
    return Self.isMoney(string(start..<end)) ? end : nil
  }

  private static let longestWord = 8

  private static func isMoney(_ word: String) -> Bool {
    !word.isEmpty && (codes.contains(word) || words.contains(word.lowercased()))
  }

  /// The codes of the stores' currencies, but for those that are words or names too.
  private static let codes = Set(LocaleData.embedded.storefronts.map { $0.currency(on: .today).code })
    .subtracting(["TRY", "PHP", "COP", "PEN"])

  private static let words: Set = [
    "zł", "kč", "kr", "лв", "руб", "грн", "lei", "tl", "rs", "euro", "euros", "dollar", "dollars",
  ]

  // MARK: Encoding

  /// A sign of text that was decoded wrongly: U+FFFD, a NUL, or UTF-8 read as Latin-1.
  static func brokenEncoding(in text: String) -> String? {
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if scalar == "\u{FFFD}" || scalar == "\u{0}" { return String(scalar) }
      // Ã, Â and â€ before what UTF-8's second bytes become; guillemets and spaces stand there in good text too.
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
