import PriceTag
import PriceTagStrings
import PriceTagText

/// The rules that hold a text against the development language's.
extension LintRules {
  func compare(
    _ value: StringsFile.Value,
    with original: StringsFile.Value,
    sourceLanguage: String,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    if case .array(let items) = value, case .array(let originals) = original, items.count != originals.count {
      findings.append(
        place.finding(
          .missingKey,
          "the array has \(items.count) items, the development language's \(originals.count)",
          "give every item its text, in the same order"
        )
      )
    }
    let originals = texts(of: original).map(read)
    guard let model = originals.last(where: { $0.category == "other" }) ?? originals.first else { return }
    for text in texts(of: value).map(read) where !text.text.allSatisfy(\.isWhitespace) {
      let counterpart = originals.first { $0.category == text.category } ?? model
      if format == .formatJS {
        // What is no message was told already.
        guard let message = text.message, let model = counterpart.message else { continue }
        compareBranches(message, with: model, place, &findings)
      }
      comparePlaceholders(text, with: originals, model: counterpart, place, &findings)
      compareWords(text, with: counterpart, sourceLanguage: sourceLanguage, place, &findings)
    }
  }

  /// A text with the message that it is, read once for all comparisons.
  private struct ReadText {
    let category: String?
    let text: String
    /// `nil` for a text of a format without messages, and for one that is none.
    let message: CompiledMessage?
  }

  private func read(_ text: Text) -> ReadText {
    let message = format == .formatJS ? try? Message(text.text, language: .development).compiled : nil
    return ReadText(category: text.category, text: text.text, message: message)
  }

