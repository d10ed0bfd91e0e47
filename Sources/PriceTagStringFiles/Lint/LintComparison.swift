import PriceTag
import PriceTagStrings
import PriceTagText

// Rules that compare a text with the one in the development language.
extension LintRules {
  /// Compares the texts of an entry with those in the development language.
  func compare(
    _ texts: [ParsedText],
    with originals: [ParsedText],
    sourceLanguage: String,
    isTranslatable: Bool,
    _ place: Place
  ) {
    let items = [texts, originals].map { $0.count { $0.role.item != nil } }
    if items[0] > 0, items[0] != items[1] {
      place.report(
        .missingKey,
        "the array has \(items[0]) items, but \(items[1]) in the development language",
        "translate every item, in the same order"
      )
    }
    // Substitutions are compared separately.
    let originals = originals.filter { $0.role.substitution == nil }
    guard let fallback = originals.last(where: { $0.category == "other" }) ?? originals.first else { return }
    // By role, and by role without the kind of device, which only one of the languages may distinguish.
    let roles = originals.map { ($0.role, $0) } + originals.map { ($0.role.withoutDevice, $0) }
    let counterparts = Dictionary(roles) { first, _ in first }
    lazy var allowed = Set(originals.flatMap(\.identities))
    for text in texts where text.role.substitution == nil && !text.isBlank {
      var other = text.role
      other.category = "other"
      let known = [text.role, text.role.withoutDevice, other].lazy.compactMap { counterparts[$0] }.first
      // An item has its own placeholders, and none of another item.
      if known == nil, text.role.item != nil { continue }
      let counterpart = known ?? fallback
      // i18next displays the key if the text is empty.
      if counterpart.isBlank { continue }
      let place = place.at(text)
      if format.hasMessages {
        // Malformed messages have already been reported.
        if text.compilation != nil, text.message == nil { continue }
        if counterpart.compilation != nil, counterpart.message == nil { continue }
        if let message = text.message, let original = counterpart.message {
          compareBranches(message, with: original, place)
        }
      }
      comparePlaceholders(
        text,
        with: counterpart,
        allowed: text.role.item == nil ? allowed : Set(counterpart.identities),
        place
      )
      compareTags(text, with: counterpart, place)
      if isTranslatable { compareWords(text, with: counterpart, sourceLanguage: sourceLanguage, place) }
    }
  }

  private func comparePlaceholders(
    _ text: ParsedText,
    with counterpart: ParsedText,
    allowed: @autoclosure () -> Set<ParsedText.Identity>,
    _ place: Place
  ) {
    typealias Identity = ParsedText.Identity
    var (identities, expected) = (text.identities, counterpart.identities)
    if identities.isEmpty, expected.isEmpty { return }
    if format == .stringCatalog || format == .stringsDictionary {
      matchSubstitutions(&identities, &expected)
    }
    if text.mixesPositions, !counterpart.mixesPositions {
      place.report(
        .malformedPlaceholder,
        "some placeholders have positions, and others do not",
        "write a position in each, such as %1$@"
      )
      return
    }
    // A placeholder may be used more often than in the original, or in a branch other than in the original.
    let (present, allowed) = (Set(identities), allowed())
    var missing = expected.filter { !present.contains($0) }
    let extra = identities.filter { !allowed.contains($0) }.prefix(Self.maximumPlaceholderFindings)
    // "One day" needs no number if the category is for that number only.
    if let category = text.category, let plurals = language?.data.plurals(ordinal: false),
      category == "zero" || category == "default"
        || (1...2).contains((numbers(by: plurals)[category] ?? []).count)
    {
      let isOnlyOne = Set(expected).count == 1
      missing.removeAll { isOnlyOne || $0.name.hasSuffix(":d") || $0.name == "count" }
    }
    // Nor does a language without plurals need a number that only selects a branch.
    if !missing.isEmpty, language?.pluralCategories.count == 1, let hidden = counterpart.message?.hiddenCounts
    {
      missing.removeAll { hidden.contains($0.name) }
    }
    var seen: Set<Identity> = []
    missing = Array(missing.filter { seen.insert($0).inserted }.prefix(Self.maximumPlaceholderFindings))
    /// Removes and returns the missing placeholder that an extra one was probably meant to be.
    func takeMissing(where isMeant: (Identity) -> Bool) -> Identity? {
      missing.firstIndex(where: isMeant).map { missing.remove(at: $0) }
    }
    // A single name in place of another is that name, misspelt or translated.
    let isOnlyOne =
      missing.count == 1 && Set(extra).count == 1 && (missing + extra).allSatisfy { isName($0.name) }
    for wrong in extra where seen.insert(wrong).inserted {
      let wrongText = quoted(wrong.text)
      if let right = takeMissing(where: { $0.name.lowercased() == wrong.name.lowercased() }) {
        place.report(
          .placeholderCase,
          "the placeholder \(wrongText) differs from \(quoted(right.text)) in case",
          "write \(printable(right.text))"
        )
      } else if let right = takeMissing(where: { isSamePosition($0.name, wrong.name) }) {
        place.report(
          .malformedPlaceholder,
          "the placeholder \(wrongText) is \(quoted(right.text)) in the development language",
          "write \(printable(right.text)), or use positions such as %1$@"
        )
      } else if let right = takeMissing(where: { isOnlyOne || isSimilar($0.name, wrong.name) }) {
        place.report(
          .misspeltPlaceholder,
          "unknown placeholder \(wrongText)",
          "did you mean \(quoted(right.text))?"
        )
      } else {
        place.report(
          .extraPlaceholder,
          "the development language's text has no placeholder \(wrongText)",
          "remove it"
        )
      }
    }
    for absent in missing {
      place.report(.missingPlaceholder, "the placeholder \(quoted(absent.text)) is missing", "add it")
    }
  }

