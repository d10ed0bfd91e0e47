import PriceTag
import PriceTagStrings
import PriceTagText

// Rules for the substitutions of string catalogs: the parts of a text, `%#@name@`, that have a plural of their own.
extension LintRules {
  /// Checks the substitutions of a value, and compares them with those of the development language.
  ///
  /// - Parameter original: The value in the development language; `nil` to check the development language itself.
  func checkSubstitutions(_ value: StringsFile.Value, against original: StringsFile.Value?, _ place: Place) {
    let substitutions = substitutions(of: value)
    checkNames(value, substitutions, place)
    let originals = Dictionary(
      (original.map(self.substitutions(of:)) ?? []).map { ($0.substitution.name, $0) }
    ) { first, _ in first }
    var seen: Set<String> = []
    for part in substitutions where seen.insert(part.substitution.name).inserted {
      let counterpart = originals[part.substitution.name]
      checkArgument(part, against: counterpart, place)
      checkSpecifier(part.substitution, against: counterpart?.substitution, place)
      checkNumber(part.substitution, against: counterpart?.substitution, place)
      checkPlaceholders(part, against: counterpart?.substitution, place)
    }
  }

  /// A substitution, and the text that uses it.
  private struct Part {
    let substitution: StringsFile.Substitution
    let text: String

    /// The number of the argument: as stated, or else by the order of the placeholders in the text.
    var argument: Int? {
      if let argument = substitution.argument { return argument }
      let arguments = Placeholder.all(in: text).filter { $0.style == .printf || $0.isSubstitution }
      let index = arguments.firstIndex { $0.isSubstitution && $0.identity == substitution.name }
      return index.map { $0 + 1 }
    }
  }

  private func substitutions(of value: StringsFile.Value) -> [Part] {
    switch value {
    case .substituted(let text, let substitutions):
      substitutions.map { Part(substitution: $0, text: text) }
    case .device(let variations): variations.flatMap { substitutions(of: $0.value) }
    case .text, .plural, .array: []
    }
  }

  private func checkNames(_ value: StringsFile.Value, _ substitutions: [Part], _ place: Place) {
    let names = Set(substitutions.map(\.substitution.name))
    let all = texts(of: value) + substitutions.flatMap { texts(of: $0.substitution.value) }
    var seen = names
    for placeholder in all.flatMap({ Placeholder.all(in: $0.text) })
    where placeholder.isSubstitution && seen.insert(placeholder.identity).inserted {
      place.report(
        .malformedPlaceholder,
        "the placeholder \(quoted(placeholder.text)) has no substitution \(quoted(placeholder.identity))",
        "add the substitution" + didYouMean(placeholder.identity, among: names)
      )
    }
  }

  private func checkArgument(_ part: Part, against counterpart: Part?, _ place: Place) {
    let name = quoted(part.substitution.name)
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
        "write the argNum \(expected)"
      )
    }
  }

  private func checkSpecifier(
    _ substitution: StringsFile.Substitution,
    against counterpart: StringsFile.Substitution?,
    _ place: Place
  ) {
    guard let specifier = substitution.formatSpecifier else { return }
    let expected = counterpart?.formatSpecifier
    let subject =
      "the substitution \(quoted(substitution.name)) has the format specifier \(quoted(specifier))"
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
    let text = "%\(specifier)"
    guard let placeholder = Placeholder.all(in: text).first, placeholder.style == .printf,
      placeholder.range == 0..<text.utf8.count
    else { return nil }
    return placeholder.kind
  }

  /// Checks that a branch for several numbers contains the number, if another branch or the development language does.
  private func checkNumber(
    _ substitution: StringsFile.Substitution,
    against counterpart: StringsFile.Substitution?,
    _ place: Place
  ) {
    func showsNumber(_ text: Text) -> Bool {
      let kind = substitution.formatSpecifier.flatMap(self.kind) ?? "d"
      return Placeholder.all(in: text.text).contains {
        $0.isNumberOfSubstitution || $0.style == .printf && $0.kind == kind
      }
    }
    let branches = texts(of: substitution.value)
    guard let language, let plurals = language.data.plurals(ordinal: false),
      (branches + texts(of: counterpart?.value)).contains(where: showsNumber)
    else { return }
    let numbers = numbers(by: plurals)
    for branch in branches where !showsNumber(branch) {
      guard let category = branch.category, let matching = numbers[category], matching.count > 2 else {
        continue
      }
      place.report(
        .missingPlaceholder,
        "the branch \(quoted(category)) of the substitution \(quoted(substitution.name)) does not contain the number, but matches \(matching[0]), \(matching[1]), \(matching[2]), …",
        "add %arg"
      )
    }
  }

  /// Reports placeholders in a substitution that take its number as another type.
  private func checkPlaceholders(
    _ part: Part,
    against counterpart: StringsFile.Substitution?,
    _ place: Place
  ) {
    let kind = part.substitution.formatSpecifier.flatMap(self.kind) ?? "d"
    func placeholders(_ value: StringsFile.Value?) -> [Placeholder] {
      texts(of: value).flatMap { Placeholder.all(in: $0.text) }.filter { $0.style == .printf }
    }
    var seen = Set(placeholders(counterpart?.value).map(\.identity))
    for placeholder in placeholders(part.substitution.value) where placeholder.kind != kind {
      // With the position of another argument, the placeholder is not the number.
      let position = placeholder.identity.prefix { $0 != ":" }
      guard position.isEmpty || Int(position) == part.argument, seen.insert(placeholder.identity).inserted
      else { continue }
      place.report(
        .malformedPlaceholder,
        "the placeholder \(quoted(placeholder.text)) in the substitution \(quoted(part.substitution.name)) is not its number",
        "write %arg, or use a position such as %2$@ for another argument"
      )
    }
  }
}

