import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// A discount of a phase of an offer in a region: an amount or a fraction of the base plan's price, which Google Play
/// prorates over one payment of the phase. With $12 a year and a discount of $1, three months cost $2.
///
/// A price is imported only if the result is exact. Google Play rounds other results, by a rule that its documentation
/// does not state.
struct GooglePlayDiscount {
  private let region: JSONFields
  private let field: String

  /// Creates the discount of a region, or returns `nil` if the region has none.
  init?(_ region: JSONFields) throws(CatalogError) {
    guard let field = ["absoluteDiscount", "relativeDiscount"].first(where: { region[$0] != nil }) else {
      return nil
    }
    try Self.checkPrices(of: region)
    (self.region, self.field) = (region, field)
  }

  /// Checks that a region has its price in only one form.
  static func checkPrices(of region: JSONFields) throws(CatalogError) {
    let forms = ["free", "price", "absoluteDiscount", "relativeDiscount"].filter { region[$0] != nil }
    guard forms.count > 1 else { return }
    throw region.invalid(
      "the region has both \(quoted(forms[0])) and \(quoted(forms[1]))",
      forms.first { $0 != "price" } ?? forms[0],
      fix: "keep one",
      code: .conflictingPrices
    )
  }

  /// Returns the discounted price of one payment.
  func price(
    in storefront: Storefront,
    during period: SubscriptionPeriod,
    of basePlan: CatalogProduct,
    _ shared: GooglePlayPrices
  ) throws(CatalogError) -> GooglePlayPrices.RegionalPrice {
    guard let full = basePlan.prices[storefront.id].first, let fullPeriod = basePlan.subscriptionPeriod else {
      throw invalid("the discount is from the base plan's price in \(storefront.id), which was not imported")
    }
    guard let (numerator, denominator) = Self.fraction(period, of: fullPeriod) else {
      throw invalid("the base plan's price for \(fullPeriod) cannot be prorated exactly over \(period)")
    }
    let amount = try region.reading(field) { () throws(CatalogError) in
      let isRelative = field == "relativeDiscount"
      // Google's documentation calls the number both the fraction that the user pays and the discount. They agree only for
      // one half.
      if isRelative, try region.optionalDecimal(field) != "0.5" {
        throw CatalogError(
          .notRepresentable,
          "a relative discount other than 0.5 is not supported, because Google documents it both as the fraction that is paid and as the discount",
          fix: "write the discounted price"
        )
      }
      // The amount has the digits of its currency's minor unit.
      let product = Int128(full.amount.coefficient) * numerator
      let (units, remainder) = product.quotientAndRemainder(dividingBy: (isRelative ? 2 : 1) * denominator)
      guard remainder == 0, let units = Int64(exactly: units),
        let amount = try? Amount(minorUnits: units, exponent: full.amount.scale)
      else {
        throw CatalogError(
          .notRepresentable,
          "the discounted price of \(full.amount) \(full.currency) is not exact",
          fix: "write the discounted price"
        )
      }
      return amount
    }
    guard let discount = try region.optionalFields("absoluteDiscount") else {
      return (field, amount, full.currency)
    }
    let (reduction, currency) = try shared.money(discount)
    guard currency == full.currency, !reduction.isNegative, reduction < amount else {
      throw invalid("\(reduction) \(currency) cannot be subtracted from \(amount) \(full.currency)")
    }
    let reduced = try withCatalogErrors { () throws(PriceTagError) in try amount - reduction }
    return (field, reduced, currency)
  }

  /// Returns the length of a period as a fraction of another one, or `nil` if one has months and the other days.
  private static func fraction(
    _ period: SubscriptionPeriod,
    of full: SubscriptionPeriod
  ) -> (numerator: Int128, denominator: Int128)? {
    func length(_ period: SubscriptionPeriod) -> (count: Int, isInMonths: Bool) {
      switch period.unit {
      case .day: (period.count, false)
      case .week: (7 * period.count, false)
      case .month: (period.count, true)
      case .year: (12 * period.count, true)
      }
    }
    let (part, whole) = (length(period), length(full))
    return part.isInMonths == whole.isInMonths ? (Int128(part.count), Int128(whole.count)) : nil
  }

  private func invalid(_ problem: String) -> CatalogError {
    region.notRepresentable(problem, field, fix: "write the discounted price")
  }
}