  /// Removes the substitutions, whose names may differ, if there are as many numbers in both texts.
  private func matchSubstitutions(
    _ identities: inout [ParsedText.Identity],
    _ expected: inout [ParsedText.Identity]
  ) {
    func isNumber(_ identity: ParsedText.Identity) -> Bool {
      identity.text.contains("#@") || identity.name.hasSuffix(":d")
    }
    guard (identities + expected).contains(where: { $0.text.contains("#@") }),
      Set(identities.filter(isNumber)).count >= Set(expected.filter(isNumber)).count
    else { return }
    identities.removeAll(where: isNumber)
    expected.removeAll(where: isNumber)
  }

  /// The maximum number of plurals, and of selects, of a message to compare with as many others.
  private static let maximumSelectorCount = 50

  /// The maximum number of missing, and of extra, placeholders to report for a text.
  private static let maximumPlaceholderFindings = 20

  // MARK: Tags

  /// Reports tags that differ from those of the development language, and tags that are not closed.
  private func compareTags(_ text: ParsedText, with counterpart: ParsedText, _ place: Place) {
    let (tags, originals) = (text.tags, counterpart.tags)
    if tags.names.isEmpty, originals.names.isEmpty { return }
    // A quoted tag has already been reported.
    if text.swallowedQuote != nil { return }
    guard originals.isBalanced else { return }
    // Elsewhere, < and > may be the marks of a text: "<your name>".
    if format != .formatJS, format != .i18next, originals.names.isEmpty { return }
    checkTags(text, isTranslation: true, place)
    guard format == .formatJS || format == .i18next else { return }
    var missing = originals.names.subtracting(tags.names).sorted()
    for extra in tags.names.subtracting(originals.names).sorted() where !Tags.voidElements.contains(extra) {
      if missing.isEmpty {
        place.report(
          .tagMismatch,
          "the development language's text has no tag \(quoted("<\(extra)>"))",
          "remove it"
        )
      } else {
        let name = missing.removeFirst()
        place.report(
          .tagMismatch,
          "the tag \(quoted("<\(extra)>")) is \(quoted("<\(name)>")) in the development language",
          "write <\(printable(name))>"
        )
      }
    }
    for name in missing where !Tags.voidElements.contains(name) {
      place.report(.tagMismatch, "the tag \(quoted("<\(name)>")) is missing", "add it")
    }
  }

