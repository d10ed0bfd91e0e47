import PriceTagStrings

/// The languages that there is an entry page in, for a site and for a service alike.
package enum EntryLanguages {
  /// Returns the languages of some stores, the default one first and the others in the order of their tags.
  package static func of(
    _ stores: some Sequence<[UILanguage]>,
    default language: UILanguage = .development
  ) -> [UILanguage] {
    var all: Set<UILanguage> = []
    for languages in stores { all.formUnion(languages) }
    all.remove(language)
    return [language] + all.sorted { $0.identifier < $1.identifier }
  }
}
