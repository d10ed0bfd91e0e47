import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Writes products as the `metadata.xml` of an iTunes Store package.
///
///     let writer = ITunesPackageWriter(provider: "Rocket Garage", vendorIdentifier: "rocket-garage")
///     let (text, omissions) = writer.text(of: products)
///
/// The format supports tiers, names and families of subscriptions. Other data are omitted, and each omission is
/// returned.
public struct ITunesPackageWriter: Sendable {
  /// The name under which Apple knows the sender of the package.
  public let provider: String
  /// The developer's team identifier, such as `ABCDE12345`.
  public let teamIdentifier: String?
  /// The SKU of the products' app.
  public let vendorIdentifier: String
  /// The version of the package format.
  public static let version = "software5.11"

  /// Creates a writer for the packages of an app.
  public init(provider: String, teamIdentifier: String? = nil, vendorIdentifier: String) {
    (self.provider, self.teamIdentifier, self.vendorIdentifier) = (provider, teamIdentifier, vendorIdentifier)
  }

  /// Returns a package with products and their subscription groups, and an error for everything omitted from it.
  ///
  /// - Parameters:
  ///   - products: The products. Apple accepts at most 1,000; further products are omitted.
  ///   - groups: The subscription groups, for their names.
  public func text(
    of products: [CatalogProduct],
    groups: [ProductGroup] = []
  ) -> (text: String, omissions: [CatalogError]) {
    var document = ITunesPackageDocument()
    document.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    document.open("package", [("xmlns", ITunesPackage.namespace), ("version", Self.version)])
    document.leaf("provider", provider)
    if let teamIdentifier { document.leaf("team_id", teamIdentifier) }
    document.open("software")
    document.leaf("vendor_id", vendorIdentifier)
    document.open("software_metadata")
    document.open("in_app_purchases")
    let written = products.prefix(ITunesPackage.maximumPurchaseCount)
    write(families: written, groups, to: &document)
    for product in written where !Self.isOfFamily(product) { Self.write(product, to: &document) }
    for name in ["in_app_purchases", "software_metadata", "software", "package"] { document.close(name) }
    if products.count > written.count {
      document.omit(
        "the package has more than \(ITunesPackage.maximumPurchaseCount) in-app purchases (\(products.count))",
        fix: "write the products after \(quoted(written.last?.identifier ?? "")) to another package",
        code: .tooLarge
      )
    }
    return (document.text, document.omissions)
  }

  private static func isOfFamily(_ product: CatalogProduct) -> Bool {
    product.kind == .autoRenewable && product.subscriptionGroup != nil
  }

  private func write(
    families products: ArraySlice<CatalogProduct>,
    _ groups: [ProductGroup],
    to document: inout ITunesPackageDocument
  ) {
    let subscriptions = products.filter(Self.isOfFamily)
    var written: Set<String> = []
    for name in subscriptions.compactMap(\.subscriptionGroup) where written.insert(name).inserted {
      document.place = "subscription group \(quoted(name))"
      document.open("family", [("name", name)])
      let group = groups.first { $0.kind == .subscriptionGroup && $0.identifier == name }
      document.locales(group?.names.mapValues { ProductText(name: $0) } ?? [:])
      for product in subscriptions where product.subscriptionGroup == name {
        Self.write(product, to: &document)
      }
      document.close("family")
    }
  }

  // MARK: Products

  private static func write(_ product: CatalogProduct, to document: inout ITunesPackageDocument) {
    document.place = "product \(quoted(product.identifier))"
    document.open("in_app_purchase")
    document.leaf("product_id", product.identifier)
    if let name = product.referenceName { document.leaf("reference_name", name) }
    if let kind = product.kind, let type = ITunesPackage.kinds.first(where: { $0.kind == kind })?.type {
      document.leaf("type", type)
    }
    writeSubscription(product, to: &document)
    writeTerms(product, to: &document)
    document.locales(product.localizations)
    if let isApproved = product.isApproved {
      document.open("read_only_info")
      document.leaf(
        "read_only_value",
        isApproved ? ITunesPackage.approvedStatus : ITunesPackage.otherStatus,
        [("key", ITunesPackage.statusKey)]
      )
      document.close("read_only_info")
    }
    document.close("in_app_purchase")
    omitUnsupportedFields(of: product, in: &document)
  }

