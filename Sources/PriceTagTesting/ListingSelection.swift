import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// The storefronts, languages, and date that an expectation selects; `nil` for a default.
struct ListingSelection {
  let storefronts: [Storefront]?
  let languages: ListingRequest.Languages?
  let day: StoreDay?

  init(storefronts: [String]?, languages: [String]?, at date: String?, in localeData: LocaleData) throws {
    self.storefronts = try storefronts?.map { try Storefront($0, in: localeData) }
    self.languages = try languages.map { .list(try $0.map { try UILanguage($0) }) }
    day = try date.map { try StoreDay($0) }
  }
}
