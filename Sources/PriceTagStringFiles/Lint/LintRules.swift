import PriceTag
import PriceTagStrings
import PriceTagText

/// The lint rules, applied to one file in one language.
final class LintRules {
  let path: String
  let file: StringsFile
  let languageTag: String
  /// The language to check; `nil` if it is unknown.
  let language: UILanguage?
  private let texts: TextsByLanguage
  private var findings: [LintFinding] = []
  /// The integers by plural category, of the cardinals and the ordinals.
  private var allNumbers: [ObjectIdentifier: [String: [Int]]] = [:]
  /// Whether the file is that of the development language, or is not compared.
  private(set) var isDevelopment = true

  var format: StringsFile.Format { file.format }

  /// The maximum number of suggestions, each of which searches all names.
  static let maximumSuggestionCount = 20

  init(path: String, file: StringsFile, language: String, texts: TextsByLanguage? = nil) {
    (self.path, self.file, languageTag, self.language) = (path, file, language, try? UILanguage(language))
    self.texts = texts ?? TextsByLanguage(file)
  }

  /// Returns the findings for what could not be read.
  func problems() -> [LintFinding] {
    for problem in file.problems {
      let range = problem.range ?? file.rangeInLine(around: problem.offset)
      Place(
        rules: self,
        key: problem.key,
        offset: problem.offset,
        language: problem.language,
        text: String(decoding: file.bytes[range], as: UTF8.self)
      ).report(problem.rule, problem.problem, problem.fix)
    }
    return findings
  }

  /// Checks the entries in one language, and compares them with those in the development language.
  ///
  /// - Parameters:
  ///   - source: The texts to compare with; `nil` to check the development language itself.
  ///   - isOverlay: Whether another file provides missing entries, such as `values-de` for `values-de-rAT`.
  ///   - elsewhere: The keys that are in another file of the language, or of the development language.
  /// - Returns: The findings.
  func check(
    against source: LintSource?,
    isOverlay: Bool = false,
    elsewhere: Set<String> = []
  ) -> [LintFinding] {
    findings = []
    isDevelopment = source == nil
    if !languageTag.isEmpty, language == nil, hasPlurals {
      Place(rules: self, key: "", offset: 0).report(
        .unknownLanguage,
        "CLDR has no data for the language \(quoted(languageTag)), so plurals are not checked",
        "check the code"
      )
    }
    /// The last entry of each key.
    var seen: [String: Int] = [:]
    seen.reserveCapacity(file.entries.count)
    var suggestions = 0
    lazy var missing: [String] = {
      let keys = Set(file.entries.map(\.key))
      return source?.file.entries.map(\.key).filter { !keys.contains($0) } ?? []
    }()
    /// The keys whose localization in this language cannot be read.
    let damaged = Set(file.problems.filter { $0.language == languageTag }.map(\.key))
    for (index, entry) in file.entries.enumerated() {
      var place = Place(rules: self, key: entry.key, offset: entry.offset)
      // A string catalog has the same keys in all languages.
      if isDevelopment || format != .stringCatalog,
        let first = seen.updateValue(index, forKey: entry.id).map({ file.entries[$0] }),
        first.object == entry.object
      {
        place.report(
          .duplicateKey,
          "the key appears twice, first in line \(file.place(of: first.offset).line)",
          "remove one"
        )
      }
      let texts = texts.texts(of: index, in: languageTag).map {
        ParsedText($0, format: format, language: language)
      }
      if damaged.contains(entry.key) { continue }
      guard let first = texts.first else {
        if let source, format == .stringCatalog, !isOverlay, entry.isTranslatable, !entry.isStale,
          !source.problemKeys.contains(entry.key)
        {
          place.report(.missingKey, "the translation is missing", "add it")
        }
        continue
      }
      (place.offset, place.text) = (first.range.lowerBound, first.text)
      let original = source?[entry.id]
      check(texts, entry, original, place)
      guard let source else {
        checkSubstitutions(entry, texts, against: nil, nil, place)
        continue
      }
      if source.damaged.contains(entry.key) { continue }
      guard let original else {
        checkSubstitutions(entry, texts, against: nil, nil, place)
        if !source.isComplete || elsewhere.contains(entry.key) || source.problemKeys.contains(entry.key)
          || isContext(entry.key, in: source)
        {
          continue
        }
        // Limits the number of suggestions, each of which searches all missing keys.
        suggestions += 1
        let suggestion =
          suggestions <= Self.maximumSuggestionCount ? didYouMean(entry.key, among: missing) : ""
        if format == .strings, suggestion.isEmpty, !isIdentifier(entry.key) { continue }
        place.report(.extraKey, "the development language does not have the key", "remove it" + suggestion)
        continue
      }
      checkSubstitutions(entry, texts, against: original, source.language, place)
      compare(
        texts,
        with: original.texts,
        sourceLanguage: source.language,
        isTranslatable: entry.isTranslatable && original.entry.isTranslatable,
        place
      )
    }
    guard let source, format != .stringCatalog, !isOverlay, file.isComplete else { return findings }
    let unreadable = Set(file.problems.map(\.key))
    for entry in source.file.entries
    where seen.updateValue(0, forKey: entry.id) == nil && entry.isTranslatable {
      let original = entry.texts.first?.text ?? entry.key
      // A reference to another string need not be translated, nor a text without letters.
      if format == .android && original.hasPrefix("@") || !LintProse(original, format: format).hasLetters
        || unreadable.contains(entry.key)
        || elsewhere.contains(entry.key) || source.file.isMissingOnPurpose(entry)
      {
        continue
      }
      Place(rules: self, key: entry.key, offset: 0, text: original).report(
        .missingKey,
        "the key is missing",
        "add a translation of \(quoted(original))"
      )
    }
    return findings
  }