  private static func writeSubscription(
    _ product: CatalogProduct,
    to document: inout ITunesPackageDocument
  ) {
    if let period = product.subscriptionPeriod {
      if product.kind == .autoRenewable, let duration = ITunesPackage.duration(period) {
        document.leaf("duration", duration)
      } else {
        document.omit(
          "the period \(period) (\(product.kind?.rawValue ?? "no kind")) cannot be represented in the iTunes package format",
          fix: "use an auto-renewable subscription of 7 days, 1, 2, 3 or 6 months, or 1 year"
        )
      }
    }
    for offer in product.offers ?? [] {
      let trial = try? CatalogOffer(.introductory, paymentMode: .freeTrial, period: offer.period)
      if offer == trial, product.offers?.count == 1, product.kind == .autoRenewable {
        document.leaf("free_trial_duration", ITunesPackage.freeTrialDuration(offer.period))
      } else {
        document.omit(
          "the \(offer.kind.rawValue) offer (\(offer.period), \(offer.paymentMode.rawValue)) cannot be represented in the iTunes package format",
          fix: "enter it in App Store Connect; the format supports one free trial"
        )
      }
    }
    if let group = product.subscriptionGroup, product.kind != .autoRenewable {
      document.omit(
        "the group \(quoted(group)) cannot be represented in the iTunes package format for this kind of product",
        fix: "set the kind to auto-renewable-subscription, or remove the group"
      )
    }
  }

  /// Writes the clearance and the tiers of a product.
  private static func writeTerms(_ product: CatalogProduct, to document: inout ITunesPackageDocument) {
    var isCleared: Bool?
    switch product.clearedForSale {
    case nil: break
    case .everywhere?, .except([])?: isCleared = true
    case .only([])?: isCleared = false
    case .only?, .except?:
      document.omit(
        "clearance for some storefronts cannot be represented in the iTunes package format",
        fix: "choose the territories in App Store Connect"
      )
    }
    let tiers = (product.tiers ?? []).filter { isWritten($0, in: &document) }
    guard isCleared != nil || !tiers.isEmpty else { return }
    document.open("products")
    document.open("product")
    if let isCleared { document.leaf("cleared_for_sale", String(isCleared)) }
    if tiers.count == 1, let tier = tiers.first, tier.days == .always {
      write(tier, to: &document)
    } else if !tiers.isEmpty {
      document.open("intervals")
      for tier in tiers {
        document.open("interval")
        if let first = tier.days.first { document.leaf("start_date", first.description) }
        if let last = tier.days.last { document.leaf("end_date", last.next.description) }
        write(tier, to: &document)
        document.close("interval")
      }
      document.close("intervals")
    }
    document.close("product")
    document.close("products")
  }

  private static func isSubscriptionTier(_ name: String) -> Bool {
    name.hasPrefix(TierName.subscriptionPrefix)
  }

  private static func isWritten(_ tier: TierPeriod, in document: inout ITunesPackageDocument) -> Bool {
    let number = tier.tier.dropFirst(isSubscriptionTier(tier.tier) ? TierName.subscriptionPrefix.count : 0)
    guard TierName.number(number).map({ $0 == number }) ?? false else {
      document.omit(
        "the tier \(quoted(tier.tier)) cannot be represented in the iTunes package format",
        fix: "use a numbered tier"
      )
      return false
    }
    guard tier.days.last.map({ $0.next.year <= 9999 }) ?? true else {
      document.omit(
        "the tier's last date cannot be represented in the iTunes package format",
        fix: "remove the last date"
      )
      return false
    }
    return true
  }

  private static func write(_ tier: TierPeriod, to document: inout ITunesPackageDocument) {
    if isSubscriptionTier(tier.tier) {
      document.leaf("subscription_price_tier", String(tier.tier.dropFirst(TierName.subscriptionPrefix.count)))
    } else {
      document.leaf("wholesale_price_tier", tier.tier)
    }
  }

  /// Records the omission of data for which the format has no element.
  private static func omitUnsupportedFields(
    of product: CatalogProduct,
    in document: inout ITunesPackageDocument
  ) {
    if !product.prices.isEmpty {
      let count = product.prices.prices.count
      document.omit(
        "prices without a tier cannot be represented in the iTunes package format (omitted: \(count))",
        fix: "use a tier, or enter the prices in App Store Connect"
      )
    }
    let others: [(name: String, isThere: Bool)] = [
      ("category", product.category != nil), ("groupLevel", product.groupLevel != nil),
      ("priceLocales", !product.priceLocales.isEmpty), ("image", product.image != nil),
      ("images", product.images != nil), ("related", product.related != nil),
      ("sortOrder", product.sortOrder != nil), ("content", product.content != nil),
      ("unitReference", product.unitReference != nil), ("taxIncluded", product.taxInclusion != nil),
    ]
    for other in others where other.isThere {
      document.omit(
        "the field \"\(other.name)\" cannot be represented in the iTunes package format",
        fix: "store it in another file"
      )
    }
  }
}
