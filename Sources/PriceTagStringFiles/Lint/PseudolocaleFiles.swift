import PriceTagStrings

extension Pseudolocale {
  /// Returns a file in the pseudo-locale.
  ///
  /// The language is added to a string catalog; a file of another format is converted to the language. Entries that are
  /// not translatable remain unchanged.
  public func file(_ original: StringsFile) -> StringsFile {
    var file = original
    if file.format != .stringCatalog { file.language = language.identifier }
    for (index, entry) in original.withSourceTexts.entries.enumerated() {
      guard let source = entry.localizations[original.language] else { continue }
      // A string catalog has no localizations of untranslatable entries; in other formats, the text is repeated.
      if !entry.isTranslatable, file.format == .stringCatalog { continue }
      var localization = source
      if entry.isTranslatable { localization.value = value(source.value, of: file.format) }
      if file.format != .stringCatalog { file.entries[index].localizations = [:] }
      file.entries[index].localizations[language.identifier] = localization
    }
    return file
  }

  private func value(_ value: StringsFile.Value, of format: StringsFile.Format) -> StringsFile.Value {
    switch value {
    case .text(let text):
      guard format == .formatJS else { return .text(self.text(text)) }
      // A malformed message remains unchanged; the lint reports it.
      return .text((try? Message(text, language: .development)).map(icuMessage) ?? text)
    case .plural(let branches):
      return .plural(branches.map { .init(category: $0.category, text: text($0.text)) })
    case .device(let variations):
      return .device(variations.map { .init(device: $0.device, value: self.value($0.value, of: format)) })
    case .substituted(let text, let substitutions):
      return .substituted(
        self.text(text),
        substitutions.map { substitution in
          var changed = substitution
          changed.value = self.value(substitution.value, of: format)
          return changed
        }
      )
    case .array(let texts): return .array(texts.map(text))
    }
  }
}
