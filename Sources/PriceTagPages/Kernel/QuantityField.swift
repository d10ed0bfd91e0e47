import PriceTag
import PriceTagCatalog
import PriceTagText

/// The values of a product page's field for the quantity.
struct QuantityField {
  private let price: FormattedPrice
  private let store: Store
  private let pack: PageKernel.File
  /// The address of the checkout, with a placeholder for the quantity; `nil` if a script handles the button.
  private let checkout: String?

  /// Creates the field of a product; `nil` if the product has none: without a kernel, for a product that is free or that a
  /// customer buys once, for a checkout that does not receive the quantity, and for a price that the browser cannot write.
  init?(_ product: Product, in store: Store, _ shop: Shop, _ kernel: PageKernel?) {
    guard let kernel, product.price.amount > .zero, shop.acceptsQuantity,
      // As StoreKit allows.
      product.kind != .nonConsumable, product.kind != .autoRenewable,
      let pack = kernel.pack(for: product.price, in: store)
    else { return nil }
    (price, self.store, self.pack) = (product.price, store, pack)
    checkout = shop.checkout(
      of: product.identifier,
      store.storefront,
      store.language,
      quantity: Shop.quantityPlaceholder
    )
  }

  /// Returns the template values.
  func values(on path: PagePath) -> TemplateValues {
    TemplateValues([
      .pack: path.root + pack.address, .amount: price.amount.description,
      .display: pageText(price.text), .options: pageText(options),
      .maximum: "\(PageKernel.maximumQuantity)", .checkout: checkout.map { pageText($0) },
    ])
  }

  /// The options of the formatter, as JSON for the kernel's JavaScript module.
  private var options: String {
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
      ("rounding", style.rounding.rawValue, standard.rounding.rawValue),
      ("numbering", style.numberingSystem ?? "", ""),
    ] where value != standard { options.append((name, value)) }
    switch style.digits {
    case .standard: break
    case .cash: options.append(("digits", "cash"))
    case .fixed(let count): options.append(("digits", "\(count)"))
    case .range(let range): options.append(("digits", "\(range.lowerBound)-\(range.upperBound)"))
    }
    return jsonObject(options.map { ($0.name, json($0.value)) })
  }
}