  private var hasPlurals: Bool {
    file.entries.contains { entry in
      entry.texts.contains { $0.role.category != nil || format.hasMessages && $0.text.contains("plural") }
    }
  }

  /// Returns whether a key of `.strings` is an identifier, and not itself the text in the development language.
  private func isIdentifier(_ key: String) -> Bool {
    let separators = key.utf8.contains { "._".utf8.contains($0) }
    let capitals = key.dropFirst().contains(where: \.isUppercase) && key.first?.isLowercase == true
    return !key.contains(" ") && (separators || capitals)
  }

  /// Returns whether a key is one of the development language with a context, as in `friend_male`.
  private func isContext(_ key: String, in source: LintSource) -> Bool {
    guard format == .i18next, let underscore = key.lastIndex(of: "_") else { return false }
    return source.contains(String(key[..<underscore]))
  }

  /// The place of a finding.
  struct Place {
    let rules: LintRules
    let key: String
    var offset: Int
    var language: String?
    var text = ""

    func at(_ text: ParsedText) -> Place {
      Place(rules: rules, key: key, offset: text.range.lowerBound, language: language, text: text.text)
    }

    func report(_ rule: LintFinding.Rule, _ problem: String, _ fix: String) {
      let (line, column) = rules.file.place(of: offset)
      rules.findings.append(
        LintFinding(
          rule: rule,
          file: rules.path,
          line: line,
          column: column,
          key: key,
          language: language ?? rules.languageTag,
          problem: problem,
          fix: fix,
          text: text
        )
      )
    }
  }

  // MARK: Individual texts

  private func check(
    _ texts: [ParsedText],
    _ entry: StringsFile.Entry,
    _ original: LintSource.Entry?,
    _ place: Place
  ) {
    // A text that has not been translated is reported as such, and has the plurals of the development language.
    let isCopy = original.map { $0.texts.map(\.text) == texts.map(\.text) } ?? false
    for text in texts {
      let place = place.at(text)
      if text.isBlank {
        // A branch may be empty on purpose, such as the one for the number 0.
        // So may the text in the development language, or the key of a string catalog, which is its text.
        let isOriginalEmpty =
          original?.texts.allSatisfy(\.isBlank)
          ?? (format == .stringCatalog && entry.key.allSatisfy(\.isWhitespace))
        if text.category == nil, !isOriginalEmpty {
          place.report(.emptyText, "the text is empty", "translate it, or remove the key")
        }
        continue
      }
      // The first bytes of U+00C2, U+00C3, U+00E2 and U+FFFD.
      if text.bytes.contains(lead: 0xC3) || text.bytes.contains(lead: 0xEF) || text.bytes.contains("\0"),
        let wrong = LintProse.brokenEncoding(in: text.text)
      {
        place.report(
          .brokenEncoding,
          "the text contains \(quoted(wrong)), the result of a wrong encoding conversion",
          "correct the text, and save the file as UTF-8"
        )
        continue
      }
      // A copy of the text in the development language has the same price, which is reported there.
      if !isCopy, text.bytes.hasDigitsOrSymbols { checkMoney(text.prose, place) }
      checkSyntax(text, place)
      // The first byte of the directional controls.
      if text.bytes.contains(lead: 0xE2), balancedBidi(text.text) != text.text {
        place.report(
          .unbalancedIsolate,
          "the directional controls are not balanced",
          "close U+2066, U+2067 and U+2068 with U+2069, and U+202A, U+202B, U+202D and U+202E with U+202C"
        )
      }
      checkMessage(text, isCopy: isCopy, original?.texts.first?.message, place)
    }
    if !isCopy, texts.contains(where: { !$0.isBlank }) { checkPlurals(texts, entry, place) }
  }

  private func checkMessage(
    _ text: ParsedText,
    isCopy: Bool,
    _ original: CompiledMessage?,
    _ place: Place
  ) {
    switch text.compilation {
    case .success(let message)?:
      // The development language has no plural for any number, so neither need the translation.
      let hasCategories = original?.plurals.contains { !$0.categories.isEmpty || !$0.exact.isEmpty } ?? true
      if isCopy || !hasCategories && original?.plurals.isEmpty == false { return }
      for plural in message.plurals { checkPlural(plural, of: message, place) }
    case .failure(let error)?:
      let rule: LintFinding.Rule =
        switch error.code {
        case .refusedFormat: .refusedFormat
        case .repeatedBranch: .repeatedBranch
        default: .malformedMessage
        }
      place.report(rule, error.place.isEmpty ? error.problem : "\(error.place): \(error.problem)", error.fix)
    case nil: break
    }
  }

