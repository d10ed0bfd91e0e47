import PriceTag

/// The rules of the lint, for one file in one language.
struct LintRules {
  let path: String
  let format: StringsFile.Format

  /// A text with what else it may be compared by.
  struct Text {
    /// The plural category, where the text is that of one.
    let category: String?
    let text: String
  }

  /// Checks the entries of a language, and holds them against the development language's.
  ///
  /// - Parameters:
  ///   - source: The file and the language to compare with; `nil` for the development language itself.
  ///   - isOverlay: Whether another file says what this one leaves out: `values-de` for `values-de-rAT`.
  func check(
    _ file: StringsFile,
    language: String,
    against source: (file: StringsFile, language: String)?,
    isOverlay: Bool = false,
    _ findings: inout [LintFinding]
  ) {
    var seen: [String: Int] = [:]
    var originals: [String: StringsFile.Localization] = [:]
    for entry in source?.file.entries ?? [] where originals[entry.key] == nil {
      originals[entry.key] = entry.localizations[source?.language ?? ""]
    }
    for entry in file.entries {
      let at = Place(self, entry, language)
      if let first = seen[entry.key] {
        findings.append(
          at.finding(.duplicateKey, "the key stood in line \(first) already", "keep one of the two")
        )
      }
      seen[entry.key] = entry.line
      guard let localization = entry.localizations[language] else {
        if source != nil, entry.isTranslatable, !isStale(entry) {
          findings.append(at.finding(.missingKey, "there is no text in this language", "translate it"))
        }
        continue
      }
      let place = Place(self, entry, language, line: localization.line)
      check(localization.value, place, &findings)
      guard let source else { continue }
      if let original = originals[entry.key] {
        compare(localization.value, with: original.value, sourceLanguage: source.language, place, &findings)
      } else {
        findings.append(
          place.finding(
            .extraKey,
            "the development language has no such key",
            "remove it" + didYouMean(entry.key, among: originals.keys.filter { seen[$0] == nil }.sorted())
          )
        )
      }
    }
    guard let source, format != .stringCatalog, !isOverlay else { return }
    for entry in source.file.entries where seen[entry.key] == nil && entry.isTranslatable {
      let original = texts(of: entry.localizations[source.language]?.value).first?.text ?? entry.key
      // A reference to another string has nothing to translate.
      if format == .android, original.hasPrefix("@") { continue }
      findings.append(
        LintFinding(
          rule: .missingKey,
          file: path,
          line: 1,
          key: entry.key,
          language: language,
          problem: "the key is missing",
          fix: "translate it: \(quoted(original))"
        )
      )
    }
  }

  /// Whether a string catalogue says that the source has no such key any more.
  private func isStale(_ entry: StringsFile.Entry) -> Bool {
    entry.attributes.contains { $0.name == "extractionState" && $0.value.contains("stale") }
  }

  /// Where a finding is.
  struct Place {
    let file: String
    let line: Int
    let key: String
    let language: String

    init(_ rules: LintRules, _ entry: StringsFile.Entry, _ language: String, line: Int = 0) {
      file = rules.path
      self.line = max(1, line == 0 ? entry.line : line)
      key = entry.key
      self.language = language
    }

    func finding(_ rule: LintFinding.Rule, _ problem: String, _ fix: String) -> LintFinding {
      LintFinding(
        rule: rule,
        file: file,
        line: line,
        key: key,
        language: language,
        problem: problem,
        fix: fix
      )
    }
  }

  // MARK: A text by itself