  private func comparePlaceholders(
    _ text: ReadText,
    with originals: [ReadText],
    model: ReadText,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    let (own, wanted) = (identities(of: text), identities(of: model))
    // Used twice where the original has it once is no mistake, and neither is one of another branch.
    let (ownSet, known) = (Set(own), Set(originals.flatMap(identities)))
    var missing = wanted.filter { !ownSet.contains($0) }
    // More than anybody reads are not told one by one.
    let extra = own.filter { !known.contains($0) }.prefix(20)
    // "One day" needs no number, where the category is for that one.
    if let category = text.category, let plurals = language?.data.plurals(ordinal: false),
      (1...2).contains((numbers(by: plurals)[category] ?? []).count)
    {
      missing.removeAll { $0.name.hasSuffix(":d") }
    }
    var told: Set<Identity> = []
    missing = Array(missing.filter { told.insert($0).inserted }.prefix(20))
    /// Takes the missing placeholder that a wrong one stands for.
    func take(_ isMeant: (Identity) -> Bool) -> Identity? {
      missing.firstIndex(where: isMeant).map { missing.remove(at: $0) }
    }
    for wrong in extra {
      let found = quoted(wrong.text)
      let finding =
        if let right = take({ $0.name.lowercased() == wrong.name.lowercased() }) {
          place.finding(
            .placeholderCase,
            "the placeholder \(found) has other capitals than \(quoted(right.text))",
            "write \(printable(right.text))"
          )
        } else if let right = take({ isSamePlace($0.name, wrong.name) }) {
          place.finding(
            .malformedPlaceholder,
            "the placeholder \(found) stands where the development language has \(quoted(right.text))",
            "write \(printable(right.text)), or give positions: %1$@"
          )
        } else if let right = take({ isNear($0.name, wrong.name) }) {
          place.finding(
            .misspeltPlaceholder,
            "the placeholder \(found) is not \(quoted(right.text))",
            "write \(printable(right.text))"
          )
        } else {
          place.finding(
            .extraPlaceholder,
            "the development language has no placeholder \(found) here",
            "remove it: nothing will be put there"
          )
        }
      findings.append(finding)
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

  // MARK: Messages

  /// The branches of selects, which are keywords of a program; plurals that are gone; numbers that became percents.
  private func compareBranches(
    _ message: CompiledMessage,
    with model: CompiledMessage,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    for original in model.selects {
      let name = model.arguments[original.argument].name
      let own = message.selects.filter { message.arguments[$0.argument].name == name }
      let (wanted, found) = (
        Set(original.branches.map(\.keyword)), Set(own.flatMap(\.branches).map(\.keyword))
      )
      for branch in own.flatMap(\.branches) {
        guard let counterpart = original.branches.first(where: { $0.keyword == branch.keyword }) else {
          continue
        }
        let wanted = model.argumentNames(in: counterpart.block)
        compareBranch(
          branch.keyword,
          message.argumentNames(in: branch.block),
          wanted,
          message,
          place,
          &findings
        )
      }
      if own.isEmpty || wanted == found { continue }
      let (missing, extra) = (wanted.subtracting(found).sorted(), found.subtracting(wanted).sorted())
      findings.append(
        place.finding(
          .selectBranch,
          "the select of \(quoted(name)) "
            + [
              missing.isEmpty ? "" : "lacks \(missing.map(quoted).joined(separator: ", "))",
              extra.isEmpty ? "" : "has \(extra.map(quoted).joined(separator: ", "))",
            ]
            .filter { !$0.isEmpty }.joined(separator: " and "),
          "keep the development language's keywords and translate what stands in their braces"
        )
      )
    }
    let plurals = Set(message.plurals.map { message.arguments[$0.argument].name })
    for original in model.plurals {
      let name = model.arguments[original.argument].name
      let uses = message.arguments.contains { $0.name == name }
      // What the number's own branch may leave out, its sentence may not.
      let wanted = model.argumentNames(in: original.other).subtracting([name])
      for own in message.plurals where message.arguments[own.argument].name == name {
        for (category, block) in own.categories + [(.other, own.other)] {
          compareBranch(
            category.rawValue,
            message.argumentNames(in: block),
            wanted,
            message,
            place,
            &findings
          )
        }
      }
      let categories = language?.pluralCategories.count ?? 1
      guard uses, categories > 1, !plurals.contains(name) else { continue }
      findings.append(
        place.finding(
          .missingPlural,
          "the number \(quoted(name)) has no plural",
          "write {\(name), plural, …} as the development language does"
        )
      )
    }
    let (percents, modelPercents) = (message.percents, model.percents)
    let names = Set(message.arguments.map(\.name)).intersection(model.arguments.map(\.name))
    for name in percents.symmetricDifference(modelPercents).intersection(names).sorted() {
      findings.append(
        place.finding(
          .malformedPlaceholder,
          "the argument \(quoted(name)) is a percent in one of the two languages only",
          "write {\(name)\(modelPercents.contains(name) ? ", number, percent" : "")}"
        )
      )
    }
  }

  /// A branch lacks an argument that the message has elsewhere; one that it has nowhere is told once.
  private func compareBranch(
    _ name: String,
    _ found: Set<String>,
    _ wanted: Set<String>,
    _ message: CompiledMessage,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    let elsewhere = wanted.intersection(message.arguments.map(\.name))
    for missing in elsewhere.subtracting(found).sorted() {
      findings.append(
        place.finding(
          .missingPlaceholder,
          "the branch \(quoted(name)) lacks the placeholder \(quoted("{\(missing)}"))",
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

  private func identities(of text: ReadText) -> [Identity] {
    if format == .formatJS {
      return text.message?.arguments.map { Identity(name: $0.name, text: "{\($0.name)}") } ?? []
    }
    let found = Placeholder.all(in: text.text)
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

  /// Whether both are the same of a program's arguments, by their positions.
  private func isSamePlace(_ first: String, _ second: String) -> Bool {
    let (a, b) = (first.prefix { $0.isNumber }, second.prefix { $0.isNumber })
    return first.contains(":") && second.contains(":") && !a.isEmpty && a == b
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
    _ read: ReadText,
    with readOriginal: ReadText,
    sourceLanguage: String,
    _ place: Place,
    _ findings: inout [LintFinding]
  ) {
    let (text, original) = (read.text, readOriginal.text)
    let isSameLanguage = base(place.language) == base(sourceLanguage.isEmpty ? "en" : sourceLanguage)
    if text == original, !isSameLanguage, !place.language.isEmpty {
      // A name or a word that both languages have is the same in both; a sentence is not, and neither are words in
      // another script.
      let allWords = words(of: text).split { !$0.isLetter }
      let longWords = allWords.filter { $0.count > 2 }
      let isForeignScript = language.map { !isWrittenInLatin($0) } ?? false
      // An address is the same in all languages.
      let isAddress = !text.contains(" ") && (text.contains("://") || text.contains("@"))
      if !isAddress, isForeignScript ? !longWords.isEmpty : allWords.count > 2 && longWords.count > 1 {
        findings.append(
          place.finding(
            .untranslated,
            "the text is the same as in the development language",
            "translate it, or mark it as not to be translated"
          )
        )
      }
    }
    let (count, originalCount) = (length(of: read), length(of: readOriginal))
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
  private func length(of text: ReadText) -> Int { text.message?.longestCount ?? words(of: text.text).count }

  private func base(_ language: String) -> String { String(language.lowercased().prefix { $0 != "-" }) }

  private func isWrittenInLatin(_ language: UILanguage) -> Bool {
    // The language's own name, in itself.
    language.name(of: language).unicodeScalars.contains { $0.isASCII && $0.properties.isAlphabetic }
  }

  /// What a reader reads: a message's words, a text without its placeholders.
  private func words(of text: String) -> String {
    guard format == .formatJS else { return LintProse(text).text.filter { $0 != "\u{FFFC}" } }
    let bytes = Array(text.utf8)
    return MessagePieces.pieces(of: text).filter(\.isText).map {
      String(decoding: bytes[$0.range], as: UTF8.self)
    }.joined(separator: " ")
  }
}
