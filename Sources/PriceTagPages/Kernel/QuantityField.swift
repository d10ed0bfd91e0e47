import PriceTag
import PriceTagCatalog
import PriceTagText

extension StorePages {
  /// Returns the kernel if a product has a field for the quantity wherever the browser can write its price.
  fileprivate func kernel(for product: Product) -> PageKernel? {
    // As StoreKit allows.
    let isSoldOnce = product.kind == .nonConsumable || product.kind == .autoRenewable
    return product.price.amount > .zero && shop.acceptsQuantity && !isSoldOnce ? kernel : nil
  }

  /// Adds the packs that the pages of a product in a store use to the site.
  func preparePacks(for product: Product, _ storefront: Storefront, _ request: ListingRequest)
    throws(PagesError)
  {
    guard let kernel = kernel(for: product) else { return }
    let (date, languages) = try readingCatalog { () throws(CatalogError) in
      (try request.date(in: storefront), try request.languages(of: storefront))
    }
    kernel.prepare(for: product.price, in: storefront, languages, on: date, strings)
  }
}

extension Product {
  /// How much lower the price is than before its reduction; `nil` without a reduction, and if a displayed price is rounded, so that
  /// a saving is never overstated.
  fileprivate var exactSaving: FormattedPrice? {
    guard reductionPercent != nil, let before = priceBeforeReduction,
      [before, price].allSatisfy({ $0.displayedPrice == $0.price })
    else { return nil }
    return try? before - price.price
  }
}

/// The field for the quantity on product pages.
extension OutlinedStore {
  /// Returns the template values of a product's field; `nil` if the product has none: without a kernel, for a product that is
  /// free or that a customer buys once, for a checkout that does not receive the quantity, and for a price that the browser
  /// cannot write.
  func quantityField(of product: Product, on path: PagePath) -> TemplateValues? {
    let price = product.price
    let saving = product.exactSaving
    guard let kernel = pages.kernel(for: product),
      let pack = kernel.address(for: price, saving: saving, in: store, pages.strings)
    else { return nil }
    let checkout = pages.shop.checkout(
      of: product.identifier,
      store.storefront,
      store.language,
      quantity: Shop.quantityPlaceholder
    )
    return TemplateValues([
      .pack: path.root + pack, .amount: price.amount.description,
      .display: pageText(price.text), .options: pageText(options(price)),
      .saving: saving?.amount.description, .period: product.subscription?.period.description,
      .maximum: "\(PageKernel.maximumQuantity)", .checkout: checkout.map { pageText($0) },
    ])
  }

  /// The options of the formatter, as JSON for the kernel's JavaScript module.
  private func options(_ price: FormattedPrice) -> String {
    var options: [(name: String, value: String)] = []
    if price.locale == store.storefront.priceLocale {
      options += [("storefront", store.storefront.id), ("date", store.date.description)]
    } else {
      options.append(("locale", price.locale.identifier))
    }
    options.append(("currency", price.currency.code))
    let (style, standard) = (price.formatter.style, PriceStyle())
    for (name, value, standard) in [
      ("width", style.width.rawValue, standard.width.rawValue),
      ("zeros", style.zeros.rawValue, standard.zeros.rawValue),
      ("sign", style.sign.rawValue, standard.sign.rawValue),
      ("grouping", style.grouping.rawValue, standard.grouping.rawValue),
      ("notation", style.notation.rawValue, standard.notation.rawValue),
      ("qualifier", style.qualifier.rawValue, standard.qualifier.rawValue),
      ("digits", "\(style.digits)", "\(standard.digits)"),
      ("rounding", style.rounding.rawValue, standard.rounding.rawValue),
      ("numbering", style.numberingSystem ?? "", ""),
    ] where value != standard { options.append((name, value)) }
    return jsonObject(options.map { ($0.name, json($0.value)) })
  }
}
