import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// Reads the decoded payload of an App Store transaction (`JWSTransactionDecodedPayload`) as an order.
///
/// `price` is in thousandths of the currency, for the complete quantity, after an offer's discount. The App Store collects
/// the tax, which the payload does not state. Unknown fields are ignored, because Apple adds some every year.
struct AppStoreTransactionReader {
  let fields: OrderFields
  let localeData: LocaleData
  /// The storefront of a transaction that names none.
  let storefront: Storefront?

  func order() throws(ReceiptError) -> Order {
    if try fields.optionalText("inAppOwnershipType") == "FAMILY_SHARED" {
      throw fields.error(
        .notAnOrder,
        "a family member shared the purchase, and nothing was charged",
        "inAppOwnershipType",
        fix: "use the transaction of the purchaser"
      )
    }
    let store = try store()
    let date = try fields.date("purchaseDate", in: store, perSecond: 1000)
    let quantity = try fields.optionalInteger("quantity", in: 1...1_000_000) ?? 1
    guard let price = try fields.optionalAmount("price", decimals: 3) else {
      throw fields.error(
        .missingField,
        "the transaction has no price",
        "price",
        fix: "request the transaction again from the App Store Server API, which adds price and currency"
      )
    }
    guard !price.isNegative else {
      throw fields.error(
        .contradictoryAmounts,
        "the price \(price) is negative",
        "price",
        fix: "use the payload as Apple signed it"
      )
    }
    let code = try fields.text("currency")
    let currency = try reading(fields.pointer(to: "currency")) { () throws(PriceTagError) in
      try Currency(code, in: localeData)
    }
    var order = Order(storefront: store, date: date, charged: price.normalized)
    order.currency = currency
    order.identifier = try shownText("transactionId")
    order.hasStoreTax = true
    let unitPrice = price.dividedExactly(by: quantity, decimals: currency.decimals)
    order.lines = [
      Order.Line(
        productIdentifier: try shownText("productId"),
        quantity: Amount(integerLiteral: Int64(quantity)),
        unitPrice: unitPrice,
        subtotal: unitPrice == nil ? price.normalized : nil,
        offer: try offer()
      )
    ]
    try readRevocation(into: &order)
    if try isTest() { (order.state, order.refunded) = (.test, nil) }
    return order
  }

  private func store() throws(ReceiptError) -> Storefront {
    if let storefront, fields["storefront"] == nil { return storefront }
    let id = try fields.text("storefront")
    return try reading(fields.pointer(to: "storefront")) { () throws(PriceTagError) in
      try Storefront(id, in: localeData)
    }
  }

  /// Returns whether the transaction is of a test environment, in which a purchase is not paid. Older payloads name none.
  private func isTest() throws(ReceiptError) -> Bool {
    switch try fields.optionalText("environment") {
    case "Production", nil: return false
    case "Sandbox", "Xcode", "LocalTesting": return true
    case let other?:
      throw fields.error(
        .invalidField,
        "unknown environment \(quoted(other))",
        "environment",
        fix: "use Production, Sandbox, Xcode or LocalTesting"
      )
    }
  }

  private func shownText(_ field: String) throws(ReceiptError) -> String {
    try fields.required(fields.optionalShownText(field), field)
  }

  private func offer() throws(ReceiptError) -> CatalogOffer.Kind? {
    switch try fields.optionalInteger("offerType", in: 0...Int(Int32.max)) {
    case 1: .introductory
    case 2: .promotional
    case 3: .code
    case 4: .winBack
    // A type that Apple has added since.
    case _?: .promotional
    case nil: nil
    }
  }

  /// Reads a refund or a revocation. Older payloads have a date only, which is then a refund of the complete price.
  private func readRevocation(into order: inout Order) throws(ReceiptError) {
    guard fields["revocationDate"] != nil else { return }
    _ = try fields.date("revocationDate", in: order.storefront, perSecond: 1000)
    let percentage = try fields.optionalInteger("revocationPercentage", in: 0...100_000)
    switch try fields.optionalText("revocationType") {
    case "FAMILY_REVOKE":
      order.state = .revoked
    case "REFUND_PRORATED" where percentage != 100_000:
      // The percentage is rounded, so that the amount is not known exactly.
      order.state = .partiallyRefunded
    case nil where percentage.map({ $0 < 100_000 }) ?? false:
      order.state = .partiallyRefunded
    case "REFUND_FULL", "REFUND_PRORATED", nil:
      (order.state, order.refunded) = (.refunded, order.charged)
    case let other?:
      throw fields.error(
        .invalidField,
        "unknown revocationType \(quoted(other))",
        "revocationType",
        fix: "use REFUND_FULL, REFUND_PRORATED or FAMILY_REVOKE"
      )
    }
  }
}
