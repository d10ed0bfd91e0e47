import PriceTagStrings

/// The languages of the entry pages of a site or a service.
package enum EntryLanguages {
  /// Returns the languages of all stores, the default language first and the others sorted by tag.
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
