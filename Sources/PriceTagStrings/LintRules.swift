import PriceTag

/// The rules of the lint, for one file in one language.
struct LintRules {
  let path: String
  let format: StringsFile.Format

  /// A text with what else it may be compared by.
  private struct Text {
    /// The plural category, where the text is that of one.
    let category: String?
    let text: String
  }

  /// Checks an entry of a language, and holds it against the development language's.
  ///
  /// - Parameter source: The file and the language to compare with; `nil` for the development language itself.
  func check(
    _ file: StringsFile,
    language: String,
    against source: (file: StringsFile, language: String)?,
    _ findings: inout [LintFinding]
  ) {
    var seen: [String: Int] = [:]
    var originals: [String: StringsFile.Localization] = [:]
    var untranslatable: Set<String> = []
    if let source {
      for entry in source.file.entries {
        originals[entry.key] = entry.localizations[source.language]
        if !entry.isTranslatable { untranslatable.insert(entry.key) }
      }
    }
    for entry in file.entries {
      let at = Place(self, entry, language)
      if let first = seen[entry.key], format != .stringCatalog {
        findings.append(
          at.finding(.duplicateKey, "the key stood in line \(first) already", "keep one of the two")
        )
      }
      seen[entry.key] = entry.line
      guard let localization = entry.localizations[language] else {
        if format == .stringCatalog, source != nil, entry.isTranslatable,
          originals[entry.key] != nil || entry.localizations.isEmpty == false
        {
          findings.append(at.finding(.missingKey, "there is no text in this language", "translate it"))
        }
        continue
      }
      let place = Place(self, entry, language, line: localization.line)
      check(localization.value, place, &findings)
      guard source != nil else { continue }
      if let original = originals[entry.key] {
        compare(
          localization.value,
          with: original.value,
          sourceLanguage: source?.language ?? "",
          place,
          &findings
        )
      } else if format != .stringCatalog {
        findings.append(
          place.finding(
            .extraKey,
            "the development language has no such key",
            "remove it" + didYouMean(entry.key, among: originals.keys.filter { seen[$0] == nil })
          )
        )
      } else {
        // A key without a text of its own in the source language is its text.
        compare(
          localization.value,
          with: .text(entry.key),
          sourceLanguage: source?.language ?? "",
          place,
          &findings
        )
      }
    }
    guard let source, format != .stringCatalog else { return }
    for entry in source.file.entries where seen[entry.key] == nil && entry.isTranslatable {
      findings.append(
        LintFinding(
          rule: .missingKey,
          file: path,
          line: 1,
          key: entry.key,
          language: language,
          problem: "the key is missing",
          fix:
            "translate it: \(quoted(texts(of: entry.localizations[source.language]?.value).first?.text ?? entry.key))"
        )
      )
    }
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
      checkMoney(text.text, place, &findings)
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
      for plural in message.compiled.plurals { checkPlural(plural, place, &findings) }
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
    } else if let symbol = prose.unicodeScalars.first(where: {
      $0.properties.generalCategory == .currencySymbol
    }) {
      findings.append(
        place.finding(
          .currencySymbol,
          "the currency symbol \(quoted(String(symbol))) is written into the text",
          "a price brings its own symbol, in the place that its store gives it"
        )
      )
    }
  }

  /// A number beside a currency's symbol or code.
  private nonisolated(unsafe) static let price =
    #/\p{Sc}[\s\u{A0}\u{202F}]?\p{Nd}[\p{Nd}.,٫٬]*|\p{Nd}[\p{Nd}.,٫٬]*[\s\u{A0}\u{202F}]?(?:\p{Sc}|(?:USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|KRW|BRL|MXN)\b)/#

  private func withoutPlaceholders(_ text: String) -> String {
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
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    // A plural of the one branch "other" says that the number changes nothing.
    if plural.categories.isEmpty, plural.exact.isEmpty { return }
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

  // MARK: A text against the development language's

  private func compare(
    _ value: StringsFile.Value,
    with original: StringsFile.Value,
    sourceLanguage: String,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    let originals = texts(of: original)
    guard let model = originals.last(where: { $0.category == "other" }) ?? originals.first else { return }
    for text in texts(of: value) {
      let counterpart = originals.first { $0.category == text.category } ?? model
      comparePlaceholders(text, with: originals.map(\.text), model: counterpart.text, place, &findings)
      compareWords(text.text, with: counterpart.text, sourceLanguage: sourceLanguage, place, &findings)
    }
  }

  private func comparePlaceholders(
    _ text: Text,
    with originals: [String],
    model: String,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    var missing = identities(of: model)
    var extra: [Identity] = []
    for identity in identities(of: text.text) {
      if let index = missing.firstIndex(of: identity) {
        missing.remove(at: index)
      } else {
        extra.append(identity)
      }
    }
    // Used twice where the original has it once is no mistake, and neither is one of another branch.
    let known = originals.flatMap(identities)
    extra.removeAll { known.contains($0) }
    // "One day" needs no number.
    if let category = text.category, ["zero", "one", "two"].contains(category) {
      missing.removeAll { $0.name.hasSuffix(":d") || $0.name == "#" }
    }
    missing = missing.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    for wrong in extra {
      if let index = missing.firstIndex(where: { $0.name.lowercased() == wrong.name.lowercased() }) {
        let right = missing.remove(at: index)
        findings.append(
          place.finding(
            .placeholderCase,
            "the placeholder \(quoted(wrong.text)) has other capitals than \(quoted(right.text))",
            "write \(printable(right.text))"
          )
        )
      } else if let index = missing.firstIndex(where: { isNear($0.name, wrong.name) }) {
        let right = missing.remove(at: index)
        findings.append(
          place.finding(
            .misspeltPlaceholder,
            "the placeholder \(quoted(wrong.text)) is not \(quoted(right.text))",
            "write \(printable(right.text))"
          )
        )
      } else {
        findings.append(
          place.finding(
            .extraPlaceholder,
            "the development language has no placeholder \(quoted(wrong.text)) here",
            "remove it: nothing will be put there"
          )
        )
      }
    }
    for absent in missing {
      findings.append(
        place.finding(
          .missingPlaceholder,
          "the placeholder \(quoted(absent.text)) is missing",
          "put it where it belongs in the sentence"
        )
      )
    }
  }

  private struct Identity: Hashable {
    let name: String
    let text: String

    static func == (first: Identity, second: Identity) -> Bool { first.name == second.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private func identities(of text: String) -> [Identity] {
    if format == .formatJS {
      guard let message = try? Message(text, language: .development) else { return [] }
      return message.argumentNames.map { Identity(name: $0, text: "{\($0)}") }
    }
    let found = Placeholder.all(in: text)
    // Without positions the order says it: %@ and %1$@ are the same.
    let hasPositions = found.contains { $0.style == .printf && !$0.identity.hasPrefix(":") }
    var position = 0
    return found.map { placeholder in
      guard placeholder.style == .printf else {
        return Identity(name: placeholder.identity, text: placeholder.text)
      }
      position += 1
      let name = hasPositions ? placeholder.identity : "\(position)\(placeholder.identity)"
      return Identity(name: name, text: placeholder.text)
    }
  }

  /// Whether one name is the other, misspelt.
  private func isNear(_ first: String, _ second: String) -> Bool {
    guard !first.contains(":"), !second.contains(":"), min(first.count, second.count) >= 3 else {
      return false
    }
    let (a, b) = (first.lowercased(), second.lowercased())
    let shared =
      zip(a, b).prefix { $0 == $1 }.count + zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
    return shared + 2 >= max(a.count, b.count)
  }

  private func compareWords(
    _ text: String,
    with original: String,
    sourceLanguage: String,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    let isSameLanguage = base(place.language) == base(sourceLanguage.isEmpty ? "en" : sourceLanguage)
    if text == original, !isSameLanguage, !place.language.isEmpty {
      // A name or a word that both languages have is the same in both; a sentence is not, and neither are words in
      // another script.
      let longWords = words(of: text).split { !$0.isLetter }.filter { $0.count > 2 }
      let isForeignScript = (try? UILanguage(place.language)).map { !isWrittenInLatin($0) } ?? false
      if longWords.count >= (isForeignScript ? 1 : 3) {
        findings.append(
          place.finding(
            .untranslated,
            "the text is the same as in the development language",
            "translate it, or mark it as not to be translated"
          )
        )
      }
    }
    let (count, originalCount) = (length(of: text), length(of: original))
    if count > 3 * originalCount, count > originalCount + 40 {
      findings.append(
        place.finding(
          .tooLong,
          "the text has \(count) characters, the development language's \(originalCount)",
          "see that it is the right text, and that it fits"
        )
      )
    }
  }

  /// How many characters a reader sees at most, without what is put into the text.
  private func length(of text: String) -> Int {
    if format == .formatJS, let message = try? Message(text, language: .development) {
      return message.compiled.longestCount
    }
    return words(of: text).count
  }

  private func base(_ language: String) -> String { String(language.lowercased().prefix { $0 != "-" }) }

  private func isWrittenInLatin(_ language: UILanguage) -> Bool {
    // The language's own name, in itself.
    language.name(of: language).unicodeScalars.contains { $0.isASCII && $0.properties.isAlphabetic }
  }

  /// What a reader reads: a message's words, a text without its placeholders.
  private func words(of text: String) -> String {
    guard format == .formatJS else { return withoutPlaceholders(text).filter { $0 != "\u{FFFC}" } }
    let bytes = Array(text.utf8)
    return MessagePieces.pieces(of: text).filter(\.isText).map {
      String(decoding: bytes[$0.range], as: UTF8.self)
    }.joined(separator: " ")
  }

  private func texts(of value: StringsFile.Value?) -> [Text] {
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
