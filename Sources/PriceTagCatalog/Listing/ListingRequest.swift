import PriceTag
import PriceTagStrings

/// What a whole catalogue is asked for: every product, in several storefronts and languages, on one day.
///
///     let storefronts = LocaleData.embedded.storefronts
///     ListingRequest(storefronts: storefronts, languages: .list([.development]))
///
/// The answers are those of a `ProductsRequest` for each storefront and language.
public struct ListingRequest: Sendable {
  /// The languages that each storefront is answered in.
  public enum Languages: Hashable, Sendable {
    /// Those that the store supports, its default one first.
    case store
    /// These, in every storefront.
    case list([UILanguage])
  }

  /// Whose prices are asked for, each once.
  public let storefronts: [Storefront]
  /// The readers' languages.
  public let languages: Languages
  /// The day.
  public let date: CalendarDate
  /// Which products are shown.
  public let mode: ProductsRequest.Mode
  /// How prices are written.
  public let style: PriceStyle
  /// The words around prices.
  public let strings: StoreStrings

  /// A request for a whole catalogue.
  ///
  /// - Parameters:
  ///   - storefronts: Whose prices are asked for, in the order that the answers have; one that repeats is asked for
  ///     once.
  ///   - languages: The readers' languages; one that repeats is asked for once.
  ///   - date: The day; prices and currencies are those of that day.
  ///   - mode: Whether products that were not approved are shown. A product that cannot be shown is an answer in both
  ///     modes.
  ///   - style: How prices are written.
  ///   - strings: The words around prices.
  public init(
    storefronts: [Storefront],
    languages: Languages = .store,
    at date: CalendarDate = .today,
    mode: ProductsRequest.Mode = .production,
    style: PriceStyle = PriceStyle(),
    strings: StoreStrings = .embedded
  ) {
    var asked: Set<String> = []
    self.storefronts = storefronts.filter { asked.insert($0.id).inserted }
    switch languages {
    case .store: self.languages = .store
    case .list(let list):
      var asked: Set<UILanguage> = []
      self.languages = .list(list.filter { asked.insert($0).inserted })
    }
    (self.date, self.mode, self.style, self.strings) = (date, mode, style, strings)
  }

  /// The languages of a storefront, in order.
  ///
  /// - Throws: `.unknownLanguage` where the registry names one that nobody knows.
  package func languages(of storefront: Storefront) throws(CatalogError) -> [UILanguage] {
    switch languages {
    case .list(let list): return list
    case .store:
      var known: [UILanguage] = []
      for tag in storefront.languages {
        do throws(StringsError) {
          let language = try UILanguage(tag)
          if !known.contains(language) { known.append(language) }
        } catch { throw CatalogError(.unknownLanguage, error).at(storefront.id) }
      }
      return known
    }
  }
}
