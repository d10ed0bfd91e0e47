import PriceTag
import PriceTagStrings

/// Chooses the languages of texts among those that there are: the reader's where the store supports it, else the
/// store's default.
final class TextLanguages {
  /// A language of several, by its number, and why it is this one.
  typealias Choice = (number: Int, origin: Product.Text.Origin)

  /// A storefront and a reader's language.
  private struct Reader {
    let storefront: Storefront
    let language: UILanguage
    let isSupported: Bool
  }

  /// What was chosen among some languages.
  final class Choices {
    fileprivate let languages: [String]
    fileprivate let matcher: LanguageMatcher
    /// The language for a tag, by its number.
    fileprivate var matches: [String: Int?] = [:]
    /// By the number of the reader; `nil` where it was not asked for yet.
    fileprivate var chosen: [Choice??]

    fileprivate init(_ languages: [String], readers: Int) {
      self.languages = languages
      matcher = LanguageMatcher(languages.compactMap { try? UILanguage($0) })
      chosen = Array(repeating: nil, count: readers)
    }

    fileprivate func match(_ tag: String) -> Int? {
      if let known = matches[tag] { return known }
      let match = matcher.match(tag)
      let number = match.reason == .fallback ? nil : languages.firstIndex(of: match.language.identifier)
      matches[tag] = number
      return number
    }
  }

  private var readers: [Reader] = []
  /// By the languages that the stores support.
  private var stores: [[String]: LanguageMatcher] = [:]
  private var known = BoundedCache<[String], Choices>(limit: 1000)

  /// Adds a reader; readers are numbered in this order.
  func add(_ storefront: Storefront, _ language: UILanguage) {
    let matcher =
      stores[storefront.languages] ?? LanguageMatcher(storefront.languages.compactMap { try? UILanguage($0) })
    stores[storefront.languages] = matcher
    let isSupported = matcher.match(language.identifier).reason != .fallback
    readers.append(Reader(storefront: storefront, language: language, isSupported: isSupported))
  }

  /// What is chosen among some languages.
  func choices(among languages: [String]) -> Choices {
    if let known = known[languages] { return known }
    let choices = Choices(languages, readers: readers.count)
    known.keep(choices, for: languages)
    return choices
  }

  /// The language of several for a reader, by its number; `nil` where there is none.
  func choose(_ choices: Choices, for reader: Int) -> Choice? {
    if let known = choices.chosen[reader] { return known }
    let choice = choice(choices, readers[reader])
    choices.chosen[reader] = .some(choice)
    return choice
  }

  private func choice(_ choices: Choices, _ reader: Reader) -> Choice? {
    guard !choices.languages.isEmpty else { return nil }
    let (storefront, match) = (reader.storefront, choices.match)
    if reader.isSupported, let own = match(reader.language.identifier) { return (own, .reader) }
    if let usual = match(storefront.defaultLanguage) { return (usual, .storeDefault) }
    let others = storefront.languages + [UILanguage.development.identifier]
    return (others.lazy.compactMap(match).first ?? 0, .other)
  }
}