  /// Reports tags that are not closed.
  func checkTags(_ text: ParsedText, isTranslation: Bool, _ place: Place) {
    let tags = text.tags
    func isReported(_ name: String) -> Bool {
      isTranslation && format == .formatJS || !Tags.voidElements.contains(name)
    }
    if let name = tags.unclosed.first(where: isReported) {
      place.report(
        .tagMismatch,
        "the tag \(quoted("<\(name)>")) is not closed",
        "add </\(printable(name))>\(format == .formatJS ? ", or quote the tag: '<\(printable(name))>'" : "")"
      )
    } else if let name = tags.unopened.first(where: isReported) {
      place.report(
        .tagMismatch,
        "the tag \(quoted("</\(name)>")) has no start",
        "add <\(printable(name))>, or remove it"
      )
    }
  }

  // MARK: Messages

  /// Compares the branches of selects, the plurals, and the number styles of two messages.
  private func compareBranches(_ message: CompiledMessage, with original: CompiledMessage, _ place: Place) {
    compareSelects(message, with: original, place)
    comparePlurals(message, with: original, place)
    let (percents, originalPercents) = (message.percents, original.percents)
    if percents == originalPercents { return }
    let names = Set(message.arguments.map(\.name)).intersection(original.arguments.map(\.name))
    for name in percents.symmetricDifference(originalPercents).intersection(names).sorted() {
      place.report(
        .malformedPlaceholder,
        "the argument \(quoted(name)) is a percent in only one of the two languages",
        "write {\(name)\(originalPercents.contains(name) ? ", number, percent" : "")}"
      )
    }
  }

  private func compareSelects(_ message: CompiledMessage, with original: CompiledMessage, _ place: Place) {
    for originalSelect in original.selects.prefix(Self.maximumSelectorCount) {
      let name = original.arguments[originalSelect.argument].name
      let selects = message.selects.prefix(Self.maximumSelectorCount).filter {
        message.arguments[$0.argument].name == name
      }
      let branches = selects.flatMap(\.branches)
      for branch in branches {
        guard let counterpart = originalSelect.branches.first(where: { $0.keyword == branch.keyword }) else {
          continue
        }
        compareBranch(
          branch.keyword,
          message.argumentNames(in: branch.block),
          expected: original.argumentNames(in: counterpart.block),
          message,
          place
        )
      }
      let (expected, present) = (Set(originalSelect.branches.map(\.keyword)), Set(branches.map(\.keyword)))
      if selects.isEmpty || expected == present { continue }
      let (missing, extra) = (expected.subtracting(present).sorted(), present.subtracting(expected).sorted())
      let differences = [
        missing.isEmpty ? "" : "missing \(missing.map(quoted).joined(separator: ", "))",
        extra.isEmpty ? "" : "extra \(extra.map(quoted).joined(separator: ", "))",
      ]
      place.report(
        .selectBranch,
        "the select \(quoted(name)) has other branches than in the development language: "
          + differences.filter { !$0.isEmpty }.joined(separator: ", "),
        "use the development language's keywords, and translate only the text in their braces"
      )
    }
  }

  private func comparePlurals(_ message: CompiledMessage, with original: CompiledMessage, _ place: Place) {
    let pluralNames = Set(message.plurals.map { message.arguments[$0.argument].name })
    for originalPlural in original.plurals.prefix(Self.maximumSelectorCount) {
      let name = original.arguments[originalPlural.argument].name
      // A branch may omit the plural's number, but no other argument.
      let expected = original.argumentNames(in: originalPlural.other).subtracting([name])
      let counts = language?.data.plurals(ordinal: originalPlural.isOrdinal).map { numbers(by: $0) } ?? [:]
      for plural in message.plurals.prefix(Self.maximumSelectorCount)
      where message.arguments[plural.argument].name == name {
        for (category, block) in plural.categories + [(.other, plural.other)] {
          // "One file" needs no number, nor the same number as a text.
          if category != .other, (counts[category.rawValue]?.count ?? 3) < 3 { continue }
          compareBranch(
            category.rawValue,
            message.argumentNames(in: block),
            expected: expected,
            message,
            place
          )
        }
      }
      let usesArgument = message.arguments.contains { $0.name == name }
      let categoryCount = language?.pluralCategories.count ?? 1
      guard usesArgument, categoryCount > 1, !pluralNames.contains(name) else { continue }
      place.report(
        .missingPlural,
        "the argument \(quoted(name)) has no plural",
        "write {\(name), plural, …} as in the development language"
      )
    }
  }

