import PriceTag
import PriceTagStrings
import PriceTagText

// Rules that compare a text with the one in the development language.
extension LintRules {
  /// Compares the value of an entry with its value in the development language.
  func compare(
    _ value: StringsFile.Value,
    with original: StringsFile.Value,
    sourceLanguage: String,
    _ place: Place
  ) {
    if case .array(let items) = value, case .array(let originals) = original, items.count != originals.count {
      place.report(
        .missingKey,
        "the array has \(items.count) items, but \(originals.count) in the development language",
        "translate every item, in the same order"
      )
    }
    let originals = texts(of: original).map(parse)
    guard let fallback = originals.last(where: { $0.category == "other" }) ?? originals.first else { return }
    for text in texts(of: value).map(parse) where !text.text.allSatisfy(\.isWhitespace) {
      let counterpart = originals.first { $0.category == text.category } ?? fallback
      if format == .formatJS {
        // Malformed messages have already been reported.
        guard let message = text.message, let original = counterpart.message else { continue }
        compareBranches(message, with: original, place)
      }
      comparePlaceholders(text, with: originals, counterpart: counterpart, place)
      compareWords(text, with: counterpart, sourceLanguage: sourceLanguage, place)
    }
  }

  /// A text with its compiled message, parsed once for all comparisons.
  private struct ParsedText {
    let category: String?
    let text: String
    /// `nil` if the format has no messages or the message is malformed.
    let message: CompiledMessage?
  }

  private func parse(_ text: Text) -> ParsedText {
    let message = format == .formatJS ? try? Message(text.text, language: .development).compiled : nil
    return ParsedText(category: text.category, text: text.text, message: message)
  }

  private func comparePlaceholders(
    _ text: ParsedText,
    with originals: [ParsedText],
    counterpart: ParsedText,
    _ place: Place
  ) {
    let (identities, expected) = (self.identities(of: text), self.identities(of: counterpart))
    // A placeholder may be used more often than in the original, or in a branch other than in the original.
    let (present, allowed) = (Set(identities), Set(originals.flatMap(self.identities)))
    var missing = expected.filter { !present.contains($0) }
    let extra = identities.filter { !allowed.contains($0) }.prefix(Self.maximumPlaceholderFindings)
    // "One day" needs no number if the category is for that number only.
    if let category = text.category, let plurals = language?.data.plurals(ordinal: false),
      (1...2).contains((numbers(by: plurals)[category] ?? []).count)
    {
      missing.removeAll { $0.name.hasSuffix(":d") }
    }
    var seen: Set<Identity> = []
    missing = Array(missing.filter { seen.insert($0).inserted }.prefix(Self.maximumPlaceholderFindings))
    /// Removes and returns the missing placeholder that an extra one was probably meant to be.
    func takeMissing(where isMeant: (Identity) -> Bool) -> Identity? {
      missing.firstIndex(where: isMeant).map { missing.remove(at: $0) }
    }
    for wrong in extra {
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
      } else if let right = takeMissing(where: { isSimilar($0.name, wrong.name) }) {
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

  /// The maximum number of missing, and of extra, placeholders to report for a text.
  private static let maximumPlaceholderFindings = 20

  // MARK: Messages

  /// Compares the branches of selects, the plurals, and the number styles of two messages.
  private func compareBranches(_ message: CompiledMessage, with original: CompiledMessage, _ place: Place) {
    compareSelects(message, with: original, place)
    comparePlurals(message, with: original, place)
    let (percents, originalPercents) = (message.percents, original.percents)
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
    for originalSelect in original.selects {
      let name = original.arguments[originalSelect.argument].name
      let selects = message.selects.filter { message.arguments[$0.argument].name == name }
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
    for originalPlural in original.plurals {
      let name = original.arguments[originalPlural.argument].name
      // A branch may omit the plural's number, but no other argument.
      let expected = original.argumentNames(in: originalPlural.other).subtracting([name])
      for plural in message.plurals where message.arguments[plural.argument].name == name {
        for (category, block) in plural.categories + [(.other, plural.other)] {
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

  /// A placeholder, identified by its name only.
  private struct Identity: Hashable {
    let name: String
    let text: String

    static func == (first: Identity, second: Identity) -> Bool { first.name == second.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private func identities(of text: ParsedText) -> [Identity] {
    if format == .formatJS {
      return text.message?.arguments.map { Identity(name: $0.name, text: "{\($0.name)}") } ?? []
    }
    let placeholders = Placeholder.all(in: text.text)
    // Without explicit positions, the order determines them: %@ is equivalent to %1$@.
    let hasPositions = placeholders.contains { $0.style == .printf && !$0.identity.hasPrefix(":") }
    var position = 0
    return placeholders.map { placeholder in
      guard placeholder.style == .printf else {
        return Identity(name: placeholder.identity, text: placeholder.text)
      }
      position += 1
      let name = hasPositions ? placeholder.identity : "\(position)\(placeholder.identity)"
      return Identity(name: name, text: placeholder.text)
    }
  }

  /// Returns whether two printf conversions have the same argument position.
  private func isSamePosition(_ first: String, _ second: String) -> Bool {
    let (a, b) = (first.prefix { $0.isNumber }, second.prefix { $0.isNumber })
    return first.contains(":") && second.contains(":") && !a.isEmpty && a == b
  }

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
    with parsedOriginal: ParsedText,
    sourceLanguage: String,
    _ place: Place
  ) {
    let (text, original) = (parsed.text, parsedOriginal.text)
    let isSameLanguage = base(place.language) == base(sourceLanguage.isEmpty ? "en" : sourceLanguage)
    if text == original, !isSameLanguage, !place.language.isEmpty {
      // A name or a single word may be identical in two languages. A sentence may not, nor may any word if the language
      // uses another script.
      let allWords = displayedText(of: text).split { !$0.isLetter }
      let longWords = allWords.filter { $0.count > 2 }
      let isForeignScript = language.map { !isWrittenInLatin($0) } ?? false
      // A URL or an email address is the same in all languages.
      let isAddress = !text.contains(" ") && (text.contains("://") || text.contains("@"))
      if !isAddress, isForeignScript ? !longWords.isEmpty : allWords.count > 2 && longWords.count > 1 {
        place.report(
          .untranslated,
          "the text is the same as in the development language",
          "translate it, or mark it as not translatable"
        )
      }
    }
    let (count, originalCount) = (length(of: parsed), length(of: parsedOriginal))
    if count > 3 * originalCount, count > originalCount + 40 {
      place.report(
        .tooLong,
        "the text has \(count) characters, but \(originalCount) in the development language",
        "check that it is the right text and fits the layout"
      )
    }
  }

  /// Returns the maximum number of characters displayed, without the values of arguments.
  private func length(of text: ParsedText) -> Int {
    text.message?.maximumLiteralCount ?? displayedText(of: text.text).count
  }

  private func base(_ language: String) -> String { String(language.lowercased().prefix { $0 != "-" }) }

  private func isWrittenInLatin(_ language: UILanguage) -> Bool {
    // Tests the language's name in the language itself.
    language.name(of: language).unicodeScalars.contains { $0.isASCII && $0.properties.isAlphabetic }
  }

  /// Returns the part of a text that is displayed: the literal text of a message, or a text without placeholders.
  private func displayedText(of text: String) -> String {
    guard format == .formatJS else { return LintProse(text).text.filter { $0 != "\u{FFFC}" } }
    let bytes = Array(text.utf8)
    return MessagePieces.pieces(of: text).filter(\.isText).map {
      String(decoding: bytes[$0.range], as: UTF8.self)
    }.joined(separator: " ")
  }
}