  private func check(_ value: StringsFile.Value, _ place: Place, _ findings: inout [LintFinding]) {
    for text in texts(of: value) {
      if text.text.allSatisfy(\.isWhitespace) {
        findings.append(place.finding(.emptyText, "the text is empty", "translate it, or remove the key"))
        continue
      }
      if let wrong = Self.brokenEncoding(in: text.text) {
        findings.append(
          place.finding(
            .brokenEncoding,
            "\(quoted(wrong)) is what is left of a character after a wrong conversion",
            "save the file as UTF-8 and write the text again"
          )
        )
        continue
      }
      checkMoney(text.text, place, &findings)
      checkSyntax(text.text, place, &findings)
      if balancedBidi(text.text) != text.text {
        findings.append(
          place.finding(
            .unbalancedIsolate,
            "a directional control is not closed, or closes nothing",
            "close U+2066 to U+2068 with U+2069, U+202A, U+202B, U+202D and U+202E with U+202C"
          )
        )
      }
    }
    checkPlurals(value, place, &findings)
    guard format == .formatJS, case .text(let text) = value else { return }
    do throws(StringsError) {
      let message = try Message(text, language: (try? UILanguage(place.language)) ?? .development)
      for plural in message.compiled.plurals { checkPlural(plural, of: message.compiled, place, &findings) }
    } catch {
      findings.append(
        place.finding(
          error.code == .refusedFormat ? .refusedFormat : .malformedMessage,
          error.place.isEmpty ? error.problem : "\(error.place): \(error.problem)",
          error.fix
        )
      )
    }
  }

  private func checkMoney(_ text: String, _ place: Place, _ findings: inout [LintFinding]) {
    let prose = withoutPlaceholders(text)
    if let price = prose.firstMatch(of: Self.price) {
      findings.append(
        place.finding(
          .hardCodedPrice,
          "the price \(quoted(price.0)) is written into the text",
          "put a placeholder there, and the price as its store writes it"
        )
      )
    } else if let symbol = currencySymbol(in: prose) {
      findings.append(
        place.finding(
          .currencySymbol,
          "the currency symbol \(quoted(String(symbol))) is written into the text",
          "a price brings its own symbol, in the place that its store gives it"
        )
      )
    }
  }

  /// The first currency symbol; a $ that starts a name (`$t(key)`) is none.
  private func currencySymbol(in prose: String) -> Unicode.Scalar? {
    let scalars = Array(prose.unicodeScalars)
    for (index, scalar) in scalars.enumerated() where scalar.properties.generalCategory == .currencySymbol {
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      if scalar == "$", next.properties.isAlphabetic || "{(".unicodeScalars.contains(next) { continue }
      return scalar
    }
    return nil
  }

  /// A number beside a currency's symbol, code or word.
  private nonisolated(unsafe) static let price =
    #/(?:(?:\b[A-Z]{1,3})?\p{Sc}|\b(?:USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|KRW|BRL|MXN|Rs\.?|Fr\.|kr\.?))[\s\u{A0}\u{202F}]?\p{Nd}(?:[\p{Nd}.,٫٬’]*\p{Nd})?|\p{Nd}(?:[\p{Nd}.,٫٬’]*\p{Nd})?[\s\u{A0}\u{202F}]?(?:\p{Sc}|(?:USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|KRW|BRL|MXN|zł|Kč|kr|Ft|лв|руб|грн|lei|TL|[Ee]uros?|[Dd]ollars?)(?!\p{L}))/#

