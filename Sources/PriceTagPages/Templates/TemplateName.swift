/// The names of the values that templates can use.
enum TemplateName: UInt8, CaseIterable {
  // Every page.
  case lang, dir, title, description, root, css, script, canonical, alternates, openGraph
  case jsonLD, breadcrumbs, isHidden, themeColors, shopName, logo, homeHref, words, languages, hasLanguages
  case hreflang, href, property, content, media, color, name, isCurrent
  // Store pages.
  case storefront, id, chooseStoreHref, notice, reason, isEmpty, productCount, pricesNote, categories
  case kind, products, comparisons, plans, hasSavings, hasMonthly
  // A product.
  case text, image, initial, price, was, buy, buyHref, offers, label, otherLanguage, unitPrice, taxLabel
  case isSubscription, renews, storefrontId, language, duration, monthly, saving, isBest
  // Product pages, entry pages, and "everywhere" pages.
  case product, storeHref, comparison, category, storefronts, currency, currencyName, rows, isAvailable
  case amount, display
  // The initial of a product without a picture, as SVG, and whether a card is the first and largest one of a store.
  case pattern, isHero
  // Pages to choose a store.
  case regions, territory, ownName, productsHref, chooseScript, translations, requestedStore
  // A reduced price.
  case reduction, badge, lowestPrice, until, increase, audience
  // Messages of the shop's own, conditions, the footer, and raw amounts and codes.
  case own, inEU, inEEA, legal, taxNote, priceLocale, period, kindCode, paymentMode, periodCount
  case percent, lastDay
  // The pictures and the related products of a product page.
  case picture, pictures, gallery, src, srcset, alt, width, height, isFirst, related
  // The choice of a period in a comparison.
  case periods, hasPeriods, isSelected
  // The label about tax of a plan whose comparison has several.
  case planTaxLabel
  // The date of the prices.
  case priceDate
  // The price locale of a product whose prices are not in the store's own.
  case ownPriceLocale
  // The offer of the store of the shopper's region.
  case likelyStore, isShown, chooseHref, productHref
  // The field for the quantity.
  case quantity, quantityScript, pack, options, maximum, checkout
  // The lists of a store with many products.
  case searchScript, previousHref, nextHref, isPaged, seeAllHref, lists, list, pageNumber, pages
  case number, isGap, hasPages, search, index, parts, counts
  // Link previews. `icons` is always empty; templates of shops may use it, with the names inside it.
  case icons, tab, isVector, touch, manifest, twitterCard

  static let count = allCases.count
  /// The names by their text.
  static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}
