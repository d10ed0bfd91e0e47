import PriceTag
import PriceTagText

/// The endings that the prices of a shop may have, by currency, read from a JSON file.
///
///     {"schema": 1, "rules": {"USD": [".99", ".95"], "JPY": ["x0", "x9"], "CHF": null, "*": ["/0.05"]}}
///
/// `PriceEnding` has the syntax of endings. `*` is the default for all other currencies. `null` is for a currency whose
/// prices are not checked. Without a default, the prices in currencies without a rule are not checked either.
public struct PriceEndingRules: Sendable {
  /// A rule, and the entry of the file that it comes from.
  struct Entry: Hashable, Sendable {
    /// The code of a currency, or `*`.
    let name: String
    let rule: PriceEndingRule
  }

  /// The maximum size of a file: 1 MB.
  private static let maximumByteCount = 1 << 20
  private static let defaultName = "*"

  /// The file's name, for errors.
  private let file: String
  /// The rules by currency; `nil` for a currency that is not checked.
  private var rules: [String: PriceEndingRule?] = [:]

  /// Reads the rules of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - localeData: The currencies.
  /// - Throws: `.unreadableFile`, `.tooLarge`, `.malformedFile`, `.unknownVersion`, `.invalidField`, `.unknownCurrency`,
  ///   `.duplicate`, or `.tooManyDigits` for an ending with more decimals than its currency.
  public init(_ file: CatalogFile, in localeData: LocaleData = .embedded) throws(CatalogError) {
    self.file = printable(file.name)
    do throws(CatalogError) {
      let members = try Self.members(of: Self.root(of: file))
      for member in members {
        let place = "line \(member.line), rule \(quoted(member.key))"
        do throws(CatalogError) { try add(member.key, member.value, localeData) } catch {
          throw error.at(place)
        }
      }
    } catch { throw error.at(self.file) }
  }

  private static func root(of file: CatalogFile) throws(CatalogError) -> JSONObject {
    let bytes = try file.contents()
    guard bytes.count <= maximumByteCount else {
      throw CatalogError(
        .tooLarge,
        "the file is larger than \(maximumByteCount >> 20) MB",
        fix: "use a file with one rule for each currency"
      )
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch { throw CatalogError(error) }
    guard case .object(let root) = value else {
      throw CatalogError(
        .malformedFile,
        "the file contains \(value.kind), not an object",
        fix: "write {\"schema\": 1, \"rules\": {…}}"
      )
    }
    return root
  }

  /// Checks the fields of the file, and returns the members of `rules`.
  private static func members(of root: JSONObject) throws(CatalogError) -> [JSONObject.Member] {
    let fields = ["schema", "rules"]
    for member in root.members where !fields.contains(member.key) {
      throw CatalogError(
        .invalidField,
        "unknown field \(quoted(member.key))",
        fix: didYouMean(closestMatch(to: member.key, among: fields), otherwise: "remove it"),
        place: "line \(member.line)"
      )
    }
    guard case .number("1")? = root["schema"] else {
      throw CatalogError(
        .unknownVersion,
        "the file does not have the schema 1",
        fix: "write \"schema\": 1, or use a later version of PriceTag",
        place: "field \"schema\""
      )
    }
    guard case .object(let rules)? = root["rules"], !rules.members.isEmpty else {
      throw CatalogError(
        .invalidField,
        "the field \"rules\" is not an object with rules",
        fix: "write rules by currency, such as {\"USD\": [\".99\"]}",
        place: "field \"rules\""
      )
    }
    return rules.members
  }

  private mutating func add(
    _ name: String,
    _ value: JSONValue,
    _ localeData: LocaleData
  ) throws(CatalogError) {
    var currency: Currency?
    if name != Self.defaultName {
      currency = try withCatalogErrors { () throws(PriceTagError) in try Currency(name, in: localeData) }
    }
    let rule = try Self.rule(value)
    if let rule, let currency, let excess = Self.excess(rule, currency) {
      throw Self.tooManyDigits(excess, currency, fix: "remove the ending")
    }
    guard rules.updateValue(rule, forKey: currency?.code ?? name) == nil else {
      throw CatalogError(.duplicate, "the currency has two rules", fix: "remove one")
    }
  }

  /// Returns the rule of a JSON value; `nil` for `null`.
  private static func rule(_ value: JSONValue) throws(CatalogError) -> PriceEndingRule? {
    switch value {
    case .null: return nil
    case .array(let values):
      var texts: [String] = []
      for value in values {
        guard case .string(let text) = value else {
          throw CatalogError(
            .invalidField,
            "an ending is \(value.kind), not a string",
            fix: "write endings such as \".99\""
          )
        }
        texts.append(text)
      }
      return try withCatalogErrors { () throws(PriceTagError) in try PriceEndingRule(texts) }
    default:
      throw CatalogError(
        .invalidField,
        "the rule is \(value.kind), not an array",
        fix: "write an array of endings such as [\".99\"], or null to allow all prices"
      )
    }
  }

  /// Returns the first ending that has more decimals than a currency. A currency without a minor unit has any number.
  private static func excess(_ rule: PriceEndingRule, _ currency: Currency) -> PriceEnding? {
    guard let digits = currency.minorUnitDigits else { return nil }
    return rule.endings.first { $0.decimalCount > digits }
  }

  private static func tooManyDigits(
    _ ending: PriceEnding,
    _ currency: Currency,
    fix: String
  ) -> CatalogError {
    CatalogError(
      .tooManyDigits,
      "the ending \(quoted(ending.description)) has more decimals than the minor unit of \(currency) (\(currency.minorUnitDigits ?? 0))",
      fix: fix
    )
  }

  /// Returns the rule for the prices in a currency.
  ///
  /// - Returns: The currency's own rule, else the default; `nil` if its prices are not checked.
  /// - Throws: `.tooManyDigits` if the default has an ending with more decimals than the currency.
  public func rule(for currency: Currency) throws(CatalogError) -> PriceEndingRule? {
    try entry(for: currency)?.rule
  }

  func entry(for currency: Currency) throws(CatalogError) -> Entry? {
    if let own = rules[currency.code] { return own.map { Entry(name: currency.code, rule: $0) } }
    guard case let rule?? = rules[Self.defaultName] else { return nil }
    if let excess = Self.excess(rule, currency) {
      throw Self.tooManyDigits(
        excess,
        currency,
        fix: "add a rule for \(currency), or null to allow all of its prices"
      ).at("\(file), rule \(quoted(Self.defaultName))")
    }
    return Entry(name: Self.defaultName, rule: rule)
  }
}
