import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// What an expectation names of a request, as tests write it; `nil` for what it leaves open.
struct Asked {
  let storefronts: [Storefront]?
  let languages: ListingRequest.Languages?
  let date: CalendarDate?

  init(storefronts: [String]?, languages: [String]?, at date: String?, in localeData: LocaleData) throws {
    self.storefronts = try storefronts?.map { try Storefront($0, in: localeData) }
    self.languages = try languages.map { .list(try $0.map { try UILanguage($0) }) }
    self.date = try date.map { try CalendarDate($0) }
  }
}
