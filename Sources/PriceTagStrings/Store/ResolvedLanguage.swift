import PriceTag

/// The language of the UI strings that a user gets in a store.
///
///     let resolved = try StoreStrings.embedded.language(for: UILanguage("bg"), in: Storefront("JPN"))
///     resolved.language           // ja
///     resolved.isStoreDefault     // true
///     "\(resolved)"               // "bg: ja (the default language of JPN, because there are no strings in bg)"
public struct ResolvedLanguage: Hashable, Sendable, CustomStringConvertible {
  /// The language that the user requested.
  public let requested: UILanguage
  /// The language of the strings: the requested one, the closest available one, or the store's default language.
  public let language: UILanguage
  /// The storefront's identifier.
  private let storefront: String
  /// Whether the strings are in the store's default language, because there are none in the requested language or in a
  /// close one.
  public let isStoreDefault: Bool

  init(_ requested: UILanguage, _ language: UILanguage, in storefront: Storefront, isStoreDefault: Bool) {
    (self.requested, self.language, self.isStoreDefault) = (requested, language, isStoreDefault)
    self.storefront = storefront.id
  }

  /// The language of a request for products: the requested one if there are no strings in it, because a product may have
  /// texts in it.
  package var productLanguage: UILanguage { isStoreDefault ? requested : language }

  /// One line with the requested language, the language that is used, and the reason.
  public var description: String {
    isStoreDefault
      ? "\(requested): \(language) (the default language of \(storefront), because there are no strings in \(requested))"
      : requested == language ? "\(language)" : "\(requested): \(language)"
  }
}

extension StoreStrings {
  /// Returns the language of the strings that a user gets in a store: the language itself if it is available, or else the
  /// closest available language, or else the store's default language.
  ///
  ///     let strings = StoreStrings.embedded, japan = try Storefront("JPN")
  ///     try strings.language(for: UILanguage("es-AR"), in: japan).language   // es-MX, the closest available language
  ///     try strings.language(for: UILanguage("bg"), in: japan).language      // ja, the store's default language
  ///     try strings.language(for: UILanguage("bg"), in: japan, isStrict: true)   // throws
  ///
  /// - Parameters:
  ///   - requested: The user's language.
  ///   - storefront: The storefront.
  ///   - isStrict: Whether the language is an error if there are no strings in it or in a close one.
  /// - Throws: `.unknownLanguage` if there are no strings in a close language, and `isStrict` is true or there are none in
  ///   the store's default language either.
  public func language(
    for requested: UILanguage,
    in storefront: Storefront,
    isStrict: Bool = false
  ) throws(StringsError) -> ResolvedLanguage {
    if let closest = closestLanguageIfAny(to: requested) {
      return ResolvedLanguage(requested, closest, in: storefront, isStoreDefault: false)
    }
    let language = try closestLanguage(to: isStrict ? requested : UILanguage(storefront.defaultLanguage))
    return ResolvedLanguage(requested, language, in: storefront, isStoreDefault: true)
  }
}
