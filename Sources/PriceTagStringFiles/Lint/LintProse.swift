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
    } else if let symbol = prose.symbolBesidePlaceholder {
      place.report(
        .symbolBesidePlaceholder,
        "the currency symbol \(quoted(String(symbol))) is beside a placeholder",
        "remove it, and insert the formatted price, which has its own symbol"
      )
    } else if let symbol = prose.currencySymbol {
      place.report(
        .currencySymbol,
        "the text contains the currency symbol \(quoted(String(symbol)))",
        "remove it, because a formatted price contains its symbol"
      )
    }
  }

  /// Checks for quoting that hides text, unbalanced braces, invalid percent signs, and tags that are not closed.
  func checkSyntax(_ parsed: ParsedText, _ place: Place) {
    let text = parsed.text
    if format.hasMessages {
      if let quote = parsed.swallowedQuote {
        place.report(
          .swallowedQuote,
          "the apostrophe makes \(quoted(quote.text)) literal text",
          "write \u{2019} or \'\' for an apostrophe"
        )
      } else if format == .formatJS, isDevelopment {
        checkTags(parsed, isTranslation: false, place)
      }
      // Without quotes, a message that ICU accepts has a stray brace only if it has more of them.
      let isBalanced =
        parsed.message != nil && !parsed.bytes.contains("'")
        && text.utf8.reduce(0) { $0 + ($1 == 0x7B ? 1 : $1 == 0x7D ? -1 : 0) } == 0
      if parsed.bytes.contains("}"), !isBalanced, parsed.compilation == nil || parsed.message != nil,
        let offset = MessageScan(Array(text.utf8)).placeOfStrayBrace
      {
        let position = text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1
        place.report(
          .unbalancedBraces,
          "character \(position): the } has no matching {",
          "remove it, or enclose it in apostrophes: '}'"
        )
      }
      return
    }
    guard parsed.bytes.contains("%") || parsed.bytes.contains("{") || parsed.bytes.contains("}") else {
      return
    }
    let prose = parsed.prose
    let (open, close) = (prose.text.utf8.count { $0 == 0x7B }, prose.text.utf8.count { $0 == 0x7D })
    if open != close {
      place.report(
        .unbalancedBraces,
        "the text has \(open) { and \(close) } outside placeholders",
        "close every { with a }"
      )
    }
    let hasFormat = prose.placeholders.contains { $0.style == .printf }
    if hasFormat, prose.text.utf8.contains(UInt8(ascii: "%")),
      prose.text.replacing("%%", with: "").replacing(format == .android ? "%n" : "%%", with: "").contains("%")
    {
      place.report(
        .malformedPlaceholder,
        "a single % is not a placeholder",
        "write %% for a percent sign"
      )
    }
  }
}

/// An apostrophe that quotes syntax of a message, although it was probably meant as an apostrophe.
struct SwallowedQuote {
  /// The beginning of the quoted text.
  let text: String

  /// Finds the first such apostrophe: one after a letter, or one whose quoted text is not closed.
  ///
  /// - Parameter quotesTags: Whether an apostrophe also quotes a tag, as in FormatJS.
  init?(_ text: String, quotesTags: Bool) {
    let scalars = Array(text.unicodeScalars)
    func scalar(_ index: Int) -> Unicode.Scalar { index < scalars.count ? scalars[index] : " " }
    var at = 0
    while at < scalars.count {
      guard scalars[at] == "'" else {
        at += 1
        continue
      }
      let next = scalar(at + 1)
      let isTag =
        quotesTags && next == "<" && (scalar(at + 2) == "/" || scalar(at + 2).properties.isAlphabetic)
      guard next == "{" || next == "}" || isTag else {
        at += next == "'" ? 2 : 1
        continue
      }
      var end = at + 2
      while end < scalars.count, scalars[end] != "'" || scalar(end + 1) == "'" {
        end += scalars[end] == "'" ? 2 : 1
      }
      let isAfterLetter = at > 0 && scalars[at - 1].properties.isAlphabetic
      if isAfterLetter || end >= scalars.count {
        self.text = String(String.UnicodeScalarView(scalars[(at + 1)..<min(end, scalars.count)].prefix(40)))
        return
      }
      at = end + 1
    }
    return nil
  }
}

/// The displayed part of a text, without placeholders and tags.
struct LintProse {
  /// The text with each placeholder replaced by U+FFFC.
  let text: String
  /// The placeholders of the text.
  let placeholders: [Placeholder]
  private let scalars: [Unicode.Scalar]

  init(_ text: String, format: StringsFile.Format = .strings) {
    placeholders = format == .i18next ? Placeholder.i18next(in: text) : Placeholder.all(in: text)
    var prose = text
    if !placeholders.isEmpty {
      let bytes = Array(text.utf8)
      prose = ""
      var end = 0
      for placeholder in placeholders {
        prose += String(decoding: bytes[end..<placeholder.range.lowerBound], as: UTF8.self) + "\u{FFFC}"
        end = placeholder.range.upperBound
      }
      prose += String(decoding: bytes[end...], as: UTF8.self)
    }
    self.text = prose
    scalars = Self.withoutTags(Array(prose.unicodeScalars))
  }

