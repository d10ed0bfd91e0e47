import PriceTag
import PriceTagStrings
import PriceTagText

// Rules for the substitutions of string catalogs: the parts of a text, `%#@name@`, that have a plural of their own.
extension LintRules {
  /// Checks the substitutions of an entry, and compares them with those of the development language.
  ///
  /// - Parameter original: The entry in the development language; `nil` to check the development language itself.
  func checkSubstitutions(
    _ entry: StringsFile.Entry,
    _ texts: [ParsedText],
    against original: LintSource.Entry?,
    _ sourceLanguage: String?,
    _ place: Place
  ) {
    guard format == .stringCatalog || format == .stringsDictionary else { return }
    checkPluralArgument(texts, against: original, place)
    let parts = parts(of: entry, texts, languageTag)
    checkNames(texts, parts, place)
    let originals = Dictionary(
      (original.map { self.parts(of: $0.entry, $0.texts, sourceLanguage ?? "") } ?? []).map { ($0.name, $0) }
    ) { first, _ in first }
    for part in parts {
      let counterpart = originals[part.name]
      checkArgument(part, against: counterpart, place)
      checkSpecifier(part, against: counterpart, place)
      checkNumber(part, against: counterpart, place)
      checkPlaceholders(part, against: counterpart, place)
    }
  }

  /// Reports a plural without substitutions whose texts have several numbers, so that Xcode cannot know which of them
  /// selects the branch.
  private func checkPluralArgument(_ texts: [ParsedText], against original: LintSource.Entry?, _ place: Place)
  {
    guard format == .stringCatalog, !(original?.texts.contains { isOfSeveralNumbers($0) } ?? false),
      let text = texts.first(where: isOfSeveralNumbers)
    else { return }
    let number = text.prose.placeholders.first { $0.kind == "d" }?.text ?? "%lld"
    place.at(text).report(
      .malformedPlaceholder,
      "the plural has several numbers such as \(quoted(number)), so Xcode cannot know which one selects the branch",
      "use a substitution for each number: %#@name@"
    )
  }

  private func isOfSeveralNumbers(_ text: ParsedText) -> Bool {
    guard text.category != nil, text.role.substitution == nil else { return false }
    return Set(text.identities.filter { $0.name.hasSuffix(":d") }).count > 1
  }

  /// A substitution, its branches, and the text that uses it.
  private struct Part {
    let substitution: StringsFile.Substitution
    let branches: [ParsedText]
    /// The number of the argument: as stated, or else by the order of the placeholders in the text.
    let argument: Int?

    var name: String { substitution.name }
  }

  private func parts(of entry: StringsFile.Entry, _ texts: [ParsedText], _ language: String) -> [Part] {
    if entry.substitutions.isEmpty { return [] }
    let groups = Dictionary(grouping: texts, by: \.role.substitution)
    let placeholders =
      groups[nil]?.first?.prose.placeholders.filter { $0.style == .printf || $0.isSubstitution } ?? []
    let arguments = Dictionary(
      placeholders.enumerated().filter { $1.isSubstitution }.map {
        ($1.identity, Int($1.text.dropFirst().prefix { $0.isNumber }) ?? $0 + 1)
      }
    ) { first, _ in first }
    return entry.substitutions.filter { $0.language == language }.map { substitution in
      Part(
        substitution: substitution,
        branches: groups[substitution.name] ?? [],
        argument: substitution.argument ?? arguments[substitution.name]
      )
    }
  }

  private func checkNames(_ texts: [ParsedText], _ parts: [Part], _ place: Place) {
    let names = Set(parts.map(\.name))
    var seen = names
    // Limits the number of suggestions, each of which searches all names.
    let limit = names.count + Self.maximumSuggestionCount
    for placeholder in texts.flatMap(\.prose.placeholders)
    where placeholder.isSubstitution && seen.insert(placeholder.identity).inserted {
      place.report(
        .malformedPlaceholder,
        "the placeholder \(quoted(placeholder.text)) has no substitution \(quoted(placeholder.identity))",
        "add the substitution" + (seen.count <= limit ? didYouMean(placeholder.identity, among: names) : "")
      )
    }
  }

  private func checkArgument(_ part: Part, against counterpart: Part?, _ place: Place) {
    let name = quoted(part.name)
    if let argument = part.substitution.argument, argument < 1 {
      place.report(
        .malformedPlaceholder,
        "the substitution \(name) has the argNum \(argument)",
        "use 1 for the first argument"
      )
    } else if let argument = part.argument, let expected = counterpart?.argument, argument != expected {
      place.report(
        .malformedPlaceholder,
        "the substitution \(name) has the argument \(argument), but \(expected) in the development language",
        format == .stringCatalog
          ? "write the argNum \(expected)" : "write %\(expected)$#@\(printable(part.name))@"
      )
    }
  }

  private func checkSpecifier(_ part: Part, against counterpart: Part?, _ place: Place) {
    guard let specifier = part.substitution.formatSpecifier else { return }
    let expected = counterpart?.substitution.formatSpecifier
    let subject =
      "the substitution \(quoted(part.name)) has the format specifier \(quoted(specifier))"
    guard let kind = kind(of: specifier) else {
      place.report(
        .malformedPlaceholder,
        "\(subject), which is unknown",
        "write one such as \(expected.map { printable($0, limit: 48) } ?? "lld")"
      )
      return
    }
    guard let expected, let expectedKind = self.kind(of: expected), kind != expectedKind else { return }
    place.report(
      .malformedPlaceholder,
      "\(subject), but \(quoted(expected)) in the development language",
      "write \(printable(expected, limit: 48))"
    )
  }

