import PriceTag
import PriceTagStrings
import PriceTagText

/// The forms of a receipt.
public enum ReceiptForm: String, Hashable, Sendable, CaseIterable, Codable {
  /// An HTML page of its own.
  case page
  /// HTML for an e-mail.
  case email
  /// Plain text.
  case text
  /// All facts and words as JSON.
  case json
}

extension Receipt {
  /// The facts and words of the receipt as JSON on one line.
  package var json: String { json(including: []) }

  /// Returns the facts and words of the receipt as JSON on one line, followed by other forms as strings.
  ///
  /// - Parameter forms: The forms to include as members with their names. `.json` has no member.
  package func json(including forms: [ReceiptForm]) -> String {
    var fields = [
      ("id", optionalJSON(order.identifier)), ("storefront", PriceTagText.json(order.storefront.id)),
    ]
    if let country = order.country { fields.append(("country", PriceTagText.json(country))) }
    fields += [
      ("currency", PriceTagText.json(formatter.currency.code)),
      ("priceLocale", PriceTagText.json(formatter.locale.identifier)),
      ("language", PriceTagText.json(language.identifier)),
    ]
    if resolvedLanguage.isStoreDefault {
      fields.append(("requestedLanguage", PriceTagText.json(resolvedLanguage.requested.identifier)))
    }
    fields += [
      ("date", PriceTagText.json(order.date.description)), ("dateText", PriceTagText.json(words.date)),
      ("state", PriceTagText.json(order.state.rawValue)), ("stateText", PriceTagText.json(words.state.plain)),
      ("title", PriceTagText.json(title)), ("charged", PriceTagText.json(order.charged.description)),
      ("lines", jsonArray(lines.map(lineJSON))), ("totals", jsonArray(totals.map(totalJSON))),
      ("findings", jsonArray(findings.map(\.json))),
    ]
    for form in forms where form != .json {
      fields.append((form.rawValue, PriceTagText.json(text(as: form))))
    }
    return jsonObject(fields)
  }

  /// Returns the receipt in a form.
  public func text(as form: ReceiptForm) -> String {
    switch form {
    case .page: page
    case .email: email
    case .text: text
    case .json: json + "\n"
    }
  }

  private func lineJSON(_ line: Line) -> String {
    let isIncluded = line.tax == nil ? "null" : flag(line.line.taxes.first?.isIncluded == true)
    let facts: [(String, String)] = [
      ("productIdentifier", optionalJSON(line.line.productIdentifier)),
      ("name", PriceTagText.json(line.name)),
      ("nameLanguage", optionalJSON(line.nameLanguage)),
      ("quantity", line.line.quantity.normalized.description),
    ]
    let prices: [(String, String)] = [
      ("unitPrice", priceJSON(line.unitPrice)), ("subtotal", priceJSON(line.subtotal)),
      ("discount", priceJSON(line.discount)), ("amount", priceJSON(line.amount)),
      ("tax", priceJSON(line.tax)), ("taxIncluded", isIncluded), ("total", priceJSON(line.total)),
    ]
    let taxes = line.line.taxes
    guard taxes.count > 1 || taxes.first?.isPlain == false else { return jsonObject(facts + prices) }
    return jsonObject(facts + prices + [("taxes", jsonArray(taxes.map(taxJSON)))])
  }

  private func taxJSON(_ tax: Order.Tax) -> String {
    jsonObject([
      ("name", optionalJSON(tax.name)), ("rate", optionalJSON(tax.rate?.normalized.description)),
      ("amount", PriceTagText.json(tax.amount.description)), ("included", flag(tax.isIncluded)),
    ])
  }

  private func totalJSON(_ total: Total) -> String {
    let rate = total.rate.map { [("rate", PriceTagText.json($0.description))] } ?? []
    return jsonObject(
      [
        ("kind", PriceTagText.json(total.kind.rawValue)), ("label", PriceTagText.json(total.label.plain)),
        ("name", optionalJSON(total.name)),
      ] + rate + [("price", priceJSON(total.price))]
    )
  }
}

extension ReceiptFinding {
  /// The finding as a JSON object on one line.
  package var json: String {
    jsonObject([
      ("code", PriceTagText.json(code.rawValue)), ("line", line.map(String.init) ?? "null"),
      ("productIdentifier", optionalJSON(productIdentifier)),
      ("charged", PriceTagText.json(charged.amount.description)),
      ("catalog", optionalJSON(catalog?.amount.description)),
      ("catalogCurrency", optionalJSON(catalog?.currency.code)), ("message", PriceTagText.json(message)),
    ])
  }
}

private func priceJSON(_ price: FormattedPrice?) -> String {
  guard let price else { return "null" }
  return jsonObject([
    ("amount", PriceTagText.json(price.amount.description)), ("display", PriceTagText.json(price.text)),
  ])
}

private func flag(_ value: Bool) -> String { value ? "true" : "false" }