  /// Reports arguments that a branch lacks and that the message has elsewhere. Arguments that the message does not have
  /// at all are reported separately, once.
  private func compareBranch(
    _ selector: String,
    _ present: Set<String>,
    expected: Set<String>,
    _ message: CompiledMessage,
    _ place: Place
  ) {
    let elsewhere = expected.intersection(message.arguments.map(\.name))
    for missing in elsewhere.subtracting(present).sorted() {
      place.report(
        .missingPlaceholder,
        "the placeholder \(quoted("{\(missing)}")) is missing in the branch \(quoted(selector))",
        "add it"
      )
    }
  }

  /// Returns whether two printf conversions have the same argument position.
  private func isSamePosition(_ first: String, _ second: String) -> Bool {
    let (a, b) = (first.prefix { $0.isNumber }, second.prefix { $0.isNumber })
    return first.contains(":") && second.contains(":") && !a.isEmpty && a == b
  }

  /// Returns whether a placeholder is a name, and not a conversion of printf or a reference to another text.
  private func isName(_ identity: String) -> Bool { !identity.contains(":") && !identity.hasPrefix("$t(") }

  /// Returns whether one name could be a misspelling of the other.
  private func isSimilar(_ first: String, _ second: String) -> Bool {
    guard !first.contains(":"), !second.contains(":"), min(first.count, second.count) >= 3 else {
      return false
    }
    let (a, b) = (first.lowercased(), second.lowercased())
    let shared =
      zip(a, b).prefix { $0 == $1 }.count + zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
    return shared + 2 >= max(a.count, b.count)
  }

  private func compareWords(
    _ parsed: ParsedText,
    with original: ParsedText,
    sourceLanguage: String,
    _ place: Place
  ) {
    if parsed.text == original.text, !languageTag.isEmpty,
      base(languageTag) != base(sourceLanguage.isEmpty ? "en" : sourceLanguage)
    {
      // A name or a single word may be identical in two languages. A sentence may not, nor may any word if the language
      // uses another script.
      let allWords = parsed.prose.words
      let longWords = allWords.filter { $0.count > 2 && !hasInnerCapital($0) }
      let isForeignScript = language.map { !isWrittenInLatin($0) } ?? false
      // A URL or an email address is the same in all languages.
      let isAddress = !parsed.text.contains(" ") && (parsed.text.contains("://") || parsed.text.contains("@"))
      if !isAddress, isForeignScript ? !longWords.isEmpty : allWords.count > 2 && longWords.count > 1 {
        place.report(
          .untranslated,
          "the text is the same as in the development language",
          "translate it, or mark it as not translatable"
        )
      }
    }
    // A text is not longer than its UTF-8.
    guard parsed.text.utf8.count > original.length + 40 else { return }
    let (count, originalCount) = (parsed.length, original.length)
    if count > 3 * originalCount, count > originalCount + 40 {
      place.report(
        .tooLong,
        "the text has \(count) characters, but \(originalCount) in the development language",
        "check that it is the right text and fits the layout"
      )
    }
  }

  /// Returns whether a word has a capital letter after a small one, and so is probably a name: `CocoaPods`.
  private func hasInnerCapital(_ word: Substring) -> Bool {
    zip(word, word.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
  }

  private func base(_ language: String) -> String { String(language.lowercased().prefix { $0 != "-" }) }

  private func isWrittenInLatin(_ language: UILanguage) -> Bool {
    // Tests the language's name in the language itself.
    language.name(of: language).unicodeScalars.contains { $0.isASCII && $0.properties.isAlphabetic }
  }
}

extension StringsFile.Role {
  fileprivate var withoutDevice: Self {
    var role = self
    role.device = nil
    return role
  }
}
