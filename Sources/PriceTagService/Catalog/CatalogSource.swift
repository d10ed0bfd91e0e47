import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagStrings

/// The content that a service serves: a catalog file, and the shop details, templates and files of its pages.
///
///     var source = CatalogSource(path: "shop.pricetag", shop: try Shop(name: "Rocket Garage"))
///     source.storefrontsWithPages = [try Storefront("USA"), try Storefront("JPN")]
public struct CatalogSource: Sendable {
  /// The catalog: a database that `pricetag import` wrote, or any file that `pricetag import` reads.
  public var path: String
  /// The format of a file that is not a database; `nil` to detect it from the file name extension and the first bytes.
  public var format: CatalogFormat?
  /// The storefront of prices that do not name one.
  public var pricesOf: Storefront?
  /// The storefront that the prices of a StoreKit configuration are read as, instead of the storefront the file names.
  public var reinterpretAs: Storefront?
  /// The language (BCP 47) of texts that do not name one.
  public var textsIn: String?
  /// The storefronts and currencies.
  public var localeData = LocaleData.embedded
  /// The day that determines currencies and prices if a request has no date; `nil` for the instant of the request.
  public var day: StoreDay?
  /// The clock that gives the instant of a request.
  package var clock: @Sendable () -> Instant = { .now }
  /// The UI strings.
  public var strings = StoreStrings.embedded
  /// The storefronts that have pages; `nil` for all.
  public var storefrontsWithPages: [Storefront]?
  /// The languages that storefronts have pages in; `nil` for all languages of the UI strings.
  public var languagesOfPages: ListingRequest.Languages?
  /// How the unit prices on pages are rounded; `nil` for pages without unit prices.
  public var unitPriceRounding: RoundingMode?
  /// Whether prices include tax, of products that do not state it; `nil` for the storefront's fact.
  public var taxInclusion: TaxInclusion?
  /// The shop details that pages show.
  public var shop: Shop
  /// The templates of the pages.
  public var templates = PageTemplates.embedded
  /// The shop's asset files, such as images.
  public var assets = SiteAssets.none
  /// The kernel for browsers, with which product pages have a field for the quantity; `nil` for pages without.
  public var kernel: PageKernel?

  /// Creates the source of a catalog file, with the embedded templates and UI strings.
  ///
  /// - Parameters:
  ///   - path: The path of the catalog file.
  ///   - shop: The shop details that pages show.
  public init(path: String, shop: Shop) {
    (self.path, self.shop) = (path, shop)
  }

  /// The day on which the service starts or reads the catalog.
  var currentDay: StoreDay { day ?? .instant(clock()) }

  /// The storefronts that have pages.
  var storefronts: [Storefront] { storefrontsWithPages ?? localeData.storefronts }

  /// Returns the languages of the page to choose a store: those of all stores, the default language first.
  func entryLanguages() throws(Problem) -> [UILanguage] {
    guard languagesOfPages != nil else { return EntryLanguages.of([strings.languages]) }
    return EntryLanguages.of(try storefronts.map(languages(of:)))
  }

  /// Returns the languages that a storefront has pages in.
  func languages(of storefront: Storefront) throws(Problem) -> [UILanguage] {
    guard let languagesOfPages else { return strings.languages }
    do throws(CatalogError) {
      return try ListingRequest(storefronts: [], languages: languagesOfPages, strings: strings)
        .languages(of: storefront)
    } catch { throw Problem.internal }
  }
}