  // MARK: Plurals

  private func checkPlurals(_ texts: [ParsedText], _ entry: StringsFile.Entry, _ place: Place) {
    var groups: [StringsFile.Role: [ParsedText]] = [:]
    for text in texts where text.category != nil {
      var role = text.role
      role.category = nil
      groups[role, default: []].append(text)
    }
    for role in groups.keys.sorted(by: {
      ($0.device ?? "", $0.substitution ?? "") < ($1.device ?? "", $1.substitution ?? "")
    }) {
      let branches = groups[role] ?? []
      var seen: Set<String> = []
      for branch in branches where !seen.insert(branch.category ?? "").inserted {
        place.at(branch).report(
          .repeatedBranch,
          "the branch \(quoted(branch.category ?? "")) appears twice",
          "remove one"
        )
      }
      var categories = branches.compactMap(\.category)
      if format == .i18next {
        // The plurals of version 3 do not have CLDR's categories.
        if categories.contains(where: { $0 == "plural" || $0.first?.isNumber == true }) { continue }
        categories.removeAll { $0 == "default" }
      }
      checkCategories(categories, exact: [], isOrdinal: entry.isOrdinal, place)
    }
  }

  private func checkPlural(_ plural: CompiledMessage.Plural, of message: CompiledMessage, _ place: Place) {
    checkNumbers(plural, of: message, place)
    // A plural whose only branch is "other", without the number, is deliberately independent of the number.
    if plural.categories.isEmpty, plural.exact.isEmpty, !message.showsNumber(plural, in: plural.other) {
      return
    }
    var categories = plural.categories.map(\.category.rawValue) + ["other"]
    // In Flutter, =0, =1 and =2 are the categories zero, one and two.
    if format == .arb {
      let names: [(Amount, String)] = [(0, "zero"), (1, "one"), (2, "two")]
      for (number, category) in names where plural.exact.contains(where: { $0.number == number }) {
        categories.append(category)
      }
    }
    checkCategories(
      categories,
      exact: exactNumbers(plural),
      isOrdinal: plural.isOrdinal,
      place
    )
  }

  /// Returns the numbers with a branch of their own, less the offset, which the number has whose category is determined.
  private func exactNumbers(_ plural: CompiledMessage.Plural) -> [Amount] {
    plural.exact.map { (try? $0.number - plural.offset) ?? $0.number }
  }

  /// The categories that match an exact number in every language.
  private var exactCategories: Set<String> {
    switch format {
    case .stringCatalog, .stringsDictionary, .i18next: ["zero"]
    case .arb: ["zero", "one", "two"]
    default: []
    }
  }

  private func checkCategories(_ categories: [String], exact: [Amount], isOrdinal: Bool, _ place: Place) {
    guard let language, let plurals = language.data.plurals(ordinal: isOrdinal) else { return }
    let possible = plurals.rules.categories.map(\.rawValue)
    for category in Set(categories).subtracting(possible).subtracting(exactCategories).sorted() {
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
    let numbers = numbers(by: plural.rules, without: exactNumbers(plural))
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
    if exact.isEmpty, let known = allNumbers[ObjectIdentifier(plurals)] { return known }
    var numbers: [String: [Int]] = [:]
    for number in 0...200 where !exact.contains(Amount(integerLiteral: Int64(number))) {
      let category = PluralRules.Category.allCases[Int(plurals.table[number])]
      numbers[category.rawValue, default: []].append(number)
    }
    if exact.isEmpty { allNumbers[ObjectIdentifier(plurals)] = numbers }
    return numbers
  }
}

extension StringsFile {
  /// Returns the part of the line around an offset, of at most 200 bytes.
  fileprivate func rangeInLine(around offset: Int) -> Range<Int> {
    let offset = min(max(0, offset), bytes.count)
    let start =
      bytes[max(0, offset - 100)..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? max(0, offset - 100)
    let end = min(bytes.count, offset + 100)
    return start..<(bytes[offset..<end].firstIndex(of: 0x0A) ?? end)
  }

  /// Returns whether a resource of Android has `tools:ignore="MissingTranslation"`.
  fileprivate func isMissingOnPurpose(_ entry: Entry) -> Bool {
    guard format == .android else { return false }
    let tag = String(
      decoding: bytes[entry.offset...].prefix(2000).prefix { $0 != UInt8(ascii: ">") },
      as: UTF8.self
    )
    guard let ignored = tag.firstMatch(of: /\stools:ignore\s*=\s*["']([^"']*)["']/)?.output.1 else {
      return false
    }
    return ignored.split(whereSeparator: { $0 == "," || $0 == " " }).contains {
      $0 == "MissingTranslation" || $0 == "all"
    }
  }
}
