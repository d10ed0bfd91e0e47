import PriceTag
import PriceTagStrings
import Synchronization

/// Chooses the languages of product texts: the shopper's language if the store supports it, else the store's default.
package final class TextLanguages {
  /// The index of the chosen language, and the reason for the choice.
  typealias Choice = (index: Int, origin: Product.Text.Origin)

  /// A storefront and the language of a shopper.
  private struct Shopper {
    let storefront: Storefront
    let language: UILanguage
    /// Whether the store supports the language.
    let isSupported: Bool
  }

  /// The choices for texts that exist in the same languages.
  final class Choices {
    fileprivate let languages: [String]
    fileprivate let matcher: LanguageMatcher
    /// The index of the matching language, by requested tag.
    fileprivate var matches: [String: Int?] = [:]
    /// The choices, by the shopper's index; `nil` if not computed yet.
    @exclusivity(unchecked) fileprivate var chosen: [Choice??]

    fileprivate init(_ languages: [String], shopperCount: Int) {
      self.languages = languages
      matcher = TextLanguages.matcher(of: languages)
      chosen = Array(repeating: nil, count: shopperCount)
    }

    fileprivate func match(_ tag: String) -> Int? {
      if let cached = matches[tag] { return cached }
      let match = matcher.match(tag)
      let index = match.reason == .fallback ? nil : languages.firstIndex(of: match.language.identifier)
      matches[tag] = index
      return index
    }
  }

  private var shoppers: [Shopper] = []
  /// The matchers of languages, which all requests share.
  private static let matchers = Mutex(BoundedCache<[String], LanguageMatcher>(limit: 500))
  private var cachedChoices = BoundedCache<[String], Choices>(limit: 1000)
  /// The choices for the last languages, which are often requested for each storefront.
  @exclusivity(unchecked) private var lastChoices: Choices?

  /// Adds a shopper. Indices of shoppers follow the order of these calls.
  func add(_ storefront: Storefront, _ language: UILanguage) {
    let isSupported = Self.matcher(of: storefront.languages).match(language.identifier).reason != .fallback
    shoppers.append(Shopper(storefront: storefront, language: language, isSupported: isSupported))
  }

  /// Returns a matcher of languages by their tags. Unknown tags are ignored.
  package static func matcher(of languages: [String]) -> LanguageMatcher {
    if let stored = matchers.withLock({ $0[languages] }) { return stored }
    let matcher = LanguageMatcher(languages.compactMap { try? UILanguage($0) })
    matchers.withLock { $0.store(matcher, for: languages) }
    return matcher
  }

  /// Returns the choices for texts in these languages.
  func choices(among languages: [String]) -> Choices {
    if let lastChoices, lastChoices.languages == languages { return lastChoices }
    let cached = cachedChoices[languages]
    let choices = cached ?? Choices(languages, shopperCount: shoppers.count)
    if cached == nil { cachedChoices.store(choices, for: languages) }
    lastChoices = choices
    return choices
  }

  /// Returns the language for a shopper, or `nil` if there are no languages.
  func choose(_ choices: Choices, for shopper: Int) -> Choice? {
    if let cached = choices.chosen[shopper] { return cached }
    let choice = choice(choices, shoppers[shopper])
    choices.chosen[shopper] = .some(choice)
    return choice
  }

  private func choice(_ choices: Choices, _ shopper: Shopper) -> Choice? {
    guard !choices.languages.isEmpty else { return nil }
    let (storefront, match) = (shopper.storefront, choices.match)
    if shopper.isSupported, let index = match(shopper.language.identifier) { return (index, .requested) }
    if let index = match(storefront.defaultLanguage) { return (index, .storeDefault) }
    let others = storefront.languages + [UILanguage.development.identifier]
    return (others.lazy.compactMap(match).first ?? 0, .other)
  }
}
