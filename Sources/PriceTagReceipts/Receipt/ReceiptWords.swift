import PriceTag
import PriceTagStrings

/// The words of a receipt in the buyer's language.
struct ReceiptWords: Sendable {
  /// A fact about the order, above the lines.
  struct Detail: Sendable {
    let label: FormattedMessage
    let value: String
    /// Whether the value is a text of the order, not one in the buyer's language.
    let isFromOrder: Bool
  }

  /// `Receipt from Rocket Garage`, or `Receipt`.
  let title: FormattedMessage
  /// The number, date, store, buyer and state of the order.
  let details: [Detail]
  /// The name of the state.
  let state: FormattedMessage
  /// The date of the order.
  let date: String
  /// The headings of the columns.
  let product: FormattedMessage
  let quantity: FormattedMessage
  let price: FormattedMessage
  let amount: FormattedMessage
  let discount: FormattedMessage
  /// The store's label about tax; `nil` if it does not apply.
  let storeTax: FormattedMessage?

  private let strings: StoreStrings
  private let language: UILanguage
  private let tax: Storefront.Tax?

  init(_ order: Order, _ language: UILanguage, _ strings: StoreStrings) throws(StringsError) {
    (self.strings, self.language) = (strings, language)
    // The tax of a buyer in another country is only what the order states.
    tax = order.country == nil ? order.storefront.tax : nil
    func message(_ key: String) throws(StringsError) -> FormattedMessage {
      try strings.format(key, in: language)
    }
    title =
      if let seller = order.seller {
        try strings.format("receipt_from", in: language, ["seller": .text(seller)])
      } else { try message("receipt") }
    date = language.format(order.date)
    state = try message(Self.key(of: order.state))
    var details: [Detail] = []
    for (key, value, isFromOrder) in [
      ("receipt_order_number", order.identifier, true), ("receipt_order_date", date, false),
      ("store", language.name(of: order.storefront), false), ("receipt_billed_to", order.buyer, true),
      ("receipt_payment_status", state.plain, false),
    ] {
      guard let value else { continue }
      details.append(Detail(label: try message(key), value: value, isFromOrder: isFromOrder))
    }
    self.details = details
    product = try message("product")
    quantity = try message("quantity")
    price = try message("price")
    amount = try message("amount")
    discount = try message("receipt_discount")
    storeTax =
      order.hasStoreTax && order.country == nil
      ? try strings.taxLabel(for: order.storefront, in: language) : nil
  }

  private static func key(of state: Order.State) -> String {
    switch state {
    case .paid: "receipt_state_paid"
    case .pending: "receipt_state_pending"
    case .refunded: "receipt_state_refunded"
    case .partiallyRefunded: "receipt_state_partly_refunded"
    case .revoked: "receipt_state_revoked"
    case .test: "receipt_state_test"
    }
  }

  /// Returns the label of a row below the lines. The storefront determines which tax it is.
  func label(of kind: Receipt.Total.Kind) throws(StringsError) -> FormattedMessage {
    let suffix =
      switch tax?.kind {
      case .vat: "_vat"
      case .gst: "_gst"
      default: ""
      }
    let key =
      switch kind {
      case .subtotal: "receipt_subtotal"
      case .discount: "receipt_discount"
      case .shipping: "receipt_shipping"
      case .tax: "receipt_tax\(suffix)"
      case .total: "receipt_total"
      case .includedTax: "receipt_includes_tax\(suffix)"
      case .refund: "receipt_refund"
      case .totalAfterRefund: "receipt_total_after_refund"
      }
    return try strings.format(key, in: language)
  }

  /// Returns a quantity and a price, `2 × $4.99`, or a quantity without the price of one item, `Quantity 2`; `nil` if the amount
  /// of the line is the price of one item.
  func calculation(_ line: Receipt.Line) -> FormattedMessage? {
    let quantity = line.line.quantity
    guard quantity != 1 || line.discount != nil else { return nil }
    guard let price = line.unitPrice else {
      let label = MessageArgument.message(self.quantity)
      return try? Message("{label} {count}", language: language).format([
        "label": label, "count": .count(quantity),
      ])
    }
    return try? strings.format(
      "installments_calculation",
      in: language,
      ["count": .count(quantity), "price": .price(price)]
    )
  }

  /// Returns a quantity as the language writes it.
  func count(_ number: Amount) -> String {
    (try? Message("{count, number}", language: language).format(["count": .count(number)]).plain)
      ?? number.description
  }

  /// Returns a rate in percent as the language writes it.
  func percent(_ rate: Amount) -> String {
    (try? Message("{rate}", language: language).format(["rate": .percent(rate)]).plain) ?? "\(rate)%"
  }
}