  /// Creates the displayed part of a message, in which U+FFFC is each argument.
  init(prose: String) {
    (text, placeholders) = (prose, [])
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

  var hasLetters: Bool { scalars.contains(where: \.properties.isAlphabetic) }

  /// The words of the text, without those of tags.
  var words: [Substring] { string(scalars.indices).split { !$0.isLetter } }

  // MARK: Money

  /// The first number next to a currency symbol, code or name.
  var price: String? {
    guard hasDigits else { return nil }
    var start = 0
    while start < scalars.count {
      guard isDigit(start) else {
        start += 1
        continue
      }
      var end = start
      while end < scalars.count,
        isDigit(end) || ".,\u{66B}\u{66C}’".unicodeScalars.contains(scalars[end]) || isGroup(end)
      {
        end += 1
      }
      while !isDigit(end - 1) { end -= 1 }
      // A placeholder that is not complete, such as "2$@" or "%1$", is not a price.
      let isPosition =
        start > 0 && "%٪".unicodeScalars.contains(scalars[start - 1])
        || end + 1 < scalars.count && scalars[end] == "$" && (isLetter(end + 1) || scalars[end + 1] == "@")
      if !isPosition {
        if let unit = unit(before: start) { return string(unit..<end) }
        if let unit = unit(after: end) { return string(start..<unit) }
      }
      start = end
    }
    return nil
  }

  /// The first currency symbol beside a placeholder, with it: the formatted price has a symbol of its own.
  var symbolBesidePlaceholder: Unicode.Scalar? {
    func isPlaceholder(_ index: Int) -> Bool {
      scalars.indices.contains(index) && scalars[index] == "\u{FFFC}"
    }
    return scalars.indices.first { index in
      guard isSymbol(index) else { return false }
      let before = index > 0 && isSpace(index - 1) ? index - 2 : index - 1
      let after = index + 1 < scalars.count && isSpace(index + 1) ? index + 2 : index + 1
      return isPlaceholder(before) || isPlaceholder(after)
    }.map { scalars[$0] }
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
    let scalar = scalars[index]
    if scalar.isASCII { return ("0"..."9").contains(scalar) }
    if Self.isLetterOnly(scalar) { return false }
    return scalar.properties.generalCategory == .decimalNumber
  }

  private func isSymbol(_ index: Int) -> Bool {
    let scalar = scalars[index]
    if scalar.isASCII { return scalar == "$" }
    if Self.isLetterOnly(scalar) { return false }
    return scalar.properties.generalCategory == .currencySymbol
  }

  /// Returns whether a character is in a range of letters without digits and currency symbols: Latin, Greek and Cyrillic, kana
  /// and Han, Hangul. It saves a lookup for most characters.
  private static func isLetterOnly(_ scalar: Unicode.Scalar) -> Bool {
    (0x100...0x58E).contains(scalar.value) || (0x3040...0x9FFF).contains(scalar.value)
      || (0xAC00...0xD7A3).contains(scalar.value)
  }

  private func isSpace(_ index: Int) -> Bool {
    let scalar = scalars[index]
    return scalar.isASCII ? scalar == " " : scalar.properties.generalCategory == .spaceSeparator
  }

  /// Returns whether a space separates groups of digits: `10 000`.
  private func isGroup(_ index: Int) -> Bool {
    isSpace(index) && index + 3 < scalars.count && (1...3).allSatisfy { isDigit(index + $0) }
      && (index + 4 >= scalars.count || !isDigit(index + 4))
  }

  private var hasDigits: Bool { scalars.indices.contains(where: isDigit) }

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
    if start == end { return hasSymbol ? end : nil }
    let word = string(start..<end)
    if hasSymbol {
      // Capital letters before a symbol are part of it, such as the US of US$.
      let isCountry = word.utf8.count <= 3 && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      return isCountry ? start : end
    }
    // Other names before a number are words: "Lei 13.709" is a Brazilian law, "Euro 2024" a championship.
    return Self.codes.contains(word) || ["rs", "kr", "tl"].contains(word.lowercased()) ? start : nil
  }

  /// Returns the end of a currency after a number: `5€`, `5 zł`, `5 USD`.
  private func unit(after number: Int) -> Int? {
    var start = number
    if start < scalars.count, isSpace(start) { start += 1 }
    if start < scalars.count, isSymbol(start) { return start + 1 }
    // Japanese writes the next word without a space.
    if start < scalars.count, scalars[start] == "円" { return start + 1 }
    var end = start
    while end < scalars.count, end - start <= Self.maximumWordCount, isLetter(end) { end += 1 }
    return start < end && Self.isCurrency(string(start..<end)) ? end : nil
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
    "zł", "kč", "kr", "лв", "руб", "рублей", "рубля", "грн", "lei", "tl", "rs", "euro", "euros", "dollar",
    "dollars", "円",
    "元", "원", "ريال", "درهم", "دينار", "جنيه", "تومان", "ש״ח", "บาท", "रुपये", "đồng",
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
