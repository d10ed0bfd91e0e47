import PriceTag
import PriceTagStrings
import PriceTagText

/// The lint rules, applied to one file in one language.
final class LintRules {
  let path: String
  let format: StringsFile.Format
  /// The language to check; `nil` if it is unknown.
  let language: UILanguage?
  private var findings: [LintFinding] = []

  init(path: String, format: StringsFile.Format, language: String) {
    (self.path, self.format, self.language) = (path, format, try? UILanguage(language))
  }

  /// A text of an entry.
  struct Text {
    /// The plural category, if the text is a plural branch.
    let category: String?
    let text: String
  }

  /// Checks the entries of a file in one language, and compares them with those in the development language.
  ///
  /// - Parameters:
  ///   - source: The file and language to compare with; `nil` to check the development language itself.
  ///   - isOverlay: Whether another file provides missing entries, such as `values-de` for `values-de-rAT`.
  ///   - unreadable: The localizations of a string catalog that cannot be read.
  /// - Returns: The findings.
  func check(
    _ file: StringsFile,
    language: String,
    against source: (file: StringsFile, language: String)?,
    isOverlay: Bool = false,
    unreadable: UnreadableSubstitutions = UnreadableSubstitutions()
  ) -> [LintFinding] {
    if !language.isEmpty, self.language == nil {
      Place(rules: self, key: "", line: 1, language: language).report(
        .unknownLanguage,
        "unknown language \(quoted(language)), so plurals are not checked",
        "use a BCP 47 tag such as pt-BR"
      )
    }
    var seen: [String: Int] = [:]
    var suggestions = 0
    let keys = Set(file.entries.map(\.key))
    let missing = source?.file.entries.map(\.key).filter { !keys.contains($0) } ?? []
    var originals: [String: StringsFile.Localization] = [:]
    if let source {
      for entry in source.file.entries where unreadable[entry.key, source.language].isEmpty {
        originals[entry.key] = entry.localizations[source.language]
      }
    }
    for entry in file.entries {
      let at = Place(rules: self, key: entry.key, line: max(1, entry.line), language: language)
      if let first = seen[entry.key] {
        at.report(.duplicateKey, "the key appears twice, first in line \(first)", "remove one")
      }
      seen[entry.key] = entry.line
      let problems = unreadable[entry.key, language]
      for (problem, fix) in problems { at.report(.malformedPlaceholder, problem, fix) }
      guard problems.isEmpty else { continue }
      guard let localization = entry.localizations[language] else {
        if source != nil, entry.isTranslatable, !isStale(entry) {
          at.report(.missingKey, "the translation is missing", "add it")
        }
        continue
      }
      var place = at
      if localization.line > 0 { place.line = localization.line }
      check(localization.value, place)
      if format == .stringCatalog {
        checkSubstitutions(localization.value, against: originals[entry.key]?.value, place)
      }
      guard let source, unreadable[entry.key, source.language].isEmpty else { continue }
      if let original = originals[entry.key] {
        compare(localization.value, with: original.value, sourceLanguage: source.language, place)
      } else {
        // Limits the number of suggestions, each of which searches all missing keys.
        suggestions += 1
        place.report(
          .extraKey,
          "the development language does not have the key",
          "remove it" + (suggestions <= 20 ? didYouMean(entry.key, among: missing) : "")
        )
      }
    }
    guard let source, format != .stringCatalog, !isOverlay else { return findings }
    for entry in source.file.entries where seen[entry.key] == nil && entry.isTranslatable {
      let original = texts(of: entry.localizations[source.language]?.value).first?.text ?? entry.key
      // A reference to another string need not be translated.
      if format == .android, original.hasPrefix("@") { continue }
      Place(rules: self, key: entry.key, line: 1, language: language).report(
        .missingKey,
        "the key is missing",
        "add a translation of \(quoted(original))"
      )
    }
    return findings
  }

  /// Returns whether a string catalog marks a key as no longer present in the source code.
  private func isStale(_ entry: StringsFile.Entry) -> Bool {
    entry.attributes.contains { $0.name == "extractionState" && $0.value.contains("stale") }
  }

  /// The place of a finding.
  struct Place {
    let rules: LintRules
    let key: String
    var line: Int
    let language: String

    func report(_ rule: LintFinding.Rule, _ problem: String, _ fix: String) {
      rules.findings.append(
        LintFinding(
          rule: rule,
          file: rules.path,
          line: line,
          key: key,
          language: language,
          problem: problem,
          fix: fix
        )
      )
    }
  }

  // MARK: Individual texts

