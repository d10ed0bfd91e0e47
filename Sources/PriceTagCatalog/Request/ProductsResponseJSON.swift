import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

extension ProductsResponse {
  /// The response as JSON on one line, as returned by `pricetag products --json` and the service.
  ///
  /// A text that contains a price appears twice: as plain text, and as HTML with `<bdi>` around the price.
  package var json: String {
    var text = jsonStart
    for (index, product) in products.enumerated() { text += (index > 0 ? "," : "") + product.json }
    writeJSONEnd { text += $0 }
    return text
  }

  /// The start of ``json``, up to the first product.
  package var jsonStart: String {
    var fields: [(String, String)] = [
      ("storefront", PriceTagText.json(storefront.id)), ("language", PriceTagText.json(language.identifier)),
    ]
    if requestedLanguage != language {
      fields.append(("requestedLanguage", PriceTagText.json(requestedLanguage.identifier)))
    }
    fields += [
      ("date", PriceTagText.json(date.description)), ("canMakePayments", canMakePayments ? "true" : "false"),
    ]
    if let paymentsNotice {
      let notice = jsonObject([
        ("title", PriceTagText.json(paymentsNotice.title.plain)),
        ("reason", PriceTagText.json(paymentsNotice.reason.plain)),
      ])
      fields.append(("paymentsNotice", notice))
    }
    return "\(jsonObject(fields).dropLast()),\"products\":["
  }

  /// Writes the end of ``json``, after the last product, in pieces.
  package func writeJSONEnd<Failure>(_ write: (String) throws(Failure) -> Void) throws(Failure) {
    try write("],\"invalidProductIdentifiers\":[")
    for (index, invalid) in invalidProductIdentifiers.enumerated() {
      try write((index > 0 ? "," : "") + invalid.json)
    }
    try write("]}")
  }
}

extension InvalidProductIdentifier {
  /// The identifier, the reason and the message as JSON.
  package var json: String {
    jsonObject([
      ("productIdentifier", PriceTagText.json(productIdentifier)),
      ("reason", PriceTagText.json(reason.rawValue)),
      ("message", PriceTagText.json(message)),
    ])
  }
}

extension Product {
  /// The product as JSON on one line.
  package var json: String {
    var fields = [
      ("productIdentifier", PriceTagText.json(identifier)), ("kind", optionalJSON(kind?.rawValue)),
      ("displayName", PriceTagText.json(displayName)), ("description", optionalJSON(text?.description)),
      ("textLanguage", optionalJSON(text?.language)), ("textOrigin", optionalJSON(text?.origin.rawValue)),
      ("price", json(price)), ("tier", optionalJSON(tier)),
    ]
    // Only where something is stated.
    if let taxInclusion { fields.append(("taxIncluded", taxInclusion.json)) }
    let scheduled = scheduledPrice.map { scheduled in
      jsonObject([
        ("from", PriceTagText.json(scheduled.firstDay.description)), ("price", json(scheduled.price)),
      ])
    }
    fields += [
      ("priceBeforeReduction", priceBeforeReduction.map(json) ?? "null"),
      ("scheduledPrice", scheduled ?? "null"),
      ("category", json(category)),
      ("subscription", subscription.map(json) ?? "null"), ("offers", jsonArray(offers.map(json))),
      ("image", optionalJSON(image)), ("images", jsonArray(images.map(json))),
      ("related", related.map { jsonArray($0.map { PriceTagText.json($0) }) } ?? "null"),
      ("approved", isApproved ? "true" : "false"),
      ("content", optionalJSON(content?.description)), ("unitPrice", unitPrice.map(json) ?? "null"),
    ]
    return jsonObject(fields)
  }

  private func json(_ image: Image) -> String {
    jsonObject([
      ("src", PriceTagText.json(image.address)), ("width", image.width.map(String.init) ?? "null"),
      ("height", image.height.map(String.init) ?? "null"), ("alt", optionalJSON(image.alternativeText)),
      ("altLanguage", optionalJSON(image.textLanguage)), ("sources", jsonArray(image.sources.map(\.json))),
    ])
  }

  private func json(_ price: FormattedPrice) -> String {
    jsonObject(fields(of: price) + [("html", PriceTagText.json(price.html))])
  }

  private func fields(of price: FormattedPrice) -> [(String, String)] {
    [
      ("amount", PriceTagText.json(price.amount.description)),
      ("currency", PriceTagText.json(price.currency.code)),
      ("priceLocale", PriceTagText.json(price.locale.identifier)), ("display", PriceTagText.json(price.text)),
      ("spoken", PriceTagText.json(price.spoken)),
    ]
  }

  private func json(_ unitPrice: UnitPrice) -> String {
    let price = unitPrice.price
    return jsonObject(
      fields(of: price) + [
        ("content", PriceTagText.json(unitPrice.content.description)),
        ("reference", PriceTagText.json(unitPrice.reference.description)),
        ("text", PriceTagText.json(unitPrice.displayText)),
        ("html", PriceTagText.json(unitPrice.pieceText?.html ?? price.html)),
      ]
    )
  }

  private func json(_ group: Group?) -> String {
    guard let group else { return "null" }
    return jsonObject([
      ("identifier", PriceTagText.json(group.identifier)), ("name", optionalJSON(group.name)),
    ])
  }

  private func json(_ subscription: Subscription) -> String {
    jsonObject([
      ("period", PriceTagText.json(subscription.period.description)), ("group", json(subscription.group)),
      ("groupLevel", subscription.groupLevel.map { "\($0)" } ?? "null"),
      ("duration", PriceTagText.json(subscription.durationText.plain)),
      ("text", optionalJSON(subscription.priceText?.plain)),
      ("html", optionalJSON(subscription.priceText?.html)),
    ])
  }

  private func json(_ offer: Offer) -> String {
    jsonObject(
      [("kind", PriceTagText.json(offer.kind.rawValue)), ("identifier", optionalJSON(offer.identifier))]
        + fields(of: offer.first) + [
          ("laterPhases", jsonArray(offer.laterPhases.map { jsonObject(fields(of: $0)) })),
          ("text", PriceTagText.json(offer.text.plain)), ("html", PriceTagText.json(offer.text.html)),
        ]
    )
  }

  private func fields(of phase: Offer.Phase) -> [(String, String)] {
    [
      ("paymentMode", PriceTagText.json(phase.paymentMode.rawValue)),
      ("period", PriceTagText.json(phase.period.description)), ("periodCount", "\(phase.periodCount)"),
      ("price", phase.price.map(json) ?? "null"),
    ]
  }
}