  /// Returns the type of a format specifier, such as `d` for `lld`; `nil` for an unknown specifier.
  private func kind(of specifier: String) -> String? {
    let text = specifier.hasPrefix("%") && format == .stringsDictionary ? specifier : "%\(specifier)"
    guard let placeholder = Placeholder.all(in: text).first, placeholder.style == .printf,
      placeholder.range == 0..<text.utf8.count
    else { return nil }
    return placeholder.kind
  }

  /// Checks that a branch for several numbers contains the number, if another branch or the development language does.
  private func checkNumber(_ part: Part, against counterpart: Part?, _ place: Place) {
    let kind = part.substitution.formatSpecifier.flatMap(self.kind) ?? "d"
    func showsNumber(_ text: ParsedText) -> Bool {
      text.prose.placeholders.contains {
        $0.isNumberOfSubstitution || $0.style == .printf && $0.kind == kind
      }
    }
    guard let language, let plurals = language.data.plurals(ordinal: false),
      (part.branches + (counterpart?.branches ?? [])).contains(where: showsNumber)
    else { return }
    let numbers = numbers(by: plurals)
    for branch in part.branches where !showsNumber(branch) {
      guard let category = branch.category, let matching = numbers[category], matching.count > 2 else {
        continue
      }
      place.report(
        .missingPlaceholder,
        "the branch \(quoted(category)) of the substitution \(quoted(part.name)) does not contain the number, but matches \(matching[0]), \(matching[1]), \(matching[2]), …",
        format == .stringCatalog ? "add %arg" : "add %\(part.substitution.formatSpecifier ?? "d")"
      )
    }
  }

  /// Reports placeholders in a substitution that take its number as another type.
  private func checkPlaceholders(_ part: Part, against counterpart: Part?, _ place: Place) {
    let kind = part.substitution.formatSpecifier.flatMap(self.kind) ?? "d"
    func placeholders(_ part: Part?) -> [Placeholder] {
      (part?.branches ?? []).flatMap(\.prose.placeholders).filter { $0.style == .printf }
    }
    var seen = Set(placeholders(counterpart).map(\.identity))
    for placeholder in placeholders(part) where placeholder.kind != kind {
      // With the position of another argument, the placeholder is not the number.
      let position = placeholder.identity.prefix { $0 != ":" }
      guard position.isEmpty || Int(position) == part.argument, seen.insert(placeholder.identity).inserted
      else { continue }
      place.report(
        .malformedPlaceholder,
        "the placeholder \(quoted(placeholder.text)) in the substitution \(quoted(part.name)) is not its number",
        "write \(format == .stringCatalog ? "%arg" : "%\(part.substitution.formatSpecifier ?? "d")"), or use a position such as %2$@ for another argument"
      )
    }
  }
}

extension Placeholder {
  /// Returns the placeholders of a text of i18next: `{{name}}`, `{{- name, format}}` and `$t(key)`.
  static func i18next(in text: String) -> [Placeholder] {
    let bytes = Array(text.utf8)
    // Each search for an end is bounded, and so is their number.
    guard bytes.count <= ParsedText.maximumByteCount else { return [] }
    func isPair(_ byte: Unicode.Scalar, at index: Int) -> Bool {
      index + 1 < bytes.count && bytes[index] == UInt8(ascii: byte) && bytes[index + 1] == UInt8(ascii: byte)
    }
    /// The end of `{{…}}` or `$t(…)`, whose options may have parentheses, also in quotation marks.
    func end(from start: Int, isNesting: Bool) -> Int? {
      var (level, isQuoted) = (1, false)
      for index in start..<max(start, min(start + maximumNestingByteCount, bytes.count)) {
        if !isNesting {
          if isPair("}", at: index) { return index }
        } else if bytes[index] == UInt8(ascii: "\"") {
          isQuoted.toggle()
        } else if !isQuoted {
          level += bytes[index] == UInt8(ascii: "(") ? 1 : bytes[index] == UInt8(ascii: ")") ? -1 : 0
          if level == 0 { return index }
        }
      }
      return nil
    }
    var found: [Placeholder] = []
    var at = 0
    while at < bytes.count {
      let isNesting = bytes[at] == UInt8(ascii: "$") && bytes[at...].starts(with: "$t(".utf8)
      guard isNesting || isPair("{", at: at),
        let close = end(from: at + (isNesting ? 3 : 2), isNesting: isNesting)
      else {
        at += 1
        continue
      }
      let range = at..<close + (isNesting ? 1 : 2)
      let inside = String(decoding: bytes[(at + (isNesting ? 3 : 2))..<close], as: UTF8.self)
      // {{- name}} is not escaped.
      let name =
        isNesting
        ? String(inside.prefix { $0 != "," })
        : String(inside.prefix { $0 != "," }.drop { $0 == " " || $0 == "-" }.filter { $0 != " " })
      let text = String(decoding: bytes[range], as: UTF8.self)
      let identity = isNesting ? "$t(\(name))" : name
      found.append(Placeholder(style: .mustache, identity: identity, text: text, range: range))
      at = range.upperBound
    }
    return found
  }

  /// The maximum length of `{{…}}` and `$t(…)`, which bounds the search for the end.
  private static let maximumNestingByteCount = 400

  /// Whether the placeholder is a substitution by its name, `%#@name@`.
  fileprivate var isSubstitution: Bool { style == .substitution && !isNumberOfSubstitution }

  /// Whether the placeholder is the number of a substitution, `%arg`.
  fileprivate var isNumberOfSubstitution: Bool { style == .substitution && text == "%arg" }

  /// The type of a printf conversion, such as `d` or `@`.
  fileprivate var kind: String { String(identity.drop { $0 != ":" }.dropFirst()) }
}