  /// A sign of text that was decoded wrongly: U+FFFD, a NUL, or UTF-8 read as Latin-1.
  private static func brokenEncoding(in text: String) -> String? {
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if scalar == "\u{FFFD}" || scalar == "\u{0}" { return String(scalar) }
      // Ã, Â and â€ before what UTF-8's second bytes become.
      guard index + 1 < scalars.count, ["Ã", "Â", "â"].contains(scalar) else { continue }
      let next = scalars[index + 1]
      let isSecondByte = (0x80...0xBF).contains(next.value) && next != "\u{A0}"
      if isSecondByte || (scalar == "â" && next == "€")
        || (scalar == "Ã" && "ŸŒœž".unicodeScalars.contains(next))
      {
        return String(scalar) + String(next)
      }
    }
    return nil
  }

  /// Braces and percent signs that a program will stumble on.
  private func checkSyntax(_ text: String, _ place: Place, _ findings: inout [LintFinding]) {
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
    let prose = withoutPlaceholders(text)
    let (open, close) = (prose.count { $0 == "{" }, prose.count { $0 == "}" })
    if open != close {
      findings.append(
        place.finding(
          .unbalancedBraces,
          "\(open) { and \(close) } are left beside the placeholders",
          "close every { with a }"
        )
      )
    }
    let hasFormat = Placeholder.all(in: text).contains { $0.style == .printf }
    if hasFormat, prose.replacing("%%", with: "").contains("%") {
      findings.append(
        place.finding(
          .malformedPlaceholder,
          "a % stands alone in a text with placeholders",
          "write %% for a percent sign"
        )
      )
    }
  }

  func withoutPlaceholders(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var prose = ""
    var end = 0
    for placeholder in Placeholder.all(in: text) {
      prose += String(decoding: bytes[end..<placeholder.range.lowerBound], as: UTF8.self) + "\u{FFFC}"
      end = placeholder.range.upperBound
    }
    return prose + String(decoding: bytes[end...], as: UTF8.self)
  }

  // MARK: Plurals

  private func checkPlurals(_ value: StringsFile.Value, _ place: Place, _ findings: inout [LintFinding]) {
    switch value {
    case .plural(let branches):
      checkCategories(branches.map(\.category), exact: [], isOrdinal: false, place, &findings)
    case .device(let variations):
      for variation in variations { checkPlurals(variation.value, place, &findings) }
    case .substituted(_, let substitutions):
      for substitution in substitutions { checkPlurals(substitution.value, place, &findings) }
    case .text, .array: break
    }
  }

  private func checkPlural(
    _ plural: CompiledMessage.Plural,
    of message: CompiledMessage,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    // A plural of the one branch "other" that does not show its number says that the number changes nothing.
    if plural.categories.isEmpty, plural.exact.isEmpty, !message.showsNumber(plural, in: plural.other) {
      return
    }
    checkCategories(
      plural.categories.map(\.category.rawValue) + ["other"],
      exact: plural.exact.map(\.number),
      isOrdinal: plural.isOrdinal,
      place,
      &findings
    )
  }

  private func checkCategories(
    _ categories: [String],
    exact: [Amount],
    isOrdinal: Bool,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    guard let language = try? UILanguage(place.language),
      let rules = language.data.plurals(ordinal: isOrdinal)?.rules
    else { return }
    let possible = rules.categories.map(\.rawValue)
    for category in categories where !possible.contains(category) {
      findings.append(
        place.finding(
          .impossiblePlural,
          "\(language) has no plural category \(quoted(category))",
          "use \(possible.joined(separator: ", "))"
        )
      )
    }
    // What whole numbers of things need: a category of fractions or of millions alone is not missed.
    var needed: [String: Int] = [:]
    for number in 0...200 {
      let amount = Amount(integerLiteral: Int64(number))
      if exact.contains(amount) { continue }
      let category = rules.category(for: .init(amount, fractionDigits: 0)).rawValue
      if needed[category] == nil { needed[category] = number }
    }
    for category in possible where !categories.contains(category) {
      guard let number = needed[category] else { continue }
      findings.append(
        place.finding(
          .missingPlural,
          "the plural category \(quoted(category)) is missing",
          "\(language) needs it, for \(number) and others"
        )
      )
    }
  }

  func texts(of value: StringsFile.Value?) -> [Text] {
    switch value {
    case nil: []
    case .text(let text)?: [Text(category: nil, text: text)]
    case .plural(let branches)?: branches.map { Text(category: $0.category, text: $0.text) }
    case .device(let variations)?: variations.flatMap { texts(of: $0.value) }
    // What the substitutions say is checked for money and isolates; their placeholders are theirs alone.
    case .substituted(let text, _)?: [Text(category: nil, text: text)]
    case .array(let texts)?: texts.map { Text(category: nil, text: $0) }
    }
  }
}
