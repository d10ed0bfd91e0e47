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
      ("id", optional(order.identifier)), ("storefront", PriceTagText.json(order.storefront.id)),
      ("currency", PriceTagText.json(formatter.currency.code)),
      ("priceLocale", PriceTagText.json(formatter.locale.identifier)),
      ("language", PriceTagText.json(language.identifier)),
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
    let isIncluded: String = line.line.tax.map { $0.isIncluded ? "true" : "false" } ?? "null"
    let facts: [(String, String)] = [
      ("productIdentifier", optional(line.line.productIdentifier)), ("name", PriceTagText.json(line.name)),
      ("nameLanguage", optional(line.nameLanguage)), ("quantity", String(line.line.quantity)),
    ]
    let prices: [(String, String)] = [
      ("unitPrice", priceJSON(line.unitPrice)), ("subtotal", priceJSON(line.subtotal)),
      ("discount", priceJSON(line.discount)), ("amount", priceJSON(line.amount)),
      ("tax", priceJSON(line.tax)), ("taxIncluded", isIncluded), ("total", priceJSON(line.total)),
    ]
    return jsonObject(facts + prices)
  }

  private func totalJSON(_ total: Total) -> String {
    jsonObject([
      ("kind", PriceTagText.json(total.kind.rawValue)), ("label", PriceTagText.json(total.label.plain)),
      ("name", optional(total.name)), ("price", priceJSON(total.price)),
    ])
  }
}

extension ReceiptFinding {
  /// The finding as a JSON object on one line.
  package var json: String {
    jsonObject([
      ("code", PriceTagText.json(code.rawValue)), ("line", line.map(String.init) ?? "null"),
      ("productIdentifier", optional(productIdentifier)),
      ("charged", PriceTagText.json(charged.amount.description)),
      ("catalog", optional(catalog?.amount.description)),
      ("catalogCurrency", optional(catalog?.currency.code)), ("message", PriceTagText.json(message)),
    ])
  }
}

private func priceJSON(_ price: FormattedPrice?) -> String {
  guard let price else { return "null" }
  return jsonObject([
    ("amount", PriceTagText.json(price.amount.description)), ("display", PriceTagText.json(price.text)),
  ])
}

private func optional(_ text: String?) -> String { text.map { PriceTagText.json($0) } ?? "null" }
