import PriceTag
import PriceTagStrings

extension ProductsResponse {
  /// The response as JSON, on one line: what `pricetag products --json` and the service answer.
  ///
  /// A text of words and prices stands twice: as plain text, and as HTML with `<bdi>` around each price.
  public var json: String {
    var text = ""
    writeJSON { text += $0 }
    return text
  }

  /// Writes ``json`` in pieces, so that a host can stop a long answer on its way.
  package func writeJSON<Failure>(_ write: (String) throws(Failure) -> Void) throws(Failure) {
    var fields: [(String, String)] = [
      ("storefront", PriceTag.json(storefront.id)), ("language", PriceTag.json(language.identifier)),
      ("date", PriceTag.json(date.description)), ("canMakePayments", canMakePayments ? "true" : "false"),
    ]
    if let paymentsNotice {
      fields.append(
        (
          "paymentsNotice",
          jsonObject([
            ("title", PriceTag.json(paymentsNotice.title.plain)),
            ("reason", PriceTag.json(paymentsNotice.reason.plain)),
          ])
        )
      )
    }
    try write("\(jsonObject(fields).dropLast()),\"products\":[")
    for (index, product) in products.enumerated() { try write((index > 0 ? "," : "") + product.json) }
    try write("],\"invalidProductIdentifiers\":[")
    for (index, invalid) in invalidProductIdentifiers.enumerated() {
      try write((index > 0 ? "," : "") + invalid.json)
    }
    try write("]}")
  }
}

extension InvalidProductIdentifier {
  /// The identifier, its reason and its message, as JSON.
  public var json: String {
    jsonObject([
      ("productIdentifier", PriceTag.json(productIdentifier)), ("reason", PriceTag.json(reason.rawValue)),
      ("message", PriceTag.json(message)),
    ])
  }
}

extension Product {
  /// The product as JSON, on one line.
  public var json: String {
    jsonObject([
      ("productIdentifier", PriceTag.json(identifier)), ("kind", optional(kind?.rawValue)),
      ("displayName", PriceTag.json(displayName)), ("description", optional(text?.description)),
      ("textLanguage", optional(text?.language)), ("textOrigin", optional(text?.origin.rawValue)),
      ("price", json(price)), ("tier", optional(tier)),
      ("priceBeforeReduction", priceBeforeReduction.map(json) ?? "null"),
      (
        "scheduledPrice",
        scheduledPrice.map { scheduled in
          jsonObject([
            ("from", PriceTag.json(scheduled.firstDay.description)), ("price", json(scheduled.price)),
          ])
        } ?? "null"
      ),
      ("category", json(category)),
      ("subscription", subscription.map(json) ?? "null"), ("offers", jsonArray(offers.map(json))),
      ("image", optional(image)), ("approved", isApproved ? "true" : "false"),
    ])
  }

  private func json(_ price: FormattedPrice) -> String {
    jsonObject([
      ("amount", PriceTag.json(price.amount.description)), ("currency", PriceTag.json(price.currency.code)),
      ("priceLocale", PriceTag.json(price.locale.identifier)), ("display", PriceTag.json(price.text)),
      ("spoken", PriceTag.json(price.spoken)), ("html", PriceTag.json(price.html)),
    ])
  }

  private func json(_ group: Group?) -> String {
    guard let group else { return "null" }
    return jsonObject([("identifier", PriceTag.json(group.identifier)), ("name", optional(group.name))])
  }

  private func json(_ subscription: Subscription) -> String {
    jsonObject([
      ("period", PriceTag.json(subscription.period.description)), ("group", json(subscription.group)),
      ("groupLevel", subscription.groupLevel.map { "\($0)" } ?? "null"),
      ("duration", PriceTag.json(subscription.durationText.plain)),
      ("text", optional(subscription.priceText?.plain)), ("html", optional(subscription.priceText?.html)),
    ])
  }

  private func json(_ offer: Offer) -> String {
    jsonObject([
      ("kind", PriceTag.json(offer.kind.rawValue)), ("identifier", optional(offer.identifier)),
      ("paymentMode", PriceTag.json(offer.paymentMode.rawValue)),
      ("period", PriceTag.json(offer.period.description)), ("periodCount", "\(offer.periodCount)"),
      ("price", offer.price.map(json) ?? "null"), ("text", PriceTag.json(offer.text.plain)),
      ("html", PriceTag.json(offer.text.html)),
    ])
  }
}

private func optional(_ text: String?) -> String { text.map(PriceTag.json) ?? "null" }
