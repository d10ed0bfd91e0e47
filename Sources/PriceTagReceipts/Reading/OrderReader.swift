import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// Reads orders from JSON: PriceTag's own format, decoded App Store transactions, and Stripe checkout sessions.
///
///     let reader = OrderReader()
///     let order = try reader.order(Array(json.utf8))
public struct OrderReader: Sendable {
  /// The storefronts and currencies.
  public var localeData: LocaleData
  /// The storefront of orders that name none. It has no effect on an order that names its storefront, or whose buyer's country
  /// has one, such as a Stripe session's.
  public var storefront: Storefront?
  /// The format of all orders; `nil` to recognize the format of each.
  public var format: OrderFormat?

  /// Creates a reader.
  public init(localeData: LocaleData = .embedded, storefront: Storefront? = nil, format: OrderFormat? = nil) {
    (self.localeData, self.storefront, self.format) = (localeData, storefront, format)
  }

  /// Returns the order in UTF-8 JSON.
  ///
  /// - Throws: `.malformedJSON`, `.tooLarge`, and the errors of the fields.
  public func order(_ json: [UInt8]) throws(ReceiptError) -> Order { try order(Self.value(of: json)) }

  /// Returns the value of JSON in UTF-8.
  package static func value(of json: [UInt8]) throws(ReceiptError) -> JSONValue {
    guard json.count <= OrderLimits.byteCount else {
      throw ReceiptError(
        .tooLarge,
        "the order is larger than \(OrderLimits.byteCount >> 20) MB",
        fix: "split it"
      )
    }
    do throws(JSONError) { return try JSONReader.value(of: json) } catch {
      throw ReceiptError(.malformedJSON, error.problem, fix: "correct the JSON", place: error.place())
    }
  }

  /// Returns the order of a JSON value.
  package func order(_ value: JSONValue) throws(ReceiptError) -> Order {
    let fields = try OrderFields(value, at: "")
    let format = if let format { format } else { try Self.format(of: fields) }
    switch format {
    case .priceTag: return try priceTagOrder(fields)
    case .appStore:
      let reader = AppStoreTransactionReader(fields: fields, localeData: localeData, storefront: storefront)
      return try reader.order()
    case .stripe:
      return try StripeSessionReader(fields: fields, localeData: localeData, storefront: storefront).order()
    }
  }

  private static func format(of fields: OrderFields) throws(ReceiptError) -> OrderFormat {
    if fields["lines"] != nil || fields["charged"] != nil { return .priceTag }
    if case .string? = fields["object"] { return .stripe }
    if fields["transactionId"] != nil, fields["productId"] != nil { return .appStore }
    if fields["signedTransactionInfo"] != nil || fields["signedPayload"] != nil {
      throw ReceiptError(
        .unknownFormat,
        "the transaction is signed",
        fix: "verify the signature with Apple's library, and pass the decoded payload"
      )
    }
    // The own format: its errors name the missing fields.
    return .priceTag
  }

  // MARK: PriceTag's own format

  private func priceTagOrder(_ fields: OrderFields) throws(ReceiptError) -> Order {
    try fields.allow([
      "id", "seller", "buyer", "storefront", "date", "language", "currency", "lines", "discounts", "discount",
      "shipping", "tax", "taxes", "taxIncluded", "subtotal", "charged", "state", "refunded",
    ])
    let place = fields.pointer(to: "storefront")
    let store: Storefront
    if let name = try fields.optionalText("storefront") {
      store = try reading(place) { () throws(PriceTagError) in try Storefront(name, in: localeData) }
    } else if let storefront {
      store = storefront
    } else {
      throw ReceiptError(
        .missingStorefront,
        "the order has no storefront",
        fix: "add it, such as \"storefront\": \"USA\"",
        place: place
      )
    }
    let date = try reading(fields.pointer(to: "date")) {
      [text = try fields.text("date")] () throws(PriceTagError) in
      try CalendarDate(text)
    }
    var order = Order(storefront: store, date: date, charged: try fields.amount("charged"))
    order.identifier = try fields.optionalShownText("id")
    order.seller = try fields.optionalShownText("seller")
    order.buyer = try fields.optionalShownText("buyer")
    order.language = try language(fields)
    if let code = try fields.optionalText("currency") {
      order.currency = try reading(fields.pointer(to: "currency")) { () throws(PriceTagError) in
        try Currency(code, in: localeData)
      }
    }
    let included = try fields.optionalBool("taxIncluded")
    guard let lines = try fields.optionalObjects("lines", maximumCount: OrderLimits.lineCount) else {
      throw fields.missing("lines")
    }
    for line in lines { order.lines.append(try self.line(line, included)) }
    try readDiscounts(fields, into: &order)
    if let shipping = try fields.optionalObject("shipping") {
      try shipping.allow(["amount", "tax", "taxes", "taxIncluded"])
      order.shipping = Order.Shipping(try shipping.amount("amount"), taxes: try taxes(shipping, included))
    }
    order.taxes = try taxes(fields, included)
    order.subtotal = try fields.optionalAmount("subtotal")
    order.state = try fields.optionalChoice("state", of: Order.State.self) ?? .paid
    order.refunded = try fields.optionalAmount("refunded")
    if order.state == .partiallyRefunded, order.refunded == nil { throw fields.missing("refunded") }
    return order
  }

