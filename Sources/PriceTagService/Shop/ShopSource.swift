import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagStrings

/// Where a service finds what it serves: a catalogue's file, and what its pages say beside.
///
///     var source = ShopSource(path: "shop.pricetag")
///     source.shop = try Shop(name: "Rocket Garage")
public struct ShopSource: Sendable {
  /// The catalogue: a database of `pricetag import`'s, or any file that it reads.
  public var path: String
  /// The format of a file that is no database; `nil` to tell it by ending and first bytes.
  public var format: CatalogFormat?
  /// Whose prices those are that name no storefront.
  public var pricesOf: Storefront?
  /// The storefront that a StoreKit configuration's prices are read as, whatever storefront the file names.
  public var reinterpretAs: Storefront?
  /// The language, BCP 47, of texts that name none.
  public var textsIn: String?
  /// The registry of storefronts and currencies.
  public var localeData = LocaleData.embedded
  /// The day whose currencies and prices hold where a request names none; `nil` for today in UTC.
  public var date: CalendarDate?
  /// The words around prices.
  public var strings = StoreStrings.embedded
  /// The storefronts that have pages; `nil` for all.
  public var storefrontsWithPages: [Storefront]?
  /// The languages that storefronts have pages in; `nil` for all that there are words in.
  public var languagesOfPages: ListingRequest.Languages?
  /// What pages say of the shop.
  public var shop: Shop
  /// How pages look.
  public var templates = PageTemplates.embedded
  /// The shop's own files, such as pictures.
  public var assets = SiteAssets.none

  /// The catalogue in a file.
  ///
  /// - Throws: `.invalidShop`, never for the default.
  public init(path: String, shop: Shop) {
    (self.path, self.shop) = (path, shop)
  }

  /// The day of requests that name none.
  var today: CalendarDate { date ?? .today }

  /// The storefronts that have pages.
  var storefronts: [Storefront] { storefrontsWithPages ?? localeData.storefronts }

  /// The languages that there is a page to pick a store in: those of the stores, the default one first.
  func entryLanguages() throws(Problem) -> [UILanguage] {
    guard languagesOfPages != nil else { return EntryLanguages.of([strings.languages]) }
    var languages: [[UILanguage]] = []
    for storefront in storefronts { languages.append(try self.languages(of: storefront)) }
    return EntryLanguages.of(languages)
  }

  /// The languages that a storefront has pages in.
  func languages(of storefront: Storefront) throws(Problem) -> [UILanguage] {
    guard let languagesOfPages else { return strings.languages }
    do throws(CatalogError) {
      return try ListingRequest(storefronts: [storefront], languages: languagesOfPages).languages(
        of: storefront
      )
    } catch { throw Problem.internal }
  }
}
