import PriceTag
import PriceTagStrings

/// Chooses the language of a product's own text: the reader's where the store supports it and the product has it, else
/// the store's default.
final class TextLanguages {
  private let storefront: Storefront
  private let language: UILanguage
  private let isSupported: Bool
  /// By the languages that a product has.
  private var chosen: [[String]: (language: String, origin: Product.Text.Origin)] = [:]

  init(_ storefront: Storefront, _ language: UILanguage) {
    (self.storefront, self.language) = (storefront, language)
    let supported = LanguageMatcher(storefront.languages.compactMap { try? UILanguage($0) })
    isSupported = supported.match(language.identifier).reason != .fallback
  }

  /// The language of several that a text is shown in; `nil` where there is none.
  func choose(among languages: [String]) -> (language: String, origin: Product.Text.Origin)? {
    if let known = chosen[languages] { return known }
    guard let first = languages.first else { return nil }
    let matcher = LanguageMatcher(languages.compactMap { try? UILanguage($0) })
    func match(_ tag: String) -> String? {
      let match = matcher.match(tag)
      return match.reason == .fallback ? nil : match.language.identifier
    }
    let choice: (language: String, origin: Product.Text.Origin)
    if isSupported, let readers = match(language.identifier) {
      choice = (readers, .reader)
    } else if let own = match(storefront.defaultLanguage) {
      choice = (own, .storeDefault)
    } else {
      let others = storefront.languages + [UILanguage.development.identifier]
      choice = (others.lazy.compactMap(match).first ?? first, .other)
    }
    chosen[languages] = choice
    return choice
  }
}