  private func language(_ fields: OrderFields) throws(ReceiptError) -> UILanguage? {
    guard let tag = try fields.optionalText("language") else { return nil }
    do throws(StringsError) { return try UILanguage(tag) } catch {
      throw fields.error(.unknownLanguage, error.problem, "language", fix: error.fix)
    }
  }

  private func line(_ fields: OrderFields, _ included: Bool?) throws(ReceiptError) -> Order.Line {
    try fields.allow([
      "productIdentifier", "name", "quantity", "unitPrice", "subtotal", "discount", "tax", "taxes",
      "taxIncluded",
      "total", "offer",
    ])
    let identifier = try fields.optionalShownText("productIdentifier")
    let name = try fields.optionalShownText("name")
    if identifier == nil, name == nil { throw fields.missing("productIdentifier") }
    return Order.Line(
      productIdentifier: identifier,
      name: name,
      quantity: try fields.optionalAmount("quantity") ?? 1,
      unitPrice: try fields.optionalAmount("unitPrice"),
      subtotal: try fields.optionalAmount("subtotal"),
      discount: try fields.optionalAmount("discount") ?? .zero,
      taxes: try taxes(fields, included),
      total: try fields.optionalAmount("total"),
      offer: try fields.optionalChoice("offer", of: CatalogOffer.Kind.self)
    )
  }

  private func readDiscounts(_ fields: OrderFields, into order: inout Order) throws(ReceiptError) {
    if let amount = try fields.optionalAmount("discount") {
      order.discounts.append(Order.Discount(amount))
      order.hasDiscountField = true
    }
    for discount in try fields.optionalObjects("discounts", maximumCount: OrderLimits.discountCount) ?? [] {
      try discount.allow(["name", "amount"])
      order.discounts.append(
        Order.Discount(try discount.amount("amount"), name: try discount.optionalShownText("name"))
      )
    }
  }

  /// Returns the taxes of an order, a line or the shipping: the field `tax`, or `taxes` with names and rates. Whether prices
  /// include them must be stated.
  private func taxes(_ fields: OrderFields, _ orderIncluded: Bool?) throws(ReceiptError) -> [Order.Tax] {
    let included = try fields.optionalBool("taxIncluded") ?? orderIncluded
    func tax(_ amount: Amount, _ isIncluded: Bool?, _ fields: OrderFields, _ field: String)
      throws(ReceiptError)
      -> Order.Tax
    {
      if let isIncluded { return Order.Tax(amount, isIncluded: isIncluded) }
      throw fields.error(
        .missingField,
        "the field \(quoted(field)) is missing",
        field,
        fix: "write true if prices include the tax, or false if it is added"
      )
    }
    guard let items = try fields.optionalObjects("taxes", maximumCount: OrderLimits.taxCount) else {
      guard let amount = try fields.optionalAmount("tax") else { return [] }
      return [try tax(amount, included, fields, "taxIncluded")]
    }
    guard fields["tax"] == nil else {
      throw fields.error(.invalidField, "there are both \"tax\" and \"taxes\"", "tax", fix: "remove one")
    }
    var taxes: [Order.Tax] = []
    for item in items {
      try item.allow(["name", "rate", "amount", "included"])
      var tax = try tax(item.amount("amount"), item.optionalBool("included") ?? included, item, "included")
      tax.name = try item.optionalShownText("name")
      tax.rate = try item.optionalAmount("rate")
      taxes.append(tax)
    }
    return taxes
  }
}
