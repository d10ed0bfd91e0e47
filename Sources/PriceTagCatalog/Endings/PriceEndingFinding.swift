import PriceTag
import PriceTagText

/// A price of a catalog whose ending the rules do not allow.
///
///     print(finding)
///     // com.example.fuel in JPN: ￥1,203 does not end as the rule for JPY requires (x0, x9); use ￥1,200 or ￥1,209
public struct PriceEndingFinding: Hashable, Sendable, CustomStringConvertible {
  /// The part of a catalog that has the price.
  public enum Source: Hashable, Sendable {
    /// A product, by its identifier.
    case product(String)
    /// An offer of a product, by its kind, and its identifier if it has one.
    case offer(product: String, CatalogOffer.Kind, String?)
    /// A price tier, by its name.
    case tier(String)
  }

  /// An amount, and how the store writes it.
  public struct WrittenAmount: Hashable, Sendable {
    /// The amount.
    public let amount: Amount
    /// The formatted price, or the amount with its currency code if the store cannot display the amount.
    public let display: String
  }

  /// The part of the catalog that has the price.
  public let source: Source
  /// The price.
  public let price: CatalogPrice
  /// The formatted price, or the amount with its currency code if the store cannot display it.
  public let display: String
  /// The rule that the price violates.
  public let rule: PriceEndingRule
  /// The entry of the rule: a currency code, or `*` for the default.
  public let ruleName: String
  /// The closest allowed amount below, or `nil`.
  public let below: WrittenAmount?
  /// The closest allowed amount above, or `nil`.
  public let above: WrittenAmount?
  /// The amount that replaces the price; `nil` if the price stays.
  public let correction: WrittenAmount?

  /// The finding on one line, with each price between direction isolates.
  public var description: String {
    let ruleText = ruleName == "*" ? "the default rule" : "the rule for \(ruleName)"
    let proposals = [below, above].compactMap { $0.map { isolated($0.display) } }
    let fix =
      correction.map { "corrected to \(isolated($0.display))" }
      ?? (proposals.isEmpty
        ? "no allowed amount is in range" : "use \(proposals.joined(separator: " or "))")
    return
      "\(place): \(isolated(display)) does not end as \(ruleText) requires (\(rule)); \(fix)"
  }

  private func isolated(_ display: String) -> String { "\u{2068}\(display)\u{2069}" }

  private var place: String {
    let owner =
      switch source {
      case .product(let product): printable(product)
      case .offer(let product, let kind, let identifier):
        "\(printable(product)), \(kind.rawValue) offer" + (identifier.map { " \(quoted($0))" } ?? "")
      case .tier(let tier): "tier \(quoted(tier))"
      }
    return "\(owner) in \(price.storefront)" + (price.days.first.map { " from \($0)" } ?? "")
      + (price.days.last.map { " until \($0)" } ?? "")
  }

  /// The finding as a JSON object on one line.
  ///
  /// `below` and `above` are `null` if there is no such amount. Other fields without a value are omitted.
  package var json: String {
    var fields: [(String, String)] = []
    switch source {
    case .product(let product): fields.append(("productIdentifier", PriceTagText.json(product)))
    case .offer(let product, let kind, let identifier):
      fields.append(("productIdentifier", PriceTagText.json(product)))
      let offer =
        [("kind", PriceTagText.json(kind.rawValue))]
        + (identifier.map { [("identifier", PriceTagText.json($0))] } ?? [])
      fields.append(("offer", jsonObject(offer)))
    case .tier(let tier): fields.append(("tier", PriceTagText.json(tier)))
    }
    fields.append(("storefront", PriceTagText.json(price.storefront)))
    fields.append(("currency", PriceTagText.json(price.currency.code)))
    if let first = price.days.first { fields.append(("from", PriceTagText.json(first.description))) }
    if let last = price.days.last { fields.append(("until", PriceTagText.json(last.description))) }
    fields.append(("amount", PriceTagText.json(price.amount.description)))
    fields.append(("display", PriceTagText.json(display)))
    fields.append(("rule", PriceTagText.json(ruleName)))
    fields.append(("endings", jsonArray(rule.endings.map { PriceTagText.json($0.description) })))
    fields.append(("below", below.map(Self.object) ?? "null"))
    fields.append(("above", above.map(Self.object) ?? "null"))
    if let correction { fields.append(("correction", Self.object(correction))) }
    return jsonObject(fields)
  }

  private static func object(_ written: WrittenAmount) -> String {
    jsonObject([
      ("amount", PriceTagText.json(written.amount.description)),
      ("display", PriceTagText.json(written.display)),
    ])
  }
}