  private func check(_ value: StringsFile.Value, _ place: Place) {
    for text in texts(of: value) {
      if text.text.allSatisfy(\.isWhitespace) {
        place.report(.emptyText, "the text is empty", "translate it, or remove the key")
        continue
      }
      if let wrong = LintProse.brokenEncoding(in: text.text) {
        place.report(
          .brokenEncoding,
          "the text contains \(quoted(wrong)), the result of a wrong encoding conversion",
          "correct the text, and save the file as UTF-8"
        )
        continue
      }
      let prose = LintProse(text.text)
      checkMoney(prose, place)
      checkSyntax(text.text, prose, place)
      if balancedBidi(text.text) != text.text {
        place.report(
          .unbalancedIsolate,
          "the directional controls are not balanced",
          "close U+2066, U+2067 and U+2068 with U+2069, and U+202A, U+202B, U+202D and U+202E with U+202C"
        )
      }
    }
    checkPlurals(value, place)
    if case .substituted(_, let substitutions) = value {
      for substitution in substitutions {
        for text in texts(of: substitution.value) { checkMoney(LintProse(text.text), place) }
      }
    }
    guard format == .formatJS, case .text(let text) = value else { return }
    do throws(StringsError) {
      let message = try Message(text, language: language ?? .development)
      for plural in message.compiled.plurals { checkPlural(plural, of: message.compiled, place) }
    } catch {
      place.report(
        rule(of: error),
        error.place.isEmpty ? error.problem : "\(error.place): \(error.problem)",
        error.fix
      )
    }
  }

  private func rule(of error: StringsError) -> LintFinding.Rule {
    switch error.code {
    case .refusedFormat: .refusedFormat
    case .repeatedBranch: .repeatedBranch
    default: .malformedMessage
    }
  }

  // MARK: Plurals

  private func checkPlurals(_ value: StringsFile.Value, _ place: Place) {
    switch value {
    case .plural(let branches):
      var seen: Set<String> = []
      for branch in branches where !seen.insert(branch.category).inserted {
        place.report(
          .repeatedBranch,
          "the branch \(quoted(branch.category)) appears twice",
          "remove one"
        )
      }
      checkCategories(branches.map(\.category), exact: [], isOrdinal: false, place)
    case .device(let variations):
      for variation in variations { checkPlurals(variation.value, place) }
    case .substituted(_, let substitutions):
      for substitution in substitutions { checkPlurals(substitution.value, place) }
    case .text, .array: break
    }
  }

  private func checkPlural(_ plural: CompiledMessage.Plural, of message: CompiledMessage, _ place: Place) {
    checkNumbers(plural, of: message, place)
    // A plural whose only branch is "other", without the number, is deliberately independent of the number.
    if plural.categories.isEmpty, plural.exact.isEmpty, !message.showsNumber(plural, in: plural.other) {
      return
    }
    checkCategories(
      plural.categories.map(\.category.rawValue) + ["other"],
      exact: plural.exact.map(\.number),
      isOrdinal: plural.isOrdinal,
      place
    )
  }

  private func checkCategories(_ categories: [String], exact: [Amount], isOrdinal: Bool, _ place: Place) {
    guard let language, let plurals = language.data.plurals(ordinal: isOrdinal) else { return }
    let possible = plurals.rules.categories.map(\.rawValue)
    for category in categories where !possible.contains(category) {
      // In string catalogs, "zero" matches the number 0 in every language.
      if format == .stringCatalog, category == "zero" { continue }
      place.report(
        .impossiblePlural,
        "\(language) has no plural category \(quoted(category))",
        "use \(possible.joined(separator: ", "))"
      )
    }
    // Only categories of integers up to 200 are required, not those of fractions or millions only.
    let needed = numbers(by: plurals, without: exact)
    for category in possible where !categories.contains(category) {
      guard let number = needed[category]?.first else { continue }
      place.report(
        .missingPlural,
        "the plural category \(quoted(category)) is missing",
        "add it, because \(language) uses it for \(number) and other numbers"
      )
    }
  }

  /// Checks that a branch for several numbers contains the number: "один день" is wrong for 21.
  private func checkNumbers(_ plural: CompiledMessage.Plural, of message: CompiledMessage, _ place: Place) {
    guard message.showsNumber(plural, in: plural.other) else { return }
    let numbers = numbers(by: plural.rules, without: plural.exact.map(\.number))
    for (category, block) in plural.categories where !message.showsNumber(plural, in: block) {
      let matching = numbers[category.rawValue] ?? []
      guard matching.count > 2, !message.containsSelector(block) else { continue }
      place.report(
        .missingPlaceholder,
        "the branch \(quoted(category.rawValue)) does not contain the number, but matches \(matching[0]), \(matching[1]), \(matching[2]), …",
        "add #"
      )
    }
  }

  /// Returns the integers up to 200 by plural category.
  ///
  /// - Parameter exact: The numbers to omit, which have branches of their own.
  func numbers(by plurals: LanguageData.Plurals, without exact: [Amount] = []) -> [String: [Int]] {
    var numbers: [String: [Int]] = [:]
    for number in 0...200 where !exact.contains(Amount(integerLiteral: Int64(number))) {
      let category = PluralRules.Category.allCases[Int(plurals.table[number])]
      numbers[category.rawValue, default: []].append(number)
    }
    return numbers
  }

  /// Returns the texts of a value. The texts of substitutions, whose placeholders are not compared, are omitted.
  func texts(of value: StringsFile.Value?) -> [Text] {
    switch value {
    case nil: []
    case .text(let text)?: [Text(category: nil, text: text)]
    case .plural(let branches)?: branches.map { Text(category: $0.category, text: $0.text) }
    case .device(let variations)?: variations.flatMap { texts(of: $0.value) }
    case .substituted(let text, _)?: [Text(category: nil, text: text)]
    case .array(let texts)?: texts.map { Text(category: nil, text: $0) }
    }
  }
}