/// The localizations of a string catalog that cannot be read, because a substitution or a field of it is invalid.
struct UnreadableSubstitutions {
  typealias Problem = (problem: String, fix: String)

  /// The problems by key and language.
  private var problems: [String: [String: [Problem]]] = [:]

  init(_ entries: [StringsFile.Entry] = []) {
    for entry in entries {
      // The attribute contains the localizations that were not read.
      guard let attribute = entry.attributes.first(where: { $0.name == "localizations" }),
        case .object(let languages)? = JSONWriter.value(attribute.value)
      else { continue }
      for language in languages.members {
        let found = Self.check(language.value)
        if !found.isEmpty { problems[entry.key, default: [:]][language.key] = found }
      }
    }
  }

  subscript(key: String, language: String) -> [Problem] { problems[key]?[language] ?? [] }

  var languages: Set<String> { Set(problems.values.flatMap(\.keys)) }

  private static func check(_ localization: JSONValue) -> [Problem] {
    guard case .object(let object) = localization, let value = object["substitutions"] else { return [] }
    guard case .object(let substitutions) = value else {
      return [
        ("the substitutions are \(value.kind), not an object", "write an object with their names as keys")
      ]
    }
    return substitutions.members.flatMap { substitution -> [Problem] in
      let subject = "the substitution \(quoted(substitution.key))"
      guard case .object(let fields) = substitution.value else {
        return [
          ("\(subject) is \(substitution.value.kind), not an object", "use the structure that Xcode writes")
        ]
      }
      return fields.members.compactMap { field -> Problem? in
        switch (field.key, field.value) {
        case ("argNum", .number(let number)) where Int(number) != nil: nil
        case ("formatSpecifier", .string), ("variations", .object): nil
        case ("argNum", let value):
          (
            "\(subject) has the argNum \(text(value)), which is not the number of an argument",
            "write an integer without quotation marks, such as 1 for the first argument"
          )
        case ("formatSpecifier", let value):
          (
            "\(subject) has the format specifier \(text(value)), which is not a string",
            "write a string such as \"lld\""
          )
        case ("variations", let value):
          (
            "\(subject) has the variations \(text(value)), which are not an object",
            "use the structure that Xcode writes"
          )
        default: nil
        }
      }
    }
  }

  private static func text(_ value: JSONValue) -> String { printable(JSONWriter.compact(value), limit: 48) }
}

extension Placeholder {
  /// Whether the placeholder is a substitution by its name, `%#@name@`.
  fileprivate var isSubstitution: Bool { style == .substitution && !isNumberOfSubstitution }

  /// Whether the placeholder is the number of a substitution, `%arg`.
  fileprivate var isNumberOfSubstitution: Bool { style == .substitution && text == "%arg" }

  /// The type of a printf conversion, such as `d` or `@`.
  fileprivate var kind: String { String(identity.drop { $0 != ":" }.dropFirst()) }
}
